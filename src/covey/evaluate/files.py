"""What was lost by a release, when neither originals nor rows fit into memory?  For the curator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import polars as pl

from covey.aggregate.histogram import cell_count
from covey.aggregate.summary import Summary, summarise, summarise_rows, tables_of
from covey.engines.files.limit import Memory
from covey.engines.files.scan import open_stream
from covey.errors import PlanError, ReleaseError
from covey.evaluate.evaluation import evaluate_pieces
from covey.evaluate.result import Evaluation
from covey.evaluate.tabulated import releases_cells

if TYPE_CHECKING:
    from pathlib import Path

    from covey.aggregate.histogram import Cells
    from covey.evaluate.utility import Scaling
    from covey.release import Release, SavedRelease

    Scannable = Release | SavedRelease


def evaluate_stream(
    data: str | Path,
    release: Scannable,
    *,
    scaling: Scaling = "standard",
    memory: str | int = "1GB",
) -> Evaluation:
    """Compare a release with the files it was made from, piece by piece.

    Moments and distributions are compared as `covey.evaluate` does; the notes say what is left
    out, and how far the distances of distributions, counted on fine grids, can be off.

    Parameters
    ----------
    data : path
        The originals: one file, or a folder of files, as for publishing.
    release : Release or SavedRelease
        What was published from them.
    scaling : {"standard", "raw", "bounds"}
        As in `covey.evaluate`.
    memory : str or int
        What may be used, for instance "750MB".
    """
    if release.plan.schema is None:
        raise PlanError(
            "the release is one of a graph, and the engine 'stream' compares tables. "
            "Use `covey.evaluate`."
        )
    if releases_cells(release):
        raise PlanError(
            "the release is tables and holds no rows, so the engine 'stream' cannot compare it "
            "with records. Use `covey.evaluate`."
        )
    stream = open_stream(data, release.plan.schema, Memory.of(memory))

    def original(names: Sequence[str], cells: Sequence[Cells], nominal: Sequence[str]) -> Summary:
        # Counts of both tables, and one more while they are compared.
        stream.memory.require(24 * sum(map(cell_count, cells)), "counting these columns")
        return summarise(stream.pieces(), names, cells, nominal)

    def rows(names: Sequence[str]) -> Iterator[pl.DataFrame]:
        return _rows(release, names, stream.memory.rows(len(names)))

    def released(names: Sequence[str], cells: Sequence[Cells], nominal: Sequence[str]) -> Summary:
        frames = rows([*names, *nominal])
        return summarise_rows(stream.head, frames, names, cells, nominal)

    return evaluate_pieces(
        stream.head,
        release.guarantee,
        original,
        released,
        scaling=scaling,
        pieces=(
            lambda _: stream.pieces(),
            lambda names: tables_of(stream.head, rows(names), names),
        ),
    )


def _rows(release: Scannable, names: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
    try:
        scan = release.scan().select(names)
        yield from scan.collect_batches(chunk_size=rows, engine="streaming", lazy=True)
    except (pl.exceptions.PolarsError, OSError):
        raise ReleaseError(
            "the rows of the release cannot be read: its file went away or is damaged, or its "
            "columns are not those of its guarantee. Publish again."
        ) from None

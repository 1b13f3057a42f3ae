"""What was lost by a release, when neither originals nor rows fit into memory?  For the curator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

import polars as pl

from covey.errors import PlanError, ReleaseError
from covey.evaluate.histogram import cell_count
from covey.evaluate.summary import Summary, evaluate_pieces, released_head, summarise
from covey.stream.memory import Memory
from covey.stream.scan import Stream, open_stream

if TYPE_CHECKING:
    from pathlib import Path

    from covey.evaluate import Evaluation
    from covey.evaluate.utility import Scaling
    from covey.perturb import Grid
    from covey.plan import Plan
    from covey.privacy import Guarantee
    from covey.table import Table


class Scannable(Protocol):
    """A release whose rows can be looked at some at a time, wherever they are."""

    @property
    def guarantee(self) -> Guarantee:
        """Return what the release promises."""
        ...

    @property
    def plan(self) -> Plan:
        """Return what was run."""
        ...

    def scan(self) -> pl.LazyFrame:
        """Return the released rows."""
        ...


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
    release : StreamedRelease, Release, SparkRelease or SavedRelease
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
    stream = open_stream(data, release.plan.schema, Memory.of(memory))
    return evaluate_pieces(
        stream.head,
        release.guarantee,
        partial(_of_originals, stream),
        partial(_of_rows, release, stream),
        scaling=scaling,
    )


def _of_originals(stream: Stream, names: Sequence[str], grids: Sequence[Grid]) -> Summary:
    # Counts of both tables, and one more while they are compared.
    stream.memory.require(24 * sum(map(cell_count, grids)), "counting these columns")
    return summarise(stream.pieces(), names, grids)


def _of_rows(
    release: Scannable, stream: Stream, names: Sequence[str], grids: Sequence[Grid]
) -> Summary:
    return summarise(_pieces(release, stream, names), names, grids)


def _pieces(release: Scannable, stream: Stream, names: Sequence[str]) -> Iterator[Table]:
    head = released_head(stream.head, names)
    rows = stream.memory.rows(len(names))
    try:
        scan = release.scan().select(names)
        for frame in scan.collect_batches(chunk_size=rows, engine="streaming", lazy=True):
            yield replace(head, frame=frame)
    except (pl.exceptions.PolarsError, OSError):
        raise ReleaseError(
            "the rows of the release cannot be read: its file went away or is damaged, or its "
            "columns are not those of its guarantee. Publish again."
        ) from None

"""What was lost by a release, when originals and rows are on Spark?  For the curator alone.

Moments and counts are found in the workers, on tables that are built as for publishing, in one
look at the originals and one at the released rows; what comes to the driver is as large as the
grids that values are counted on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.errors import PlanError
from covey.evaluate.histogram import cell_count
from covey.evaluate.moments import Moments
from covey.evaluate.summary import Summary, evaluate_pieces, released_head, summarise
from covey.release.saved import SavedRelease
from covey.spark.counts import CHUNK, COLUMN, COUNTS, OTHER, count_types, in_chunks, summed_beside
from covey.spark.frame import checked_head, mapped, mapped_tables, quoted
from covey.spark.read import read
from covey.spark.release import SparkRelease
from covey.spark.session import session
from covey.table import Role, Scale

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame

    from covey.evaluate import Evaluation
    from covey.evaluate.utility import Scaling
    from covey.perturb import Grid
    from covey.table import Schema, Table


def evaluate(
    frame: DataFrame, release: SparkRelease | SavedRelease, *, scaling: Scaling = "standard"
) -> Evaluation:
    """Compare a release with the DataFrame it was made from, as `covey.evaluate` does.

    Scores that look at many records at once are left out, and the notes say which; the distances
    of distributions are counted on fine grids, and the notes say how far off that can be.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The originals.
    release : SparkRelease or SavedRelease
        What `covey.spark.publish` returned, or a release folder that
        `covey.release.open_release` has opened.
    scaling : {"standard", "raw", "bounds"}
        As in `covey.evaluate`.
    """
    schema, deviations = release.plan.schema, None
    if schema is None:
        raise PlanError(
            "the release is one of a graph, and the engine 'spark' compares tables. "
            "Use `covey.evaluate`."
        )
    head = checked_head(frame, schema)
    if isinstance(release, SavedRelease):
        rows = read(frame.sparkSession, release.file, schema)
    else:
        rows, deviations = release.data, release.deviations
    return evaluate_pieces(
        head,
        release.guarantee,
        partial(_of_originals, frame, head),
        partial(_of_rows, rows, head),
        scaling=scaling,
        deviations=deviations,
    )


def evaluate_files(
    path: str | Path,
    release: SavedRelease,
    *,
    master: str = "local[*]",
    scaling: Scaling = "standard",
) -> Evaluation:
    """Read originals and the rows of a release folder with Spark, and compare them.

    Parameters
    ----------
    path : path
        Parquet or CSV, on this machine or with a scheme that Spark knows.
    release : SavedRelease
        From `covey.release.open_release`; all workers must see its folder.
    master : str
        Where Spark runs.
    scaling : {"standard", "raw", "bounds"}
        As in `covey.evaluate`.
    """
    frame = read(session(master), path, release.plan.schema)
    return evaluate(frame, release, scaling=scaling)


def _of_originals(
    frame: DataFrame, head: Table, names: Sequence[str], grids: Sequence[Grid]
) -> Summary:
    worker = partial(_summary_rows, names=names, grids=grids)
    found = mapped_tables(frame, head.schema, worker, count_types())
    return _brought_together(found, names, grids, _bounded(head.schema))


def _of_rows(rows: DataFrame, head: Table, names: Sequence[str], grids: Sequence[Grid]) -> Summary:
    own = released_head(head, names)
    worker = partial(_released_rows, head=own, names=names, grids=grids)
    found = mapped(rows.select([quoted(name) for name in names]), worker, count_types())
    return _brought_together(found, names, grids, _bounded(own.schema))


def _released_rows(
    frames: Iterator[pl.DataFrame], *, head: Table, names: Sequence[str], grids: Sequence[Grid]
) -> Iterator[pl.DataFrame]:
    tables = (replace(head, frame=frame) for frame in frames)
    yield from _summary_rows(tables, names=names, grids=grids)


def _summary_rows(
    tables: Iterator[Table], *, names: Sequence[str], grids: Sequence[Grid]
) -> Iterator[pl.DataFrame]:
    """Summarise the records of a worker: counts in chunks, and the rest in a row of its own."""
    found = summarise(tables, names, grids)
    row = {COLUMN: [OTHER], CHUNK: [0], COUNTS: [_as_bytes(found)]}
    yield pl.DataFrame(row, schema=count_types().schema)
    yield from in_chunks(found.counts)


def _brought_together(
    frame: DataFrame, names: Sequence[str], grids: Sequence[Grid], bounded: Sequence[str]
) -> Summary:
    counts, others = summed_beside(frame, [cell_count(grid) for grid in grids])
    parts = (_from_bytes(content, len(names), bounded) for content in others)
    none = summarise((), names, ())
    return replace(reduce(Summary.merged, parts, none), counts=tuple(counts))


def _bounded(schema: Schema) -> list[str]:
    """Return the columns of which values outside the bounds are counted."""
    return [
        attribute.name
        for attribute in schema
        if attribute.bounds is not None
        and attribute.scale is Scale.NUMERIC
        and attribute.role is not Role.IDENTIFIER
    ]


def _as_bytes(summary: Summary) -> bytes:
    """Write all but the counts as numbers; no whole number among them exceeds 2**53."""
    moments = summary.moments
    parts = (
        np.array([moments.n, summary.dropped]),
        moments.means,
        moments.low,
        moments.high,
        summary.whole,
        summary.beyond.ravel(),
        moments.products.ravel(),
        np.array(list(summary.outside.values())),
    )
    return np.concatenate(parts, dtype=np.float64).tobytes()


def _from_bytes(content: bytes, d: int, bounded: Sequence[str]) -> Summary:
    sizes = [2, d, d, d, d, 2 * d, d * d]
    numbers = np.split(np.frombuffer(content), np.cumsum(sizes))
    (n, dropped), means, low, high, whole, tails, products, outside = numbers
    return Summary(
        moments=Moments(n=int(n), means=means, products=products.reshape(d, d), low=low, high=high),
        whole=whole.astype(np.bool_),
        beyond=tails.reshape(d, 2),
        dropped=int(dropped),
        # A worker without records has counted nothing.
        outside=dict(zip(bounded, outside.astype(int).tolist(), strict=bool(outside.size))),
    )

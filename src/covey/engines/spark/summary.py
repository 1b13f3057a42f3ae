"""What adds up over all records of a DataFrame, so that the curator can compare it?

Moments and counts are found in the workers, on tables that are built as for publishing, in one
look at the records; what comes to the driver is as large as the grids that values are counted on.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.aggregate.histogram import cell_count
from covey.aggregate.summary import Summary, summarise, summarise_rows
from covey.engines.spark.counts import (
    CHUNK,
    COLUMN,
    COUNTS,
    OTHER,
    count_types,
    in_chunks,
    summed_beside,
)
from covey.engines.spark.frame import mapped, mapped_tables, quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.aggregate.histogram import Cells
    from covey.table import Table


def summarise_frame(
    frame: DataFrame,
    head: Table,
    names: Sequence[str],
    cells: Sequence[Cells],
    categories: Sequence[str] = (),
) -> Summary:
    """Look at some attributes of the records of a DataFrame, as `summarise` does at tables."""
    worker = partial(_of_tables, names=names, cells=cells, categories=categories)
    return _brought_together(mapped_tables(frame, head.schema, worker, count_types()), names, cells)


def summarise_released(
    rows: DataFrame,
    head: Table,
    names: Sequence[str],
    cells: Sequence[Cells],
    categories: Sequence[str] = (),
) -> Summary:
    """Look at released rows, as `summarise_rows` does."""
    chosen = rows.select([quoted(name) for name in (*names, *categories)])
    worker = partial(_of_rows, head=head, names=names, cells=cells, categories=categories)
    return _brought_together(mapped(chosen, worker, count_types()), names, cells)


def _of_tables(
    tables: Iterator[Table],
    *,
    names: Sequence[str],
    cells: Sequence[Cells],
    categories: Sequence[str],
) -> Iterator[pl.DataFrame]:
    yield from _in_rows(summarise(tables, names, cells, categories))


def _of_rows(
    frames: Iterator[pl.DataFrame],
    *,
    head: Table,
    names: Sequence[str],
    cells: Sequence[Cells],
    categories: Sequence[str],
) -> Iterator[pl.DataFrame]:
    yield from _in_rows(summarise_rows(head, frames, names, cells, categories))


def _in_rows(found: Summary) -> Iterator[pl.DataFrame]:
    """Yield what a worker found: counts in chunks, and the rest in a row of its own."""
    rest = pickle.dumps(_counting(found, [np.empty(0, dtype=np.int64) for _ in found.histograms]))
    row = {COLUMN: [OTHER], CHUNK: [0], COUNTS: [rest]}
    yield pl.DataFrame(row, schema=count_types().schema)
    yield from in_chunks([histogram.counts for histogram in found.histograms])


def _brought_together(frame: DataFrame, names: Sequence[str], cells: Sequence[Cells]) -> Summary:
    counts, others = summed_beside(frame, [cell_count(each) for each in cells])
    if not others:
        return summarise((), names, cells)
    # Of workers that run this very code.
    parts = (pickle.loads(rest) for rest in others)  # noqa: S301
    return _counting(reduce(Summary.merged, parts), counts)


def _counting(summary: Summary, counts: Sequence[NDArray[np.int64]]) -> Summary:
    pairs = zip(summary.histograms, counts, strict=True)
    return replace(summary, histograms=tuple(replace(h, counts=each) for h, each in pairs))

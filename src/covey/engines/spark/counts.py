"""How are the values of public grids counted over all partitions?

A grid has up to about a million integers, and a partition may hit all of them: a row for each
would be more than the data.  So counts travel as arrays, cut into chunks that different workers
add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.engines.spark.frame import mapped, quoted, zeros
from covey.engines.spark.session import explained

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

COLUMN, CHUNK, COUNTS = "(column)", "(chunk)", "(counts)"
OTHER = -1
"""The column of rows that hold something else than counts and are passed on as they are."""

_WIDTH = 2**14
"""Integers of a chunk: 128 KB of counts."""


def count_types() -> pl.DataFrame:
    """Return the types of what `in_chunks` yields."""
    return zeros(**{COLUMN: pl.Int64, CHUNK: pl.Int64, COUNTS: pl.Binary})


def in_chunks(totals: Sequence[NDArray[np.int64]]) -> Iterator[pl.DataFrame]:
    """Yield the counts of some columns, as a worker found them; chunks without any are left out."""
    for j, counts in enumerate(totals):
        starts = range(0, counts.size, _WIDTH)
        parts = {at // _WIDTH: counts[at : at + _WIDTH] for at in starts}
        found = {chunk: part.tobytes() for chunk, part in parts.items() if part.any()}
        columns = {COLUMN: [j] * len(found), CHUNK: list(found), COUNTS: list(found.values())}
        yield pl.DataFrame(columns, schema=count_types().schema)


def summed(frame: DataFrame, sizes: Sequence[int]) -> list[NDArray[np.int64]]:
    """Add chunks up in the workers, and put them together on the driver.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        What workers found, of `count_types`.
    sizes : sequence of int
        How many integers each column has.
    """
    return summed_beside(frame, sizes)[0]


def summed_beside(
    frame: DataFrame, sizes: Sequence[int]
) -> tuple[list[NDArray[np.int64]], list[bytes]]:
    """Return the counts, and what stands in the rows of `OTHER`, in an order of their own."""
    with explained():
        together = frame.repartition(quoted(COLUMN), quoted(CHUNK))
        found = pl.DataFrame(pl.from_arrow(mapped(together, _added, count_types()).toArrow()))
    totals = [np.zeros(size, dtype=np.int64) for size in sizes]
    others: list[bytes] = []
    for column, chunk, counts in found.iter_rows():
        if column == OTHER:
            others.append(counts)
            continue
        part = np.frombuffer(counts, dtype=np.int64)
        totals[column][chunk * _WIDTH : chunk * _WIDTH + part.size] += part
    return totals, sorted(others)


def _added(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    totals: dict[tuple[int, int], NDArray[np.int64]] = {}
    for frame in frames:
        yield frame.filter(pl.col(COLUMN) == OTHER)
        for column, chunk, counts in frame.filter(pl.col(COLUMN) != OTHER).iter_rows():
            part = np.frombuffer(counts, dtype=np.int64)
            known = totals.get((column, chunk))
            totals[column, chunk] = part if known is None else known + part
    keys = list(totals)
    columns = {
        COLUMN: [column for column, _ in keys],
        CHUNK: [chunk for _, chunk in keys],
        COUNTS: [totals[key].tobytes() for key in keys],
    }
    yield pl.DataFrame(columns, schema=count_types().schema)

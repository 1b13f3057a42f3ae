"""How do columns that were published by themselves become rows?

All of them sorted would look perfectly correlated, so they are shuffled against each other.
Everything here is a function of noisy values: no privacy rests on the shuffling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.table import Head, from_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

WIDEST = 63
"""Bits of an integer that several small ones can be packed into."""

_MANY = 2**16
"""Values that no longer fit into the nearest cache."""


def distinct_values(
    head: Head, name: str, means: NDArray[np.float64], sizes: Integers
) -> tuple[NDArray[np.float64], Integers]:
    """Return what is published of a column, each value once in its order, and how often.

    Different means may become one value in the type of the column, and categories are sorted by
    their names, not by their codes.
    """
    typed = from_values(head, name, means).alias("value")
    blocks = pl.DataFrame([typed, pl.Series("mean", means), pl.Series("size", sizes)])
    found = blocks.group_by("value").agg(pl.first("mean"), pl.sum("size"))
    found = found.sort("value", nulls_last=True)
    return found["mean"].to_numpy(), found["size"].to_numpy()


def shuffled_rows(
    columns: Sequence[Integers], rng: np.random.Generator, *, rows: int
) -> Iterator[list[Integers]]:
    """Pair independently shuffled columns, in sorted order, some rows at a time.

    Parameters
    ----------
    columns : sequence of arrays
        How often each value of a column occurs; the values are 0, 1, … in their order.
    rng : numpy.random.Generator
        Shuffles; no privacy rests on it.
    rows : int
        About how many rows to yield at a time.

    Yields
    ------
    list of arrays
        One array of values for each column; rows are sorted, also across what is yielded.

    Notes
    -----
    The rows of a random pairing that hold one value of the first column are a sample without
    replacement of the other columns, so it can be drawn value by value: a multivariate
    hypergeometric draw of counts, and the same again for the next column where one value has too
    many rows.
    """
    left = [counts.copy() for counts in columns]
    yield from _paired(left, left[0].copy(), [], rng, rows)


def _paired(
    left: list[Integers],
    counts: Integers,
    before: list[int],
    rng: np.random.Generator,
    rows: int,
) -> Iterator[list[Integers]]:
    at = len(before)
    values = np.flatnonzero(counts)
    start = 0
    while start < values.size:
        many = np.cumsum(counts[values[start:]])
        end = start + max(1, int(np.searchsorted(many, rows, side="right")))
        some = values[start:end]
        size = int(counts[some].sum())
        if size > rows and at + 1 < len(left):
            # One value with too many rows: the next column parts them.
            inner = _drawn(left, at + 1, size, rng)
            yield from _paired(left, inner, [*before, int(some[0])], rng, rows)
        else:
            own = np.repeat(some, counts[some])
            rest = [_shuffled(_drawn(left, j, size, rng), rng) for j in range(at + 1, len(left))]
            fixed = [np.full(size, value, dtype=np.int64) for value in before]
            found = [*fixed, *_sorted_rows([own, *rest])]
            for first in range(0, size, rows):
                yield [column[first : first + rows] for column in found]
        start = end


def _drawn(left: list[Integers], at: int, size: int, rng: np.random.Generator) -> Integers:
    if size == left[at].sum():
        drawn = left[at].copy()
    else:
        drawn = rng.multivariate_hypergeometric(left[at], size, method="marginals")
    left[at] -= drawn
    return np.asarray(drawn, dtype=np.int64)


def _shuffled(counts: Integers, rng: np.random.Generator) -> Integers:
    values = np.repeat(np.arange(counts.size), counts)
    width = counts.size.bit_length()
    if values.size < _MANY or width > WIDEST // 2:
        return rng.permutation(values)
    # Sorting by random bits shuffles many values faster than swapping them one by one.
    random = rng.integers(1 << (WIDEST - width), size=values.size)
    random <<= width
    random |= values
    random.sort()
    random &= (1 << width) - 1
    return random


def _sorted_rows(columns: list[Integers]) -> list[Integers]:
    """Sort rows by all columns, packed into one integer if they fit, which sorts much faster."""
    if len(columns) == 1:
        return columns
    bits = [int(column.max()).bit_length() for column in columns]
    if sum(bits) > WIDEST:
        order = np.lexsort(columns[::-1])
        return [column[order] for column in columns]
    packed = columns[0].copy()
    for column, width in zip(columns[1:], bits[1:], strict=True):
        packed <<= width
        packed |= column
    packed.sort()
    found = []
    for width in bits[::-1]:
        found.append(packed & ((1 << width) - 1))
        packed >>= width
    return found[::-1]

"""Which statistics do sorted columns need, when nothing can be sorted in memory?

Values lie on a public grid of at most about a million integers, so one pass that counts them
tells the sorted column exactly: the sum of a block of ranks follows from the counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.stream.base import refuse_empty, told

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import Grid
    from covey.stream.scan import Stream
    from covey.systems import Progress


def grid_counts(
    stream: Stream, grids: Mapping[str, Grid], progress: Progress | None, what: str
) -> tuple[dict[str, NDArray[np.int64]], int]:
    """Count the records at each integer of each column's grid, and all of them, in one pass."""
    counts = {name: np.zeros(grid.steps + 1, dtype=np.int64) for name, grid in grids.items()}
    n = 0
    for table in told(stream.pieces(), progress, what):
        n += table.n
        for name, grid in grids.items():
            found = np.bincount(grid.integers(table.values(name)))
            counts[name][: found.size] += found
    refuse_empty(n)
    return counts, n


def sums_of_ranks(counts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sum of each block of ranks of the sorted values 0, 1, … with these counts.

    The sum of the first r values is a function that rises by one value at a time, so each block
    is a difference of two places on it: no rank is visited by itself.
    """
    ends = np.cumsum(counts)
    totals = np.cumsum(np.arange(counts.size, dtype=np.int64) * counts)
    borders = np.cumsum(sizes)
    value = np.searchsorted(ends, borders)
    first = totals[value] - value * (ends[value] - borders)
    return np.diff(first, prepend=0)


def shuffled_rows(
    columns: Sequence[NDArray[np.int64]], rng: np.random.Generator, *, rows: int
) -> Iterator[list[NDArray[np.int64]]]:
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
    left: list[NDArray[np.int64]],
    counts: NDArray[np.int64],
    before: list[int],
    rng: np.random.Generator,
    rows: int,
) -> Iterator[list[NDArray[np.int64]]]:
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
            order = np.lexsort([*rest[::-1], own])
            fixed = [np.full(size, value, dtype=np.int64) for value in before]
            found = [*fixed, *(column[order] for column in (own, *rest))]
            for first in range(0, size, rows):
                yield [column[first : first + rows] for column in found]
        start = end


def _drawn(
    left: list[NDArray[np.int64]], at: int, size: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    drawn = rng.multivariate_hypergeometric(left[at], size, method="marginals")
    left[at] -= drawn
    return np.asarray(drawn, dtype=np.int64)


def _shuffled(counts: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    return rng.permutation(np.repeat(np.arange(counts.size), counts))

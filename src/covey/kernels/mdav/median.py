"""How are records cut into two halves at the median of an attribute?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Enough to see which attribute is wide; all of them would cost as much as the cut itself.
_SAMPLE = 64


@njit(cache=True)
def widest(values: NDArray[np.float64], start: int, stop: int) -> int:
    """Return the attribute with the largest range in the rows ``start:stop``, by a sample."""
    step = max(1, (stop - start) // _SAMPLE)
    found = 0
    width = -1.0
    for j in range(values.shape[1]):
        low = np.inf
        high = -np.inf
        for i in range(start, stop, step):
            low = min(low, values[i, j])
            high = max(high, values[i, j])
        if high - low > width:
            width = high - low
            found = j
    return found


@njit(cache=True)
def cut(
    values: NDArray[np.float64],
    order: NDArray[np.int64],
    column: int,
    start: int,
    stop: int,
    middle: int,
) -> None:
    """Reorder the rows ``start:stop`` so that all before ``middle`` precede all from there on.

    Rows are compared by the attribute ``column``, and equal values by ``order``, so that equal
    records are cut by their index.  Hoare's selection: O(stop - start) expected.

    Parameters
    ----------
    values : ndarray of float64, shape (m, d)
        Rows, moved in place.
    order : ndarray of int64, shape (m,)
        What stands for each row, moved with it.  No two are equal.
    column, start, stop, middle : int
        ``start <= middle < stop``.
    """
    stop -= 1
    while start < stop:
        half = (start + stop) >> 1
        # The middle of three as pivot: rows that come sorted, as they do here, are cut evenly.
        if _precedes(values, order, column, stop, start):
            _swap(values, order, start, stop)
        if _precedes(values, order, column, half, start):
            _swap(values, order, start, half)
        if _precedes(values, order, column, stop, half):
            _swap(values, order, half, stop)
        pivot = values[half, column]
        pivot_order = order[half]
        i = start
        j = stop
        while i <= j:
            while values[i, column] < pivot or (
                values[i, column] == pivot and order[i] < pivot_order
            ):
                i += 1
            while values[j, column] > pivot or (
                values[j, column] == pivot and order[j] > pivot_order
            ):
                j -= 1
            if i <= j:
                _swap(values, order, i, j)
                i += 1
                j -= 1
        if middle <= j:
            stop = j
        elif middle >= i:
            start = i
        else:
            return


@njit(cache=True)
def sort_into_blocks(order: NDArray[np.int64], values: NDArray[np.float64], size: int) -> None:
    """Reorder records until neighbours are together in blocks of ``size``; the last may be smaller.

    A k-d tree whose leaves are the blocks, each node cut at a wide attribute.
    """
    m = values.shape[0]
    blocks = (m + size - 1) // size
    levels = 0
    while (1 << levels) < blocks:
        levels += 1
    # A node is cut just before its first block is reached: depth first, so that most cuts find
    # their rows in the cache.
    for block in range(blocks):
        start = block * size
        for level in range(levels, 0, -1):
            if block & ((1 << level) - 1) == 0:
                middle = start + (size << (level - 1))
                stop = min(m, start + (size << level))
                if middle < stop:
                    cut(values, order, widest(values, start, stop), start, stop, middle)


@njit(cache=True)
def _precedes(
    values: NDArray[np.float64], order: NDArray[np.int64], column: int, a: int, b: int
) -> bool:
    x = values[a, column]
    y = values[b, column]
    return x < y or (x == y and order[a] < order[b])


@njit(cache=True)
def _swap(values: NDArray[np.float64], order: NDArray[np.int64], a: int, b: int) -> None:
    order[a], order[b] = order[b], order[a]
    for j in range(values.shape[1]):
        values[a, j], values[b, j] = values[b, j], values[a, j]

"""What is the mean of the records that remain, to the last bit, as records are removed?

A sum that is updated by plain additions and subtractions drifts away from the sum computed
afresh, and one different bit of the centroid can turn a tie into another partition.  The sums
here are kept in two floating-point numbers each (Knuth's error-free sum), so that rounding
them once gives the correctly rounded sum of the records that remain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def exact_sums(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum each column of ``X``: row 0 holds the sums, row 1 what rounding took from them."""
    sums = np.zeros((2, X.shape[1]))
    for i in range(X.shape[0]):
        add_record(sums, X[i], 1.0)
    return sums


@njit(cache=True)
def add_record(sums: NDArray[np.float64], record: NDArray[np.float64], sign: float) -> None:
    """Add ``sign`` times the record to the running sums, in place."""
    for j in range(record.shape[0]):
        x = sign * record[j]
        high = sums[0, j]
        total = high + x
        part = total - high
        rest = (high - (total - part)) + (x - part) + sums[1, j]
        sums[0, j] = total + rest
        sums[1, j] = rest - (sums[0, j] - total)


@njit(cache=True)
def mean_of(sums: NDArray[np.float64], count: int, out: NDArray[np.float64]) -> None:
    """Write the mean of ``count`` summed records to ``out``."""
    for j in range(out.shape[0]):
        out[j] = sums[0, j] / count


@njit(cache=True)
def squared_distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Add up the squared differences, attribute by attribute in order.

    The order is part of every definition that compares distances: two records are equally
    far if and only if this number is the same.
    """
    total = 0.0
    for j in range(a.shape[0]):
        difference = a[j] - b[j]
        total += difference * difference
    return total

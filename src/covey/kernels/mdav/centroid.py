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
def label_group(
    X: NDArray[np.float64],
    records: NDArray[np.int64],
    label: int,
    labels: NDArray[np.int64],
    sums: NDArray[np.float64],
) -> None:
    """Give the records of a group their label and take them out of the running sums."""
    for record in records:
        labels[record] = label
        add_record(sums, X[record], -1.0)


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


@njit(cache=True)
def from_centroid(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the squared distance of each record to the mean of all."""
    centre = np.empty(X.shape[1])
    mean_of(exact_sums(X), X.shape[0], centre)
    out = np.empty(X.shape[0])
    for i in range(X.shape[0]):
        out[i] = squared_distance(X[i], centre)
    return out


def close(
    X: NDArray[np.float64], k: int, labels: NDArray[np.int64], left: int, groups: int
) -> None:
    """Label the last ``left`` records: a group of their own, or part of the closest one.

    Fewer than k records join the group whose centroid is closest to theirs.
    """
    joins = left < k and groups > 0
    labels[labels < 0] = _closest_group(X, labels, left, groups) if joins else groups


@njit(cache=True)
def _closest_group(
    X: NDArray[np.float64], labels: NDArray[np.int64], left: int, groups: int
) -> int:
    """Find the group whose centroid is closest to that of the unlabelled records."""
    n, d = X.shape
    # The last row is for the records that are left: label -1 finds it.
    sums = np.zeros((groups + 1, 2, d))
    sizes = np.zeros(groups + 1, dtype=np.int64)
    for i in range(n):
        add_record(sums[labels[i]], X[i], 1.0)
        sizes[labels[i]] += 1
    centre = np.empty(d)
    here = np.empty(d)
    mean_of(sums[groups], max(1, left), here)
    best = np.inf
    joined = groups
    for group in range(groups):
        mean_of(sums[group], sizes[group], centre)
        distance = squared_distance(centre, here)
        if distance < best:
            best = distance
            joined = group
    return joined

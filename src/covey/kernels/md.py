"""Which groups of k does the maximum-distance method form?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.centroid import close, from_centroid
from covey.kernels.nearest import empty_nearest
from covey.kernels.pace import run
from covey.kernels.tree import build, farthest, nearest, remaining, remove

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_LEAF = 16
# What rounding can do to a distance is many times smaller, so a bound with this slack is one.
_RELATIVE = 1.0 + 1e-9
_ABSOLUTE = 1e-150


class Bounds(NamedTuple):
    """How far each record can be from another one; the largest bound on top of a heap."""

    bound: NDArray[np.float64]
    witness: NDArray[np.int64]
    heap: NDArray[np.int64]


def md(
    X: NDArray[np.float64],
    k: int,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.int64]:
    """Partition by the maximum-distance method.

    While 2k records remain, take the two most distant ones; the one farther from the centroid
    of all records takes its k - 1 nearest, then the other one.  If k or more records are left
    over they are a group; fewer join the group whose centroid is closest to theirs.

    Parameters
    ----------
    X : ndarray of float64, shape (n, d)
        Records in lexicographic order, so that among equals the lowest index is a choice by
        content.
    k : int
        Size of the groups, at least 2.
    progress : callable, optional
        Called with the number of records done and in all.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record, numbered in the order of formation.

    Notes
    -----
    Finding the most distant pair by definition costs O(n²) for each of n/2k rounds.  A record's
    largest distance to another can only shrink as records are removed, so an old one bounds the
    present one: a heap of such bounds is asked for its top until the top is up to date.
    Memory is O(n d).

    References
    ----------
    Domingo-Ferrer and Mateo-Sanz, Practical data-oriented microaggregation for statistical
    disclosure control, IEEE TKDE 14 (2002).
    """
    n = X.shape[0]
    labels = np.full(n, -1, dtype=np.int64)
    if n < 2 * k:
        labels[:] = 0
        return labels
    far = from_centroid(X)
    tree = build(X, np.arange(n), _LEAF)
    bounds = _first_bounds(X, far)
    heap = empty_nearest(k)
    left, label, size = n, 0, n

    def advance(steps: int) -> int:
        nonlocal tree, left, label, size
        if 2 * left < size:
            tree = build(X, remaining(tree), _LEAF)
            size = left
        left, label = _rounds(X, k, tree, bounds, far, labels, heap, left, label, steps)
        return n - left if left >= 2 * k else n

    run(advance, total=n, progress=progress)
    close(X, k, labels, left, label)
    return labels


@njit(cache=True)
def _first_bounds(X, far):
    """Bound each record's largest distance by way of the centroid (triangle inequality)."""
    n = X.shape[0]
    most = np.sqrt(far.max())
    bounds = Bounds(np.empty(n), np.full(n, -1), np.arange(n))
    for i in range(n):
        reach = (np.sqrt(far[i]) + most) * _RELATIVE + _ABSOLUTE
        bounds.bound[i] = reach * reach
    for at in range(n // 2, -1, -1):
        _sink(bounds, at, n)
    return bounds


@njit(cache=True)
def _rounds(X, k, tree, bounds, far, labels, heap, left, label, limit):
    rounds = 0
    while left >= 2 * k and rounds < limit:
        i, j = _most_distant_pair(X, tree, bounds)
        if far[j] > far[i]:
            i, j = j, i
        for seed in (i, j):
            nearest(tree, X[seed], heap, 0)
            remove(tree, heap.records)
            for record in heap.records:
                labels[record] = label
            label += 1
        left -= 2 * k
        rounds += 1
    return left, label


@njit(cache=True)
def _most_distant_pair(X, tree, bounds):
    heap = bounds.heap
    size = heap.shape[0]
    while True:
        i = heap[0]
        if tree.place[i] < 0:
            # Removed records sink for good: nothing is farther from nothing than this.
            bounds.bound[i] = -1.0
        else:
            j = bounds.witness[i]
            if j >= 0 and tree.place[j] >= 0:
                return i, j
            bounds.bound[i], bounds.witness[i], _ = farthest(tree, X[i], -1.0)
        _sink(bounds, 0, size)


@njit(cache=True)
def _sink(bounds, at, size):
    heap = bounds.heap
    record = heap[at]
    key = bounds.bound[record]
    while True:
        down = 2 * at + 1
        if down >= size:
            break
        right = down + 1
        if right < size:
            a = bounds.bound[heap[down]]
            b = bounds.bound[heap[right]]
            if b > a or (a == b and heap[right] < heap[down]):
                down = right
        other = bounds.bound[heap[down]]
        if other < key or (other == key and heap[down] > record):
            break
        heap[at] = heap[down]
        at = down
    heap[at] = record

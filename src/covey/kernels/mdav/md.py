"""Which groups of k does the maximum-distance method form?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.chunks import run_in_chunks
from covey.kernels.mdav.centroid import close, exact_sums, from_centroid, label_group, mean_of
from covey.kernels.mdav.farthest import farthest
from covey.kernels.mdav.kd_tree import LEAF, Tree, build_tree, nearest
from covey.kernels.mdav.kd_tree_removal import remaining, remove
from covey.kernels.mdav.nearest import Nearest, empty_nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

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

    While 2k records remain, take the two most distant ones, each with its k - 1 nearest.  If k
    or more records are left over they are a group; fewer join the group whose centroid is
    closest to theirs.

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
    The paper does not say which of the two groups takes its records first, and late groups
    overlap.  Here it is that of the record farther from the centroid of the remaining records in
    city-block distance: a choice by content, and the one that agrees with the order of the
    records in the CASC data sets, and so with values recomputed in that order.

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
    sums = exact_sums(X)
    tree = build_tree(X, np.arange(n), LEAF)
    bounds = _first_bounds(from_centroid(X))
    heap = empty_nearest(k)
    left, label, size = n, 0, n

    def advance(steps: int) -> int:
        nonlocal tree, left, label, size
        if 2 * left < size:
            tree = build_tree(X, remaining(tree), LEAF)
            size = left
        left, label = _rounds(X, k, tree, bounds, sums, labels, heap, left, label, steps)
        return n - left if left >= 2 * k else n

    run_in_chunks(advance, total=n, progress=progress)
    close(X, k, labels, left, label)
    return labels


@njit(cache=True)
def _first_bounds(far: NDArray[np.float64]) -> Bounds:
    """Bound each record's largest distance by way of the centroid (triangle inequality)."""
    n = far.shape[0]
    most = np.sqrt(far.max())
    bounds = Bounds(np.empty(n), np.full(n, -1), np.arange(n))
    for i in range(n):
        reach = (np.sqrt(far[i]) + most) * _RELATIVE + _ABSOLUTE
        bounds.bound[i] = reach * reach
    for at in range(n // 2, -1, -1):
        _sink(bounds, at)
    return bounds


@njit(cache=True)
def _rounds(
    X: NDArray[np.float64],
    k: int,
    tree: Tree,
    bounds: Bounds,
    sums: NDArray[np.float64],
    labels: NDArray[np.int64],
    heap: Nearest,
    left: int,
    label: int,
    limit: int,
) -> tuple[int, int]:
    """Form two groups in each of at most ``limit`` rounds; return what is left, and the label."""
    centre = np.empty(X.shape[1])
    rounds = 0
    while left >= 2 * k and rounds < limit:
        i, j = _most_distant_pair(X, tree, bounds)
        mean_of(sums, left, centre)
        if _city_block(X[j], centre) > _city_block(X[i], centre):
            i, j = j, i
        for seed in (i, j):
            nearest(tree, X[seed], heap, 0)
            remove(tree, heap.records)
            label_group(X, heap.records, label, labels, sums)
            label += 1
        left -= 2 * k
        rounds += 1
    return left, label


@njit(cache=True)
def _most_distant_pair(X: NDArray[np.float64], tree: Tree, bounds: Bounds) -> tuple[int, int]:
    """Find the most distant pair; among equals, the lowest index and its lowest partner.

    The record on top of the heap has the largest bound, and the lowest index among equals.  Once
    its bound is its distance to a record that remains, no pair is farther apart.
    """
    while True:
        i = bounds.heap[0]
        if tree.place[i] < 0:
            # Removed: below every record that remains, for good.
            bounds.bound[i] = -1.0
        else:
            j = bounds.witness[i]
            if j >= 0 and tree.place[j] >= 0:
                return i, j
            bounds.bound[i], bounds.witness[i], _ = farthest(tree, X[i])
        _sink(bounds, 0)


@njit(cache=True)
def _sink(bounds: Bounds, at: int) -> None:
    """Move the record at a place of the heap down to where it belongs."""
    heap = bounds.heap
    size = heap.shape[0]
    record = heap[at]
    while True:
        down = 2 * at + 1
        if down >= size:
            break
        right = down + 1
        if right < size and _above(bounds, heap[right], heap[down]):
            down = right
        other = heap[down]
        if _above(bounds, record, other):
            break
        heap[at] = other
        at = down
    heap[at] = record


@njit(cache=True)
def _above(bounds: Bounds, a: int, b: int) -> bool:
    x, y = bounds.bound[a], bounds.bound[b]
    return x > y or (x == y and a < b)


@njit(cache=True)
def _city_block(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    total = 0.0
    for j in range(a.shape[0]):
        total += abs(a[j] - b[j])
    return total

"""Which groups of k to 2k - 1 does V-MDAV form?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from covey.kernels.centroid import from_centroid, squared_distance
from covey.kernels.nearest import Nearest, empty_nearest
from covey.kernels.pace import run
from covey.kernels.tree import Tree, build, nearest, remaining, remove

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_LEAF = 16


def vmdav(
    X: NDArray[np.float64],
    k: int,
    gamma: float,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.int64]:
    """Partition by V-MDAV.

    Parameters
    ----------
    X : ndarray of float64, shape (n, d)
        Records in lexicographic order, so that among equals the lowest index is a choice by
        content.
    k : int
        Smallest size of a group, at least 2.
    gamma : float
        A group takes in the next record if its squared distance is below gamma times that of
        the record's nearest other unassigned one.
    progress : callable, optional
        Called with the number of records done and in all.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record, numbered in the order of formation.

    Notes
    -----
    A record that is left over joins the group of its nearest assigned record.  Searches use the
    tree of MDAV; memory is O(n d).
    """
    n = X.shape[0]
    labels = np.full(n, -1, dtype=np.int64)
    if n < 2 * k:
        labels[:] = 0
        return labels
    outward = np.argsort(-from_centroid(X), kind="stable")
    tree = build(X, np.arange(n), _LEAF)
    heaps = (empty_nearest(k), empty_nearest(1), empty_nearest(2))
    left, label, size, at = n, 0, n, 0

    def advance(steps: int) -> int:
        nonlocal tree, left, label, size, at
        if 2 * left < size:
            tree = build(X, remaining(tree), _LEAF)
            size = left
        left, label, at = _groups(X, k, gamma, tree, outward, labels, heaps, left, label, at, steps)
        return n - left if left >= k else n

    run(advance, total=n, progress=progress)
    _join_nearest_record(X, outward[at:], labels)
    return labels


@njit(cache=True)
def _groups(
    X: NDArray[np.float64],
    k: int,
    gamma: float,
    tree: Tree,
    outward: NDArray[np.int64],
    labels: NDArray[np.int64],
    heaps: tuple[Nearest, Nearest, Nearest],
    left: int,
    label: int,
    at: int,
    limit: int,
) -> tuple[int, int, int]:
    group = np.empty(2 * k - 1, dtype=np.int64)
    formed = 0
    around, closest, pair = heaps
    while left >= k and formed < limit:
        while labels[outward[at]] >= 0:
            at += 1
        nearest(tree, X[outward[at]], around, 0)
        group[:k] = around.records
        remove(tree, around.records)
        left -= k
        size = k
        while size < 2 * k - 1 and left > 1:
            found = 0
            for member in group[:size]:
                found, _ = nearest(tree, X[member], closest, found)
            d_in = closest.distances[0]
            e_min = closest.records[0]
            nearest(tree, X[e_min], pair, 0)
            if not d_in < gamma * pair.distances[0]:
                break
            group[size] = e_min
            remove(tree, closest.records)
            size += 1
            left -= 1
        for member in group[:size]:
            labels[member] = label
        label += 1
        formed += 1
    return left, label, at


@njit(cache=True)
def _join_nearest_record(
    X: NDArray[np.float64], outward: NDArray[np.int64], labels: NDArray[np.int64]
) -> None:
    for i in outward:
        if labels[i] >= 0:
            continue
        best = np.inf
        host = -1
        for j in range(X.shape[0]):
            if labels[j] >= 0:
                distance = squared_distance(X[i], X[j])
                if distance < best:
                    best = distance
                    host = j
        labels[i] = labels[host]

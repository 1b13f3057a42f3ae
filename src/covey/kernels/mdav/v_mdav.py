"""Which groups of k to 2k - 1 does V-MDAV form?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from covey.kernels.chunks import run_in_chunks
from covey.kernels.mdav.centroid import from_centroid, squared_distance
from covey.kernels.mdav.kd_tree import LEAF, Tree, build_tree, nearest
from covey.kernels.mdav.kd_tree_removal import remaining, remove
from covey.kernels.mdav.nearest import Nearest, empty_nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def vmdav(
    X: NDArray[np.float64],
    k: int,
    gamma: float,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.int64]:
    """Partition by V-MDAV (variable-size MDAV).

    While k records are left: the one farthest from the centroid of all records with its k - 1
    nearest, and then up to k - 1 more, as long as the unassigned record closest to the group is
    clearly closer to it than to the other unassigned ones.  The last unassigned record has no
    others to compare with and is not taken in.  Records that are left over, the farthest from
    the centroid first, join the group of their nearest assigned record.

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
    The centroid does not move, so one sort gives all first records.  Other searches use the tree
    of MDAV, for an extension once for each member of the group, bounded by the best so far.
    Memory is O(n d).

    References
    ----------
    Solanas and Martínez-Ballesté, V-MDAV: variable group size multivariate microaggregation
    (2006).
    """
    n = X.shape[0]
    labels = np.full(n, -1, dtype=np.int64)
    if n < 2 * k:
        labels[:] = 0
        return labels
    outward = np.argsort(-from_centroid(X), kind="stable")
    tree = build_tree(X, np.arange(n), LEAF)
    heaps = (empty_nearest(k), empty_nearest(1), empty_nearest(2))
    left, label, size, at = n, 0, n, 0

    def advance(steps: int) -> int:
        nonlocal tree, left, label, size, at
        if 2 * left < size:
            tree = build_tree(X, remaining(tree), LEAF)
            size = left
        left, label, at = _groups(X, k, gamma, tree, outward, labels, heaps, left, label, at, steps)
        return n - left if left >= k else n

    run_in_chunks(advance, total=n, progress=progress)
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
    """Form at most ``limit`` groups; return what is left, the label, and where to go on."""
    group = np.empty(2 * k - 1, dtype=np.int64)
    formed = 0
    around, closest, pair = heaps
    while left >= k and formed < limit:
        while labels[outward[at]] >= 0:
            at += 1
        nearest(tree, X[outward[at]], around, 0)
        for place in range(k):
            group[place] = around.records[place]
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
    """Let each record that is left join its nearest labelled one, those before it included."""
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

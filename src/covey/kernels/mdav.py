"""Which groups of k does MDAV form, exactly and fast?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numba import njit

from covey.kernels.centroid import close, exact_sums, label_group, mean_of
from covey.kernels.nearest import Nearest, empty_nearest
from covey.kernels.pace import run
from covey.kernels.scan import (
    Columns,
    columns_of,
    farthest_from_centre,
    nearest_and_farthest,
    remove_columns,
)
from covey.kernels.tree import Tree, build, farthest, nearest, remaining, remove

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Progress = Callable[[int, int], object] | None

_LEAF = 24


def mdav(
    X: NDArray[np.float64],
    k: int,
    *,
    loop: Literal["2k", "3k"] = "3k",
    path: Literal["auto", "tree", "brute"] = "auto",
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.int64]:
    """Partition by MDAV, exactly.

    Parameters
    ----------
    X : ndarray of float64, shape (n, d)
        Records in lexicographic order, so that among equals the lowest index is a choice by
        content.
    k : int
        Smallest size of a group, at least 2.
    loop : {"3k", "2k"}
        While so many records are left, two groups are formed; then one more and the rest.
    path : {"auto", "tree", "brute"}
        How records are searched; the groups are the same.
    progress : callable, optional
        Called with the number of records done and in all.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record, numbered in the order of formation.

    Notes
    -----
    While enough records are left: the record farthest from their centroid and the one farthest
    from it, each with its k - 1 nearest.  A tree answers these queries in about the time of its
    depth where attributes are few; a scan of compacted columns costs O(n d) for each of n/k
    groups and wins where they are many.  Sums are kept in double-double, so that the centroid is
    the rounded mean whatever was removed before.  Memory is O(n d).
    """
    n = X.shape[0]
    labels = np.full(n, -1, dtype=np.int64)
    if n < 2 * k:
        labels[:] = 0
        return labels
    enough = 2 * k if loop == "2k" else 3 * k
    by_tree = path == "tree" or (path == "auto" and prefers_tree(n, X.shape[1]))
    peel = _peel_tree if by_tree else _peel_scan
    left, label = peel(X, k, enough, labels, progress)
    close(X, k, labels, left, label)
    return labels


def _peel_tree(
    X: Floats, k: int, enough: int, labels: Integers, progress: Progress
) -> tuple[int, int]:
    """Form groups with the tree until fewer than 2k records are left."""
    n = X.shape[0]
    sums = exact_sums(X)
    heap = empty_nearest(k)
    tree = build(X, np.arange(n), _LEAF)
    left, label, size = n, 0, n

    def advance(steps: int) -> int:
        nonlocal tree, left, label, size
        if 2 * left < size and left > 1000:
            tree = build(X, remaining(tree), _LEAF)
            size = left
        left, label = _tree_rounds(X, k, enough, tree, sums, labels, heap, left, label, steps)
        return n - left if left >= 2 * k else n

    run(advance, total=n, progress=progress)
    return left, label


def _peel_scan(
    X: Floats, k: int, enough: int, labels: Integers, progress: Progress
) -> tuple[int, int]:
    """Form groups by scanning columns until fewer than 2k records are left."""
    n = X.shape[0]
    sums = exact_sums(X)
    heap = empty_nearest(k)
    columns = columns_of(X)
    left, label = n, 0

    def advance(steps: int) -> int:
        nonlocal left, label
        left, label = _scan_rounds(X, k, enough, columns, sums, labels, heap, left, label, steps)
        return n - left if left >= 2 * k else n

    run(advance, total=n, progress=progress)
    return left, label


def prefers_tree(n: int, d: int) -> bool:
    """Return whether the tree is the faster path, from measurements."""
    return n > 2000 and d < 10


@njit(cache=True)
def _tree_rounds(
    X: Floats,
    k: int,
    enough: int,
    tree: Tree,
    sums: Floats,
    labels: Integers,
    heap: Nearest,
    left: int,
    label: int,
    limit: int,
) -> tuple[int, int]:
    centre = np.empty(X.shape[1])
    rounds = 0
    while left >= 2 * k and rounds < limit:
        mean_of(sums, left, centre)
        _, r, _ = farthest(tree, centre)
        s = -1
        if left >= enough:
            _, s, _ = farthest(tree, X[r])
        for seed in (r, s):
            if seed >= 0:
                nearest(tree, X[seed], heap, 0)
                remove(tree, heap.records)
                label_group(X, heap.records, label, labels, sums)
                label += 1
                left -= k
        rounds += 1
    return left, label


@njit(cache=True)
def _scan_rounds(
    X: Floats,
    k: int,
    enough: int,
    columns: Columns,
    sums: Floats,
    labels: Integers,
    heap: Nearest,
    left: int,
    label: int,
    limit: int,
) -> tuple[int, int]:
    centre = np.empty(X.shape[1])
    rounds = 0
    while left >= 2 * k and rounds < limit:
        mean_of(sums, left, centre)
        seed = farthest_from_centre(columns, left, centre)
        # The second group, if there is one, is around what is farthest from the first's seed.
        at_least = -1.0 if left >= enough else np.inf
        while seed >= 0:
            farthest = nearest_and_farthest(columns, left, seed, X[seed], heap, at_least)
            remove_columns(columns, left, heap.records)
            label_group(X, heap.records, label, labels, sums)
            label += 1
            left -= k
            seed = farthest
            at_least = np.inf
        rounds += 1
    return left, label

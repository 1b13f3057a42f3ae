"""Which groups of k does MDAV form, exactly and fast?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
from numba import njit

from covey.kernels.chunks import run_in_chunks
from covey.kernels.mdav.centroid import close, exact_sums, label_group, mean_of
from covey.kernels.mdav.kd_tree import LEAF, Tree, build_tree, nearest
from covey.kernels.mdav.kd_tree_removal import remaining, remove
from covey.kernels.mdav.nearest import Nearest, empty_nearest
from covey.kernels.mdav.scan import (
    Columns,
    columns_of,
    farthest_from_centre,
    nearest_and_farthest,
    remove_columns,
)
from covey.kernels.mdav.shell import (
    CENTRE,
    SEED,
    Shell,
    farthest_record,
    remove_from_shell,
    shell_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Progress = Callable[[int, int], object] | None


def mdav(
    X: NDArray[np.float64],
    k: int,
    *,
    loop: Literal["2k", "3k"] = "3k",
    path: Literal["auto", "tree", "brute"] = "auto",
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.int64]:
    """Partition by MDAV (maximum distance to average vector), exactly.

    While enough records are left: the record farthest from their centroid and the one farthest
    from it, each with its k - 1 nearest.  If the first group takes the seed of the second, the
    second is the k records nearest to that point.

    Parameters
    ----------
    X : ndarray of float64, shape (n, d)
        Records in lexicographic order, so that among equals the lowest index is a choice by
        content.
    k : int
        Smallest size of a group, at least 2.
    loop : {"3k", "2k"}
        While so many records are left, two groups are formed in a round.  With "3k", the generic
        MDAV, 2k or more that are then left make one more group and the rest another.  With "2k",
        as first printed, fewer than k may be left, and join the group whose centroid is closest
        to theirs.
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
    A tree finds the nearest in about the time of its depth where attributes are few, and a shell
    of the outermost records mostly knows the farthest; a scan of compacted columns costs O(n d)
    for each of n/k groups and wins where attributes are many.  Sums
    are kept in double-double, so that the centroid is the rounded mean whatever was removed
    before.  Memory is O(n d).

    References
    ----------
    Domingo-Ferrer and Torra, Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation, Data Mining and Knowledge Discovery 11 (2005).
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
    tree = build_tree(X, np.arange(n), LEAF)
    shell = shell_of(X, np.arange(n), tree.origin)
    left, label, in_tree, in_shell = n, 0, n, n

    def advance(steps: int) -> int:
        nonlocal tree, shell, left, label, in_tree, in_shell
        # A sparse tree searches hardly slower, but the middle of the shell must be the records'.
        if 2 * left < in_shell and left > 1000:
            rest = remaining(tree)
            if 8 * left < in_tree:
                del tree
                tree = build_tree(X, rest, LEAF)
                in_tree = left
            shell = shell_of(X, rest, sums[0] / left)
            in_shell = left
        left, label = _tree_rounds(
            X, k, enough, tree, shell, sums, labels, heap, left, label, steps
        )
        return n - left if left >= 2 * k else n

    run_in_chunks(advance, total=n, progress=progress)
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

    run_in_chunks(advance, total=n, progress=progress)
    return left, label


def prefers_tree(n: int, d: int) -> bool:
    """Say whether the tree is the faster path.

    Measured on normal and lognormal records, the paths are even at about 2,000 records of 2
    attributes, 10,000 of 7 and 40,000 of 10: half as many again for each further attribute.
    """
    return math.log(n) >= math.log(700.0) + d * math.log(1.5)


@njit(cache=True)
def _tree_rounds(
    X: Floats,
    k: int,
    enough: int,
    tree: Tree,
    shell: Shell,
    sums: Floats,
    labels: Integers,
    heap: Nearest,
    left: int,
    label: int,
    limit: int,
) -> tuple[int, int]:
    """Form groups in at most ``limit`` rounds; return how many records are left, and the label."""
    centre = np.empty(X.shape[1])
    rounds = 0
    while left >= 2 * k and rounds < limit:
        mean_of(sums, left, centre)
        r = farthest_record(X, tree, shell, centre, CENTRE)
        s = -1
        if left >= enough:
            s = farthest_record(X, tree, shell, X[r], SEED)
        for seed in (r, s):
            if seed >= 0:
                nearest(tree, X[seed], heap, 0)
                remove(tree, heap.records)
                remove_from_shell(shell, heap.records)
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
    """Form groups in at most ``limit`` rounds; return how many records are left, and the label."""
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

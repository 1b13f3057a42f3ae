"""Which groups of k does MDAV form, exactly and fast?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numba import njit

from covey.kernels.chunks import run_in_chunks
from covey.kernels.mdav.blocks import (
    Blocks,
    blocks_of,
    farthest_in_blocks,
    home_of,
    leave,
    nearest_in_blocks,
)
from covey.kernels.mdav.centroid import close, exact_sums, label_group, mean_of
from covey.kernels.mdav.farthest import farthest
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

# Share of the records in the blocks below which they are made anew.
_SPARSE = 0.5
# Up to so many attributes a tree, and up to so many records a scan is the path of choice.
_FEW = 6
_SMALL = 20_000


def mdav(
    X: NDArray[np.float64],
    k: int,
    *,
    loop: Literal["2k", "3k"] = "3k",
    path: Literal["auto", "tree", "scan", "blocks"] = "auto",
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
    path : {"auto", "tree", "scan", "blocks"}
        How records are searched; the groups are the same.
    progress : callable, optional
        Called with the number of records done and in all.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record, numbered in the order of formation.

    Notes
    -----
    Few records are scanned.  A tree finds the nearest of many in about the time of its depth where
    attributes are few, and a shell of the outermost records mostly knows the farthest.  Where
    attributes are many, a scan of codes of one byte tells which few records to measure.  Sums
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
    chosen = fastest_path(n, X.shape[1]) if path == "auto" else path
    left, label = _PEELS[chosen](X, k, enough, labels, progress)
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


def _peel_blocks(
    X: Floats, k: int, enough: int, labels: Integers, progress: Progress
) -> tuple[int, int]:
    """Form groups with blocks until fewer than 2k records are left."""
    n = X.shape[0]
    sums = exact_sums(X)
    heap = empty_nearest(k)
    rest = np.arange(n)
    blocks = blocks_of(X, rest)
    shell = shell_of(X, rest, sums[0] / n)
    left, label, held = n, 0, n

    def advance(steps: int) -> int:
        nonlocal blocks, shell, left, label, held
        # Blocks half empty take as long as full ones, and the shell's middle is not the records'.
        if left < _SPARSE * held and left > 1000:
            del blocks
            rest = np.flatnonzero(labels < 0)
            blocks = blocks_of(X, rest)
            shell = shell_of(X, rest, sums[0] / left)
            held = left
        least = max(2 * k, int(_SPARSE * held) if left > 1000 else 0)
        left, label = _block_rounds(
            X, k, enough, least, blocks, shell, sums, labels, heap, left, label, steps
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


_PEELS = {"tree": _peel_tree, "scan": _peel_scan, "blocks": _peel_blocks}


def fastest_path(n: int, d: int) -> Literal["tree", "scan", "blocks"]:
    """Choose how records are searched.

    Up to some ten thousand records the paths differ by hundredths of a second, and the scan
    compiles in half the time of the others.  Beyond, a tree is the fastest where attributes are
    few (at 100,000 normal records it takes two thirds of the time of blocks with 4, and twice
    as long with 10), and a scan nowhere.
    """
    if n <= _SMALL:
        return "scan"
    return "tree" if d <= _FEW else "blocks"


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
    # Not constants, for each of which the search would be compiled anew.
    roles = np.array([CENTRE, SEED])
    rounds = 0
    while left >= 2 * k and rounds < limit:
        mean_of(sums, left, centre)
        r = farthest_record(X, tree.place, shell, centre, roles[0])
        if r < 0:
            r = farthest(tree, centre)[1]
        s = -1
        if left >= enough:
            s = farthest_record(X, tree.place, shell, X[r], roles[1])
            if s < 0:
                s = farthest(tree, X[r])[1]
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
def _block_rounds(
    X: Floats,
    k: int,
    enough: int,
    least: int,
    blocks: Blocks,
    shell: Shell,
    sums: Floats,
    labels: Integers,
    heap: Nearest,
    left: int,
    label: int,
    limit: int,
) -> tuple[int, int]:
    """Form groups in at most ``limit`` rounds, while ``least`` records are left.

    Return how many are left, and the label.
    """
    centre = np.empty(X.shape[1])
    # Not constants, for each of which the search would be compiled anew.
    roles = np.array([CENTRE, SEED])
    rounds = 0
    while left >= least and rounds < limit:
        mean_of(sums, left, centre)
        r = farthest_record(X, blocks.place, shell, centre, roles[0])
        if r < 0:
            r = farthest_in_blocks(blocks, centre)
        s = -1
        if left >= enough:
            s = farthest_record(X, blocks.place, shell, X[r], roles[1])
            if s < 0:
                s = farthest_in_blocks(blocks, X[r])
        for seed in (r, s):
            if seed >= 0:
                nearest_in_blocks(blocks, X[seed], home_of(blocks.place, seed), heap)
                leave(blocks, heap.records)
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

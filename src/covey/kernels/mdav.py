"""Which groups of k does MDAV form, exactly and fast?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numba import njit

from covey.kernels.centroid import add_record, close, exact_sums, mean_of
from covey.kernels.nearest import Nearest, empty_nearest
from covey.kernels.pace import run
from covey.kernels.tree import Tree, build, farthest, nearest, remaining, remove

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_LEAF = 24


def mdav(
    X: NDArray[np.float64],
    k: int,
    *,
    loop: Literal["2k", "3k"] = "3k",
    path: Literal["auto", "tree", "brute"] = "auto",
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.int64]:
    n = X.shape[0]
    labels = np.full(n, -1, dtype=np.int64)
    if n < 2 * k:
        labels[:] = 0
        return labels
    sums = exact_sums(X)
    heap = empty_nearest(k)
    tree = build(X, np.arange(n), _LEAF)
    enough = 2 * k if loop == "2k" else 3 * k
    left, label, size = n, 0, n

    def advance(steps: int) -> int:
        nonlocal tree, left, label, size
        if 2 * left < size and left > 1000:
            tree = build(X, remaining(tree), _LEAF)
            size = left
        left, label = _rounds(X, k, enough, tree, sums, labels, heap, left, label, steps)
        return n - left if left >= enough else n

    run(advance, total=n, progress=progress)
    if left >= 2 * k:
        centre = np.empty(X.shape[1])
        mean_of(sums, left, centre)
        _, r, _ = farthest(tree, centre, -1.0)
        _take(X, r, tree, sums, labels, heap, label)
        left -= k
        label += 1
    close(X, k, labels, left, label)
    return labels


@njit(cache=True)
def _rounds(X, k, enough, tree, sums, labels, heap, left, label, limit):
    centre = np.empty(X.shape[1])
    rounds = 0
    while left >= enough and rounds < limit:
        mean_of(sums, left, centre)
        _, r, _ = farthest(tree, centre, -1.0)
        _, s, _ = farthest(tree, X[r], -1.0)
        _take(X, r, tree, sums, labels, heap, label)
        _take(X, s, tree, sums, labels, heap, label + 1)
        label += 2
        left -= 2 * k
        rounds += 1
    return left, label


@njit(cache=True)
def _take(X, seed, tree, sums, labels, heap, label):
    nearest(tree, X[seed], heap, 0)
    remove(tree, heap.records)
    for i in heap.records:
        labels[i] = label
        add_record(sums, X[i], -1.0)

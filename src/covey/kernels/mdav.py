"""Which groups of k does MDAV form, exactly and fast?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numba import njit

from covey.kernels.centroid import add_record, exact_sums, mean_of
from covey.kernels.nearest import Nearest, empty_nearest
from covey.kernels.tree import Tree, build, farthest, nearest, remaining, remove

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def mdav(
    X: NDArray[np.float64],
    k: int,
    *,
    path: Literal["auto", "tree", "brute"] = "auto",
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.int64]:
    n = X.shape[0]
    labels = np.full(n, -1, dtype=np.int64)
    sums = exact_sums(X)
    heap = empty_nearest(k)
    left, label = n, 0
    if n >= 2 * k:
        tree = build(X, np.arange(n), 24)
        size = n
        while left >= 3 * k:
            if 2 * left < size and left > 1000:
                tree = build(X, remaining(tree), 24)
                size = left
            left, label = _rounds(X, k, tree, sums, labels, heap, left, label, 200)
            if progress is not None:
                progress(n - left, n)
        if left >= 2 * k:
            label = _one(X, k, tree, sums, labels, heap, left, label)
    labels[labels < 0] = label
    if progress is not None:
        progress(n, n)
    return labels


@njit(cache=True)
def _rounds(X, k, tree, sums, labels, heap, left, label, limit):
    c = np.empty(X.shape[1])
    rounds = 0
    while left >= 3 * k and rounds < limit:
        mean_of(sums, left, c)
        _, r, _ = farthest(tree, c, -1.0)
        _, s, _ = farthest(tree, X[r], -1.0)
        take(X, X[r], tree, sums, labels, heap, label)
        take(X, X[s], tree, sums, labels, heap, label + 1)
        label += 2
        left -= 2 * k
        rounds += 1
    return left, label


@njit(cache=True)
def _one(X, k, tree, sums, labels, heap, left, label):
    c = np.empty(X.shape[1])
    mean_of(sums, left, c)
    _, r, _ = farthest(tree, c, -1.0)
    take(X, X[r], tree, sums, labels, heap, label)
    return label + 1


@njit(cache=True)
def take(X, point, tree, sums, labels, heap, label):
    nearest(tree, point, heap, 0)
    remove(tree, heap.records)
    for i in heap.records:
        labels[i] = label
        add_record(sums, X[i], -1.0)

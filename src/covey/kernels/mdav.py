"""Which groups of k does MDAV form, exactly and fast?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numba import njit

from covey.kernels.centroid import add_record, exact_sums, mean_of
from covey.kernels.nearest import Nearest, empty_nearest
from covey.kernels.pace import run
from covey.kernels.shell import empty_shell, farthest_listed, list_outermost
from covey.kernels.tree import Tree, build, distances, farthest, nearest, remaining, remove

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

import os
LEAF=int(os.environ.get('LEAF','24'))
SHARE=int(os.environ.get('SHARE','24'))

def mdav(
    X: NDArray[np.float64],
    k: int,
    *,
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
    shell = empty_shell(*X.shape)
    left, label, size, work = n, 0, n, 0
    tree = build(X, np.arange(n), LEAF)
    stats=np.zeros(8,dtype=np.int64)

    def advance(steps):
        nonlocal tree, left, label, size, work
        if 2 * left < size and left > 1000:
            tree = build(X, remaining(tree), LEAF)
            size = left
        left, label, work = _rounds(X, k, tree, shell, sums, labels, heap, left, label, work, steps,stats, SHARE)
        return n-left if left>=3*k else n
    run(advance, total=n, progress=progress)
    if left >= 2 * k:
        label = _one(X, k, tree, sums, labels, heap, left, label)
    labels[labels < 0] = label
    mdav.stats=stats
    return labels


@njit
def _rounds(X, k, tree, shell, sums, labels, heap, left, label, work, limit,stats,share):
    c = np.empty(X.shape[1])
    rounds = 0
    while left >= 3 * k and rounds < limit:
        mean_of(sums, left, c)
        r, read = farthest_listed(shell, X, labels, c)
        work += read
        stats[0]+=read
        if r < 0:
            stats[1]+=1
            if work > left:
                work = 0
                records, d = distances(tree, c, left)
                list_outermost(shell, records, d, c, share)
                stats[2]+=1
            _, r, read = farthest(tree, c, -1.0)
            work += 2*read
            stats[3]+=read
        _, s, read = farthest(tree, X[r], -1.0)
        stats[4]+=read
        stats[5]+=take(X, X[r], tree, sums, labels, heap, label)
        stats[5]+=take(X, X[s], tree, sums, labels, heap, label + 1)
        label += 2
        left -= 2 * k
        rounds += 1
    return left, label, work


@njit
def _one(X, k, tree, sums, labels, heap, left, label):
    c = np.empty(X.shape[1])
    mean_of(sums, left, c)
    _, r, _ = farthest(tree, c, -1.0)
    take(X, X[r], tree, sums, labels, heap, label)
    return label + 1


@njit
def take(X, point, tree, sums, labels, heap, label):
    _,read=nearest(tree, point, heap, 0)
    remove(tree, heap.records)
    for i in heap.records:
        labels[i] = label
        add_record(sums, X[i], -1.0)
    return read

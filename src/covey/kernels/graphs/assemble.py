"""Which simple graph has given numbers of edges between classes of nodes of equal degree?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.graphs.stubs import Stubs, adjacent, hand_over, join, unjoined

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Draws of two nodes with free stubs before all nodes of the two classes are looked at.
_DRAWS = 16


class Pools(NamedTuple):
    """The nodes by class, those with free stubs first.

    Class c has the places ``first[c] … first[c + 1] - 1`` of ``nodes``, of which ``free[c]`` are
    nodes with free stubs; ``place`` and ``home`` are the place and the class of each node.
    """

    nodes: NDArray[np.int64]
    place: NDArray[np.int64]
    home: NDArray[np.int64]
    first: NDArray[np.int64]
    free: NDArray[np.int64]


def assemble(
    degrees: NDArray[np.int64],
    sizes: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    counts: NDArray[np.int64],
    generator: np.random.Generator,
) -> Stubs:
    """Join nodes at random until each pair of classes has its number of edges.

    An edge goes between two nodes with free stubs that are not neighbours yet.  Where no draw
    finds such a pair, any two nodes that are not neighbours are taken, and a node without a free
    stub hands one of its edges over to another node of its class, which changes no count of edges
    between classes (Gjoka, Tillman, Markopoulou: Construction of simple graphs with a target
    joint degree matrix and beyond, 2015).  This cannot fail if the counts are realisable.

    Parameters
    ----------
    degrees : (classes,) int64 array
        The degree of all nodes of a class.
    sizes : (classes,) int64 array
        How many nodes each class has; nodes are numbered class by class.
    low, high : (cells,) int64 arrays
        Two classes, ``low <= high``.
    counts : (cells,) int64 array
        How many edges join the two classes.
    generator : numpy.random.Generator
        Draws the nodes.

    Returns
    -------
    Stubs
        All of them joined.

    Notes
    -----
    About O(sum over edges of the smaller degree of their ends) time; O(edges) memory.
    """
    stubs = unjoined(np.repeat(degrees, sizes))
    pools = _pools(degrees, sizes)
    seen = np.full(pools.nodes.size, -1)
    _assemble(stubs, pools, seen, low, high, counts, generator)
    return stubs


def _pools(degrees: NDArray[np.int64], sizes: NDArray[np.int64]) -> Pools:
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])
    nodes = np.arange(first[-1])
    home = np.repeat(np.arange(sizes.size), sizes)
    return Pools(nodes, nodes.copy(), home, first, np.where(degrees > 0, sizes, 0))


@njit(cache=True)
def _assemble(
    stubs: Stubs,
    pools: Pools,
    seen: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    counts: NDArray[np.int64],
    generator: np.random.Generator,
) -> None:
    for cell in range(low.shape[0]):
        a, b = low[cell], high[cell]
        for _ in range(counts[cell]):
            v, w = _draw_free(stubs, pools, a, b, generator)
            if v < 0:
                v, w = _find_apart(stubs, pools, a, b, seen, generator)
                if _left(stubs, v) == 0:
                    _free_a_stub(stubs, pools, v, w, seen, generator)
                if _left(stubs, w) == 0:
                    _free_a_stub(stubs, pools, w, v, seen, generator)
            join(stubs, v, w)
            _settle(stubs, pools, v)
            _settle(stubs, pools, w)


@njit(cache=True)
def _left(stubs: Stubs, v: int) -> int:
    return stubs.first[v + 1] - stubs.first[v] - stubs.used[v]


@njit(cache=True)
def _settle(stubs: Stubs, pools: Pools, v: int) -> None:
    """Put a node to the right part of its class after its stubs have changed."""
    c = pools.home[v]
    border = pools.first[c] + pools.free[c]
    is_free = pools.place[v] < border
    if is_free == (_left(stubs, v) > 0):
        return
    if is_free:
        border -= 1
        pools.free[c] -= 1
    else:
        pools.free[c] += 1
    here, other = pools.place[v], pools.nodes[border]
    pools.nodes[here], pools.nodes[border] = other, v
    pools.place[other], pools.place[v] = here, border


@njit(cache=True)
def _draw_free(
    stubs: Stubs, pools: Pools, a: int, b: int, generator: np.random.Generator
) -> tuple[int, int]:
    """Draw two nodes with free stubs that are not neighbours; (-1, -1) if no draw hits."""
    for _ in range(_DRAWS):
        v = pools.nodes[pools.first[a] + int(generator.random() * pools.free[a])]
        w = pools.nodes[pools.first[b] + int(generator.random() * pools.free[b])]
        if v != w and not adjacent(stubs, v, w):
            return v, w
    return -1, -1


@njit(cache=True)
def _find_apart(
    stubs: Stubs,
    pools: Pools,
    a: int,
    b: int,
    seen: NDArray[np.int64],
    generator: np.random.Generator,
) -> tuple[int, int]:
    """Find two nodes of two classes that are not neighbours, if possible with free stubs."""
    n_a, n_b = pools.first[a + 1] - pools.first[a], pools.first[b + 1] - pools.first[b]
    start_a = int(generator.random() * pools.free[a])
    start_b = int(generator.random() * pools.free[b])
    for i in range(n_a):
        v = pools.nodes[pools.first[a] + (start_a + i) % n_a]
        _mark_neighbours(stubs, v, seen)
        for j in range(n_b):
            w = pools.nodes[pools.first[b] + (start_b + j) % n_b]
            if w != v and seen[w] != v:
                _unmark_neighbours(stubs, v, seen)
                return v, w
        _unmark_neighbours(stubs, v, seen)
    raise AssertionError("counts that no simple graph has reached the kernel")


@njit(cache=True)
def _free_a_stub(
    stubs: Stubs,
    pools: Pools,
    v: int,
    partner: int,
    seen: NDArray[np.int64],
    generator: np.random.Generator,
) -> None:
    """Let another node of the class of ``v`` take over one of its edges.

    The other node has fewer edges than v, so v has a neighbour that it does not have.  The
    partner must keep a free stub for the edge that is about to be made.
    """
    c = pools.home[v]
    start = int(generator.random() * pools.free[c])
    for i in range(pools.free[c]):
        other = pools.nodes[pools.first[c] + (start + i) % pools.free[c]]
        if other != partner or _left(stubs, other) > 1:
            break
    _mark_neighbours(stubs, other, seen)
    for stub in range(stubs.first[v], stubs.first[v] + stubs.used[v]):
        if stubs.neighbour[stub] != other and seen[stubs.neighbour[stub]] != other:
            break
    _unmark_neighbours(stubs, other, seen)
    hand_over(stubs, stub, v, other)
    _settle(stubs, pools, v)
    _settle(stubs, pools, other)


@njit(cache=True)
def _mark_neighbours(stubs: Stubs, v: int, seen: NDArray[np.int64]) -> None:
    for stub in range(stubs.first[v], stubs.first[v] + stubs.used[v]):
        seen[stubs.neighbour[stub]] = v


@njit(cache=True)
def _unmark_neighbours(stubs: Stubs, v: int, seen: NDArray[np.int64]) -> None:
    for stub in range(stubs.first[v], stubs.first[v] + stubs.used[v]):
        seen[stubs.neighbour[stub]] = -1

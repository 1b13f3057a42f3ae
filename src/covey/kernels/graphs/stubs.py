"""How are half-edges joined, moved and found?

Each node owns as many places (stubs) as its degree will be; two stubs that are mates make an edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Stubs(NamedTuple):
    """A simple graph under construction.

    The stubs of node v are ``first[v] … first[v + 1] - 1``, and the first ``used[v]`` of them are
    joined.  For a joined stub, ``mate`` is the stub at the other end and ``neighbour`` its owner.
    """

    first: NDArray[np.int64]
    used: NDArray[np.int64]
    neighbour: NDArray[np.int64]
    mate: NDArray[np.int64]


def unjoined(degrees: NDArray[np.int64]) -> Stubs:
    """Give each node as many free stubs as its degree."""
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(degrees, dtype=np.int64)])
    ends = int(first[-1])
    return Stubs(first, np.zeros(len(degrees), np.int64), np.full(ends, -1), np.full(ends, -1))


@njit(cache=True)
def adjacent(stubs: Stubs, u: int, v: int) -> bool:
    """Say whether two nodes are joined: O(the smaller of their degrees)."""
    if stubs.used[v] < stubs.used[u]:
        u, v = v, u
    start = stubs.first[u]
    for neighbour in stubs.neighbour[start : start + stubs.used[u]]:  # noqa: SIM110
        if neighbour == v:
            return True
    return False


@njit(cache=True)
def join(stubs: Stubs, u: int, v: int) -> None:
    """Make an edge of a free stub of each of two nodes."""
    one, other = stubs.first[u] + stubs.used[u], stubs.first[v] + stubs.used[v]
    stubs.used[u] += 1
    stubs.used[v] += 1
    pair(stubs, one, u, other, v)


@njit(cache=True)
def hand_over(stubs: Stubs, stub: int, u: int, v: int) -> None:
    """Let node v replace node u as the end of the edge at ``stub``, with a free stub of v."""
    taken = stubs.first[v] + stubs.used[v]
    stubs.used[v] += 1
    pair(stubs, taken, v, stubs.mate[stub], stubs.neighbour[stub])
    # The last joined stub of u fills the hole, so that the joined ones stay in front.
    stubs.used[u] -= 1
    last = stubs.first[u] + stubs.used[u]
    if last != stub:
        pair(stubs, stub, u, stubs.mate[last], stubs.neighbour[last])


@njit(cache=True)
def pair(stubs: Stubs, one: int, u: int, other: int, v: int) -> None:
    """Make stub ``one`` of node u and stub ``other`` of node v each other's mates."""
    stubs.mate[one] = other
    stubs.mate[other] = one
    stubs.neighbour[one] = v
    stubs.neighbour[other] = u

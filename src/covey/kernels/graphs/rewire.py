"""Which other graph has the same degrees, or the same joint degrees?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from covey.kernels.graphs.stubs import Stubs, join, unjoined

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Exchanges that are drawn before the first of them is made.  Measured: 32 are better than 128.
_AHEAD = 32
# Ends of narrow stubs in the 64 bytes that memory is read by.
_LINE = 8


def rewire(
    stubs: Stubs, borders: NDArray[np.int64], swaps: int, generator: np.random.Generator
) -> int:
    """Let pairs of edges exchange ends of the same class, in place.

    Two edges v–u and y–x with v and y in one class become v–x and y–u, unless that would make a
    loop or an edge that is there already.  If the nodes of a class have the same degree, no joint
    degree changes; if there is one class, no degree does.

    Parameters
    ----------
    stubs : Stubs
        A simple graph, all stubs joined.
    borders : (classes + 1,) int64 array
        The nodes of class c are ``borders[c] … borders[c + 1] - 1``.
    swaps : int
        How many exchanges are tried.
    generator : numpy.random.Generator
        Draws the edges.

    Returns
    -------
    int
        How many exchanges took place.

    Notes
    -----
    O(swaps · smaller degree) time; memory for the owner, the neighbour and the mate of each stub.
    """
    total, nodes = stubs.mate.size, stubs.used.size
    if swaps == 0 or total == 0:
        return 0
    narrow = np.int32 if total < np.iinfo(np.int32).max else np.int64
    # Not in compiled code: NumPy asks the system for large memory pages.
    ends = np.empty((total, 2), dtype=narrow)
    ends[:, 0], ends[:, 1] = stubs.neighbour, stubs.mate
    owner = np.repeat(np.arange(nodes, dtype=narrow), stubs.used)
    home = np.repeat(np.arange(borders.size - 1, dtype=narrow), np.diff(borders))
    done, _ = _exchange(
        stubs.first.astype(narrow), ends, owner, home, stubs.first[borders], swaps, generator
    )
    stubs.neighbour[:], stubs.mate[:] = ends[:, 0], ends[:, 1]
    return int(done)


@njit(cache=True)
def _exchange(
    first: NDArray[np.int32],
    ends: NDArray[np.int32],
    owner: NDArray[np.int32],
    home: NDArray[np.int32],
    starts: NDArray[np.int64],
    swaps: int,
    generator: np.random.Generator,
) -> tuple[int, int]:
    """Try exchanges; return how many took place, and a number without meaning.

    A row of ``ends`` is the neighbour and the mate of a stub.  Whatever an exchange looks at lies
    somewhere in memory and is waited for.  So some are drawn at once and all that they are going
    to look at is read, one as little dependent on another as possible; the sum of it is returned
    so that it is read.  Then they are made one after the other, each in the graph as it is then.
    """
    total = ends.shape[0]
    drawn = np.empty((_AHEAD, 2), np.int64)
    spans = np.empty((_AHEAD, 4), np.int64)
    seen = 0
    done = 0
    for at in range(0, swaps, _AHEAD):
        count = min(_AHEAD, swaps - at)
        for i in range(count):
            one = int(generator.random() * total)
            c = home[owner[one]]
            drawn[i, 0] = one
            drawn[i, 1] = starts[c] + int(generator.random() * (starts[c + 1] - starts[c]))
        for i in range(count):
            one, two = drawn[i]
            seen += ends[ends[one, 1], 0] + ends[ends[two, 1], 0]
            spans[i, 0], spans[i, 1], _ = _shorter(first, owner[one], ends[two, 0])
            spans[i, 2], spans[i, 3], _ = _shorter(first, owner[two], ends[one, 0])
        for i in range(count):
            for j in range(spans[i, 0], spans[i, 1], _LINE):
                seen += ends[j, 0]
            for j in range(spans[i, 2], spans[i, 3], _LINE):
                seen += ends[j, 0]
        for i in range(count):
            one, two = drawn[i]
            v, u, y, x = owner[one], ends[one, 0], owner[two], ends[two, 0]
            if v in (x, y) or u in (x, y):
                continue
            if _joined(first, ends, v, x) or _joined(first, ends, y, u):
                continue
            far_one, far_two = ends[one, 1], ends[two, 1]
            ends[one, 0], ends[one, 1] = x, far_two
            ends[far_two, 0], ends[far_two, 1] = v, one
            ends[two, 0], ends[two, 1] = u, far_one
            ends[far_one, 0], ends[far_one, 1] = y, two
            done += 1
    return done, seen


@njit(cache=True)
def _shorter(first: NDArray[np.int32], u: int, v: int) -> tuple[int, int, int]:
    """Return where the stubs of the node with fewer of them begin and end, and the other node."""
    if first[v + 1] - first[v] < first[u + 1] - first[u]:
        return first[v], first[v + 1], u
    return first[u], first[u + 1], v


@njit(cache=True)
def _joined(first: NDArray[np.int32], ends: NDArray[np.int32], u: int, v: int) -> bool:
    start, stop, other = _shorter(first, u, v)
    for i in range(start, stop):  # noqa: SIM110
        if ends[i, 0] == other:
            return True
    return False


def havel_hakimi(degrees: NDArray[np.int64]) -> Stubs:
    """Join the node of the largest free degree to the next ones, until nothing is left.

    Havel (1955) and Hakimi (1962): this ends with all stubs joined if and only if some simple
    graph has these degrees.  O(edges + nodes · largest degree) time at most.

    Parameters
    ----------
    degrees : (n,) int64 array

    Returns
    -------
    Stubs
        With free stubs left if no simple graph has these degrees.
    """
    stubs = unjoined(degrees)
    _join_largest(stubs, degrees, np.full(int(degrees.max(initial=0)) + 1, -1))
    return stubs


@njit(cache=True)
def _join_largest(stubs: Stubs, degrees: NDArray[np.int64], head: NDArray[np.int64]) -> None:
    """Join what can be joined; ``head`` is room for the first node of each free degree."""
    n = degrees.shape[0]
    top = head.shape[0] - 1
    after = np.empty(n, np.int64)
    for v in range(n):
        after[v] = head[degrees[v]]
        head[degrees[v]] = v
    taken = np.empty(top + 1, np.int64)
    taken_from = np.empty(top + 1, np.int64)
    while top > 0:
        v = head[top]
        if v < 0:
            top -= 1
            continue
        head[top] = after[v]
        count, level = 0, top
        while count < top and level > 0:
            w = head[level]
            if w < 0:
                level -= 1
                continue
            head[level] = after[w]
            taken[count], taken_from[count] = w, level
            count += 1
        for i in range(count):
            w, lower = taken[i], taken_from[i] - 1
            join(stubs, v, w)
            after[w] = head[lower]
            head[lower] = w

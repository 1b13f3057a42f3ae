"""Which other graph has the same degrees, or the same joint degrees?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from covey.kernels.graphs.stubs import Stubs, adjacent, join, pair, unjoined

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
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
    O(swaps · smaller degree) time; memory for the owner of each stub.
    """
    total = stubs.mate.shape[0]
    owner = np.repeat(np.arange(stubs.used.shape[0]), stubs.used)
    home = np.repeat(np.arange(borders.shape[0] - 1), borders[1:] - borders[:-1])
    done = 0
    for _ in range(swaps):
        one = int(generator.random() * total)
        v, u = owner[one], stubs.neighbour[one]
        c = home[v]
        start = stubs.first[borders[c]]
        width = stubs.first[borders[c + 1]] - start
        two = start + int(generator.random() * width)
        y, x = owner[two], stubs.neighbour[two]
        if v in (x, y) or u in (x, y):
            continue
        if adjacent(stubs, v, x) or adjacent(stubs, y, u):
            continue
        far_one, far_two = stubs.mate[one], stubs.mate[two]
        pair(stubs, one, v, far_two, x)
        pair(stubs, two, y, far_one, u)
        done += 1
    return done


@njit(cache=True)
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
    n = degrees.shape[0]
    stubs = unjoined(degrees)
    top = degrees.max() if n else 0
    head = np.full(top + 1, -1, np.int64)
    after = np.full(n, -1, np.int64)
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
    return stubs

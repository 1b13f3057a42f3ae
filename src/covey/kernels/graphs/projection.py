"""Which edges remain so that no node has more than theta?

Each kernel goes once through the edges in a given order and returns a mask of those that remain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def add_edges(
    edges: NDArray[np.int64], order: NDArray[np.int64], n_nodes: int, theta: int
) -> NDArray[np.bool_]:
    """Start without edges, insert each in turn if both its ends have fewer than ``theta``.

    One step for each edge.

    Parameters
    ----------
    edges : shape (m, 2)
        Pairs of node numbers.
    order : shape (m,)
        The rows of ``edges`` in their turn.

    Returns
    -------
    array of bool, shape (m,)
        Which rows of ``edges`` remain.
    """
    kept = np.zeros(edges.shape[0], np.bool_)
    degrees = np.zeros(n_nodes, np.int64)
    for e in order:
        u, v = edges[e, 0], edges[e, 1]
        if degrees[u] < theta and degrees[v] < theta:
            kept[e] = True
            degrees[u] += 1
            degrees[v] += 1
    return kept


@njit(cache=True)
def remove_edges(
    edges: NDArray[np.int64],
    order: NDArray[np.int64],
    degrees: NDArray[np.int64],
    theta: int,
) -> NDArray[np.bool_]:
    """Start with all edges, remove each in turn if one of its ends has more than ``theta``.

    A node above theta loses every edge whose turn comes, so in the end no node is above.
    One step for each edge.  Parameters and result as in `add_edges`; ``degrees`` are those of
    the whole graph.
    """
    kept = np.ones(edges.shape[0], np.bool_)
    left = degrees.copy()
    for e in order:
        u, v = edges[e, 0], edges[e, 1]
        if left[u] > theta or left[v] > theta:
            kept[e] = False
            left[u] -= 1
            left[v] -= 1
    return kept


@njit(cache=True)
def remove_from_first_end(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], theta: int
) -> NDArray[np.bool_]:
    """Remove edges by nodes, each visited once from its lower end, which alone is tested.

    The test of Algorithm 5 of paper 002 read literally, with the nodes numbered in the order
    of the algorithm and neighbours ascending.  A node whose edges all lead to lower nodes is
    never tested, so degrees above theta can remain.

    Returns
    -------
    array of bool, one for each edge u < v in ascending order
        Which remain.
    """
    n = indptr.shape[0] - 1
    kept = np.ones(indices.shape[0] // 2, np.bool_)
    left = indptr[1:] - indptr[:-1]
    e = 0
    for v in range(n):
        for p in range(indptr[v], indptr[v + 1]):
            u = indices[p]
            if u < v:
                continue
            if left[v] > theta:
                kept[e] = False
                left[v] -= 1
                left[u] -= 1
            e += 1
    return kept


@njit(cache=True)
def remove_from_both_ends(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], theta: int
) -> NDArray[np.bool_]:
    """Remove edges by nodes, each visited from both its ends and removed at most once.

    As `remove_from_first_end`, but each node sees all its edges that still exist, so it ends
    at theta or below.  Two steps for each edge, and one number of memory for each.
    """
    n = indptr.shape[0] - 1
    kept = np.ones(indices.shape[0] // 2, np.bool_)
    edge = _edge_of_each_place(indptr, indices)
    left = indptr[1:] - indptr[:-1]
    for v in range(n):
        for p in range(indptr[v], indptr[v + 1]):
            if left[v] <= theta:
                break
            if kept[edge[p]]:
                kept[edge[p]] = False
                left[v] -= 1
                left[indices[p]] -= 1
    return kept


@njit(cache=True)
def _edge_of_each_place(indptr: NDArray[np.int64], indices: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find for each place in ``indices`` the number of its edge, u < v ascending."""
    n = indptr.shape[0] - 1
    edge = np.empty(indices.shape[0], np.int64)
    # The lower neighbours of v come ascending, in the same order as the rows that hold them.
    following = indptr[:n].copy()
    e = 0
    for u in range(n):
        for p in range(indptr[u], indptr[u + 1]):
            v = indices[p]
            if u < v:
                edge[p] = e
                edge[following[v]] = e
                following[v] += 1
                e += 1
    return edge

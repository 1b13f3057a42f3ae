"""How many triangles go through each node?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def local_triangles(indptr: NDArray[np.int64], indices: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the triangles through each node of a simple undirected graph.

    Each edge points to its end of larger degree (ties: larger number), so that no node has more
    than √(2·edges) edges out and each triangle has one node with two of them.  O(edges^1.5) time
    at most, O(nodes + edges) memory.

    Parameters
    ----------
    indptr, indices : int64 arrays
        Compressed sparse rows, each edge in both directions.

    Returns
    -------
    (n,) int64 array
    """
    n = indptr.shape[0] - 1
    out = np.empty(indices.shape[0] // 2, np.int64)
    first = np.zeros(n + 1, np.int64)
    for u in range(n):
        place = first[u]
        degree = indptr[u + 1] - indptr[u]
        for i in range(indptr[u], indptr[u + 1]):
            v = indices[i]
            other = indptr[v + 1] - indptr[v]
            if other > degree or (other == degree and v > u):
                out[place] = v
                place += 1
        first[u + 1] = place
    counts = np.zeros(n, np.int64)
    seen = np.full(n, -1, np.int64)
    for u in range(n):
        for i in range(first[u], first[u + 1]):
            seen[out[i]] = u
        for i in range(first[u], first[u + 1]):
            v = out[i]
            for j in range(first[v], first[v + 1]):
                if seen[out[j]] == u:
                    counts[u] += 1
                    counts[v] += 1
                    counts[out[j]] += 1
    return counts

"""How far is it from one node to all others?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def distance_sums(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], sources: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Add up the distances from each source to the nodes that it reaches.

    Breadth first: O(nodes + edges) time for each source, O(nodes) memory.

    Parameters
    ----------
    indptr, indices : int64 arrays
        Compressed sparse rows, each edge in both directions.
    sources : (s,) int64 array
        Node numbers.

    Returns
    -------
    sums : (s,) int64 array
        Numbers of edges on shortest paths, added up.
    reached : (s,) int64 array
        How many nodes can be reached, the source left out.
    """
    n = indptr.shape[0] - 1
    sums = np.zeros(sources.shape[0], np.int64)
    reached = np.zeros(sources.shape[0], np.int64)
    visited = np.full(n, -1, np.int64)
    queue = np.empty(n, np.int64)
    for s in range(sources.shape[0]):
        queue[0] = sources[s]
        visited[sources[s]] = s
        start, end, distance = 0, 1, 0
        while start < end:
            distance += 1
            layer_end = end
            for at in range(start, layer_end):
                u = queue[at]
                for i in range(indptr[u], indptr[u + 1]):
                    v = indices[i]
                    if visited[v] != s:
                        visited[v] = s
                        queue[end] = v
                        end += 1
            sums[s] += distance * (end - layer_end)
            start = layer_end
        reached[s] = end - 1
    return sums, reached

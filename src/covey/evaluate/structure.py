"""What do analysts look at in a graph?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from covey.graph import Graph

PROPERTIES = {
    "average_degree": False,
    "max_degree": False,
    "assortativity": True,
    "local_clustering": True,
    "global_clustering": True,
    "triangles": False,
    "components": False,
    "largest_component": True,
    "path_length": False,
    "spectral_radius": False,
    "spectral_gap": False,
}
"""The properties, and whether each is bounded: changes of the others are measured relatively."""

# Up to this many nodes all eigenvalues are computed, which no multiplicity can mislead.
_SMALL = 300
_START = 20261116


def structure(
    graph: Graph, *, generator: np.random.Generator, sources: int = 100
) -> dict[str, float]:
    """Return the values of all ``PROPERTIES`` of a graph.

    Parameters
    ----------
    graph : Graph
    generator : numpy.random.Generator
        Draws the sources of paths.
    sources : int
        From how many nodes of the largest component paths are measured; if it has no more nodes
        than that, the path length is exact.

    Notes
    -----
    What is not defined is 0: the assortativity of a graph whose edges all end in the same degree,
    the clustering of one without paths of two edges, the path length of one without edges.
    """
    degrees = graph.degrees
    in_all, through = _triangles(graph)
    wedges = float((degrees * (degrees - 1) // 2).sum())
    pairs = np.maximum(degrees * (degrees - 1) // 2, 1)
    count, component = _components(graph)
    radius, gap = _spectrum(graph)
    return {
        "average_degree": 2.0 * graph.n_edges / max(graph.n_nodes, 1),
        "max_degree": float(degrees.max(initial=0)),
        "assortativity": assortativity(graph),
        "local_clustering": float((through / pairs).sum() / max(graph.n_nodes, 1)),
        "global_clustering": 3.0 * in_all / max(wedges, 1.0),
        "triangles": float(in_all),
        "components": float(count),
        "largest_component": component.size / max(graph.n_nodes, 1),
        "path_length": path_length(graph, component, generator=generator, sources=sources),
        "spectral_radius": radius,
        "spectral_gap": gap,
    }


def assortativity(graph: Graph) -> float:
    """Return the correlation of the degrees at the two ends of an edge (Newman 2002)."""
    ends = np.repeat(graph.degrees, graph.degrees), graph.degrees[graph.indices]
    if graph.n_edges == 0 or ends[0].min() == ends[0].max():
        return 0.0
    centred = [end - ends[0].mean() for end in ends]
    value = float((centred[0] * centred[1]).sum() / np.square(centred[0]).sum())
    return min(max(value, -1.0), 1.0)


def path_length(
    graph: Graph, nodes: NDArray[np.int64], *, generator: np.random.Generator, sources: int = 100
) -> float:
    """Return the mean distance from a sample of ``nodes`` to all others that can be reached."""
    from covey.kernels.graphs.paths import distance_sums

    chosen = np.sort(generator.choice(nodes, min(sources, nodes.size), replace=False))
    sums, reached = distance_sums(graph.indptr, graph.indices, chosen)
    return float(sums.sum() / max(int(reached.sum()), 1))


def _triangles(graph: Graph) -> tuple[int, NDArray[np.int64]]:
    from covey.kernels.graphs.triangles import local_triangles

    through = local_triangles(graph.indptr, graph.indices)
    return int(through.sum()) // 3, through


def _components(graph: Graph) -> tuple[int, NDArray[np.int64]]:
    """Return the number of components and the nodes of the largest."""
    from scipy.sparse.csgraph import connected_components

    if graph.n_nodes == 0:
        return 0, np.empty(0, dtype=np.int64)
    count, labels = connected_components(_adjacency(graph), directed=False)
    return int(count), np.flatnonzero(labels == np.argmax(np.bincount(labels)))


def _spectrum(graph: Graph) -> tuple[float, float]:
    """Return the largest eigenvalue of the adjacency matrix and how far the second is below."""
    from scipy.sparse.linalg import eigsh

    if graph.n_nodes < 2 or graph.n_edges == 0:  # noqa: PLR2004
        return 0.0, 0.0
    matrix = _adjacency(graph)
    if graph.n_nodes <= _SMALL:
        values = np.linalg.eigvalsh(matrix.toarray())[-2:]
    else:
        # A fixed start, so that the same graph has the same value again.
        start = np.random.default_rng(_START).standard_normal(graph.n_nodes)
        values = np.sort(eigsh(matrix, k=2, which="LA", v0=start, return_eigenvectors=False))
    return float(values[1]), float(max(values[1] - values[0], 0.0))


def _adjacency(graph: Graph) -> csr_array:
    from scipy.sparse import csr_array

    ones = np.ones(graph.indices.size)
    return csr_array((ones, graph.indices, graph.indptr), shape=(graph.n_nodes, graph.n_nodes))

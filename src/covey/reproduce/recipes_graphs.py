"""How are the results about graphs of paper 002, chapters 6 and 7, computed?"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate import cluster_means
from covey.graph import DK, joint_degrees, project
from covey.partition import Partition, partition
from covey.reproduce.data import load_graph

if TYPE_CHECKING:
    from covey.reproduce.entries import PaperEntry

_ORDERS = 5
"""Random orders of edges that a ratio of edge addition is averaged over."""

ARCS = {
    "facebook_combined": 88_234,
    "wiki-Vote": 103_689,
    "ca-HepPh": 237_042,
    "email-Enron": 367_662,
}
"""Lines of the source files, some with both directions of an edge: by these the printed Table 7.1
can be explained, and by no share of edges."""


@lru_cache(maxsize=8)
def _joint_degrees(data: str) -> DK:
    return joint_degrees(load_graph(data))


def _clustered(entry: PaperEntry) -> Partition:
    return partition(_joint_degrees(entry.data), entry.method, **entry.settings)


def _degree_pairs(entry: PaperEntry) -> float:
    return float(len(_joint_degrees(entry.data).counts))


def _clusters(entry: PaperEntry) -> float:
    return float(len(_clustered(entry).sizes))


def _sae(entry: PaperEntry) -> float:
    """Add up the Euclidean distances of degree pairs from the mean of their cluster, Eq. (6.2)."""
    keys = _joint_degrees(entry.data).keys.astype(np.float64)
    found = _clustered(entry)
    means = np.column_stack([cluster_means(part, found.labels, found.sizes) for part in keys.T])
    return float(np.linalg.norm(keys - means[found.labels], axis=1).sum())


def _kept_edges(entry: PaperEntry) -> float:
    """Return the share of the edges of the graph that a projection keeps.

    Stable edge removal is taken by degree, as in Example 7, and visits edges from both ends, so
    that degrees are bounded.
    """
    graph, theta = load_graph(entry.data), entry.settings["theta"]
    if entry.method == "ead":
        return _added_edges(entry) / graph.n_edges
    projected = project(graph, "stable-edge-removal", theta=theta, order="degree")
    return projected.n_edges / graph.n_edges


def _edges_per_line(entry: PaperEntry) -> float:
    return _added_edges(entry) / ARCS[entry.data]


@lru_cache(maxsize=64)
def _added(data: str, theta: int) -> float:
    graph = load_graph(data)
    kept = [
        project(graph, "edge-addition", theta=theta, order="hash", key=str(number)).n_edges
        for number in range(_ORDERS)
    ]
    return float(np.mean(kept))


def _added_edges(entry: PaperEntry) -> float:
    return _added(entry.data, entry.settings["theta"])


def most_kept_edges(entry: PaperEntry) -> float:
    """Return a share of edges that no graph of degree theta at most can exceed."""
    degrees = load_graph(entry.data).degrees
    return float(np.minimum(degrees, entry.settings["theta"]).sum() / degrees.sum())


GRAPH_RECIPES: dict[str, Callable[[PaperEntry], float]] = {
    "degree-pairs": _degree_pairs,
    "clusters": _clusters,
    "sae": _sae,
    "kept-edges": _kept_edges,
    "edges-per-line": _edges_per_line,
}

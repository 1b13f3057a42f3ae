"""Triangles and distances are counted as networkx counts them."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from covey.graph import from_edges
from covey.kernels.graphs.paths import distance_sums
from covey.kernels.graphs.triangles import local_triangles

graphs = st.builds(
    lambda n, p, seed: nx.gnp_random_graph(n, p, seed=seed),
    st.integers(1, 25),
    st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0]),
    st.integers(0, 10**6),
)


def rows_of(graph):
    edges = np.array(graph.edges(), dtype=np.int64).reshape(-1, 2)
    made = from_edges(edges, ids=graph.number_of_nodes())
    return made.indptr, made.indices


@given(graph=graphs)
def test_triangles_through_each_node_are_those_of_networkx(graph) -> None:
    counts = local_triangles(*rows_of(graph))

    assert dict(enumerate(counts.tolist())) == nx.triangles(graph)


@given(graph=graphs)
def test_distances_from_each_node_are_those_of_networkx(graph) -> None:
    sums, reached = distance_sums(*rows_of(graph), np.arange(graph.number_of_nodes()))

    for source, lengths in nx.all_pairs_shortest_path_length(graph):
        assert sums[source] == sum(lengths.values())
        assert reached[source] == len(lengths) - 1

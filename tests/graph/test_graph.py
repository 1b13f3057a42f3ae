"""A graph is a value: both directions of each edge, sorted, and nobody can change it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.graph import from_edges
from tests.oracles.graphs import degrees_of, edges_of, graph_of, simple_graphs


@given(simple_graphs())
def test_neighbours_are_sorted_and_mutual(graph) -> None:
    neighbours = [
        graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist() for v in range(graph.n_nodes)
    ]

    assert all(near == sorted(near) for near in neighbours)
    assert all(v in neighbours[u] for v, near in enumerate(neighbours) for u in near)


@given(simple_graphs(), st.randoms())
def test_neither_the_order_nor_the_direction_of_edges_matters(graph, random) -> None:
    edges = [edge if random.random() < 0.5 else edge[::-1] for edge in edges_of(graph)]
    random.shuffle(edges)

    again = graph_of(edges, graph.n_nodes)

    assert edges_of(again) == edges_of(graph)
    assert again.degrees.tolist() == degrees_of(edges, graph.n_nodes)


def test_nodes_without_edges_are_nodes() -> None:
    graph = graph_of([(0, 3)], 5)

    assert (graph.n_nodes, graph.n_edges) == (5, 1)
    assert graph.degrees.tolist() == [1, 0, 0, 1, 0]


def test_a_graph_may_have_neither_edges_nor_nodes() -> None:
    graph = graph_of([], 0)

    assert (graph.n_nodes, graph.n_edges) == (0, 0)
    assert graph.edges().shape == (0, 2)


def test_a_graph_keeps_the_names_of_its_nodes() -> None:
    ids = np.array(["Ann", "Bob"], dtype=object)

    graph = from_edges(np.array([[1, 0]]), ids=ids)

    assert graph.ids[graph.edges()].tolist() == [["Ann", "Bob"]]


@pytest.mark.parametrize("name", ["indptr", "indices", "ids"])
def test_nobody_can_change_a_graph(name) -> None:
    graph = graph_of([(0, 1)], 2)

    with pytest.raises(ValueError, match="read-only"):
        getattr(graph, name)[0] = 1

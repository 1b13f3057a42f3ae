"""Degrees are counted exactly: alone, along edges, along wedges and triangles."""

from collections import Counter

import networkx as nx
import numpy as np
from hypothesis import given

from covey.graph import (
    DK,
    degree_distribution,
    joint_degrees,
    subgraph_degrees,
    to_networkx,
)
from tests.oracles.graphs import (
    count_edges_by_degrees,
    count_triples_by_degrees,
    degrees_of,
    edges_of,
    graph_of,
    simple_graphs,
)

# Figure 6.2 of paper 002: A-B, A-C, C-D, C-E, C-F, D-E.
FIGURE = graph_of([(0, 1), (0, 2), (2, 3), (2, 4), (2, 5), (3, 4)], 6)


def cells(dk: DK) -> Counter:
    assert (dk.counts > 0).all()
    assert dk.keys.tolist() == sorted(dk.keys.tolist())
    return Counter(dict(zip(map(tuple, dk.keys.tolist()), dk.counts.tolist(), strict=True)))


@given(simple_graphs())
def test_nodes_are_counted_by_degree(graph) -> None:
    expected = Counter((d,) for d in degrees_of(edges_of(graph), graph.n_nodes))

    assert cells(degree_distribution(graph)) == expected


@given(simple_graphs())
def test_edges_are_counted_by_the_degrees_of_their_ends(graph) -> None:
    expected = count_edges_by_degrees(edges_of(graph), graph.n_nodes)

    assert cells(joint_degrees(graph)) == expected


@given(simple_graphs())
def test_open_wedges_and_triangles_are_counted_by_the_degrees_of_their_nodes(graph) -> None:
    expected = count_triples_by_degrees(edges_of(graph), graph.n_nodes)

    assert cells(subgraph_degrees(graph)) == expected


def test_the_example_of_the_paper_comes_out() -> None:
    assert cells(degree_distribution(FIGURE)) == {(1,): 2, (2,): 3, (4,): 1}
    assert cells(joint_degrees(FIGURE)) == {(1, 2): 1, (1, 4): 1, (2, 2): 1, (2, 4): 3}
    triples = cells(subgraph_degrees(FIGURE))
    assert (triples[1, 2, 2, 4], triples[0, 2, 4, 2]) == (1, 2)


def test_a_larger_graph_agrees_with_networkx() -> None:
    edges = [(min(e), max(e)) for e in nx.barabasi_albert_graph(600, 5, seed=3).edges()]
    graph = graph_of(edges, 600)
    other = to_networkx(graph)

    pairs, triples = joint_degrees(graph), subgraph_degrees(graph)

    mixing = nx.degree_mixing_dict(other)
    assert all(
        mixing[i][j] == (2 if i == j else 1) * count for (i, j), count in cells(pairs).items()
    )
    closed = triples.keys[:, 0] == 1
    assert triples.counts[closed].sum() == sum(nx.triangles(other).values()) // 3
    paths = (graph.degrees * (graph.degrees - 1) // 2).sum()
    assert triples.counts[~closed].sum() == paths - 3 * triples.counts[closed].sum()


def test_a_graph_without_edges_has_degree_zero_alone() -> None:
    graph = graph_of([], 3)

    assert cells(degree_distribution(graph)) == {(0,): 3}
    assert joint_degrees(graph).keys.shape == (0, 2)
    assert subgraph_degrees(graph).keys.shape == (0, 4)


def test_a_graph_without_nodes_has_no_degrees() -> None:
    graph = graph_of([], 0)

    for count in (degree_distribution, joint_degrees, subgraph_degrees):
        assert len(count(graph).counts) == 0


@given(simple_graphs())
def test_all_counts_are_integers_of_64_bits(graph) -> None:
    for count in (degree_distribution, joint_degrees, subgraph_degrees):
        dk = count(graph)
        assert (dk.keys.dtype, dk.counts.dtype) == (np.int64, np.int64)

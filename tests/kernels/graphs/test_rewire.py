"""Exchanges of ends keep what they promise, and Havel and Hakimi find every possible graph."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from covey.kernels.graphs.rewire import havel_hakimi, rewire

sequences = st.lists(st.integers(0, 9), min_size=1, max_size=12)


def edges_of(stubs) -> list[tuple[int, int]]:
    owner = np.repeat(np.arange(stubs.used.size), np.diff(stubs.first))
    ends = zip(owner.tolist(), stubs.neighbour.tolist(), strict=True)
    return sorted((u, v) for u, v in ends if u < v)


@given(degrees=sequences)
def test_all_stubs_are_joined_exactly_if_the_degrees_are_graphical(degrees) -> None:
    stubs = havel_hakimi(np.array(degrees))

    joined = stubs.used.tolist() == degrees
    assert joined == nx.is_graphical(degrees, method="eg")
    if joined:
        edges = edges_of(stubs)
        assert len(set(edges)) == len(edges) == sum(degrees) // 2


@given(n=st.integers(4, 14), seed=st.integers(0, 10**6), swaps=st.integers(0, 60))
def test_exchanges_keep_the_graph_simple_and_mates_mutual(n, seed, swaps) -> None:
    graph = nx.gnp_random_graph(n, 0.4, seed=seed)
    degrees = np.array([degree for _, degree in graph.degree()])
    stubs = havel_hakimi(degrees)

    rewire(stubs, np.array([0, n]), swaps if degrees.any() else 0, np.random.default_rng(seed))

    owner = np.repeat(np.arange(n), degrees)
    assert (stubs.mate[stubs.mate] == np.arange(owner.size)).all()
    assert (owner[stubs.mate] == stubs.neighbour).all()
    edges = edges_of(stubs)
    assert len(set(edges)) == len(edges) == degrees.sum() // 2


def test_all_graphs_with_given_degrees_are_reached_about_equally_often() -> None:
    generator = np.random.default_rng(11)
    counts: dict[tuple[tuple[int, int], ...], int] = {}
    stubs = havel_hakimi(np.array([1, 1, 1, 1, 2]))

    for _ in range(6000):
        rewire(stubs, np.array([0, 5]), 12, generator)
        graph = tuple(edges_of(stubs))
        counts[graph] = counts.get(graph, 0) + 1

    # The node of degree 2 has two of four neighbours, and the other two are joined: six graphs.
    assert len(counts) == 6
    assert min(counts.values()) > 850
    assert max(counts.values()) < 1150

"""A regenerated graph is simple and has exactly the degrees that were asked for."""

from __future__ import annotations

import os
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import DataError, PlanError
from covey.graph import DK, Graph, degree_distribution, from_edges, joint_degrees
from covey.postprocess.realisable import realisable
from covey.postprocess.regenerate import regenerate

DATA = Path(os.environ["COVEY_DATA"]) / "graphs"
pairs = st.tuples(st.integers(1, 12), st.integers(1, 12))
noisy_cells = st.dictionaries(pairs, st.integers(0, 40), max_size=25)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def same(p: DK, q: DK) -> bool:
    return p.keys.tolist() == q.keys.tolist() and p.counts.tolist() == q.counts.tolist()


def is_simple(graph: Graph) -> bool:
    edges = graph.edges()
    return len(np.unique(edges, axis=0)) == len(edges) and bool((edges[:, 0] < edges[:, 1]).all())


def atlas() -> list[Graph]:
    """Return all graphs with up to seven nodes and at least one edge."""
    return [
        from_edges(np.array(graph.edges()), ids=graph.number_of_nodes())
        for graph in nx.graph_atlas_g()
        if graph.number_of_edges()
    ]


def real_graph(name: str) -> Graph:
    path = DATA / f"{name}.txt.gz"
    if not path.exists():
        pytest.skip("the reference graphs are not here")
    edges = np.loadtxt(path, dtype=np.int64, comments="#", usecols=(0, 1))
    edges = np.unique(np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1), axis=0)
    ids, ends = np.unique(edges, return_inverse=True)
    return from_edges(ends.reshape(-1, 2), ids=ids)


@pytest.mark.parametrize("rewire", [0, 5])
def test_every_small_graph_has_its_joint_degrees_regenerated(rewire) -> None:
    generator = rng()
    for graph in atlas():
        wanted = joint_degrees(graph)

        made = regenerate(wanted, nodes=graph.n_nodes, rewire=rewire, generator=generator)

        assert same(joint_degrees(made), wanted)
        assert is_simple(made)
        assert made.n_nodes == graph.n_nodes


def test_every_small_graph_has_its_degrees_regenerated() -> None:
    generator = rng()
    for graph in atlas():
        wanted = degree_distribution(graph)

        made = regenerate(wanted, generator=generator)

        assert same(degree_distribution(made), wanted)
        assert is_simple(made)


@given(cells=noisy_cells, seed=st.integers(0, 10**6), rewire=st.integers(0, 3))
def test_every_repaired_matrix_is_met_exactly(cells, seed, rewire) -> None:
    wanted = realisable(list(cells), list(cells.values()))

    made = regenerate(wanted, rewire=rewire, generator=rng(seed))

    assert same(joint_degrees(made), wanted)
    assert is_simple(made)


@given(n=st.integers(2, 40), p=st.sampled_from([0.5, 0.8, 0.95, 1.0]), seed=st.integers(0, 10**6))
def test_dense_graphs_in_which_nodes_must_hand_edges_over_are_met_exactly(n, p, seed) -> None:
    graph = nx.gnp_random_graph(n, p, seed=seed)
    edges = np.array(graph.edges(), dtype=np.int64).reshape(-1, 2)
    wanted = joint_degrees(from_edges(edges, ids=n))

    made = regenerate(wanted, generator=rng(seed))

    assert same(joint_degrees(made), wanted)
    assert is_simple(made)


@pytest.mark.parametrize("name", ["ca-GrQc", "facebook_combined", "wiki-Vote", "email-Enron"])
def test_real_graphs_are_met_exactly(name) -> None:
    graph = real_graph(name)
    wanted = joint_degrees(graph)

    made = regenerate(wanted, nodes=graph.n_nodes, rewire=1, generator=rng())

    assert same(joint_degrees(made), wanted)
    assert same(degree_distribution(made), degree_distribution(graph))
    assert is_simple(made)


def test_rewiring_leaves_joint_degrees_alone_and_moves_most_edges() -> None:
    graph = nx.barabasi_albert_graph(500, 3, seed=1)
    wanted = joint_degrees(from_edges(np.array(graph.edges()), ids=500))

    before = regenerate(wanted, generator=rng(4))
    after = regenerate(wanted, rewire=10, generator=rng(4))

    assert same(joint_degrees(after), joint_degrees(before))
    kept = {*map(tuple, before.edges().tolist())} & {*map(tuple, after.edges().tolist())}
    assert len(kept) < 0.5 * before.n_edges


def test_degrees_alone_leave_the_pairing_of_degrees_to_chance() -> None:
    graph = nx.gnp_random_graph(400, 0.05, seed=2)
    wanted = degree_distribution(from_edges(np.array(graph.edges()), ids=400))

    made = regenerate(wanted, generator=rng())

    ends = made.degrees[made.edges()]
    assert abs(np.corrcoef(np.vstack([ends, ends[:, ::-1]]).T)[0, 1]) < 0.1


def test_the_same_seed_gives_the_same_graph_and_another_seed_another() -> None:
    wanted = joint_degrees(from_edges(np.array(nx.karate_club_graph().edges()), ids=34))

    one, again, other = (regenerate(wanted, generator=rng(seed)) for seed in (3, 3, 4))

    assert one.edges().tolist() == again.edges().tolist()
    assert one.edges().tolist() != other.edges().tolist()


def test_isolated_nodes_fill_up_to_the_number_asked_for_and_never_take_away() -> None:
    triangle = DK(order=2, keys=np.array([[2, 2]]), counts=np.array([3]))

    assert regenerate(triangle, nodes=7, generator=rng()).degrees.tolist() == [0, 0, 0, 0, 2, 2, 2]
    assert regenerate(triangle, nodes=1, generator=rng()).n_nodes == 3


@pytest.mark.parametrize("order", [1, 2])
def test_an_empty_target_gives_a_graph_of_isolated_nodes(order) -> None:
    nothing = DK(order=order, keys=np.empty((0, order), np.int64), counts=np.empty(0, np.int64))

    made = regenerate(nothing, nodes=4, rewire=2, generator=rng())

    assert (made.n_nodes, made.n_edges) == (4, 0)


@pytest.mark.parametrize(
    ("order", "keys", "counts"),
    [
        (2, [[2, 2]], [2]),  # two nodes of degree 2 have one edge between them at most
        (2, [[1, 3]], [4]),  # four ends at degree 3 are not whole nodes
        (2, [[1, 1]], [-1]),
        (2, [[2, 1]], [2]),
        (2, [[0, 1]], [1]),
        (1, [[3]], [2]),
        (1, [[1]], [3]),
    ],
)
def test_counts_that_no_graph_has_are_refused(order, keys, counts) -> None:
    impossible = DK(order=order, keys=np.array(keys), counts=np.array(counts))

    with pytest.raises(DataError, match="no simple graph has these degrees"):
        regenerate(impossible, generator=rng())


def test_subgraphs_of_three_nodes_and_negative_numbers_are_refused() -> None:
    wedge = DK(order=3, keys=np.array([[0, 1, 2, 1]]), counts=np.array([1]))
    edge = DK(order=2, keys=np.array([[1, 1]]), counts=np.array([1]))

    with pytest.raises(PlanError, match="order 1 or 2"):
        regenerate(wedge, generator=rng())
    with pytest.raises(PlanError, match="negative"):
        regenerate(edge, rewire=-1, generator=rng())
    with pytest.raises(PlanError, match="negative"):
        regenerate(edge, nodes=-1, generator=rng())

"""Noisy counts become counts that a simple graph has, and true ones stay what they are."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from covey.errors import DataError
from covey.graph import DK, degree_distribution, from_edges, joint_degrees
from covey.postprocess.realisable import graphical, is_realisable, realisable

noisy = st.one_of(st.integers(-3, 12), st.floats(-20, 60, allow_nan=False, width=32))
pairs = st.tuples(st.integers(1, 15), st.integers(1, 15))
noisy_cells = st.dictionaries(pairs, noisy, max_size=30)
graphs = st.builds(
    lambda n, p, seed: nx.gnp_random_graph(n, p, seed=seed),
    st.integers(1, 14),
    st.sampled_from([0.1, 0.3, 0.6, 0.9]),
    st.integers(0, 10**6),
)


def covey_graph(graph):
    edges = np.array(graph.edges(), dtype=np.int64).reshape(-1, 2)
    return from_edges(edges, ids=graph.number_of_nodes())


def as_dict(dk: DK) -> dict:
    return {tuple(key): count for key, count in zip(dk.keys.tolist(), dk.counts, strict=True)}


def joint_dict(dk: DK) -> dict[int, dict[int, int]]:
    """Write a 2K in the form of networkx, which counts edges inside a degree twice."""
    table: dict[int, dict[int, int]] = {}
    for (i, j), count in as_dict(dk).items():
        ends = int(count) * (2 if i == j else 1)
        table.setdefault(i, {})[j] = ends
        table.setdefault(j, {})[i] = ends
    return table


def l1(p: dict, q: dict) -> float:
    return sum(abs(p.get(key, 0) - q.get(key, 0)) for key in {*p, *q})


@given(cells=noisy_cells)
def test_the_result_meets_the_conditions_of_networkx_whatever_the_noise(cells) -> None:
    dk = realisable(list(cells), list(cells.values()))

    assert nx.is_valid_joint_degree(joint_dict(dk))
    assert is_realisable(dk)
    assert (dk.counts > 0).all()
    assert dk.counts.dtype == np.int64


@given(graph=graphs)
def test_joint_degrees_of_a_graph_come_back_as_they_are(graph) -> None:
    true = joint_degrees(covey_graph(graph))

    dk = realisable(true.keys, true.counts)

    assert as_dict(dk) == as_dict(true)
    assert dk.keys.tolist() == true.keys.tolist()


@given(cells=noisy_cells)
def test_repairing_twice_is_repairing_once(cells) -> None:
    once = realisable(list(cells), list(cells.values()))

    assert as_dict(realisable(once.keys, once.counts)) == as_dict(once)


@given(cells=noisy_cells)
def test_the_repair_adds_no_more_than_half_a_node_and_half_an_edge(cells) -> None:
    wanted = sum(max(value, 0.0) for value in cells.values())

    dk = realisable(list(cells), list(cells.values()))

    # What is carried down is never more than half the ends of one node, an edge has two ends, and
    # an odd number of ends brings one more node of degree 1.
    largest = max((max(key) for key, value in cells.items() if value > 0), default=0)
    assert dk.counts.sum() <= wanted + largest / 4 + 1 / 2 + 1e-6


def test_many_fractions_of_edges_do_not_vanish() -> None:
    degrees = np.arange(1, 101)
    low, high = np.triu_indices(100)
    values = 300.0 / (degrees[low] * degrees[high])

    dk = realisable(np.column_stack([degrees[low], degrees[high]]), values)

    # All cells of two degrees above 25 hold less than half an edge.
    large = degrees[low] > 25
    assert (values[large] < 0.5).all()
    assert dk.counts.sum() == pytest.approx(values.sum(), abs=1.0)
    assert dk.counts[dk.keys[:, 0] > 25].sum() == pytest.approx(values[large].sum(), rel=0.2)


def test_the_repair_stays_near_little_noise() -> None:
    true = joint_degrees(covey_graph(nx.barabasi_albert_graph(2000, 4, seed=3)))
    noise = np.random.default_rng(5).laplace(0.0, 1.0, true.counts.size)
    values = np.maximum(true.counts + noise, 0.0)

    dk = realisable(true.keys, values)

    moved = l1(as_dict(dk), dict(zip(map(tuple, true.keys.tolist()), values, strict=True)))
    assert moved < 1.0 * np.abs(noise).sum()
    assert moved < 0.15 * true.counts.sum()


def test_pairs_in_either_order_and_repeated_pairs_are_added_up() -> None:
    assert as_dict(realisable([(2, 1), (1, 2)], [1, 1])) == {(1, 2): 2}


def test_no_cells_or_no_positive_cells_give_no_edges() -> None:
    assert realisable(np.empty((0, 2), int), []).counts.size == 0
    assert realisable([(3, 4), (2, 2)], [-5.0, 0.0]).counts.size == 0
    assert is_realisable(realisable([(3, 4)], [-5.0]))


def test_pairs_with_degree_zero_are_left_out() -> None:
    assert as_dict(realisable([(0, 3), (1, 1)], [4.0, 2.0])) == {(1, 1): 2}


@pytest.mark.parametrize(
    ("keys", "counts"),
    [([1, 2], [1.0, 2.0]), ([(1, 2)], [np.nan]), ([(1, 2)], [np.inf]), ([(-1, 2)], [1.0])],
)
def test_cells_without_degrees_or_finite_counts_are_refused(keys, counts) -> None:
    with pytest.raises(DataError, match="one finite count for each cell"):
        realisable(keys, counts)


def sequence_of(dk: DK) -> list[int]:
    return np.repeat(dk.keys[:, 0], dk.counts).tolist()


@given(degrees=st.lists(st.integers(0, 12), max_size=14))
def test_graphical_degrees_come_back_as_they_are_and_others_become_graphical(degrees) -> None:
    keys, counts = np.unique(np.array(degrees, dtype=np.int64), return_counts=True)

    dk = graphical(keys, counts)

    assert nx.is_graphical(sequence_of(dk), method="hh")
    if nx.is_graphical(degrees, method="hh"):
        assert sequence_of(dk) == sorted(degrees)


@given(degrees=st.lists(st.integers(0, 12), max_size=14))
def test_degrees_are_called_realisable_exactly_if_networkx_calls_them_graphical(degrees) -> None:
    keys, counts = np.unique(np.array(degrees, dtype=np.int64), return_counts=True)

    answer = is_realisable(DK(order=1, keys=keys[:, None], counts=counts))

    assert answer == nx.is_graphical(degrees, method="hh")


@given(cells=st.dictionaries(st.integers(0, 30), noisy, max_size=15))
def test_noisy_degree_counts_become_graphical(cells) -> None:
    dk = graphical(list(cells), list(cells.values()))

    assert nx.is_graphical(sequence_of(dk), method="hh")


def test_isolated_nodes_stay_in_the_degree_distribution() -> None:
    true = degree_distribution(covey_graph(nx.Graph([(0, 1), (1, 2)])))

    dk = graphical([0, *true.keys[:, 0]], [3.2, *true.counts])

    assert as_dict(dk) == {(0,): 3, (1,): 2, (2,): 1}


@given(graph=graphs, change=st.sampled_from([-1, 1]), place=st.integers(0, 50))
def test_joint_degrees_are_called_realisable_exactly_if_networkx_says_so(
    graph, change, place
) -> None:
    true = joint_degrees(covey_graph(graph))
    assume(true.counts.size > 0)
    counts = true.counts.copy()
    counts[place % counts.size] += change

    changed = DK(order=2, keys=true.keys.copy(), counts=counts)

    assert is_realisable(true)
    assert is_realisable(changed) == nx.is_valid_joint_degree(joint_dict(changed))


def test_a_table_with_the_right_ends_but_too_many_edges_for_its_nodes_is_repaired() -> None:
    near = realisable([(1, 1), (2, 2)], [1, 1])  # one node of degree 2 cannot be its own neighbour

    assert is_realisable(near)
    assert near.keys.tolist() == [[1, 2]]

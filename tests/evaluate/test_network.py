"""Scores of graphs have the values of their definitions, and of networkx where it has them."""

from __future__ import annotations

from math import inf, isnan, sqrt

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.errors import DataError, PlanError
from covey.evaluate.network import (
    NETWORK_METRICS,
    euclidean_distance,
    evaluate_graph,
    ks_distance,
    l1_distance,
    preserved_edges,
    sae,
)
from covey.evaluate.structure import PROPERTIES, structure
from covey.graph import DK, Graph, degree_distribution, from_edges, joint_degrees

graphs = st.builds(
    lambda n, p, seed: nx.gnp_random_graph(n, p, seed=seed),
    st.integers(1, 20),
    st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0]),
    st.integers(0, 10**6),
)


def covey_graph(graph, ids=None) -> Graph:
    edges = np.array(graph.edges(), dtype=np.int64).reshape(-1, 2)
    return from_edges(edges, ids=graph.number_of_nodes() if ids is None else ids)


def dk(cells: dict) -> DK:
    keys = np.array([np.atleast_1d(key) for key in cells], dtype=np.int64)
    return DK(order=keys.shape[1], keys=keys, counts=np.array(list(cells.values())))


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def base(score: str) -> str:
    return score.partition("[")[0]


def test_distances_have_the_values_worked_out_by_hand() -> None:
    p, q = dk({(1, 2): 4, (2, 2): 3}), dk({(1, 2): 1, (2, 5): 4})

    assert l1_distance(p, q) == 3 + 3 + 4
    assert euclidean_distance(p, q) == pytest.approx(sqrt(9 + 9 + 16))
    # Shares: 4/7 and 3/7 against 1/5 and 4/5; up to (2, 2) it is 1 against 1/5.
    assert ks_distance(p, q) == pytest.approx(4 / 5)


def test_the_distance_of_degree_distributions_is_that_of_cumulated_shares() -> None:
    p, q = dk({1: 5, 2: 3, 9: 2}), dk({1: 2, 3: 8})

    assert ks_distance(p, q) == pytest.approx(0.6)
    assert l1_distance(p, q) == 3 + 3 + 2 + 8


def test_pairs_are_cumulated_in_both_directions() -> None:
    # In lexicographic order the two have a gap of 1/2 only.
    p, q = dk({(1, 9): 1, (2, 3): 1}), dk({(1, 3): 1, (2, 9): 1})

    assert ks_distance(p, q) == pytest.approx(1 / 2)
    assert ks_distance(dk({(1, 9): 1}), dk({(1, 3): 1})) == 1.0


@given(one=graphs, other=graphs)
def test_the_joint_cumulated_gap_is_that_of_the_definition(one, other) -> None:
    p, q = joint_degrees(covey_graph(one)), joint_degrees(covey_graph(other))

    def share(dk: DK, i: int, j: int) -> float:
        inside = (dk.keys[:, 0] <= i) & (dk.keys[:, 1] <= j)
        return dk.counts[inside].sum() / max(dk.counts.sum(), 1)

    gaps = [abs(share(p, i, j) - share(q, i, j)) for i in range(21) for j in range(i, 21)]
    assert ks_distance(p, q) == pytest.approx(max(gaps), abs=1e-12)


def test_noisy_counts_are_compared_as_they_are_and_cumulated_without_the_negative_ones() -> None:
    p = dk({1: 4, 2: 4})
    q = DK(order=1, keys=p.keys.copy(), counts=np.array([4.5, -1.5]))

    assert l1_distance(p, q) == 6.0
    assert ks_distance(p, q) == 0.5


def test_distances_of_different_orders_are_refused() -> None:
    with pytest.raises(PlanError, match="different or unknown orders"):
        l1_distance(dk({1: 1}), dk({(1, 2): 1}))


def test_the_absolute_errors_of_clusters_are_distances_to_their_means() -> None:
    pairs = np.array([[1, 1], [1, 3], [5, 5], [8, 9]])

    assert sae(pairs, np.array([0, 0, 1, 1])) == pytest.approx(2 + 5)
    assert sae(pairs, np.arange(4)) == 0.0


def test_preserved_edges_are_matched_by_the_names_of_nodes() -> None:
    original = covey_graph(nx.path_graph(4), ids=np.array([10, 20, 30, 40]))
    kept = from_edges(np.array([[0, 1], [0, 2]]), ids=np.array([20, 10, 40]))

    assert preserved_edges(original, kept) == pytest.approx(1 / 3)
    assert preserved_edges(original, original) == 1.0
    assert preserved_edges(covey_graph(nx.empty_graph(3)), kept) == 1.0


def test_nodes_with_other_kinds_of_names_cannot_be_matched() -> None:
    one = covey_graph(nx.path_graph(2))
    other = covey_graph(nx.path_graph(2), ids=np.array(["a", "b"]))

    with pytest.raises(DataError, match="different kinds of ids"):
        preserved_edges(one, other)


@given(graph=graphs)
def test_every_property_is_the_one_of_networkx(graph) -> None:
    values = structure(covey_graph(graph), generator=rng())

    degrees = np.array([degree for _, degree in graph.degree()])
    parts = sorted(nx.connected_components(graph), key=len, reverse=True)
    assert values["average_degree"] == pytest.approx(degrees.mean())
    assert values["max_degree"] == degrees.max()
    assert values["local_clustering"] == pytest.approx(nx.average_clustering(graph))
    assert values["global_clustering"] == pytest.approx(nx.transitivity(graph))
    assert values["triangles"] == sum(nx.triangles(graph).values()) / 3
    assert values["components"] == len(parts)
    assert values["largest_component"] == pytest.approx(len(parts[0]) / len(graph))
    lengths = [
        nx.average_shortest_path_length(graph.subgraph(part)) if len(part) > 1 else 0.0
        for part in parts
        if len(part) == len(parts[0])
    ]
    assert any(values["path_length"] == pytest.approx(length) for length in lengths)
    ends = {degrees[node] for edge in graph.edges() for node in edge}
    expected = nx.degree_assortativity_coefficient(graph) if len(ends) > 1 else 0.0
    assert values["assortativity"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("n", [30, 400])
def test_the_spectrum_is_that_of_the_whole_adjacency_matrix(n) -> None:
    graph = nx.barabasi_albert_graph(n, 3, seed=5)

    values = structure(covey_graph(graph), generator=rng())

    eigenvalues = np.linalg.eigvalsh(nx.to_numpy_array(graph))
    assert values["spectral_radius"] == pytest.approx(eigenvalues[-1])
    assert values["spectral_gap"] == pytest.approx(eigenvalues[-1] - eigenvalues[-2])


def test_path_lengths_from_a_sample_are_near_those_from_all_nodes() -> None:
    graph = covey_graph(nx.gnp_random_graph(600, 0.02, seed=1))

    some = structure(graph, generator=rng(), sources=60)["path_length"]
    all_of_them = structure(graph, generator=rng(), sources=600)["path_length"]

    assert some != all_of_them
    assert some == pytest.approx(all_of_them, rel=0.05)


@given(one=graphs, other=graphs)
def test_every_score_belongs_to_a_metric_and_lies_in_its_range(one, other) -> None:
    pairs = joint_degrees(covey_graph(one)).counts.size
    evaluation = evaluate_graph(
        covey_graph(one),
        covey_graph(other),
        generator=rng(),
        same_nodes=True,
        clusters=np.zeros(pairs, np.int64),
    )

    assert {base(score) for score in evaluation} == set(NETWORK_METRICS)
    for score, value in evaluation.items():
        metric = NETWORK_METRICS[base(score)]
        assert not isnan(value)
        assert metric.low <= value <= metric.high


@given(graph=graphs)
def test_a_graph_has_the_best_scores_against_itself(graph) -> None:
    here = covey_graph(graph)

    evaluation = evaluate_graph(here, here, generator=rng(), same_nodes=True, sources=3)

    for score, value in evaluation.items():
        metric = NETWORK_METRICS[base(score)]
        if metric.better == "lower":
            assert value == 0.0
        elif metric.better == "higher":
            assert value == metric.high


def test_a_change_from_nothing_is_infinite_and_others_are_relative() -> None:
    path, triangle = covey_graph(nx.path_graph(3)), covey_graph(nx.complete_graph(3))

    there = evaluate_graph(path, triangle, generator=rng())
    back = evaluate_graph(triangle, path, generator=rng())

    assert there["triangles_error"] == inf
    assert back["triangles_error"] == 1.0
    assert back["average_degree_error"] == pytest.approx(1 / 3)
    assert (there["triangles[original]"], there["triangles[released]"]) == (0.0, 1.0)


@pytest.mark.parametrize("count", [degree_distribution, joint_degrees])
def test_released_counts_are_compared_in_their_own_distribution_alone(count) -> None:
    original, other = covey_graph(nx.path_graph(5)), covey_graph(nx.star_graph(4))
    released = count(other)

    evaluation = evaluate_graph(original, released, generator=rng())

    kind = f"{released.order}k"
    assert set(evaluation) == {f"l1_{kind}", f"euclidean_{kind}", f"ks_{kind}"}
    assert evaluation[f"l1_{kind}"] == l1_distance(count(original), released) > 0


def test_released_subgraphs_of_three_nodes_are_refused() -> None:
    wedge = DK(order=3, keys=np.array([[0, 1, 2, 1]]), counts=np.array([1]))

    with pytest.raises(PlanError, match="3K"):
        evaluate_graph(covey_graph(nx.path_graph(3)), wedge, generator=rng())


@pytest.mark.parametrize("name", list(NETWORK_METRICS))
def test_a_metric_declares_all_that_a_report_needs(name) -> None:
    metric = NETWORK_METRICS[name]

    assert metric.name == name
    assert metric.title
    assert metric.explanation.endswith(".")
    assert metric.low < metric.high


def test_every_property_has_an_error_beside_it() -> None:
    assert {*PROPERTIES} <= {*NETWORK_METRICS}
    assert {f"{name}_error" for name in PROPERTIES} <= {*NETWORK_METRICS}


@pytest.mark.parametrize(("system", "parameters"), [("mdav-dk", {"k": 2}), ("mpdc-dk", {"tau": 1})])
def test_clusters_of_a_release_are_measured_by_evaluate(system, parameters) -> None:
    rng = np.random.default_rng(3)
    graph = from_edges(rng.integers(0, 30, size=(80, 2)), ids=30)

    release = covey.publish(graph, system, epsilon=1.0, **parameters)

    pairs = joint_degrees(graph)
    labels = covey.partition(pairs, system, **parameters).labels
    assert covey.evaluate(graph, release)["sae"] == pytest.approx(sae(pairs.keys, labels))

"""Chapter 6 of paper 002: clusters of degree pairs get the printed noise, and are spread again."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.errors import CoveyError, DataError, PartitionError, PlanError
from covey.graph import Graph, from_edges, joint_degrees
from covey.partition import Partition, partition
from covey.systems import SYSTEMS
from covey.systems.papers.p002.printed import cluster_totals, spread_randomly
from tests.systems.recording import RecordingNoise

SETTINGS = [("mdav-dk", {"k": 3}), ("mpdc-dk", {"tau": 2})]


def random_graph(seed: int, nodes: int = 40) -> Graph:
    rng = np.random.default_rng(seed)
    pairs = np.column_stack(np.triu_indices(nodes, 1))
    return from_edges(pairs[rng.random(len(pairs)) < 0.15], ids=nodes)


@pytest.mark.parametrize(("system", "setting"), SETTINGS)
def test_the_edges_of_each_cluster_get_noise_for_the_largest_degree(system, setting) -> None:
    graph, source = random_graph(1), RecordingNoise()
    dk = joint_degrees(graph)
    clusters = partition(dk, system, **setting)

    SYSTEMS[system].run(graph, SYSTEMS[system].settings({"epsilon": 0.5, **setting}), source, None)

    (sums,) = source.asked
    assert sums.integers == tuple(cluster_totals(dk.counts, clusters).tolist())
    assert sums.scale == (4 * int(graph.degrees.max()) + 1) / Fraction(1, 2)


@pytest.mark.parametrize(("system", "setting"), SETTINGS)
def test_without_noise_the_cells_of_a_cluster_add_up_to_its_edges(system, setting) -> None:
    graph = random_graph(2)
    dk = joint_degrees(graph)
    clusters = partition(dk, system, **setting)

    outcome = SYSTEMS[system].run(
        graph, SYSTEMS[system].settings({"epsilon": 1.0, **setting}), RecordingNoise(), None
    )

    low, high, edges = outcome.columns.values()
    assert np.column_stack([low, high]).tolist() == dk.keys.tolist()
    totals = cluster_totals(dk.counts, clusters)
    assert cluster_totals(edges, clusters).tolist() == totals.tolist()


@pytest.mark.parametrize(("system", "setting"), [("mdav-dk", {"k": 1}), ("mpdc-dk", {"tau": 0})])
def test_clusters_of_one_pair_without_noise_are_the_joint_degrees(system, setting) -> None:
    graph = random_graph(3)

    outcome = SYSTEMS[system].run(
        graph, SYSTEMS[system].settings({"epsilon": 1.0, **setting}), RecordingNoise(), None
    )

    assert outcome.columns["edges"].tolist() == joint_degrees(graph).counts.tolist()


@given(
    sizes=st.lists(st.integers(1, 6), min_size=1, max_size=8),
    seed=st.integers(0, 1000),
    data=st.data(),
)
def test_spreading_keeps_every_total_and_its_sign(sizes, seed, data) -> None:
    labels = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    clusters = Partition(labels=labels, sizes=np.array(sizes), method="any")
    totals = np.array(
        data.draw(st.lists(st.integers(-500, 500), min_size=len(sizes), max_size=len(sizes)))
    )

    spread = spread_randomly(totals, clusters, np.random.default_rng(seed))

    assert cluster_totals(spread, clusters).tolist() == totals.tolist()
    assert (spread * totals[labels] >= 0).all()


def test_spreading_is_even_in_the_long_run() -> None:
    clusters = Partition(labels=np.zeros(4, dtype=np.int64), sizes=np.array([4]), method="any")

    spread = spread_randomly(np.array([40_000]), clusters, np.random.default_rng(5))

    assert np.abs(spread - 10_000).max() < 500


@pytest.mark.parametrize(("system", "setting"), SETTINGS)
def test_a_release_has_no_negative_edges_and_says_that_nothing_is_promised(
    system, setting, tmp_path
) -> None:
    release = covey.publish(random_graph(4), system, epsilon=0.1, random_state=1, **setting)
    release.save(tmp_path / "out")

    written = pl.read_csv(tmp_path / "out" / "data.csv")
    said = json.loads((tmp_path / "out" / "guarantee.json").read_text())
    assert written.columns == ["degree_1", "degree_2", "edges"]
    assert written["edges"].min() == 0
    assert (said["kind"], said["differential_privacy"]) == ("none", False)
    assert "largest degree" in said["sentence"]
    measured = pl.read_csv(tmp_path / "out" / "measured.csv")
    assert measured["noisy_edges"].min() < 0
    assert measured.height == pl.read_csv(tmp_path / "out" / "clusters.csv")["cluster"].n_unique()


def test_a_graph_is_made_if_asked_for() -> None:
    release = covey.publish(
        random_graph(5), "mpdc-dk", epsilon=50.0, tau=2, regenerate=True, random_state=1
    )

    assert release.extras["edges"].columns == ["source", "target"]
    assert release.extras["edges"].height > 0


def test_the_same_seed_gives_the_same_release() -> None:
    first, second = (
        covey.publish(random_graph(6), "mdav-dk", epsilon=1.0, k=2, random_state=9)
        for _ in range(2)
    )

    assert first.data.equals(second.data)


@pytest.mark.parametrize(
    ("system", "setting", "error", "words"),
    [
        ("mdav-dk", {"epsilon": 1.0, "k": 0}, PlanError, "at least 1"),
        ("mdav-dk", {"epsilon": 1.0, "k": 10_000}, PartitionError, "larger than the number"),
        ("mdav-dk", {"epsilon": 1.0}, PlanError, "needs 'k'"),
        ("mdav-dk", {"epsilon": 0.0, "k": 2}, PlanError, "positive"),
        ("mpdc-dk", {"epsilon": 1.0, "tau": -1}, PlanError, "at least 0"),
        ("mpdc-dk", {"epsilon": 1.0, "tau": 1.5}, PlanError, "whole number"),
        ("mpdc-dk", {"tau": 1}, PlanError, "needs 'epsilon'"),
    ],
)
def test_what_makes_no_sense_is_refused(system, setting, error, words) -> None:
    with pytest.raises(error, match=words):
        covey.publish(random_graph(7), system, **setting)


@pytest.mark.parametrize(("system", "setting"), SETTINGS)
def test_a_graph_without_edges_is_refused(system, setting) -> None:
    empty = from_edges(np.empty((0, 2), dtype=np.int64), ids=3)

    with pytest.raises(DataError, match="no edges") as refusal:
        covey.publish(empty, system, epsilon=1.0, **setting)

    assert isinstance(refusal.value, CoveyError)

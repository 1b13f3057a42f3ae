"""Chapter 7 of paper 002: bounded degrees, and the noise of Lemma 8 on the pairs that occur."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.errors import DataError, PlanError
from covey.graph import Graph, from_edges, joint_degrees
from covey.graph.projection import project
from covey.systems import SYSTEMS
from tests.systems.recording import RecordingNoise

PROJECTION = {"ser-dk": "stable-edge-removal", "ead-dk": "edge-addition"}


def random_graph(seed: int, nodes: int = 40) -> Graph:
    rng = np.random.default_rng(seed)
    pairs = np.column_stack(np.triu_indices(nodes, 1))
    return from_edges(pairs[rng.random(len(pairs)) < 0.2], ids=nodes)


@pytest.mark.parametrize("system", PROJECTION)
@given(seed=st.integers(0, 10**6), theta=st.integers(1, 12))
def test_the_joint_degrees_of_the_projected_graph_get_the_noise_of_lemma_8(
    system, seed, theta
) -> None:
    graph, source = random_graph(seed), RecordingNoise()
    settings = {"epsilon": 0.5, "theta": theta, "sequence": "id"}

    outcome = SYSTEMS[system].run(graph, SYSTEMS[system].settings(settings), source, None)

    expected = joint_degrees(project(graph, PROJECTION[system], theta=theta, order="id"))
    (sums,) = source.asked
    assert sums.integers == tuple(expected.counts.tolist())
    assert sums.scale == theta * (2 * theta + 1) / Fraction(1, 2)
    assert outcome.columns["degree_2"].max() <= theta
    assert outcome.columns["edges"].tolist() == expected.counts.tolist()


def test_nodes_are_taken_by_degree_unless_said_otherwise() -> None:
    # A hub with three leaves, one of which has a leaf of its own: by degree the hub gives up its
    # busiest neighbour first, by id the one with the lowest id.
    graph = from_edges(np.array([(3, 0), (3, 1), (3, 2), (2, 4)]), ids=5)

    by_degree, by_id = (
        covey.publish(graph, "ser-dk", epsilon=10**6, theta=2, random_state=1, **setting).data
        for setting in ({}, {"sequence": "id"})
    )

    assert by_degree.rows() == [(1, 1, 1), (1, 2, 2)]
    assert by_id.rows() == [(1, 2, 2), (2, 2, 1)]


def test_another_key_gives_another_order_of_edges() -> None:
    graph = random_graph(1)

    one, other = (
        covey.publish(graph, "ead-dk", epsilon=10**6, theta=2, key=key, random_state=1).data
        for key in ("one", "other")
    )

    assert not one.equals(other)


def test_what_is_wrong_depends_on_how_edges_are_removed() -> None:
    graph = random_graph(2)
    reasons = {
        setting: covey.publish(
            graph, "ser-dk", epsilon=1.0, theta=2, sequence=setting[0], reading=setting[1]
        ).guarantee.reasons
        for setting in (("degree", "bounded"), ("id", "bounded"), ("id", "printed"))
    }

    assert any("order by degree" in reason for reason in reasons["degree", "bounded"])
    assert not any("order by degree" in reason for reason in reasons["id", "bounded"])
    assert any("above theta can remain" in reason for reason in reasons["id", "printed"])


def test_edge_addition_itself_is_not_blamed() -> None:
    release = covey.publish(random_graph(3), "ead-dk", epsilon=1.0, theta=2)

    assert len(release.guarantee.reasons) == 1
    assert "Only degrees that occur" in release.guarantee.reasons[0]


@pytest.mark.parametrize("system", PROJECTION)
@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"theta": 0}, "at least 1"),
        ({"theta": -3}, "at least 1"),
        ({"theta": 1.5}, "whole number"),
        ({}, "needs 'theta'"),
        ({"theta": 2, "sequence": "luck"}, "one of"),
    ],
)
def test_what_makes_no_sense_is_refused(system, setting, words) -> None:
    with pytest.raises(PlanError, match=words):
        covey.publish(random_graph(4), system, epsilon=1.0, **setting)


@pytest.mark.parametrize("system", PROJECTION)
def test_a_graph_without_edges_is_refused(system) -> None:
    with pytest.raises(DataError, match="no edges"):
        covey.publish(
            from_edges(np.empty((0, 2), dtype=np.int64), ids=3), system, epsilon=1.0, theta=2
        )

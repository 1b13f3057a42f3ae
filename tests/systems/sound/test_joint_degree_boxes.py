"""Joint degrees in boxes, and the graph made from them."""

from __future__ import annotations

import numpy as np
import pytest

import covey
from covey.graph import from_edges, joint_degrees, read_graph
from covey.systems.sound.degrees import CANDIDATES
from tests.contracts.graphs import friends


def publish(graph=None, **parameters) -> covey.Release:
    graph = friends() if graph is None else graph
    return covey.publish(graph, "joint-degree-boxes", **{"epsilon": 1.0} | parameters)


@pytest.mark.parametrize("unit", ["edge", "node"])
@pytest.mark.parametrize("boxes", ["fitted", "geometric", "cells", "even-cells"])
def test_the_graph_has_exactly_the_published_joint_degrees(unit, boxes) -> None:
    # Seeded: one release in some hundred of a node's privacy has no edge at all.
    release = publish(friends(400), unit=unit, boxes=boxes, top=12, epsilon=5.0, random_state=1)

    made = read_graph(release.extras["edges"].to_numpy())
    joint = joint_degrees(made)

    assert joint.keys.tolist() == release.frame.select("degree_1", "degree_2").to_numpy().tolist()
    assert joint.counts.tolist() == release.frame["edges"].to_list()


def test_with_much_epsilon_the_joint_degrees_come_back() -> None:
    graph = friends(400)

    release = publish(graph, epsilon=1e6, boxes="cells", top=300)

    found = {tuple(row[:2]): row[2] for row in release.frame.rows()}
    joint = joint_degrees(graph)
    true = dict(zip(map(tuple, joint.keys.tolist()), joint.counts.tolist(), strict=True))
    moved = sum(abs(true.get(key, 0) - found.get(key, 0)) for key in {*true, *found})
    assert moved < 0.02 * graph.n_edges


def test_noise_grows_with_the_degrees_of_a_box() -> None:
    boxes = publish(boxes="geometric", top=17).extras["boxes"]

    heaviest = boxes.select("low_2", "high_2").to_numpy().max(axis=1)  # an open one ends at -1
    assert (boxes["noise_scale"].to_numpy() == 4 * heaviest / 0.5).all()


def test_even_cells_have_the_same_noise_everywhere() -> None:
    boxes = publish(boxes="even-cells", top=6).extras["boxes"]

    assert set(boxes["noise_scale"]) == {(4 * 6 - 3) / 0.5}
    assert boxes.height == 21


def test_a_given_theta_costs_nothing_and_bounds_all_degrees() -> None:
    release = publish(unit="node", theta=3, epsilon=8.0)

    assert release.frame["degree_2"].max() <= 3
    assert release.extras["degrees"]["noise_scale"].to_list() == [4 / 4] * 4
    assert any("theta = 3 is public" in fact for fact in release.guarantee.assumes)


def test_a_theta_that_is_not_given_is_chosen_from_public_ones_and_paid_for() -> None:
    release = publish(unit="node")

    theta = release.plan.parameters["theta"]
    assert theta in CANDIDATES
    # A tenth of epsilon is gone, and half of the rest pays for the degrees.
    assert release.extras["degrees"]["noise_scale"][0] == pytest.approx((theta + 1) / 0.45)
    assert any("paid from epsilon" in fact for fact in release.guarantee.assumes)


def test_a_large_graph_with_busy_nodes_gets_a_larger_bound_than_a_small_quiet_one() -> None:
    rng = np.random.default_rng(0)
    hubs = np.unique(np.sort(rng.integers(0, 400, (30_000, 2)), axis=1), axis=0)
    busy = from_edges(hubs[hubs[:, 0] < hubs[:, 1]], ids=400)

    quiet = publish(unit="node", epsilon=1.0, regenerate=False, random_state=1)
    loud = publish(busy, unit="node", epsilon=20.0, regenerate=False, random_state=1)

    assert quiet.plan.parameters["theta"] < loud.plan.parameters["theta"]


def test_without_regeneration_there_is_no_graph() -> None:
    assert "edges" not in publish(regenerate=False).extras


def test_progress_is_told() -> None:
    seen = []

    publish(progress=lambda what, done, total: seen.append((what, done, total)))

    assert all(what.startswith("joint-degree-boxes: ") for what, *_ in seen)
    assert [done for _, done, _ in seen] == [1, 2, 3]

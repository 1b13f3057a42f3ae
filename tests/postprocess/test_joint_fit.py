"""Joint degrees that fit noisy boxes and noisy degrees."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from covey.core import Noisy
from covey.graph import degree_distribution, from_edges, joint_degrees
from covey.partition.degree_boxes import DegreeBoxes, geometric_boxes, single
from covey.postprocess.joint_fit import fit_joint


def noisy(counts, scale: float) -> Noisy:
    return Noisy(np.asarray(counts), Fraction(scale))


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(5)
    n = 300
    weight = rng.pareto(1.5, n) + 1
    chance = np.minimum(np.outer(weight, weight) / (2 * n), 0.9)
    return from_edges(np.argwhere(np.triu(rng.random((n, n)) < chance, 1)), ids=n)


def estimate(graph, boxes: DegreeBoxes, scale: float):
    nodes = np.bincount(graph.degrees)
    return fit_joint(nodes, boxes, noisy(boxes.counts(joint_degrees(graph)), scale))


def distance(graph, fitted) -> float:
    joint = joint_degrees(graph)
    true = dict(zip(map(tuple, joint.keys.tolist()), joint.counts.tolist(), strict=True))
    keys, edges = fitted.cells()
    found = dict(zip(map(tuple, keys.tolist()), edges.tolist(), strict=True))
    return sum(abs(true.get(key, 0) - found.get(key, 0)) for key in {*true, *found})


def test_the_ends_at_each_degree_are_those_of_the_degrees(graph) -> None:
    fitted = estimate(graph, geometric_boxes(16, closed=False), 0.001)

    one = degree_distribution(graph)
    stubs = (one.keys[:, 0] * one.counts)[one.keys[:, 0] > 0]
    assert np.allclose(fitted.ends.sum(axis=1), stubs, rtol=0.02)


def test_single_cells_without_noise_give_the_joint_degrees_back(graph) -> None:
    top = int(graph.degrees.max())

    fitted = estimate(graph, single(top, closed=True), 1e-9)

    assert distance(graph, fitted) < 0.01 * graph.n_edges


def test_boxes_bring_the_estimate_nearer_than_degrees_alone(graph) -> None:
    # Overwhelming noise leaves the random graph with the same degrees.
    alone = distance(graph, estimate(graph, geometric_boxes(16, closed=False), 1e12))
    measured = distance(graph, estimate(graph, geometric_boxes(16, closed=False), 0.001))

    assert measured < alone


def test_no_cell_holds_more_edges_than_its_nodes_can_have(graph) -> None:
    boxes = geometric_boxes(16, closed=False)
    nodes = np.bincount(graph.degrees)

    fitted = fit_joint(nodes, boxes, noisy(np.full(len(boxes.pairs), 10**6), 1.0))

    most = np.outer(fitted.nodes, fitted.nodes).astype(float)
    np.fill_diagonal(most, fitted.nodes * (fitted.nodes - 1))
    assert (fitted.ends <= most + 1e-9).all()


def test_no_nodes_make_no_edges() -> None:
    boxes = geometric_boxes(4, closed=True)

    fitted = fit_joint(np.array([7]), boxes, noisy(np.ones(len(boxes.pairs), dtype=np.int64), 1.0))

    assert fitted.cells()[0].shape == (0, 2)

"""Degree distributions with noise."""

from __future__ import annotations

import numpy as np
import pytest

import covey
from covey.errors import PlanError
from covey.graph import degree_distribution, read_graph
from covey.systems.sound.degrees import SINGLE_RANKS, falling_blocks
from tests.contracts.graphs import friends


def publish(graph=None, **parameters) -> covey.Release:
    graph = friends() if graph is None else graph
    return covey.publish(graph, "degree-histogram", **{"epsilon": 1.0} | parameters)


@pytest.mark.parametrize("form", ["blocks", "cumulative", "histogram"])
def test_with_much_epsilon_the_degrees_come_back(form) -> None:
    graph = friends(150)

    release = publish(graph, form=form, epsilon=1e6, top=149)

    true = degree_distribution(graph)
    assert release.frame["degree"].to_list() == true.keys[:, 0].tolist()
    assert release.frame["nodes"].to_list() == true.counts.tolist()


@pytest.mark.parametrize(
    ("unit", "form", "scale"),
    [
        ("edge", "blocks", 2 / 0.5),
        ("edge", "cumulative", 2 / 0.5),
        ("edge", "histogram", 4 / 0.5),
        ("node", "cumulative", (5 + 1) / 0.5),
        ("node", "histogram", (2 * 5 + 1) / 0.5),
    ],
)
def test_the_noise_is_what_the_proof_asks_for(unit, form, scale) -> None:
    release = publish(unit=unit, form=form, epsilon=0.5, theta=5)

    assert set(release.extras["measured"]["noise_scale"]) == {scale}


def test_all_degrees_up_to_the_top_are_measured_even_if_they_do_not_occur() -> None:
    measured = publish(form="histogram", top=60).extras["measured"]

    assert measured["degree"].to_list() == list(range(61))


def test_blocks_of_ranks_need_a_public_number_of_nodes() -> None:
    with pytest.raises(PlanError, match="number of nodes, which is not public"):
        publish(unit="node", form="blocks")


def test_the_graph_has_the_published_degrees() -> None:
    release = publish(friends(300), epsilon=3.0, random_state=1)

    made = read_graph(release.extras["edges"].to_numpy())
    counts = np.bincount(made.degrees)
    published = dict(zip(release.frame["degree"], release.frame["nodes"], strict=True))

    # At most one node is added and few degrees lowered to make the degrees those of a graph.
    moved = sum(abs(int(count) - published.get(d, 0)) for d, count in enumerate(counts) if d)
    assert moved <= 4


def test_blocks_of_ranks_depend_on_the_number_of_nodes_alone() -> None:
    sizes = falling_blocks(5000)

    assert sizes.sum() == 5000
    assert (sizes[:SINGLE_RANKS] == 1).all()
    assert (np.diff(sizes[:-1]) >= 0).all()
    assert len(sizes) < 1000

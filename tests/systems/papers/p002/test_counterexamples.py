"""Paper 002's claims about graphs fail, and by how much: examples that must stay.

The systems run without noise, and what they were about to perturb is compared.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from covey.core import GuaranteeKind
from covey.graph import Graph, from_edges
from covey.systems import SYSTEMS, Outcome
from tests.systems.recording import RecordingNoise, graph_loss

Cells = dict[tuple[int, ...], int]

PAPER_SYSTEMS = [
    system
    for system in SYSTEMS.values()
    if system.data == "graph" and system.paper.startswith("002")
]
PATH = [(0, 1), (1, 2), (2, 3), (3, 4)]
CHORD = (0, 2)


def graph(edges, nodes: int) -> Graph:
    return from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), ids=nodes)


def asked(system: str, data: Graph, **parameters: Any) -> tuple[Cells, list[Fraction]]:
    """Return the counts by degrees that get noise, and the scales of the noise, largest last."""
    source = RecordingNoise()
    settings = SYSTEMS[system].settings(parameters)
    outcome = SYSTEMS[system].run(data, settings, source, None)
    *keys, counts = (column.tolist() for column in outcome.columns.values())
    scales = sorted({request.scale for request in source.asked})
    return dict(zip(zip(*keys, strict=True), counts, strict=True)), scales


def silent(system: str, data: Graph, parameters: Mapping[str, Any]) -> Outcome:
    """Run a system without noise."""
    return SYSTEMS[system].run(data, SYSTEMS[system].settings(parameters), RecordingNoise(), None)


def moved(here: Mapping[tuple[int, ...], int], there: Mapping[tuple[int, ...], int]) -> int:
    """Return by how much all counts differ together."""
    return sum(abs(here.get(key, 0) - there.get(key, 0)) for key in here.keys() | there.keys())


def preferences(folder: Path, values: list[float]) -> str:
    file = folder / "preferences.csv"
    lines = [f"{node},{epsilon}" for node, epsilon in enumerate(values)]
    file.write_text("\n".join(["node,epsilon", *lines]))
    return str(file)


@pytest.mark.parametrize(("system", "setting"), [("mdav-dk", {"k": 1}), ("mpdc-dk", {"tau": 1})])
def test_one_edge_shows_by_the_degree_pairs_that_are_published(system, setting) -> None:
    here, _ = asked(system, graph(PATH, 5), epsilon=1.0, **setting)
    there, _ = asked(system, graph([*PATH, CHORD], 5), epsilon=1.0, **setting)

    assert set(here) == {(1, 2), (2, 2)}
    assert set(there) == {(1, 2), (2, 2), (2, 3)}


@pytest.mark.parametrize(("system", "setting"), [("mdav-dk", {"k": 1}), ("mpdc-dk", {"tau": 1})])
def test_one_edge_shows_by_the_scale_of_the_noise(system, setting) -> None:
    _, here = asked(system, graph(PATH, 5), epsilon=1.0, **setting)
    _, there = asked(system, graph([*PATH, CHORD], 5), epsilon=1.0, **setting)

    assert (here, there) == ([9], [13])


@pytest.mark.parametrize(("system", "setting"), [("mdav-dk", {"k": 3}), ("mpdc-dk", {"tau": 3})])
def test_most_changes_of_an_edge_can_be_told_for_certain(system, setting) -> None:
    rng = np.random.default_rng(7)
    pairs = np.column_stack(np.triu_indices(60, 1))
    certain = []
    for _ in range(100):
        present = rng.random(len(pairs)) < 0.08
        other = present.copy()
        other[rng.integers(len(pairs))] ^= True
        one, another = (
            silent(system, graph(pairs[mask], 60), {"epsilon": 1.0, **setting})
            for mask in (present, other)
        )
        certain.append(graph_loss(one, another) == math.inf)

    assert np.mean(certain) > 0.5


@pytest.mark.parametrize(("pairs", "loss"), [(12, 11 / 3), (30, 29 / 3), (60, 59 / 3)])
def test_what_one_node_changes_after_stable_edge_removal_grows_with_the_graph(pairs, loss) -> None:
    hub = 2 * pairs
    matching = [(2 * i, 2 * i + 1) for i in range(pairs)]
    spokes = [(i, hub) for i in range(hub)]
    parameters = {"epsilon": 1.0, "theta": 1, "sequence": "id"}

    found = graph_loss(
        silent("ser-dk", graph(matching, hub + 1), parameters),
        silent("ser-dk", graph([*matching, *spokes], hub + 1), parameters),
    )

    assert found == pytest.approx(loss)


def test_algorithm_5_as_printed_leaves_degrees_above_theta() -> None:
    triangle = graph([(0, 1), (0, 2), (1, 2)], 3)

    cells, _ = asked("ser-dk", triangle, epsilon=1.0, theta=1, sequence="id", reading="printed")

    assert cells == {(1, 2): 2}


def test_edge_addition_bounds_what_one_node_changes_but_the_rows_still_tell() -> None:
    theta = 2
    pair = graph([(0, 1)], 4), graph([(0, 1), (1, 2)], 4)

    (here, scales), (there, other) = (asked("ead-dk", g, epsilon=1.0, theta=theta) for g in pair)

    assert moved(here, there) <= theta * (2 * theta - 1)
    assert scales == other == [theta * (2 * theta + 1)]
    assert set(here) != set(there)


def test_a_conservative_node_shows_by_the_noise_of_the_count_it_joins(tmp_path) -> None:
    # 0 and 1 are adjacent; 2, who allows a hundredth, and 3 become so.
    allowed = preferences(tmp_path, [1.0, 1.0, 0.01, 1.0])
    parameters = {"preferences": allowed, "unit": "edge", "order": 1}

    here, scales = asked("ll-dk", graph([(0, 1)], 4), **parameters)
    there, others = asked("ll-dk", graph([(0, 1), (2, 3)], 4), **parameters)

    assert (here, there) == ({(0,): 2, (1,): 2}, {(1,): 4})
    assert min(scales) == 2
    assert others == [200]


def stars_and_a_path() -> tuple[Graph, Graph]:
    """Return two graphs that have the same degrees in other numbers, one edge apart."""
    edges = [
        *((0, leaf) for leaf in (1, 2, 3)),
        *((4, leaf) for leaf in (5, 6, 7)),
        *((8, leaf) for leaf in (9, 10, 11, 12)),
        *((13, leaf) for leaf in (14, 15)),
    ]
    return graph(edges, 16), graph([*edges, (14, 0)], 16)


@pytest.mark.parametrize("system", ["ll-dk", "pdp-min"])
def test_equal_preferences_are_exceeded_twice(system, tmp_path) -> None:
    epsilon = 0.5
    parameters = {
        "preferences": preferences(tmp_path, [epsilon] * 16),
        "unit": "edge",
        "order": 1,
    }

    here, there = (silent(system, g, parameters) for g in stars_and_a_path())

    assert graph_loss(here, there) == pytest.approx(2 * epsilon)


@pytest.mark.parametrize(("theta", "change", "loss"), [(2, 6, 1.0), (4, 28, 1.4), (8, 120, 5 / 3)])
def test_a_node_that_tp_dk_drops_still_decides_about_the_edges_of_others(
    theta, change, loss, tmp_path
) -> None:
    # Hubs with theta leaves each, and a conservative node, last in the order, joined to all hubs.
    hubs = range(theta)
    leaves = [(hub, theta + theta * hub + i) for hub in hubs for i in range(theta)]
    dropped = theta + theta * theta
    allowed = preferences(tmp_path, [1.0] * dropped + [0.01])
    parameters = {
        "preferences": allowed,
        "unit": "node",
        "order": 2,
        "theta": theta,
        "sequence": "id",
    }

    here, scales = asked("tp-dk", graph(leaves, dropped + 1), **parameters)
    there, others = asked(
        "tp-dk", graph([*leaves, *((hub, dropped) for hub in hubs)], dropped + 1), **parameters
    )

    assert moved(here, there) == change
    assert scales == others
    assert change / float(scales[0]) == pytest.approx(loss)


def test_a_conservative_edge_moves_a_liberal_neighbour_that_st_dk_surely_keeps(tmp_path) -> None:
    # 4, who allows a hundredth, becomes a neighbour of 0, who allows 1; others keep all rows.
    edges = [(0, 1), (2, 3), (5, 6), (6, 7)]
    allowed = preferences(tmp_path, [1.0] * 4 + [0.01] + [1.0] * 4)
    parameters = {"preferences": allowed, "unit": "edge", "order": 1}

    here, there = (
        silent("st-dk", graph(given, 9), parameters) for given in (edges, [*edges, (0, 4)])
    )

    assert graph_loss(here, there) >= 1.0
    assert graph_loss(here, there) < math.inf


def test_the_budgets_of_groups_of_ag_dk_differ_between_neighbours(tmp_path) -> None:
    # The conservative 13 goes from degree 2 to 3; 17 keeps degree 2, so all degrees stay.
    here, _ = stars_and_a_path()
    edges = [*here.edges().tolist(), (16, 17), (17, 18)]
    allowed = preferences(tmp_path, [0.01 if node == 13 else 1.0 for node in range(19)])
    parameters = {"preferences": allowed, "unit": "edge", "order": 1, "k": 2}

    one, other = (
        silent("ag-dk", graph(given, 19), parameters) for given in (edges, [*edges, (13, 0)])
    )

    scales = [
        dict(found.extras["measured"].select("noisy_nodes", "noise_scale").rows())
        for found in (one, other)
    ]
    assert scales == [{16: 200, 3: 2}, {16: 2, 3: 200}]
    assert graph_loss(one, other) == math.inf


@pytest.mark.parametrize("system", PAPER_SYSTEMS, ids=lambda system: system.name)
@pytest.mark.parametrize("unit", ["edge", "node"])
@pytest.mark.parametrize("order", [1, 2])
def test_none_of_them_promises_anything(system, unit, order, tmp_path) -> None:
    known = {
        "epsilon": 1.0,
        "k": 1,
        "tau": 1,
        "theta": 2,
        "preferences": preferences(tmp_path, [0.5] * 5),
        "unit": unit,
        "order": order,
    }
    wanted = {parameter.name for parameter in system.parameters}

    outcome = system.run(
        graph(PATH, 5),
        system.settings({name: known[name] for name in known.keys() & wanted}),
        RecordingNoise(),
        None,
    )

    assert system.kind is outcome.guarantee.kind is GuaranteeKind.NONE
    assert outcome.guarantee.claim == ""
    assert str(outcome.guarantee).startswith("No privacy guarantee. ")
    assert "differential privacy" not in str(outcome.guarantee.to_dict())

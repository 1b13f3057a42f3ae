"""Chapter 8 of paper 002: who asks for which noise, and what is counted under which lemma."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.errors import DataError, PartitionError, PlanError
from covey.graph import Graph, from_edges
from covey.systems import SYSTEMS
from covey.systems.graph_preferences import preference_parts
from covey.systems.papers.p002.preferences import entry_sensitivity, threshold_parts
from tests.systems.recording import RecordingNoise

PREFERRING = ("pdp-min", "ll-dk", "tp-dk", "tp-dk-avg", "st-dk", "st-dk-avg", "ag-dk")
NODES = 30
BEFORE = {"theta": 4, "k": 2}


def random_graph(seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    pairs = np.column_stack(np.triu_indices(NODES, 1))
    return from_edges(pairs[rng.random(len(pairs)) < 0.15], ids=NODES)


def write(folder: Path, values: dict[int, float] | list[float]) -> str:
    known = values if isinstance(values, dict) else dict(enumerate(values))
    file = folder / "preferences.csv"
    lines = [f"{node},{epsilon}" for node, epsilon in known.items()]
    file.write_text("\n".join(["node,epsilon", *lines]))
    return str(file)


def needed(system: str, **parameters) -> dict:
    """Return those of the settings that the system takes."""
    known = {**BEFORE, "preferences": "paper", **parameters}
    wanted = {parameter.name for parameter in SYSTEMS[system].parameters}
    return {name: known[name] for name in known.keys() & wanted}


def settled(system: str, **parameters):
    return SYSTEMS[system].settings(needed(system, **parameters))


@pytest.mark.parametrize("unit", ["edge", "node"])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("system", PREFERRING)
def test_each_publishes_degrees_that_occur_with_whole_counts(system, unit, order) -> None:
    release = covey.publish(
        random_graph(1),
        system,
        random_state=3,
        **needed(system, unit=unit, order=order),
    )

    counted = {1: ["degree", "nodes"], 2: ["degree_1", "degree_2", "edges"]}[order]
    assert release.data.columns == counted
    assert (release.data[counted[-1]] >= 0).all()
    assert release.guarantee.reasons
    assert release.extras["measured"].height <= release.data.height


@pytest.mark.parametrize(
    ("unit", "order", "theta", "expected"),
    [
        ("edge", 1, None, 2),
        ("edge", 2, None, 2 * 3 + 1),
        ("node", 1, None, 5 + 1),
        ("node", 2, None, (3 + 1) * 5),
        ("edge", 2, 4, 2 * 4 + 1),
        ("node", 1, 4, 4 + 1),
        ("node", 2, 4, (4 + 1) * 4),
    ],
)
def test_one_count_moves_by_what_lemmas_10_to_13_say(unit, order, theta, expected) -> None:
    star = from_edges(np.array([(0, 1), (0, 2), (0, 3)]), ids=5)

    assert entry_sensitivity(star, unit, order, theta) == expected


def least_by_cell(graph: Graph, parts: np.ndarray, order: int) -> dict[tuple, int]:
    """Say which preference each cell gets, in plain loops."""
    least: dict[tuple, int] = defaultdict(lambda: 10**9)
    degrees = graph.degrees.tolist()
    if order == 1:
        for node, degree in enumerate(degrees):
            least[degree,] = min(least[degree,], int(parts[node]))
    else:
        for u, v in graph.edges().tolist():
            cell = tuple(sorted((degrees[u], degrees[v])))
            least[cell] = min(least[cell], int(parts[u]), int(parts[v]))
    return dict(least)


@given(seed=st.integers(0, 1000), order=st.sampled_from([1, 2]))
def test_ll_dk_gives_each_cell_the_least_preference_of_its_nodes(seed, order) -> None:
    graph = random_graph(seed)
    settings = settled("ll-dk", order=order, preference_seed=seed)
    parts = preference_parts(graph, settings)
    sensitivity = entry_sensitivity(graph, "edge", order)

    outcome = SYSTEMS["ll-dk"].run(graph, settings, RecordingNoise(), None)

    *keys, _ = (column.tolist() for column in outcome.columns.values())
    scales = outcome.extras["measured"]["noise_scale"].to_list()
    found = dict(zip(zip(*keys, strict=True), scales, strict=True))
    expected = least_by_cell(graph, parts, order)
    assert found == {
        cell: pytest.approx(float(sensitivity / Fraction(part, 1000)))
        for cell, part in expected.items()
    }


def test_pdp_min_gives_every_cell_the_least_preference_of_all() -> None:
    graph, source = random_graph(2), RecordingNoise()
    settings = settled("pdp-min", order=1)

    SYSTEMS["pdp-min"].run(graph, settings, source, None)

    (sums,) = source.asked
    assert sums.epsilon == Fraction(int(preference_parts(graph, settings).min()), 1000)
    assert sums.scale == 2 / sums.epsilon


def test_tp_dk_counts_only_nodes_at_or_above_the_threshold(tmp_path) -> None:
    # 0–1–2–3 with a careful 3: what is left is 0–1–2.
    path = from_edges(np.array([(0, 1), (1, 2), (2, 3)]), ids=4)
    allowed = write(tmp_path, [0.5, 0.5, 0.7, 0.1])
    source = RecordingNoise()

    outcome = SYSTEMS["tp-dk"].run(
        path,
        SYSTEMS["tp-dk"].settings({"preferences": allowed, "theta": 3, "order": 1, "mu": 0.5}),
        source,
        None,
    )

    assert outcome.columns["degree"].tolist() == [1, 2]
    assert outcome.columns["nodes"].tolist() == [2, 1]
    assert source.asked[0].epsilon == Fraction(1, 2)


def test_tp_dk_publishes_no_row_if_no_edge_is_left(tmp_path) -> None:
    path = from_edges(np.array([(0, 1), (1, 2)]), ids=3)

    release = covey.publish(
        path, "tp-dk", preferences=write(tmp_path, [0.1, 0.2, 0.8]), theta=2, random_state=1
    )

    assert release.data.height == 0
    assert release.data.columns == ["degree_1", "degree_2", "edges"]


def test_the_average_and_the_largest_preference_are_the_thresholds_of_the_variants(
    tmp_path,
) -> None:
    path = from_edges(np.array([(0, 1), (1, 2)]), ids=3)
    allowed = write(tmp_path, [0.1, 0.2, 0.8])
    used = {}
    for system in ("tp-dk", "tp-dk-avg", "st-dk", "st-dk-avg"):
        source = RecordingNoise()
        settings = settled(system, preferences=allowed, order=1)
        SYSTEMS[system].run(path, settings, source, None)
        used[system] = source.asked[0].epsilon

    largest, average = Fraction(8, 10), Fraction(366, 1000)
    assert used == {
        "tp-dk": largest,
        "tp-dk-avg": average,
        "st-dk": largest,
        "st-dk-avg": average,
    }


def test_st_dk_keeps_units_as_often_as_their_preference_says(tmp_path) -> None:
    # Many single edges, half of them between nodes who allow little.
    edges = np.arange(8000).reshape(-1, 2)
    graph = from_edges(edges, ids=8000)
    allowed = write(tmp_path, [1.0] * 4000 + [0.5] * 4000)

    release = covey.publish(graph, "st-dk", preferences=allowed, order=2, random_state=2)

    expected = 2000 + 2000 * np.expm1(0.5) / np.expm1(1.0)
    # One cell (1, 1) whose noise has scale 3.
    assert release.data["edges"][0] == pytest.approx(expected, abs=150)


def test_ag_dk_gives_each_group_the_least_preference_in_it() -> None:
    graph, source = random_graph(5), RecordingNoise()
    settings = settled("ag-dk", order=2, k=4)
    least = least_by_cell(graph, preference_parts(graph, settings), 2)

    outcome = SYSTEMS["ag-dk"].run(graph, settings, source, None)

    groups = outcome.extras["clusters"].rows()
    asked = defaultdict(lambda: 10**9)
    for low, high, cluster in groups:
        asked[cluster] = min(asked[cluster], least[low, high])
    scales = outcome.extras["measured"]["noise_scale"].to_list()
    sensitivity = entry_sensitivity(graph, "edge", 2)
    assert scales == [pytest.approx(1000 * sensitivity / asked[g]) for g in range(len(scales))]
    assert min(Counter(cluster for *_, cluster in groups).values()) >= 4


def test_preferences_are_rounded_down_to_thousandths_as_decimals(tmp_path) -> None:
    pair = from_edges(np.array([(0, 1)]), ids=2)
    settings = settled("ll-dk", preferences=write(tmp_path, [0.57, 0.2999]))

    assert preference_parts(pair, settings).tolist() == [570, 299]


def test_the_papers_specification_depends_on_the_seed_and_on_no_edge() -> None:
    def drawn(graph: Graph, seed: int) -> list[int]:
        return preference_parts(graph, settled("ll-dk", preference_seed=seed)).tolist()

    assert drawn(random_graph(1), 7) == drawn(random_graph(2), 7)
    assert drawn(random_graph(1), 7) != drawn(random_graph(1), 8)


@pytest.mark.parametrize("mu", [0.0001, 0.9, -1.0])
def test_a_threshold_outside_the_preferences_is_refused(mu) -> None:
    with pytest.raises(PlanError):
        threshold_parts(np.array([100, 500]), mu)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({0: 0.5, 1: 0.5, 7: 0.5}, "not in the graph"),
        ({0: 0.5}, "no preference"),
        ({0: 0.5, 1: -0.5}, "not a number above 0"),
    ],
)
def test_preferences_that_do_not_fit_the_nodes_are_refused(values, words, tmp_path) -> None:
    pair = from_edges(np.array([(0, 1)]), ids=2)

    with pytest.raises(DataError, match=words):
        covey.publish(pair, "ll-dk", preferences=write(tmp_path, values))


def test_a_preference_that_would_be_rounded_to_nothing_is_refused(tmp_path) -> None:
    pair = from_edges(np.array([(0, 1)]), ids=2)

    with pytest.raises(PlanError, match=r"below 0\.001"):
        covey.publish(pair, "ll-dk", preferences=write(tmp_path, [0.5, 0.0004]))


@pytest.mark.parametrize("system", PREFERRING)
def test_preferences_must_be_given_and_edges_must_be_there(system) -> None:
    rest = {name: value for name, value in needed(system).items() if name in BEFORE}

    with pytest.raises(PlanError, match="needs 'preferences'"):
        covey.publish(random_graph(1), system, **rest)
    with pytest.raises(DataError, match="no edges"):
        covey.publish(
            from_edges(np.empty((0, 2), dtype=np.int64), ids=2),
            system,
            preferences="paper",
            **rest,
        )


@pytest.mark.parametrize(
    ("system", "setting", "error"),
    [
        ("tp-dk", {"theta": 0}, PlanError),
        ("tp-dk", {}, PlanError),
        ("ag-dk", {"k": 10_000}, PartitionError),
        ("ll-dk", {"unit": "person"}, PlanError),
        ("ll-dk", {"order": 3}, PlanError),
        ("ll-dk", {"preference_seed": -1}, PlanError),
        ("tp-dk-avg", {"theta": 2, "mu": 0.5}, PlanError),
    ],
)
def test_what_makes_no_sense_is_refused(system, setting, error) -> None:
    with pytest.raises(error):
        covey.publish(random_graph(1), system, preferences="paper", **setting)


def test_a_missing_file_of_preferences_is_named() -> None:
    with pytest.raises(DataError, match="nowhere"):
        covey.publish(random_graph(1), "ll-dk", preferences="nowhere.csv")

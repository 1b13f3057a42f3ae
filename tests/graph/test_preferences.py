"""Preferences follow the published specification, and a file of them fits its graph exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import DataError, PlanError
from covey.graph import from_edges, privacy_preferences, read_preferences
from tests.oracles.graphs import graph_of

GRAPH = from_edges(np.array([[0, 1]]), ids=np.array([4, 7, 19]))
SENTINEL = "7777777"


def test_the_fractions_and_ranges_are_those_of_the_paper() -> None:
    drawn = privacy_preferences(graph_of([], 10_000), random_state=1)

    conservative, liberal = drawn < 0.2, drawn == 1.0
    assert (conservative.sum(), liberal.sum()) == (5400, 900)
    assert drawn.min() >= 0.01
    assert 0.10 < drawn[conservative].mean() < 0.11
    assert 0.59 < drawn[~conservative & ~liberal].mean() < 0.61


@given(n=st.integers(0, 40), seed=st.integers(0, 99))
def test_every_node_has_one_preference_within_the_range(n, seed) -> None:
    drawn = privacy_preferences(graph_of([], n), random_state=seed)

    assert drawn.shape == (n,)
    assert ((drawn >= 0.01) & (drawn <= 1.0)).all()


def test_the_same_seed_gives_the_same_preferences_whatever_the_edges() -> None:
    without, complete = (
        graph_of([], 30),
        graph_of([(u, v) for v in range(30) for u in range(v)], 30),
    )

    assert (
        privacy_preferences(without, random_state=3)
        == privacy_preferences(complete, random_state=3)
    ).all()
    assert (
        privacy_preferences(without, random_state=3) != privacy_preferences(without, random_state=4)
    ).any()


def test_groups_are_spread_over_the_nodes() -> None:
    liberal = privacy_preferences(graph_of([], 10_000), random_state=1) == 1.0

    assert 350 < liberal[:5000].sum() < 550


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"conservative": 0.7}, "sum of at most 1"),
        ({"moderate": -0.1}, "sum of at most 1"),
        ({"conservative": float("nan")}, "sum of at most 1"),
        ({"epsilon_conservative": 0.0}, "do not ascend"),
        ({"epsilon_moderate": 2.0}, "do not ascend"),
        ({"epsilon_liberal": float("inf")}, "do not ascend"),
    ],
)
def test_a_specification_that_makes_no_sense_is_refused(changed, message) -> None:
    with pytest.raises(PlanError, match=message):
        privacy_preferences(GRAPH, random_state=1, **changed)


def test_preferences_are_read_in_the_order_of_the_nodes(tmp_path) -> None:
    path = tmp_path / "preferences.csv"
    path.write_text("node,epsilon,why\n19,0.5,a\n4, 1 ,b\n7,2e-2,c\n")

    assert read_preferences(path, GRAPH).tolist() == [1.0, 0.02, 0.5]


def test_preferences_of_nodes_with_texts_are_read(tmp_path) -> None:
    path = tmp_path / "preferences.csv"
    path.write_text('epsilon,node\n0.5,"Doe, J"\n1,Ann\n')
    graph = from_edges(np.array([[0, 1]]), ids=np.array(["Ann", "Doe, J"], dtype=object))

    assert read_preferences(str(path), graph).tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"node,epsilon\n4,1\n7,1\n19,1\n{SENTINEL},1\n", "not in the graph"),
        ("node,epsilon\n4,1\n7,1\n", "has no preference"),
        ("node,epsilon\n4,1\n4,1\n7,1\n19,1\n", "more than once"),
        (f"node,epsilon\n4,1\n7,-{SENTINEL}\n19,1\n", "not a number above 0"),
        ("node,epsilon\n4,1\n7,0\n19,1\n", "not a number above 0"),
        ("node,epsilon\n4,1\n7,nan\n19,1\n", "not a number above 0"),
        ("node,epsilon\n4,1\n7,inf\n19,1\n", "not a number above 0"),
        (f"node,epsilon\n4,1\n7,much {SENTINEL}\n19,1\n", "not a number above 0"),
        ("node,epsilon\n4,1\n7,\n19,1\n", "not a number above 0"),
        ("node,epsilon\n4,1\n,1\n19,1\n", "lacks its node"),
        (f"node,preference\n4,{SENTINEL}\n", "no columns node and epsilon"),
        (f"node,epsilon\n4,1,{SENTINEL},5\n", "not a regular CSV"),
        ("", "not a regular CSV"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_without_quoting_it(tmp_path, text, message) -> None:
    path = tmp_path / "preferences.csv"
    path.write_text(text)

    with pytest.raises(DataError, match=message) as refusal:
        read_preferences(path, GRAPH)

    assert SENTINEL not in str(refusal.value)


def test_a_missing_file_is_named(tmp_path) -> None:
    with pytest.raises(DataError, match=r"no file .*nothere\.csv"):
        read_preferences(tmp_path / "nothere.csv", GRAPH)

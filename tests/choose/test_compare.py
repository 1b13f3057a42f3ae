"""Many plans on one data set: which are run, and which wins."""

from __future__ import annotations

import pytest

import covey
from covey.choose import Row, Trial
from covey.choose.compare import crossed_plans
from covey.choose.comparison import plan_label, summarise_trials
from covey.choose.neighbours import random_neighbour
from covey.errors import PlanError
from covey.plan import Plan
from tests.contracts.graphs import friends
from tests.contracts.people import people

SYSTEMS = ("mdav", "rank-blocks", "private-tree")
COLUMNS = ("age", "income")


def compared(**changes) -> covey.Comparison:
    wanted = {"epsilon": [1.0, 5.0], "k": [3, 5], "columns": COLUMNS, "workers": 1}
    return covey.compare(people(), SYSTEMS, **wanted | changes)


def test_a_system_is_tried_with_every_value_that_it_takes_and_no_other() -> None:
    plans = crossed_plans(people(), SYSTEMS, {"epsilon": [1, 5], "k": [3, 5]}, runs=2)

    assert [plan_label(plan) for plan in plans if plan.random_state == 0] == [
        "mdav, k = 3",
        "mdav, k = 5",
        *[f"rank-blocks, epsilon = {e}, k = {k}" for e in (1, 5) for k in (3, 5)],
        "private-tree, epsilon = 1",
        "private-tree, epsilon = 5",
    ]
    # Clusters without noise are the same in every run.
    assert sum(plan.system == "mdav" for plan in plans) == 2
    assert sum(plan.system == "private-tree" for plan in plans) == 4


def test_any_parameter_can_be_varied_with_the_systems_that_take_it() -> None:
    comparison = covey.compare(
        friends(),
        ["mpdc-dk", "ser-dk", "pdp-min"],
        epsilon=[1.0],
        grid={"tau": [1, 3], "theta": [2, 8], "preferences": ["paper"]},
        workers=1,
    )

    assert not comparison.failed
    assert {row.label for row in comparison.rows} == {
        *(f"mpdc-dk, epsilon = 1, tau = {tau}" for tau in (1, 3)),
        *(f"ser-dk, epsilon = 1, theta = {theta}" for theta in (2, 8)),
        "pdp-min, preferences = paper",
    }


def test_systems_for_a_pair_get_a_random_neighbour() -> None:
    comparison = covey.compare(
        people(),
        ["2-stable", "alpha-stable"],
        epsilon=[1.0],
        k=[3],
        grid={"neighbour": ["random"], "alpha": [2], "search": ["sequential", "decisional"]},
        columns=COLUMNS,
        runs=2,
        workers=1,
    )

    assert not comparison.failed
    assert len(comparison.rows) == 3
    assert random_neighbour(people(), 1).n == people().n
    changed = random_neighbour(people(), 1).frame.rows()
    assert sum(a != b for a, b in zip(changed, people().frame.rows(), strict=True)) == 1


@pytest.mark.parametrize(
    ("grid", "said"),
    [({"tua": [1]}, "tau"), ({"tau": []}, "no values of 'tau'")],
)
def test_a_parameter_that_no_system_has_or_that_has_no_value_is_refused(grid, said) -> None:
    with pytest.raises(PlanError, match=said):
        covey.compare(friends(), ["mpdc-dk"], grid=grid, workers=1)


def test_every_plan_has_its_scores_and_the_best_come_first() -> None:
    comparison = compared()

    assert len(comparison.rows) == 8
    assert not comparison.failed
    assert all("ks" in row.scores for row in comparison.rows)
    losses = [row.loss for row in comparison.rows]
    assert losses == sorted(losses)


def test_a_plan_that_cannot_be_run_is_told_and_the_others_go_on() -> None:
    comparison = compared(k=[3, 10_000])

    assert "mdav, k = 10000" in comparison.failed
    assert any(row.label == "mdav, k = 3" for row in comparison.rows)


def test_sound_plans_are_marked_and_recommended() -> None:
    comparison = compared()

    sound = {row.system for row in comparison.rows if row.sound}
    assert sound == {"rank-blocks", "private-tree"}
    best = next(row for row in comparison.rows if row.sound)
    assert f"take {best.label}" in comparison.answer
    assert "made by looking at the data" in comparison.answer


def test_bounds_read_off_the_data_leave_no_sound_plan_and_the_answer_says_why() -> None:
    drafted = covey.read_table(people().frame, covey.Schema.draft(people().frame))

    comparison = covey.compare(drafted, ["private-tree"], columns=COLUMNS, workers=1)

    assert not any(row.sound for row in comparison.rows)
    assert "Read off the data and confirmed by nobody: age (bounds" in comparison.answer


def test_graphs_are_compared_too() -> None:
    comparison = covey.compare(
        friends(), ["joint-degree-boxes", "mdav-dk"], epsilon=[1, 10], k=[3], workers=1
    )

    assert {row.system for row in comparison.rows} == {"joint-degree-boxes", "mdav-dk"}
    assert "For the whole graph, take joint-degree-boxes" in comparison.answer


def scored(k: int, ks: float, rl: float, seed: int = 0) -> Trial:
    plan = Plan(system="mdav", parameters={"k": k}, random_state=seed)
    return Trial(plan=plan, scores={"ks": ks, "rl": rl}, seconds=2.0 * seed)


def test_the_frontier_holds_the_plans_that_no_other_beats_in_both() -> None:
    trials = [scored(1, 0.1, 30), scored(2, 0.2, 10), scored(3, 0.3, 20), scored(4, 0.2, 10)]

    rows = {row.parameters["k"]: row for row in summarise_trials(trials, "table").rows}

    assert {k: row.frontier for k, row in rows.items()} == {1: True, 2: True, 3: False, 4: True}


def test_runs_are_averaged() -> None:
    trials = [scored(3, 0.1 * (seed + 1), 5.0, seed) for seed in range(3)]

    (row,) = summarise_trials(trials, "table").rows

    assert isinstance(row, Row)
    assert row.scores == pytest.approx({"ks": 0.2, "rl": 5.0})
    assert row.seconds == pytest.approx(2.0)


def test_plans_that_read_alike_are_told_apart() -> None:
    rows = summarise_trials([scored(10_000_001, 0.1, 1), scored(10_000_002, 0.2, 1)], "table").rows

    assert [row.parameters["k"] for row in rows] == [10_000_001, 10_000_002]


@pytest.mark.parametrize(
    ("changes", "explanation"),
    [
        ({"systems": ["mdaw"]}, "Did you mean 'mdav'"),
        ({"systems": ["mdav-dk"]}, "does not publish a table"),
        ({"systems": []}, "at least one system"),
        ({"runs": 0}, "at least one system"),
    ],
)
def test_a_senseless_comparison_is_refused(changes, explanation) -> None:
    wanted = {"systems": ["mdav"]} | changes

    with pytest.raises(PlanError, match=explanation):
        covey.compare(people(), wanted.pop("systems"), workers=1, **wanted)

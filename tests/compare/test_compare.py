"""Many plans on one data set: which are run, what is kept, and which wins."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

import covey
from covey.compare.comparison import Row, summarise
from covey.compare.grid import Trial, trials
from covey.compare.run import measure, run_all
from covey.errors import PlanError
from tests.contracts.graphs import friends
from tests.contracts.people import people

SYSTEMS = ("mdav", "rank-blocks", "private-tree")
COLUMNS = ("age", "income")


def compared(**changes) -> covey.Comparison:
    wanted = {"epsilon": [1.0, 5.0], "k": [3, 5], "columns": COLUMNS, "workers": 1}
    return covey.compare(people(), SYSTEMS, **wanted | changes)


def test_a_system_is_tried_with_every_value_that_it_takes_and_no_other() -> None:
    found = trials(SYSTEMS, data="table", epsilons=[1, 5], ks=[3, 5], runs=2)

    assert [trial.label for trial in found if trial.run == 0] == [
        "mdav, k = 3",
        "mdav, k = 5",
        *[f"rank-blocks, epsilon = {e}, k = {k}" for e in (1, 5) for k in (3, 5)],
        "private-tree, epsilon = 1",
        "private-tree, epsilon = 5",
    ]
    # Clusters without noise are the same in every run.
    assert sum(trial.system == "mdav" for trial in found) == 2
    assert sum(trial.system == "private-tree" for trial in found) == 4


def test_every_plan_has_its_scores_and_the_best_come_first() -> None:
    comparison = compared()

    assert len(comparison.rows) == 8
    assert not comparison.failed
    assert all("ks" in row.scores for row in comparison.rows)
    losses = [row.loss for row in comparison.rows]
    assert losses == sorted(losses)


def test_two_workers_find_the_same_as_one() -> None:
    alone, together = compared(), compared(workers=2)

    assert [(row.label, dict(row.scores)) for row in alone.rows] == [
        (row.label, dict(row.scores)) for row in together.rows
    ]


def test_kept_scores_are_not_computed_again(tmp_path, monkeypatch) -> None:
    first = compared(cache=tmp_path / "kept")
    engine = sys.modules["covey.compare.run"]
    monkeypatch.setattr(engine, "measure", lambda *_: pytest.fail("computed again"))

    again = compared(cache=tmp_path / "kept")

    assert [row.scores for row in again.rows] == [row.scores for row in first.rows]
    for file in (tmp_path / "kept").iterdir():
        assert json.loads(file.read_text())["warning"].startswith("do not publish")


def test_an_interrupted_comparison_goes_on_where_it_stopped(tmp_path) -> None:
    wanted = trials(SYSTEMS, data="table", epsilons=[1], ks=[3], runs=1, columns=COLUMNS)
    seen = []

    def stop(_what: str, done: int, total: int) -> None:
        seen.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all(wanted, people(), cache=tmp_path, workers=1, progress=stop)
    assert len(list(tmp_path.glob("*.json"))) == 2

    run_all(wanted, people(), cache=tmp_path, workers=1, progress=stop)
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_other_data_have_other_scores(tmp_path) -> None:
    compared(cache=tmp_path)
    files = len(list(tmp_path.iterdir()))
    other = replace(people(), frame=people().frame.head(20))

    covey.compare(other, ["mdav"], k=[3], columns=COLUMNS, cache=tmp_path, workers=1)

    assert len(list(tmp_path.iterdir())) == files + 1


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
    assert "taken from the data" in comparison.answer


def test_graphs_are_compared_too() -> None:
    comparison = covey.compare(
        friends(), ["joint-degree-boxes", "mdav-dk"], epsilon=[1, 10], k=[3], workers=1
    )

    assert {row.system for row in comparison.rows} == {"joint-degree-boxes", "mdav-dk"}
    assert "For the whole graph, take joint-degree-boxes" in comparison.answer


def scored(label: str, ks: float, rl: float) -> tuple[Trial, dict]:
    trial = Trial(system="mdav", parameters=(("k", len(label)),))
    return trial, {"scores": {"ks": ks, "rl": rl}, "faults": []}


def test_the_frontier_holds_the_plans_that_no_other_beats_in_both() -> None:
    results = dict([scored("a", 0.1, 30), scored("bb", 0.2, 10), scored("ccc", 0.3, 20)])

    rows = {row.parameters["k"]: row for row in summarise(results, "table").rows}

    assert {k: row.frontier for k, row in rows.items()} == {1: True, 2: True, 3: False}


def test_runs_are_averaged() -> None:
    plan = (("epsilon", 1.0),)
    results = {
        Trial(system="laplace", parameters=plan, run=run): {
            "scores": {"ks": 0.1 * (run + 1)},
            "faults": [],
        }
        for run in range(3)
    }

    (row,) = summarise(results, "table").rows

    assert row.scores["ks"] == pytest.approx(0.2)
    assert isinstance(row, Row)


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


def test_an_error_of_a_plan_is_a_result() -> None:
    result = measure(Trial(system="mdav", parameters=(("k", 10_000),)), people())

    assert "error" in result

"""Plans are run once, on as many cores as wanted, and a script without its guard is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import covey
from covey.choose import runner
from covey.choose.compare import crossed_plans
from covey.choose.expected_error import expected_errors
from covey.choose.runner import run_plan, run_plans
from covey.plan import Plan
from tests.contracts.people import people

COLUMNS = ("age", "income")


def plans(*systems: str) -> list[Plan]:
    wanted = systems or ("mdav", "rank-blocks", "private-tree")
    axes = {"epsilon": [1], "k": [3]}
    return crossed_plans(people(), wanted, axes, runs=2, columns=COLUMNS)


def test_a_trial_has_the_scores_of_evaluate_and_the_time_that_it_took() -> None:
    (plan,) = plans("mdav")

    trial = run_plan(plan, people(), covey.evaluate)

    assert trial.scores == dict(covey.evaluate(people(), *covey.run(plan, people(), trace=True)))
    assert trial.seconds > 0
    assert (trial.system, trial.refused) == ("mdav", "")


def test_a_refusal_is_a_result() -> None:
    (plan,) = plans("mdav")

    trial = run_plan(replace(plan, parameters={"k": 10_000}), people(), covey.evaluate)

    assert "10000" in trial.refused
    assert not trial.scores


def test_two_workers_find_the_same_as_one_in_the_same_order() -> None:
    alone, together = (run_plans(plans(), people(), workers=number) for number in (1, 2))

    assert alone == together
    assert [trial.plan for trial in alone] == plans()


def test_kept_scores_are_not_computed_again(tmp_path, monkeypatch) -> None:
    first = run_plans(plans(), people(), cache=tmp_path / "kept")
    monkeypatch.setattr(runner, "run_plan", lambda *_: pytest.fail("computed again"))

    again = run_plans(plans(), people(), cache=tmp_path / "kept")

    assert again == first
    assert [trial.seconds for trial in again] == [trial.seconds for trial in first]
    (kept,) = (tmp_path / "kept").iterdir()
    lines = kept.read_text().splitlines()
    assert len(lines) == len(plans())
    for line in lines:
        assert json.loads(line)["warning"].startswith("do not publish")


def test_an_interrupted_comparison_goes_on_where_it_stopped(tmp_path) -> None:
    seen = []

    def stop(_what: str, done: int, total: int) -> None:
        seen.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_plans(plans("mdav", "laplace"), people(), cache=tmp_path, progress=stop)
    (kept,) = tmp_path.iterdir()
    assert len(kept.read_text().splitlines()) == 2
    with kept.open("a") as file:
        file.write('{"warning": "a killed process leaves half a li')

    run_plans(plans("mdav", "laplace"), people(), cache=tmp_path, progress=stop)
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_other_data_and_other_metrics_have_other_scores(tmp_path) -> None:
    fewer = replace(people(), frame=people().frame.head(20))
    numbers = replace(fewer.schema, attributes=tuple(fewer.schema[name] for name in COLUMNS))
    narrow = replace(fewer, schema=numbers, frame=fewer.frame.select(COLUMNS))

    for data, score in (
        (people(), covey.evaluate),
        (fewer, covey.evaluate),
        (narrow, covey.evaluate),
        (narrow, expected_errors),
    ):
        run_plans(plans("mdav"), data, score=score, cache=tmp_path)

    assert len(list(tmp_path.iterdir())) == 4


SCRIPT = """
import covey, polars

def compare():
    schema = covey.Schema((covey.Attribute("x", bounds=(0, 1)),))
    records = polars.DataFrame({"x": [i / 20_000 for i in range(20_000)]})
    covey.compare(covey.read_table(records, schema), ["laplace"], runs=2, workers=2)

print("the script runs")
compare()
if __name__ == "__main__":
    print("too late")
"""
"""The records are more than a pipe holds: the first process used to wait for the others forever."""

CHECKED = """
from covey.choose.runner import refuse_unguarded

def main():
    refuse_unguarded()
    print("fine")

{call}
"""
GUARDED = 'if __name__ == "__main__":\n    main()'


def run_python(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_a_script_without_its_guard_is_refused_before_any_worker_starts(tmp_path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")

    ran = run_python("script.py", folder=tmp_path)

    assert ran.returncode == 1
    assert ran.stdout.splitlines() == ["the script runs"]
    assert "PlanError: line 10 of this script" in ran.stderr
    assert 'if __name__ == "__main__":' in ran.stderr


@pytest.mark.parametrize(
    ("file", "call", "arguments"),
    [
        ("script.py", GUARDED, ["script.py"]),
        ("script.py", GUARDED, ["-m", "script"]),
        # Workers never run the main file of a package.
        ("package/__main__.py", "main()", ["-m", "package"]),
    ],
)
def test_what_workers_do_not_run_again_is_not_refused(tmp_path, file, call, arguments) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(CHECKED.format(call=call), encoding="utf-8")

    ran = run_python(*arguments, folder=tmp_path)

    assert (ran.stdout, ran.stderr) == ("fine\n", "")


def partly(data: object, release: object, trace: object) -> covey.Evaluation:
    """Score as if what became of each record were known for some columns only."""
    del data, release, trace
    return covey.Evaluation(scores={"rl": 0.1, "sse": 1.0, "ks": 0.2}, unlinked=("town",))


def test_scores_over_some_columns_do_not_stand_beside_those_over_all() -> None:
    table = people()

    trial = run_plan(Plan(system="mdav", parameters={"k": 5}), table, partly)

    assert trial.refused == ""
    assert dict(trial.scores) == {"ks": 0.2}

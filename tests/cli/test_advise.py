"""covey advise answers in words, as a plan and in JSON, and refuses what it cannot answer."""

from __future__ import annotations

import json

import covey


def test_it_says_what_to_use_what_to_expect_and_how_the_error_falls(terminal) -> None:
    ran = terminal.run("advise", "-s", "people.toml", "--n", "500", "--columns", "age")

    assert ran.code == 0, ran.err
    assert ran.out.startswith("Use ")
    assert "expected error" in ran.out
    assert "falls with epsilon" in ran.out
    assert "█" in ran.out


def test_it_takes_the_number_of_records_from_the_data(terminal) -> None:
    ran = terminal.run("advise", "people.csv", "-s", "people.toml", "--columns", "age", "--json")

    content = json.loads(ran.out)
    assert content["n"] == 24
    assert content["task"] == "column"
    assert content["parameters"]["epsilon"] == 1.0
    assert [step["epsilon"] for step in content["by_epsilon"]][-3:] == [1.0, 2.0, 4.0]


def test_the_plan_that_it_prints_can_be_published(terminal) -> None:
    ran = terminal.run(
        "advise", "-s", "people.toml", "--n", "24", "--columns", "age,income", "--plan"
    )
    (terminal.folder / "plan.toml").write_text(ran.out, encoding="utf-8")

    published = terminal.run("publish", "people.csv", "--plan", "plan.toml", "-o", "out")

    assert (ran.code, published.code) == (0, 0), ran.err + published.err
    plan = covey.Plan.load("out/plan.toml")
    assert not plan.chosen_on_data
    assert "pure-dp" in published.out


def test_looking_at_the_data_warns_and_its_plan_carries_no_guarantee(terminal) -> None:
    arguments = ("advise", "people.csv", "-s", "people.toml", "--columns", "age,income", "--look")

    shown, printed = terminal.run(*arguments), terminal.run(*arguments, "--plan")
    (terminal.folder / "plan.toml").write_text(printed.out, encoding="utf-8")
    published = terminal.run("publish", "people.csv", "--plan", "plan.toml", "-o", "out")

    assert "Do not publish: computed on the originals." in shown.out
    assert "carries no guarantee" in " ".join(shown.out.split())
    assert "chosen_on_data = true" in printed.out
    assert published.code == 0, published.err
    assert "No privacy guarantee" in published.out
    assert covey.Plan.load("out/plan.toml").chosen_on_data


def test_it_refuses_properly(terminal) -> None:
    assert "number of records is unknown" in terminal.refused("advise", "-s", "people.toml")
    assert "'illness' lists neither" in terminal.refused(
        "advise", "-s", "people.toml", "--n", "500"
    )
    assert "no task" in terminal.refused(
        "advise", "-s", "people.toml", "-n", "99", "--task", "graf"
    )

"""covey pilot: a plan for a purpose, and what to expect of it, before anything is spent."""

from __future__ import annotations

import json

import pytest

import covey


def test_a_purpose_gives_a_plan_that_publish_runs(terminal) -> None:
    arguments = ("--purpose", "public", "-s", "people.toml", "--columns", "age,income")
    ran = terminal.run("pilot", *arguments, "--n", "24", "--epsilon", "10", "-o", "plan.toml")

    assert ran.code == 0, ran.err
    assert "mean ±" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    assert covey.Plan.load(terminal.folder / "plan.toml").parameters["columns"] == ["age", "income"]
    ran = terminal.run("publish", "people.csv", "--plan", "plan.toml", "-o", "out")
    assert ran.code == 0, ran.err


def test_a_plan_is_tried_and_machines_get_numbers(terminal) -> None:
    terminal.run(
        *("pilot", "--purpose", "public", "-s", "people.toml", "--columns", "age,town"),
        *("--n", "5000", "-o", "plan.toml"),
    )

    ran = terminal.run("pilot", "--plan", "plan.toml", "--n", "5000", "--json")

    told = json.loads(ran.out)
    assert [each["name"] for each in told["columns"]] == ["age", "town"]
    assert told["made_up"] == 5000
    assert told["scores"]["ks"] >= 0


def test_a_graph_needs_no_schema(terminal) -> None:
    ran = terminal.run("pilot", "--purpose", "graph", "--n", "200", "--degree", "4")

    assert ran.code == 0, ran.err
    assert "200 nodes made up" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "what to try is unclear"),
        (("--purpose", "public", "--plan", "x.toml"), "what to try is unclear"),
        (("--purpose", "publik", "-s", "people.toml"), "Did you mean 'public'"),
        (("--purpose", "public", "-s", "people.toml", "-o", "people.csv"), "exists already"),
        (("--purpose", "graph", "-o", "no/plan.toml"), "cannot be written"),
    ],
)
def test_what_is_wrong_is_said(terminal, arguments, said) -> None:
    ran = terminal.run("pilot", *arguments, "--n", "5000")

    assert ran.code == 2
    assert said in " ".join(ran.err.split())

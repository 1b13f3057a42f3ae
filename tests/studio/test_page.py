"""Every step says what it must, labels every control, and escapes what comes from the data."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import covey
from covey.core import Budget
from covey.kinds import KINDS, GuaranteeKind
from covey.ledger import Entry, Ledger
from covey.studio.actions import CONFIRMED_BY, add_run, apply_action
from covey.studio.page import render_page
from covey.studio.prefetch import plan_key
from covey.studio.results import Forecast, Rehearsal, TabRun
from covey.studio.script import command_line, python_script
from covey.studio.settings import make_plan
from covey.studio.state import State, Step, with_problem
from covey.studio.words import UNPROVEN
from covey.systems.base import as_mapping
from covey.table.provenance import FACTS

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def complete(chosen) -> State:
    """Give a state that has something to show in every step."""
    forecast = Forecast(
        key="k", system="private-tree", criterion="pairs", curve=((0.5, 0.1), (2.0, 0.05))
    )
    rehearsal = Rehearsal(
        key=plan_key(chosen) or "", sentence="A promise.", kind="pure-dp", epsilon=1
    )
    state = replace(chosen, forecast=forecast, rehearsal=rehearsal)
    run = TabRun(
        number=1,
        folder="out",
        file=state.file,
        plan=make_plan(state),
        kind="pure-dp",
        sentence="A promise.",
        epsilon=1.0,
        ledger="people.json",
        left=2.0,
        scores={"ks": 0.1, "correlation_error": 0.2},
    )
    return add_run(state, run)


class Controls(HTMLParser):
    """Collect the ids of controls, and what labels point to."""

    def __init__(self) -> None:
        super().__init__()
        self.unlabelled: set[str] = set()
        self.labels: set[str] = set()
        self.ids: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        """Look at one element."""
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "label":
            self.labels.add(given.get("for", ""))
        if tag in ("input", "select") and "aria-label" not in given:
            self.unlabelled.add(given["id"])


@pytest.mark.parametrize("step", list(Step))
def test_every_control_of_every_step_has_a_label_and_ids_are_unique(complete, step) -> None:
    controls = Controls()

    controls.feed("".join(render_page(replace(complete, step=step)).values()))

    assert controls.unlabelled <= controls.labels
    assert len(set(controls.ids)) == len(controls.ids)


@pytest.mark.parametrize("step", list(Step))
def test_names_from_the_data_are_shown_and_never_run(complete, step) -> None:
    schema = replace(
        complete.schema,
        attributes=(
            replace(complete.schema.attributes[1], name=EVIL, unit=EVIL),
            *complete.schema.attributes[2:],
        ),
    )
    file = replace(complete.file, name=EVIL, columns=(EVIL,), preview=((EVIL,),))
    state = replace(
        complete,
        step=step,
        decisions=replace(complete.decisions, file=file, schema=schema),
        runs=(replace(complete.runs[0], file=file, sentence=EVIL),),
    )
    state = with_problem(state, "publish", EVIL)

    shown = "".join(render_page(state).values())

    assert "<script" not in shown
    assert "&lt;script&gt;" in shown


def test_facts_read_off_the_data_are_flagged_until_confirmed(complete) -> None:
    flagged = complete.schema.updated("age", drafted=("bounds",))
    state = replace(
        complete, step=Step.DESCRIBE, decisions=replace(complete.decisions, schema=flagged)
    )

    before = render_page(state)["view"]
    after = render_page(apply_action(state, {"do": "confirm", "key": "1", "value": "true"}))["view"]

    assert "1 to confirm" in before
    assert "read off the data" in before
    assert "All bounds and categories are public" in after


def test_facts_that_no_field_shows_are_flagged_with_what_they_say(complete) -> None:
    marked = complete.schema.updated("income", missing="drop", drafted=("integer", "missing"))
    state = replace(
        complete, step=Step.DESCRIBE, decisions=replace(complete.decisions, schema=marked)
    )

    before = render_page(state)["view"]
    answered = apply_action(state, {"do": "confirm", "key": "2", "value": "true"})

    assert "1 to confirm" in before
    assert "missing: drop, integer: no" in before
    assert FACTS["missing"] in before
    assert "missing: drop" not in render_page(answered)["view"]
    assert answered.schema["income"].confirmed == ("missing", "integer")
    assert answered.schema["income"].confirmed_by == CONFIRMED_BY


def test_unsound_systems_stand_apart_with_the_reason(complete) -> None:
    page = render_page(replace(complete, step=Step.CHOOSE))["view"]

    offered, research = re.split(r'id="research"', page)
    assert 'data-key="mdav-dp"' not in offered
    assert 'data-key="mdav-dp"' in research
    assert KINDS[GuaranteeKind.PARTITION_CONDITIONAL].caution in research


def test_epsilon_is_not_called_a_bound_where_it_is_none(complete) -> None:
    state = apply_action(replace(complete, step=Step.CHOOSE), {"do": "choose", "key": "mdav-dp"})

    page = render_page(state)["view"]

    assert UNPROVEN in page
    assert "the odds of any conclusion" not in page


def test_the_page_says_what_is_left_in_the_ledger(complete) -> None:
    spent = Entry(
        when="", system="laplace", epsilon="1", unit="replace-record", plan="0f", kind="local-dp"
    )
    ledger = Ledger(limit=Budget.of("1.5").epsilon, entries=(spent,))

    page = render_page(replace(complete, step=Step.PUBLISH, ledger=ledger))["view"]

    assert "epsilon 0.5" in page
    assert "has epsilon 0.5 left and this release needs 1" in page
    assert re.search(r"<button[^>]*disabled[^>]*>\s*Publish now", page)


def test_the_error_to_expect_is_read_between_the_epsilons_that_were_tried() -> None:
    forecast = Forecast(key="", curve=((0.5, 0.2), (2.0, 0.1)))

    assert forecast.expected_error(1.0) == pytest.approx((0.2 * 0.1) ** 0.5)
    assert forecast.expected_error(0.5) == pytest.approx(0.2)
    assert forecast.expected_error(3.0) is None


def test_the_command_names_the_file_the_plan_and_the_ledger(complete) -> None:
    assert command_line(complete.runs[0]) == (
        "covey publish people.csv --plan plan.toml --ledger people.json -o release"
    )


def test_the_commands_for_the_example_begin_with_a_ledger_of_the_same_limit(complete) -> None:
    run = complete.runs[0]
    example = replace(run, file=replace(run.file, example=True), limit=7.5)

    first, second = command_line(example).splitlines()

    assert first == "covey ledger example.ledger.json --create 7.5"
    assert "--ledger example.ledger.json" in second


def test_the_script_runs_the_plan(complete, terminal, monkeypatch) -> None:
    run = replace(complete.runs[0], ledger=None)
    monkeypatch.chdir(terminal.folder)
    settings = covey.SYSTEMS["laplace"].settings({"epsilon": 1.0, "columns": ("age",)})
    plan = covey.Plan(system="laplace", parameters=as_mapping(settings), schema=run.plan.schema)
    (terminal.folder / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")

    exec(compile(python_script(run), "publish.py", "exec"), {})  # noqa: S102

    assert (terminal.folder / "release" / "guarantee.json").is_file()

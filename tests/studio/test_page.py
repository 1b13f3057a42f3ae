"""Every step says what it must, labels every control, and escapes what comes from the data."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import polars as pl
import pytest

import covey
from covey.choose.pilot import ExpectedColumn, Pilot
from covey.choose.purposes import PURPOSES
from covey.core import Budget
from covey.kinds import KINDS, GuaranteeKind
from covey.ledger import Entry, Ledger
from covey.report.lights import threshold_light
from covey.studio.actions import add_run, apply_action
from covey.studio.describing import CONFIRMED_BY
from covey.studio.help import QUESTIONS
from covey.studio.page import render_page
from covey.studio.prefetch import losses_key, pilot_key, plan_key
from covey.studio.results import Expectation, Fit, Losses, Rehearsal, TabRun
from covey.studio.script import command_line, python_script
from covey.studio.settings import make_plan
from covey.studio.state import State, Step, with_problem
from covey.studio.verdict import JudgedColumn, ReleaseVerdict, SomeRows
from covey.studio.words import UNPROVEN
from covey.systems.base import as_mapping
from covey.table.provenance import FACTS

EVIL = "<script>alert(1)</script>"
VERDICT = ReleaseVerdict(
    headline="Of 1 columns, 1 far from them.",
    worst=("age: wrong.",),
    columns=(
        JudgedColumn(name="age", parts=(("mean", "30", "60"),), light=threshold_light("ks", 0.5)),
    ),
    scores=(),
    originals=SomeRows.of(pl.DataFrame({"age": range(900, 930)})),
)
EXPECTED = (
    ExpectedColumn(name="age", unit="years", measure="mean", error=0.4, gap=0.01),
    ExpectedColumn(name="town", unit="", measure="share", error=0.02, gap=0.3),
)


@pytest.fixture
def complete(chosen) -> State:
    """Give a state that has something to show in every step."""
    pilot = Pilot(plan=make_plan(chosen), n=500, made_up=500, public=False, columns=EXPECTED)
    expected = Expectation(key=pilot_key(chosen) or "", pilot=pilot)
    rehearsal = Rehearsal(
        key=plan_key(chosen) or "", sentence="A promise.", kind="pure-dp", epsilon=1
    )
    state = replace(chosen, expectations=(expected,), rehearsal=rehearsal)
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
        released=SomeRows.of(pl.DataFrame({"age": range(30)})),
        verdict=VERDICT,
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
    state = apply_action(state, {"do": "column-open", "key": "2"})

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


def test_the_error_to_expect_of_each_column_is_told_in_its_own_unit(complete) -> None:
    page = render_page(replace(complete, step=Step.CHOOSE))["view"]

    assert "1 of 2 columns will be near the originals" in page
    assert "mean ± 0.4 years" in page
    assert "shares ± 2 points" in page


def test_what_is_left_out_is_said_before_publishing(complete) -> None:
    counted = Losses(key=losses_key(complete) or "", records=500, left_out=12)

    page = render_page(replace(complete, step=Step.PUBLISH, losses=counted))["view"]

    assert "12 of 500 records will be left out" in page
    assert "5 of 6 columns are published" in page
    other = apply_action(complete, {"do": "column", "key": "0", "value": "false"})
    assert "Counting what" in render_page(replace(other, step=Step.PUBLISH, losses=counted))["view"]


@pytest.mark.parametrize("step", [Step.CHOOSE, Step.PUBLISH])
def test_what_nobody_confirmed_is_one_line_with_the_way_to_confirm_it(complete, step) -> None:
    flagged = apply_action(complete, {"do": "confirm", "key": "1", "value": "false"})
    rehearsal = replace(complete.rehearsal, key=plan_key(flagged) or "")

    page = render_page(replace(flagged, step=step, rehearsal=rehearsal))["view"]

    assert "what is possible in 1 of 5 columns was read off the data" in page
    assert "No guarantee yet" not in render_page(replace(complete, step=step))["view"]


def test_the_purpose_comes_first_and_systems_are_folded_away(described) -> None:
    asked = render_page(replace(described, step=Step.CHOOSE))["view"]
    proposed = apply_action(described, {"do": "purpose", "key": "researchers"})
    page = render_page(replace(proposed, step=Step.CHOOSE))["view"]

    purposes, systems = asked.split('id="systems"')
    assert "Anyone may have it" in purposes
    assert "private-tree" not in purposes
    assert "private-tree" in systems
    assert PURPOSES["researchers"].why in page
    assert "Whatever one person’s record says" in page


def test_only_where_records_are_added_or_removed_it_says_with_or_without(chosen) -> None:
    state = apply_action(chosen, {"do": "setting", "key": "unit", "value": "add-remove"})

    page = render_page(replace(state, step=Step.CHOOSE))["view"]

    assert "With or without a person’s record" in page
    assert "Whatever one person’s record says" not in page


def test_columns_that_a_system_does_not_take_are_named_with_the_remedy(complete) -> None:
    fit = Fit(key="", columns={"private-tree": ("age", "income")}, refusals={})

    page = render_page(replace(complete, step=Step.CHOOSE, fit=fit))["view"]

    assert "Never published, as identifiers: name." in page
    assert "does not take columns such as these: town, pain, illness. They would be lost" in page


def test_the_originals_are_shown_after_somebody_has_asked_for_them_and_not_before(complete) -> None:
    before = render_page(replace(complete, step=Step.INSPECT))["view"]
    asked = replace(apply_action(complete, {"do": "compare"}), step=Step.INSPECT)
    after = render_page(asked)["view"]
    second = render_page(apply_action(asked, {"do": "rows-page", "key": "1"}))["view"]

    assert "are marked as chosen on the data" in before
    assert VERDICT.headline not in before
    assert "<td>900</td>" not in before
    assert "<td>0</td>" in before
    assert VERDICT.headline in after
    assert "<td>900</td>" in after
    assert "good ≤ 0.05, fair ≤ 0.15" in after
    assert "<td>912</td>" in second


@pytest.mark.parametrize("edition", ["curator", "map"])
def test_no_page_shows_a_comparison_that_nobody_has_asked_for(complete, edition) -> None:
    state = apply_action(complete, {"do": "edition", "key": edition})

    page = render_page(replace(state, step=Step.INSPECT))["view"]

    assert "Compare with the originals" in page
    assert "<iframe" not in page
    assert "<figure" not in page


def test_a_plan_that_is_changed_after_the_comparison_is_chosen_on_the_data(complete) -> None:
    seen = apply_action(complete, {"do": "compare"})
    changed = apply_action(seen, {"do": "setting", "key": "epsilon", "value": "2"})
    others = replace(changed.file, digest="f" * 16)
    elsewhere = replace(changed, decisions=replace(changed.decisions, file=others))

    assert not make_plan(seen).chosen_on_data
    assert make_plan(changed).chosen_on_data
    assert not make_plan(elsewhere).chosen_on_data


@pytest.mark.parametrize("step", list(Step))
def test_every_step_answers_the_questions_that_people_ask_there(complete, step) -> None:
    page = render_page(replace(complete, step=step))["view"]

    assert f'id="help-{step}"' in page
    assert all(question in page for question, _ in QUESTIONS[step])


def test_what_a_release_will_look_like_is_shown_before_anything_is_spent(complete) -> None:
    known = complete.expectations[0]
    rows = {"before": pl.DataFrame({"age": [41]}), "after": pl.DataFrame({"age": [43]})}
    twin = replace(known.pilot, **rows)
    state = replace(complete, step=Step.CHOOSE, expectations=(replace(known, pilot=twin),))

    page = render_page(state)["view"]

    assert "What it will look like" in page
    assert "<td>41</td>" in page
    assert "<td>43</td>" in page


def test_a_promise_of_another_plan_is_not_shown(complete) -> None:
    changed = apply_action(complete, {"do": "setting", "key": "epsilon", "value": "3"})

    page = render_page(replace(changed, step=Step.CHOOSE))["view"]

    assert "Finding out what it would promise" in page
    assert complete.rehearsal.sentence not in page


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

"""Whatever a person does, nothing that she decided before is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.choose.purposes import propose
from covey.studio.actions import ACTIONS, add_run, apply_action, take_file
from covey.studio.prefetch import pilot_key, plan_key
from covey.studio.results import Fit, TabRun
from covey.studio.settings import can_reach, make_plan, seed_problem, setting_problems
from covey.studio.state import STEP_ORDER, State, Step
from covey.systems.base import as_mapping
from covey.table import Role, Scale


def do(state: State, name: str, key: object = "", value: str = "") -> State:
    return apply_action(state, {"do": name, "key": str(key), "value": value})


def test_only_the_first_step_can_be_reached_without_data() -> None:
    assert [step for step in STEP_ORDER if can_reach(State(), step)] == [Step.DATA]


def test_going_back_and_forth_keeps_every_decision(chosen) -> None:
    there = do(do(do(chosen, "go", "data"), "go", "describe"), "go", "publish")

    assert there.step is Step.PUBLISH
    assert there.decisions == chosen.decisions


def test_a_step_that_is_not_ready_is_not_entered(described) -> None:
    assert do(described, "go", "publish").step == described.step
    assert do(described, "go", "inspect").step == described.step


def test_undo_takes_back_one_decision_at_a_time(described) -> None:
    first = do(described, "edit", "1:unit", "months")
    second = do(first, "edit", "1:role", "confidential")

    assert do(second, "undo").schema == first.schema
    assert do(do(second, "undo"), "undo").schema == described.schema


def test_undo_without_a_past_changes_nothing() -> None:
    assert do(State(), "undo") == State()


def test_bounds_are_changed_as_typed(described) -> None:
    after = do(do(described, "edit", "1:low", "18"), "edit", "1:high", "99.5")

    assert after.schema["age"].bounds == (18.0, 99.5)


@pytest.mark.parametrize("text", ["a lot", "", "200"])
def test_bad_bounds_say_why_keep_what_was_typed_and_leave_the_schema(described, text) -> None:
    after = do(described, "edit", "1:low", text)

    assert after.decisions == described.decisions
    assert after.problems["row-1-bounds"].message
    assert after.problems["typed-1:low"].typed == text


def test_bounds_can_be_put_right_field_by_field(described) -> None:
    wrong = do(described, "edit", "1:low", "200")

    right = do(wrong, "edit", "1:high", "300")

    assert right.schema["age"].bounds == (200.0, 300.0)
    assert not right.problems


def test_bounds_can_be_taken_away(described) -> None:
    after = do(do(described, "edit", "1:low", ""), "edit", "1:high", "")

    assert after.schema["age"].bounds is None


def test_bounds_from_the_data_stay_flagged_until_a_person_confirms_them(described) -> None:
    flagged = described.schema.updated("age", drafted=("bounds",))
    state = replace(described, decisions=replace(described.decisions, schema=flagged))

    edited = do(state, "edit", "1:high", "130")
    confirmed = do(edited, "confirm", 1, "true")

    assert edited.schema["age"].relies_on_data
    assert not confirmed.schema["age"].relies_on_data
    assert do(confirmed, "confirm", 1, "false").schema["age"].relies_on_data


@pytest.mark.parametrize("scale", list(Scale))
@pytest.mark.parametrize("index", range(6))
def test_every_column_can_be_given_every_scale(described, index, scale) -> None:
    after = do(described, "edit", f"{index}:scale", scale)

    assert after.schema.attributes[index].scale is scale or after.problems


def test_categories_are_separated_by_semicolons(described) -> None:
    after = do(described, "edit", "3:categories", "Ahof; Bdorf ;Cstadt; D, the town")

    assert after.schema["town"].categories == ("Ahof", "Bdorf", "Cstadt", "D, the town")


def test_repeated_categories_are_refused_in_place(described) -> None:
    after = do(described, "edit", "3:categories", "Ahof; Ahof")

    assert after.schema == described.schema
    assert "repeat" in after.problems["row-3-categories"].message


def test_roles_are_changed(described) -> None:
    assert do(described, "edit", "1:role", "identifier").schema["age"].role is Role.IDENTIFIER


@given(
    name=st.sampled_from([*ACTIONS, "nonsense", ""]),
    key=st.one_of(
        st.text(max_size=8), st.sampled_from(["0:low", "9:role", "-1", "7", "0:nothing"])
    ),
    value=st.text(max_size=12),
)
def test_no_message_from_a_browser_can_break_the_state(name, key, value) -> None:
    schema = covey.Schema((covey.Attribute("x", bounds=(0, 1)), covey.Attribute("y")))
    state = replace(State(), decisions=replace(State().decisions, schema=schema))

    after = apply_action(state, {"do": name, "key": key, "value": value})

    assert isinstance(after, State)


def test_choosing_another_system_keeps_what_was_typed(chosen) -> None:
    typed = do(chosen, "setting", "epsilon", "0.3")

    other = do(typed, "choose", "laplace")

    assert other.decisions.settings["epsilon"] == "0.3"


@pytest.mark.parametrize("text", ["0", "-1", "much", "nan", "1e12"])
def test_a_senseless_epsilon_is_explained_and_stops_the_way_on(chosen, text) -> None:
    after = do(chosen, "setting", "epsilon", text)

    assert setting_problems(after)["setting-epsilon"]
    assert not can_reach(after, Step.PUBLISH)
    assert after.schema == chosen.schema


def test_an_epsilon_that_is_missing_is_asked_for(chosen) -> None:
    assert "epsilon" in setting_problems(do(chosen, "setting", "epsilon", ""))["plan"]


def test_columns_can_be_left_out_but_not_all(chosen) -> None:
    less = do(chosen, "column", 0, "false")
    none = less
    for index in range(len(chosen.offered_columns)):
        none = do(none, "column", index, "false")

    assert "age" not in make_plan(less).parameters["columns"]
    assert "no column is left" in setting_problems(none)["plan"]
    assert make_plan(do(less, "column", 0, "true")) == make_plan(chosen)


def test_confirming_a_bound_changes_nothing_that_is_to_be_expected(chosen) -> None:
    flagged = do(chosen, "confirm", 1, "false")

    assert pilot_key(flagged) == pilot_key(do(flagged, "confirm", 1, "true")) is not None
    assert pilot_key(flagged) != pilot_key(do(flagged, "edit", "1:high", "119"))


def test_a_purpose_brings_one_plan_with_all_columns(described) -> None:
    plan = make_plan(do(described, "purpose", "researchers"))

    assert plan == propose("researchers", described.schema)


def test_a_purpose_takes_the_system_that_fits_the_columns_that_are_left(described) -> None:
    state = do(described, "purpose", "public")
    for place in range(1, len(state.offered_columns)):
        state = do(state, "column", place, "false")

    assert make_plan(state) == propose("public", described.schema, columns=("age",))
    assert do(state, "undo").system != state.system


def test_figures_are_tables_of_every_column_until_others_are_typed(described) -> None:
    state = do(described, "purpose", "figures")

    typed = do(state, "setting", "tables", "town*illness")

    assert make_plan(state) == propose("figures", described.schema)
    assert make_plan(typed) == propose("figures", described.schema, tables=("town*illness",))


def test_a_system_chosen_by_hand_is_kept_whatever_the_columns(described) -> None:
    state = do(do(described, "purpose", "public"), "choose", "laplace")

    assert do(state, "column", 0, "false").system == "laplace"
    assert state.decisions.purpose == ""


def test_a_graph_has_a_purpose_of_its_own(described) -> None:
    graph = replace(described, kind="graph")

    assert do(graph, "purpose", "public") == graph
    assert do(graph, "purpose", "graph").system == "joint-degree-boxes"
    assert do(described, "purpose", "graph") == described


def test_the_plan_is_that_of_the_library(chosen, people_schema) -> None:
    names = ("age", "income", "town", "pain", "illness")
    settings = covey.SYSTEMS["private-tree"].settings({"epsilon": 1.0, "columns": names})

    plan = make_plan(chosen)

    assert plan == covey.Plan(
        system="private-tree", parameters=as_mapping(settings), schema=people_schema
    )


def test_a_seed_goes_into_the_plan(chosen) -> None:
    assert make_plan(do(chosen, "seed", "", "7")).random_state == 7


@pytest.mark.parametrize("text", ["x", "-1", "0.5", "9" * 19])
def test_a_senseless_seed_is_explained_where_it_was_typed(chosen, text) -> None:
    after = do(chosen, "seed", "", text)

    assert "seed" in seed_problem(after)
    assert plan_key(after) is None
    assert can_reach(after, Step.PUBLISH)


@pytest.mark.parametrize(
    ("step", "shown"), [(Step.PUBLISH, Step.INSPECT), (Step.DESCRIBE, Step.DESCRIBE)]
)
def test_a_release_is_shown_to_whoever_waits_for_it(chosen, step, shown) -> None:
    run = TabRun(
        number=1,
        folder="out",
        file=chosen.file,
        plan=make_plan(chosen),
        kind="pure-dp",
        sentence="",
        epsilon=1.0,
        ledger=None,
        left=None,
    )

    after = add_run(replace(chosen, step=step), run)

    assert after.step is shown
    assert after.run == run


def test_other_data_keep_the_system_and_drop_the_description(chosen, file) -> None:
    schema = covey.Schema((covey.Attribute("x", bounds=(0, 1)),))

    after = take_file(chosen, replace(file, digest="f" * 16), schema)

    assert after.system == "private-tree"
    assert after.schema == schema


def test_other_data_can_be_taken_back_with_all_that_was_decided(chosen, file) -> None:
    edited = do(chosen, "edit", "1:unit", "months")
    other = take_file(edited, replace(file, digest="f" * 16, kind="graph"), None)

    back = do(replace(other, step=Step.CHOOSE), "undo")

    assert back.decisions == edited.decisions
    assert back.kind == "table"
    assert back.step is Step.CHOOSE


def test_taking_back_the_first_data_leads_to_the_first_step(file, people_schema) -> None:
    first = replace(take_file(State(), file, people_schema), step=Step.CHOOSE)

    assert do(first, "undo").step is Step.DATA


def test_a_seed_for_some_data_is_none_for_others(chosen, file, people_schema) -> None:
    seeded = do(chosen, "seed", "", "7")

    assert take_file(seeded, file, people_schema).decisions.seed == "7"
    assert not take_file(seeded, replace(file, digest="f" * 16), people_schema).decisions.seed


def test_messages_about_other_data_are_gone_with_them(described, file, people_schema) -> None:
    wrong = do(described, "edit", "1:low", "a lot")

    after = take_file(wrong, replace(file, digest="f" * 16), people_schema)

    assert not after.problems


def test_an_identifier_is_never_offered_whatever_fitted_before(chosen) -> None:
    fit = Fit(key="", columns={"private-tree": ("age", "income")}, refusals={})

    after = do(replace(chosen, fit=fit), "edit", "1:role", "identifier")

    assert after.offered_columns == ("income",)


def test_the_same_data_again_keep_the_description(chosen, file, people_schema) -> None:
    edited = do(chosen, "edit", "1:unit", "months")

    assert take_file(edited, file, people_schema).schema == edited.schema

"""Sixty columns are described together: found, grouped, changed and confirmed in bulk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from covey.studio.actions import apply_action, take_file
from covey.studio.describing import CONFIRMED_BY
from covey.studio.listing import edited, group_columns, shown_columns
from covey.studio.page import render_page
from covey.studio.state import State
from covey.table import Attribute, Missing, Role, Scale, Schema

ANSWERS = ("no", "yes", "perhaps")


@pytest.fixture
def survey(file) -> State:
    """Give a state with thirty columns, most of them numbered questions."""
    marks = {"drafted": ("categories",)}
    questions = [
        Attribute(f"q{i}", scale=Scale.NOMINAL, categories=ANSWERS, **marks) for i in range(20)
    ]
    amounts = [
        Attribute(f"spent_{i}", bounds=(0.0, 90.0 + i), drafted=("bounds",)) for i in range(9)
    ]
    name = Attribute("name", role=Role.IDENTIFIER, scale=Scale.NOMINAL)
    schema = Schema((name, *questions, *amounts), reasons={"name": ("It names people.",)})
    return replace(take_file(State(), file, schema), step="describe")


def do(state: State, what: str, key: object = "", value: str = "") -> State:
    return apply_action(state, {"do": what, "key": str(key), "value": value})


def test_alike_neighbours_stand_together_until_somebody_wants_them_apart(survey) -> None:
    together = group_columns(survey)
    apart = group_columns(do(survey, "column-group", "", "false"))

    assert [len(group) for group in together] == [1, 20, 9]
    assert len(apart) == 30


def test_a_column_that_says_something_else_leaves_its_group(survey) -> None:
    changed = do(survey, "edit", "3:missing", "drop")

    assert [len(group) for group in group_columns(changed)] == [1, 1, 1, 1, 17, 9]


@pytest.mark.parametrize(
    ("show", "find", "number"),
    [("all", "", 30), ("hidden", "", 1), ("number", "", 9), ("names", "Q1", 11), ("open", "", 29)],
)
def test_the_list_is_narrowed_by_name_and_kind(survey, show, find, number) -> None:
    state = do(do(survey, "column-show", "", show), "column-find", "", find)

    assert len(shown_columns(state)) == number


def test_a_change_of_marked_columns_is_one_decision(survey) -> None:
    marked = do(survey, "column-open", ",".join(map(str, range(1, 21))))
    changed = do(marked, "edit", "marked:missing", "drop")

    assert len(edited(marked)) == 20
    assert {changed.schema[f"q{i}"].missing for i in range(20)} == {Missing.DROP}
    assert do(changed, "undo").schema == survey.schema


def test_bounds_of_several_columns_are_given_in_two_fields(survey) -> None:
    marked = do(survey, "column-open", ",".join(map(str, range(21, 30))))
    half = do(marked, "edit", "marked:low", "5")
    whole = do(half, "edit", "marked:high", "500")

    assert half.schema["spent_3"].bounds == (5.0, 93.0)
    assert {whole.schema[f"spent_{i}"].bounds for i in range(9)} == {(5.0, 500.0)}
    assert not whole.problems


def test_what_does_not_fit_one_marked_column_changes_none(survey) -> None:
    marked = do(survey, "column-mark", "0,1,2", "true")
    tried = do(marked, "edit", "marked:low", "5")

    assert tried.schema == survey.schema


def test_facts_of_one_kind_are_confirmed_for_all_columns(survey) -> None:
    confirmed = do(survey, "confirm-kind", "categories")

    assert not any(confirmed.schema.drafted(f"q{i}") for i in range(20))
    assert confirmed.schema["q1"].confirmed_by == CONFIRMED_BY
    assert all(confirmed.schema.drafted(f"spent_{i}") for i in range(9))


def test_marked_columns_are_confirmed_and_doubted_together(survey) -> None:
    everything = do(survey, "column-mark", "shown", "true")
    confirmed = do(everything, "confirm", "marked", "true")
    doubted = do(confirmed, "confirm", "marked", "false")

    assert not confirmed.schema.relies_on_data
    assert doubted.schema.drafted("q1") == ("categories",)


@pytest.mark.parametrize(
    ("field", "typed", "held"),
    [
        ("missing_codes", "-9; k. A.", ("-9", "k. A.")),
        ("special", "0; 99", (0.0, 99.0)),
        ("integer", "true", True),
        ("step", "0.5", 0.5),
        ("description", "Money", "Money"),
    ],
)
def test_every_fact_of_a_number_has_a_field(survey, field, typed, held) -> None:
    changed = do(survey, "edit", f"21:{field}", typed)

    assert getattr(changed.schema["spent_0"], field) == held
    assert not changed.problems


def test_a_value_that_stands_for_missing_ones_is_written_before_it_is_chosen(survey) -> None:
    early = do(survey, "edit", "21:missing", "impute")
    given = do(survey, "edit", "21:impute", "3")

    assert "Write the value first" in early.problems["row-21-missing"].message
    assert 'id="impute-21"' in render_page(do(early, "column-open", "21"))["view"]
    assert (given.schema["spent_0"].missing, given.schema["spent_0"].impute) == ("impute", 3.0)


def test_texts_become_dates_of_a_format(survey) -> None:
    dated = do(do(survey, "edit", "1:scale", "date"), "edit", "1:format", "%d.%m.%Y")
    bounded = do(do(dated, "edit", "1:low", "1900-01-01"), "edit", "1:high", "2024-12-31")

    column = bounded.schema["q0"]
    assert (str(column.kind), column.format, column.categories) == ("date", "%d.%m.%Y", None)
    assert str(column.bounds[0]) == "1900-01-01"


def test_the_list_says_why_a_column_is_not_published(survey) -> None:
    page = render_page(survey)["view"]

    assert "Not published. It names people." in page
    assert "spent_0 … spent_8" in page
    assert page.count('class="state amber"') == 2


def test_what_is_typed_into_a_group_is_escaped(survey) -> None:
    evil = "<script>alert(1)</script>"
    shown = do(do(survey, "edit", "1:description", evil), "column-open", "1")

    assert evil not in render_page(shown)["view"]

"""Rules are read from a small language, and nothing in them is run as code."""

from __future__ import annotations

import polars as pl
import pytest

from covey import Attribute, Scale, Schema
from covey.errors import SchemaError
from covey.table.rules import LONGEST_RULE, parse_rule

COLUMNS = (
    Attribute("age", bounds=(0, 120), integer=True),
    Attribute("start", bounds=(0, 10)),
    Attribute("end", bounds=(0, 10)),
    Attribute("hours per week", bounds=(0, 100), step=0.5),
    Attribute("marital", scale=Scale.NOMINAL, categories=("single", "married")),
    Attribute("born", kind="date", bounds=("1900-01-01", "2020-12-31"), step="day"),
)


def broken(rule: str, **row) -> bool:
    """Return whether a row breaks a rule."""
    return bool(pl.DataFrame([row]).select(parse_rule(rule, COLUMNS).broken).item())


@pytest.mark.parametrize(
    ("rule", "row", "breaks"),
    [
        ("start <= end", {"start": 3.0, "end": 2.0}, True),
        ("start <= end", {"start": 2.0, "end": 2.0}, False),
        ("age < 16 -> marital = 'single'", {"age": 12, "marital": "married"}, True),
        ("age < 16 -> marital = 'single'", {"age": 16, "marital": "married"}, False),
        ("marital = 'single' if age < 16", {"age": 12, "marital": "married"}, True),
        ("0 <= start < 5 and not age > 3 -> end = 1", {"start": 1.0, "age": 2, "end": 0.0}, True),
        ("`hours per week` <= 10 * -start + 99", {"hours per week": 98.0, "start": 1.0}, True),
        ("end = 2 * start", {"start": 3.0, "end": 6.0}, False),
        ("start <= end", {"start": None, "end": 2.0}, False),
    ],
)
def test_a_rule_says_which_rows_break_it(rule, row, breaks) -> None:
    assert broken(rule, **row) is breaks


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("start <= finish", "'finish', which is no column"),
        ("__import__('os').system('x') <= start", "which has no meaning here"),
        ("start.real <= end", "which has no meaning here"),
        ("[start][0] <= end", "which has no meaning here"),
        ("(lambda: 1)() <= end", "which has no meaning here"),
        ("start <=", "cannot be read"),
        ("start", "compares no two things"),
        ("start == end", "that could be moved"),
        ("1 <= 2", "that could be moved"),
        ("start < end", "strictly less or more"),
        ("+".join(["start"] * LONGEST_RULE) + " <= end", "is too long"),
        ("(" * 5_000 + "start" + ")" * 5_000 + " <= end", "cannot be read"),
    ],
)
def test_what_has_no_meaning_is_refused(rule, why) -> None:
    with pytest.raises(SchemaError, match="so nothing was published") as caught:
        parse_rule(rule, COLUMNS)

    assert why in str(caught.value)


def test_a_rule_computes_a_column_unless_it_has_a_condition() -> None:
    assert parse_rule("end = 2 * start", COLUMNS).derives == "end"
    assert parse_rule("age < 3 -> end = 2 * start", COLUMNS).derives == ""


def test_rules_are_written_and_read_with_their_schema(tmp_path) -> None:
    schema = Schema(COLUMNS, rules=("start <= end", 'age < 16 -> marital = "single"'))

    schema.save(tmp_path / "s.toml")

    assert Schema.load(tmp_path / "s.toml").rules == schema.rules


def test_a_file_with_a_rule_about_no_column_is_refused(tmp_path) -> None:
    Schema(COLUMNS, rules=("start <= finish",)).save(tmp_path / "s.toml")

    with pytest.raises(SchemaError, match="which is no column"):
        Schema.load(tmp_path / "s.toml")


def test_rules_are_a_list_of_texts() -> None:
    with pytest.raises(SchemaError, match="no list of texts"):
        Schema(COLUMNS, rules="start <= end")

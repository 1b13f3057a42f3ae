"""Every public fact has a source, and one that was read off the data is a reason to downgrade."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given

from covey import Attribute, Schema
from covey.table import Provenance
from covey.table.provenance import (
    FACTS,
    FORMAT_TITLES,
    confirm_facts,
    from_the_data,
    told_facts,
    told_value,
)
from covey.table.taxonomy_drafts import DRAFT_MARK
from tests.table.test_schema import attributes

AGE = Attribute("age", bounds=(0, 120), integer=True)
TOWN = Attribute("town", scale="nominal", categories=("A", "B"), missing="drop")


def test_every_fact_is_a_property_and_says_what_it_decides() -> None:
    assert set(FACTS) < {field.name for field in fields(Attribute)}
    assert all(FACTS.values())


@pytest.mark.parametrize("source", ["drafted", "confirmed", "imported"])
def test_a_fact_has_the_source_that_it_is_marked_with_and_is_stated_otherwise(source) -> None:
    attribute = Attribute("age", bounds=(0, 1), **{source: ["bounds"]})

    assert attribute.provenance("bounds") is Provenance(source)
    assert attribute.provenance("integer") is Provenance.STATED


@given(attribute=attributes())
def test_what_is_confirmed_is_no_draft_any_more_and_nothing_else_changes(attribute) -> None:
    confirmed = confirm_facts(attribute, "A. Curator")

    assert not confirmed.relies_on_data
    assert set(confirmed.confirmed) == {*attribute.confirmed, *attribute.drafted}
    assert "A. Curator" in confirmed.confirmed_by
    for field in fields(Attribute):
        if field.name not in ("drafted", "confirmed", "confirmed_by"):
            assert getattr(confirmed, field.name) == getattr(attribute, field.name)


def test_whoever_confirms_later_stands_beside_the_first() -> None:
    drafted = Attribute("age", bounds=(0, 1), drafted=["bounds", "integer"])

    first = confirm_facts(drafted, "Ann", ["bounds"])

    assert (first.drafted, first.confirmed) == (("integer",), ("bounds",))
    assert confirm_facts(first, "Ben").confirmed_by == "Ann, Ben"
    assert confirm_facts(first, "Ann").confirmed_by == "Ann"


def test_a_fact_that_is_not_there_any_more_was_not_read_off_the_data() -> None:
    assert not Attribute("age", drafted=["bounds"]).relies_on_data
    assert Attribute("age", drafted=["integer"]).relies_on_data, "false is a fact, too"


def test_a_downgrade_names_columns_and_facts() -> None:
    marked = Attribute("weight", bounds=(1, 2), drafted=["bounds", "integer"])
    graded = Attribute("grade", scale="ordinal", categories=("a", "b"), drafted=["categories"])
    schema = Schema((AGE, marked, graded))

    assert from_the_data(schema, ["age"]) is None
    assert "nobody: weight (bounds, integer), grade (categories)." in from_the_data(
        schema, schema.names
    )


def test_which_records_take_part_is_a_fact_about_every_published_column() -> None:
    dropping = Attribute("weight", missing="drop", drafted=["missing", "scale"])
    refusing = Attribute("height", drafted=["missing"])
    hidden = Attribute("code", role="identifier", missing="drop", drafted=["missing"])
    schema = Schema((AGE, dropping, refusing, hidden))

    assert "nobody: weight (missing)." in from_the_data(schema, ["age"])


def test_which_columns_take_part_is_a_fact_unless_somebody_named_them() -> None:
    guessed = Attribute("street", role="identifier", scale="nominal", drafted=["role", "scale"])
    schema = Schema((AGE, guessed))

    assert from_the_data(schema, ["age"]) is None
    assert "nobody: street (role)." in from_the_data(schema, ["age"], named=False)


def test_a_promise_tells_who_answers_for_what() -> None:
    confirmed = Attribute("weight", bounds=(1, 2), confirmed=["bounds"], confirmed_by="Ann")
    imported = Attribute("height", bounds=(1, 3), imported=["bounds"], imported_from="csvw")
    schema = Schema((AGE, TOWN, confirmed, imported, Attribute("hidden", bounds=(0, 1))))

    assert told_facts(schema, ["age", "town", "weight", "height"]) == (
        "Stated in the schema: age (bounds, integer), town (categories, missing).",
        "Drafted from data, then confirmed by Ann to be known without them: weight (bounds).",
        "Imported from CSVW metadata: stated by its author: height (bounds).",
    )
    assert set(FORMAT_TITLES) == {"smartnoise", "csvw", "frictionless", "code-book", "spss"}


@pytest.mark.parametrize("above", ["", "\n", "\ufeff", "\r\n\n"])
def test_the_mark_of_a_taxonomy_file_counts_until_it_is_confirmed(tmp_path: Path, above) -> None:
    (tmp_path / "towns.csv").write_text(
        f"{above}{DRAFT_MARK}\nchild,parent\n*,\nA,*\n", encoding="utf-8"
    )
    town = Attribute("town", scale="nominal", taxonomy="towns.csv")
    schema = Schema((AGE, town), tmp_path)

    assert schema.drafted("town") == ("taxonomy",)
    assert "nobody: town (taxonomy)." in from_the_data(schema, ["town"])
    answered = Schema((AGE, confirm_facts(town, "Ann", ["taxonomy"])), tmp_path)
    assert answered.drafted("town") == ()
    assert answered["town"].confirmed == ("taxonomy",)


def test_a_taxonomy_without_a_mark_or_without_a_file_is_stated(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("child,parent\n*,\nA,*\n", encoding="utf-8")
    schema = Schema(
        (
            Attribute("town", scale="nominal", taxonomy="towns.csv"),
            Attribute("job", scale="nominal", taxonomy="lost.csv"),
        ),
        tmp_path,
    )

    assert schema.drafted("town") == schema.drafted("job") == ()


def test_facts_are_told_in_words() -> None:
    told = {fact: told_value(AGE, fact) for fact in FACTS}

    assert (told["bounds"], told["integer"], told["missing"]) == ("0 to 120", "yes", "refuse")
    assert told_value(TOWN, "categories") == "A, B"
    assert told_value(TOWN, "taxonomy") == "none"
    assert told_value(Attribute("gain", special=(0, -9)), "special") == "0, -9"

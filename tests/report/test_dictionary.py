"""Report and card say what the publisher says, and what the published columns mean."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import polars as pl
import pytest
from jsonschema import Draft202012Validator

import covey
from covey import About, Attribute, Release, Schema
from covey.engines.memory.rows import HeldRows
from covey.report import card, card_schema, public_report
from covey.report.dictionary import column_dictionary, dictionary_rows
from tests.report.conftest import HOSTILE
from tests.report.test_public import Reader, words

ABOUT = About(
    title="Visits to a clinic",
    publisher="Office",
    contact="data@example.org",
    licence="CC BY 4.0",
    description="One record for each visit.",
    use_for="Teaching.",
    not_for="Weighted totals.",
)
SCHEMA = Schema(
    (
        Attribute("name", role="identifier", scale="nominal", description="hidden words"),
        Attribute("age", bounds=(0, 1200), unit="months", integer=True, description="Age then"),
        Attribute("price", bounds=(0, 9), step=0.5, special=(-9,), missing="category"),
        Attribute("day", kind="date", bounds=("2020-01-01", "2020-12-31"), step="month"),
        Attribute("pain", scale="ordinal", categories=("none", "some", "much"), missing="category"),
        Attribute("ward", scale="nominal", categories=("a", "b")),
    ),
    about=ABOUT,
)


def visits(schema: Schema = SCHEMA, **parameters) -> Release:
    frame = pl.DataFrame(
        {
            "name": [f"n{at}" for at in range(60)],
            "age": [at * 7 % 600 for at in range(60)],
            "price": [0.5 * (at % 18) for at in range(60)],
            "day": [date(2020, 1 + at % 12, 3) for at in range(60)],
            "pain": ["none", "some", None] * 20,
            "ward": ["a", "b"] * 30,
        }
    )
    given = {"system": "column-model", "epsilon": 1.0} | parameters
    return covey.publish(frame, schema=schema, **given)


def test_the_report_says_what_the_publisher_says() -> None:
    page = public_report(visits())

    text = words(page)
    assert "<h1>Visits to a clinic</h1>" in page
    assert "<title>Visits to a clinic</title>" in page
    assert "Published by Office · Contact: data@example.org · Licence: CC BY 4.0" in text
    assert "About these data One record for each visit." in text
    assert "Use it for Teaching. Do not use it for Weighted totals." in text
    assert "Office. Visits to a clinic. Released with Covey" in text


def test_the_report_of_a_publisher_who_says_nothing_leaves_it_out() -> None:
    page = words(public_report(visits(replace(SCHEMA, about=About()))))

    assert "A table published with column-model" in page
    for absent in ("About these data", "Use it for", "Published by", "Licence:"):
        assert absent not in page


def test_the_dictionary_describes_the_published_columns_in_words() -> None:
    release = visits()

    rows = {row.pop("name"): tuple(row.values()) for row in dictionary_rows(release)}

    assert rows == {
        "age": ("Age then", "whole numbers", "0 to 1,200 months", "", "never missing"),
        "price": ("", "numbers", "0 to 9; special: -9", "0.5", "may be missing"),
        "day": ("", "dates", "2020-01-01 to 2020-12-31", "month", "never missing"),
        "pain": ("", "ordered categories", "3 categories", "", "may be missing"),
        "ward": ("", "categories", "2 categories", "", "may be missing"),
    }
    page = words(public_report(release))
    assert "age Age then whole numbers 0 to 1,200 months – never missing" in page
    assert "hidden words" not in page


def test_what_became_of_gaps_and_what_was_read_off_the_data_is_told() -> None:
    schema = SCHEMA.updated("price", missing="impute", impute=2.5, drafted=("bounds",))
    schema = schema.updated("day", missing="drop")

    rows = {row["name"]: row for row in dictionary_rows(visits(schema))}

    assert rows["price"]["missing"] == "missing ones were replaced by 2.5"
    assert rows["price"]["possible"] == "0 to 9, read off the data; special: -9"
    assert rows["day"]["missing"] == "records without it were left out"


def test_bounds_that_a_plan_hides_are_not_in_the_dictionary() -> None:
    frame = pl.DataFrame({"age": [20.0, 30.0, 40.0, 50.0, 60.0, 70.0]})
    schema = Schema((Attribute("age", bounds=(20, 70), drafted=("bounds",)),))

    release = covey.publish(frame, "mdav", schema=schema, k=3)

    (entry,) = column_dictionary(release)
    assert entry["range"] is None
    assert "not stated" in words(public_report(release))


@pytest.mark.parametrize("mark", ["", "# drafted from data\n"])
def test_a_taxonomy_that_is_marked_in_its_file_is_told_to_be_read_off_the_data(
    tmp_path, mark
) -> None:
    (tmp_path / "wards.csv").write_text(f"{mark}child,parent\nall,\na,all\nb,all\n", "utf-8")
    schema = replace(SCHEMA.updated("ward", categories=None, taxonomy="wards.csv"), folder=tmp_path)

    rows = {row["name"]: row for row in dictionary_rows(visits(schema))}

    told = "those of a taxonomy" + (", read off the data" if mark else "")
    assert rows["ward"]["possible"] == told


def test_only_the_columns_of_a_release_are_in_its_dictionary() -> None:
    release = visits(system="tables", tables=["ward*pain"])

    assert [entry["name"] for entry in column_dictionary(release)] == ["pain", "ward"]


def test_the_card_carries_the_same() -> None:
    release = visits()

    product = card(release)["product"]

    Draft202012Validator(card_schema()).validate(card(release))
    assert product["about"] == ABOUT.stated()
    assert product["dictionary"] == column_dictionary(release)
    assert product["dictionary"][1] == {
        "name": "price",
        "description": "",
        "unit": "",
        "values": "numbers",
        "range": [0.0, 9.0],
        "categories": None,
        "step": 0.5,
        "special": [-9.0],
        "missing": "category",
        "drafted": [],
    }


@pytest.mark.parametrize(
    ("part", "wrong"),
    [("about", {"titel": "x"}), ("about", {"title": ""}), ("dictionary", [{"name": "age"}])],
)
def test_a_card_that_says_it_otherwise_is_not_valid(part, wrong) -> None:
    described = card(visits())

    described["product"][part] = wrong

    assert not Draft202012Validator(card_schema()).is_valid(described)


def test_a_graph_has_no_columns_to_describe(graph_release) -> None:
    assert column_dictionary(graph_release) == dictionary_rows(graph_release) == []
    assert card(graph_release)["product"]["about"] == {}


def test_no_record_is_looked_at_for_the_dictionary() -> None:
    release = visits()
    emptied = replace(release, rows=HeldRows(release.frame.clear()), extras={})

    assert dictionary_rows(emptied) == dictionary_rows(release)


def test_hostile_words_of_a_publisher_do_no_harm() -> None:
    about = About(**dict.fromkeys(ABOUT.stated(), HOSTILE))
    schema = replace(SCHEMA.updated("age", description=HOSTILE, unit=HOSTILE), about=about)

    page = public_report(visits(schema))

    assert "script" not in Reader(page).tags
    assert HOSTILE not in page
    assert words(page).count(HOSTILE) >= 9

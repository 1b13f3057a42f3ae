"""Codes for missing and values outside a public list go where the schema says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import covey
from covey import Attribute, Schema
from covey.errors import SchemaError


def frame_of(attribute: Attribute, values: list) -> list:
    frame = pl.DataFrame({"x": values}, strict=False)
    return covey.read_table(frame, Schema((attribute,))).frame["x"].to_list()


@pytest.mark.parametrize(
    ("codes", "values"),
    [
        (["NA", "-9"], ["5", "NA", "-9", " 7 "]),
        (["-9", "99"], [5, -9, 99, 7]),
        ([-9, 99.0], [5.0, -9.0, 99.0, 7.0]),
    ],
)
def test_codes_of_numbers_are_missing(codes: list, values: list) -> None:
    attribute = Attribute("x", missing="drop", missing_codes=codes)

    assert frame_of(attribute, values) == [5, 7]


def test_codes_of_texts_are_missing_whatever_blanks_stand_around_them() -> None:
    attribute = Attribute("x", scale="nominal", categories=["a", "b"], missing_codes=["k. A."])

    assert frame_of(attribute, ["a", " k. A. ", "b"]) == ["a", None, "b"]


def test_codes_in_a_file_are_missing_before_types_are_found(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age;town\n5;NA\n-9;Namibia\nk. A.;NA\n7;Bonn\n")
    schema = Schema(
        (
            Attribute("age", missing="drop", missing_codes=["-9", "k. A."], integer=True),
            Attribute("town", scale="nominal", categories=["NA", "Namibia", "Bonn"]),
        )
    )

    table = covey.read_table(path, schema)

    assert table.frame.rows() == [(5, "NA"), (7, "Bonn")]
    assert table.frame["age"].dtype == pl.Int64


@pytest.mark.parametrize("codes", ["NA", [True], ["NA", "NA"], 5])
def test_codes_that_are_none_are_refused(codes: object) -> None:
    with pytest.raises(SchemaError, match=r"missing_codes|codes? for missing"):
        Attribute("x", missing_codes=codes)


def test_values_outside_the_list_are_the_public_category_for_unknown() -> None:
    attribute = Attribute("x", scale="nominal", categories=["a", "other"], unknown="other")

    assert frame_of(attribute, ["a", "b", None, "other"]) == ["a", "other", None, "other"]


def test_numbers_outside_the_list_too() -> None:
    attribute = Attribute("x", scale="nominal", categories=["1", "other"], unknown="other")

    assert frame_of(attribute, [1, 2, 3]) == ["1", "other", "other"]


def test_values_outside_a_taxonomy_too(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("child,parent\n*,\nAhof,*\nother,*\n")
    attribute = Attribute("x", scale="nominal", taxonomy="towns.csv", unknown="other")
    frame = pl.DataFrame({"x": ["Ahof", "Bdorf"]})

    table = covey.read_table(frame, Schema((attribute,), folder=tmp_path))

    assert table.texts("x") == ["Ahof", "other"]
    with pytest.raises(SchemaError, match="which its taxonomy does not have"):
        covey.read_table(frame, Schema((replace(attribute, unknown="?"),), folder=tmp_path))


@pytest.mark.parametrize(
    ("properties", "wrong"),
    [
        ({"scale": "numeric", "unknown": "other"}, "lists no known ones"),
        ({"scale": "nominal", "categories": ["a"], "unknown": "other"}, "none of its categories"),
        ({"scale": "nominal", "categories": ["a"], "unknown": 5}, "means nothing here"),
    ],
)
def test_an_unknown_that_has_no_place_is_refused(properties: dict, wrong: str) -> None:
    with pytest.raises(SchemaError, match=wrong):
        Attribute("x", **properties)


def test_a_release_of_new_categories_is_made_with_its_promise() -> None:
    attribute = Attribute("x", scale="nominal", categories=["a", "other"], unknown="other")
    frame = pl.DataFrame({"x": ["a"] * 60 + ["new"] * 40})

    release = covey.publish(frame, "private-tree", schema=Schema((attribute,)), epsilon=1)

    assert set(release.data["x"]) <= {"a", "other", None}
    assert release.guarantee.kind == "pure-dp"

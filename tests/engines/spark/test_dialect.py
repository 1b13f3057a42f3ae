"""Spark reads the dialects that the other engines read, or refuses them."""

from __future__ import annotations

import pytest

import covey
import covey.spark
from covey.errors import DataError

SCHEMA = covey.Schema(
    (
        covey.Attribute("age", missing_codes=("-9",), missing="drop"),
        covey.Attribute("income"),
        covey.Attribute("town", scale="nominal", categories=("Köln", "Bonn")),
    )
)
TEXT = "age;income;town\n34;1.234,50;Köln\n-9;200,00;Bonn\n"


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_decimal_commas_semicolons_and_codes_for_missing(spark, tmp_path, encoding: str) -> None:
    path = tmp_path / "people.csv"
    path.write_text(TEXT, encoding=encoding)
    schema = covey.Schema(SCHEMA.attributes)
    if encoding == "latin-1":
        stated = covey.Schema.draft(path, encoding="latin-1").reading
        schema = covey.Schema(SCHEMA.attributes, reading=stated)

    rows = covey.spark.read(spark, path, schema).collect()

    assert [tuple(row) for row in rows] == [(34, 1234.5, "Köln"), (None, 200.0, "Bonn")]


def test_other_encodings_are_refused(spark, tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(TEXT, encoding="utf-16")

    with pytest.raises(DataError, match=r"reads no utf-16 text.*--engine stream"):
        covey.spark.read(spark, path)


def test_no_line_with_names(spark, tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("34|Ahof\n51|Bdorf\n29|Bdorf\n")

    frame = covey.spark.read(spark, path)

    assert frame.columns == ["column_1", "column_2"]
    assert [row[0] for row in frame.collect()] == [34, 51, 29]


def test_lines_before_the_table_are_refused(spark, tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("sep=;\n" + TEXT)

    with pytest.raises(DataError, match=r"lines before its table.*--engine stream"):
        covey.spark.read(spark, path)

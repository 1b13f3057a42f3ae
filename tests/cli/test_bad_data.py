"""Bad data and schemas end in words: what is wrong, what follows, what to do.

`terminal.refused` checks the exit code, that standard output stays empty, that the message quotes
no record, and that no file was made or changed.
"""

from __future__ import annotations

import polars as pl
import pytest

NOISE = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon")
CLUSTERS = ("--system", "mdav", "-k")


def changed(terminal, **columns: pl.Expr) -> None:
    """Write people.csv again with other columns."""
    pl.read_csv(terminal.folder / "people.csv").with_columns(**columns).write_csv(
        terminal.folder / "people.csv"
    )


@pytest.mark.parametrize("system", ["rank-blocks", "laplace"])
def test_missing_bounds(terminal, system: str) -> None:
    terminal.describe("income", bounds=None)

    said = terminal.refused_to_publish(
        "--system", system, "--columns", "age,income", "--epsilon", "1"
    )

    assert "attribute 'income' has no public bounds" in said
    assert "no noise can be calibrated" in said
    assert "Set `bounds = [low, high]`" in said


def test_bounds_the_wrong_way_round(terminal) -> None:
    path = terminal.folder / "people.toml"
    path.write_text(path.read_text().replace("[0.0, 120.0]", "[120.0, 0.0]"))

    said = terminal.refused_to_publish(*NOISE, "1")

    assert "bounds of attribute 'age' are the wrong way round" in said
    assert "Write the smaller one first" in said


def test_a_column_of_the_schema_that_the_data_do_not_have(terminal) -> None:
    pl.read_csv("people.csv").drop("town").write_csv("people.csv")

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "the schema describes a column 'town' that the data do not have" in said
    assert "Correct the schema" in said


def test_a_column_of_the_data_that_the_schema_does_not_describe(terminal) -> None:
    changed(terminal, height=pl.lit(7777777))

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "column 'height' of the data is not described" in said
    assert "cannot tell whether it may be published" in said
    assert "Add it" in said


@pytest.mark.parametrize("system", [("--system", "mdav", "-k", "3"), (*NOISE, "1")])
def test_a_number_that_is_none(terminal, system: tuple[str, ...]) -> None:
    changed(terminal, income=pl.when(pl.col("age") > 40).then(float("nan")).otherwise("income"))

    said = terminal.refused_to_publish(*system)

    assert "column 'income' has missing values" in said
    assert 'Set missing = "category" to publish them as missing, missing = "drop"' in said


@pytest.mark.parametrize("system", [("--system", "mdav", "-k", "3"), (*NOISE, "1")])
def test_an_infinite_number(terminal, system: tuple[str, ...]) -> None:
    changed(terminal, income=pl.when(pl.col("age") > 70).then(float("inf")).otherwise("income"))

    said = terminal.refused_to_publish(*system)

    assert "column 'income' holds infinite values, so no mean exists" in said
    assert "Make them missing values" in said


def test_texts_where_numbers_should_be(terminal) -> None:
    changed(terminal, income=pl.lit("secret 7777777"))

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "column 'income' is described as numeric and holds other things" in said


@pytest.mark.parametrize("verb", [("publish", "-o", "out", "--system", "mdav"), ("schema",)])
@pytest.mark.parametrize("content", ["", "\n"])
def test_an_empty_file(terminal, verb: tuple[str, ...], content: str) -> None:
    (terminal.folder / "people.csv").write_text(content)

    said = terminal.refused(*verb[:1], "people.csv", *verb[1:], *(("-k", "3") if verb[1:] else ()))

    assert "'people.csv' is empty: it has no header line" in said
    assert "Check the export" in said


def test_a_table_with_a_header_only(terminal) -> None:
    (terminal.folder / "people.csv").write_text("name,age,income,town,pain,illness\n")

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "the table is empty" in said
    assert "nothing to publish" in said
    assert "Check the file" in said


def test_a_draft_of_a_table_with_a_header_only(terminal) -> None:
    (terminal.folder / "people.csv").write_text("name,age\n")

    assert "the table is empty" in terminal.refused("schema", "people.csv", "-o", "new.toml")


@pytest.mark.parametrize("system", ["mdav", "individual-ranking"])
def test_a_constant_column_in_a_system_of_clusters(terminal, system: str) -> None:
    changed(terminal, income=pl.lit(7777777.0))
    terminal.describe("town", role="confidential")

    said = terminal.refused_to_publish("--system", system, "-k", "3")

    assert "attribute 'income' is constant" in said
    assert "cannot tell records apart" in said
    assert 'Set its role to "non-confidential"' in said


def test_a_repeated_column_name(terminal) -> None:
    path = terminal.folder / "people.csv"
    path.write_text(path.read_text().replace("name,age", "age,age"))

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "the column name 'age' occurs more than once" in said
    assert "Rename the columns" in said


def test_a_file_that_is_not_utf8(terminal) -> None:
    path = terminal.folder / "people.csv"
    path.write_bytes(path.read_text().replace("Ahof", "Höfe 7777777").encode("latin-1"))

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "'people.csv' is not UTF-8 text" in said
    assert "--encoding cp1252" in said


def test_a_file_that_is_no_regular_table(terminal) -> None:
    with (terminal.folder / "people.csv").open("a") as file:
        file.write("Q 7777777,1,2,3,4,5,6,7\n")

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "of the file 'people.csv' has too many fields" in said


def test_values_outside_the_bounds_are_no_error_and_in_no_public_file(terminal) -> None:
    ran = terminal.publish(*NOISE, "1")

    assert ran.code == 0
    assert "7777777" not in ran.out + ran.err
    for path in (terminal.folder / "out").iterdir():
        assert "7777777" not in path.read_text()
        assert "outside_bounds" not in path.read_text()
    assert pl.read_csv(terminal.folder / "out" / "data.csv")["income"].max() <= 100_000


def test_a_nominal_value_that_is_not_in_its_categories(terminal) -> None:
    changed(terminal, town=pl.when(pl.col("age") > 60).then(pl.lit("Q7777777")).otherwise("town"))

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "column 'town' has a value that is missing in its list of categories" in said
    assert "Add it there, or correct the data" in said


def test_a_nominal_value_that_is_not_in_its_taxonomy(terminal) -> None:
    (terminal.folder / "towns.csv").write_text("child,parent\n*,\nAhof,*\nBdorf,*\nCstadt,*\n")
    terminal.describe("town", categories=None, taxonomy="towns.csv")
    changed(terminal, town=pl.when(pl.col("age") > 60).then(pl.lit("Q7777777")).otherwise("town"))

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "column 'town' has a value that is missing in its taxonomy" in said
    assert "so it has no place among the others" in said
    assert "Add it there" in said


def test_a_nominal_column_where_noise_needs_numbers(terminal) -> None:
    said = terminal.refused_to_publish("--system", "rank-blocks", "--epsilon", "1")

    assert "attribute 'town' is nominal" in said
    assert "--columns" in said

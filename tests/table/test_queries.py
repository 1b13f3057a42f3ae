"""Databases are asked for reading only, and their types and refusals come back as they should."""

from __future__ import annotations

import os
import sys
from types import ModuleType

import polars as pl
import pytest

import covey
from covey.errors import DataError
from covey.table.queries import read_query

ADDRESS = "postgresql://me:s3cret@host/db"


class Numeric(pl.BaseExtension):
    """What PostgreSQL's driver makes of numeric(10, 2)."""

    def __init__(self) -> None:
        super().__init__("arrow.opaque", pl.String(), '{"type_name": "numeric"}')


def answer() -> pl.DataFrame:
    texts = pl.Series("income", ["1234.50", None, "9.25"])
    return pl.DataFrame([texts.ext.to(Numeric()), pl.Series("age", [3, 4, 5])])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand for a server, and remember how it was asked."""
    found: list[str] = []

    def read(query: str, uri: str, engine: str) -> pl.DataFrame:
        found.extend([query, uri, engine])
        return pl.DataFrame() if query.startswith("DELETE") else answer()

    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql", ModuleType("driver"))
    monkeypatch.setattr(pl, "read_database_uri", read)
    return found


def test_numbers_of_postgresql_are_numbers(asked: list[str]) -> None:
    frame = read_query("postgresql://me:s3cret@host/db?SELECT * FROM people")

    assert frame["income"].to_list() == [1234.5, None, 9.25]
    assert frame.schema == {"income": pl.Float64, "age": pl.Int64}
    assert asked[0] == "SELECT * FROM people"


def test_postgresql_is_asked_for_reading_only(asked: list[str]) -> None:
    read_query(f"{ADDRESS}?SELECT 1")

    assert asked[1] == f"{ADDRESS}?options=-c%20default_transaction_read_only%3Don"


def test_a_connection_may_have_parameters_of_its_own(asked: list[str]) -> None:
    read_query(
        "postgresql://me:s3cret@host/db?sslmode=require&port=1?SELECT a FROM b WHERE c = '?'"
    )

    assert asked[0] == "SELECT a FROM b WHERE c = '?'"
    assert asked[1].startswith(f"{ADDRESS}?sslmode=require&port=1&options=")


def test_a_statement_that_answers_with_no_table_is_refused(asked: list[str]) -> None:
    with pytest.raises(DataError, match="did not answer the query with a table") as refused:
        read_query("postgresql://me:s3cret@host/db?DELETE FROM people")

    assert asked
    assert "s3cret" not in str(refused.value)


def test_types_that_extend_others_are_read_as_what_they_are_stored_as() -> None:
    frame = pl.DataFrame([answer()["income"], answer()["age"]])

    drafted = covey.Schema.draft(frame)

    assert drafted["income"].scale == "nominal"
    assert covey.read_table(frame, drafted).frame["income"].dtype == pl.String


@pytest.mark.skipif(
    "COVEY_POSTGRESQL" not in os.environ, reason="COVEY_POSTGRESQL names no server to ask"
)
def test_a_real_server_is_read_and_not_written() -> None:
    pytest.importorskip("adbc_driver_postgresql")
    place = os.environ["COVEY_POSTGRESQL"]
    columns = "1.50::numeric(10, 2) AS wage, date '2020-02-29' AS day, '01067'::char(5) AS plz"

    frame = read_query(f"{place}?SELECT {columns}, true AS ok")

    assert frame.row(0)[0] == 1.5
    assert frame["plz"].to_list() == ["01067"]
    assert (frame["day"].dtype, frame["ok"].dtype) == (pl.Date, pl.Boolean)
    with pytest.raises(DataError):
        read_query(f"{place}?CREATE TABLE covey_was_here AS SELECT 1 AS x")

"""A draft says what a person must still confirm."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey import Missing, Role, Scale, Schema
from covey.errors import DataError
from covey.table import draft_schema
from covey.table.draft import LISTED, MOST_CATEGORIES


def draft_of(values: list, name: str = "x", dtype: pl.DataType | None = None):
    return draft_schema(pl.DataFrame({name: pl.Series(values, dtype=dtype)}))[name]


def test_numbers_are_drafted_with_their_extremes_marked_as_taken_from_the_data() -> None:
    drafted = draft_of([3, 1, 2])

    assert (drafted.scale, drafted.role) == (Scale.NUMERIC, Role.QUASI_IDENTIFIER)
    assert drafted.bounds == (1.0, 3.0)
    assert drafted.integer
    assert drafted.drafted == ("bounds", "missing", "integer", "scale")
    assert drafted.relies_on_data


def test_texts_are_drafted_with_their_values_marked_as_taken_from_the_data() -> None:
    drafted = draft_of(["b", "a", "b"])

    assert drafted.scale is Scale.NOMINAL
    assert drafted.categories == ("a", "b")
    assert drafted.drafted == ("categories", "missing", "role", "scale")
    assert drafted.relies_on_data


def test_truth_values_are_drafted_as_categories() -> None:
    assert draft_of([True, False]).categories == ("false", "true")


@pytest.mark.parametrize("name", ["name", "Name", "id", "patient_id", "e-mail.email", "Phone"])
@pytest.mark.parametrize("values", [["a", "b"], [7777777, 2]])
def test_a_column_that_is_called_like_an_identifier_is_not_to_be_published(
    name: str, values: list
) -> None:
    drafted = draft_of(values, name)

    assert drafted.role is Role.IDENTIFIER
    assert drafted.bounds is None
    assert drafted.categories is None


@pytest.mark.parametrize("name", ["idle", "width", "surname_length", "paid"])
def test_a_column_that_only_looks_like_one_is(name: str) -> None:
    assert draft_of([1, 2], name).role is Role.QUASI_IDENTIFIER


def test_of_very_many_values_the_frequent_ones_are_proposed() -> None:
    many = [f"town {i:03}" for i in range(MOST_CATEGORIES + 1) for _ in range(2)]

    drafted = draft_of([*many, *["town 100"] * 5])

    assert drafted.role is Role.QUASI_IDENTIFIER
    assert drafted.unknown == "other"
    assert {"other", "town 000", "town 100"} <= set(drafted.categories or ())
    assert len(drafted.categories or ()) == LISTED + 1
    assert {"categories", "unknown"} <= set(drafted.drafted)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [([1, 2], pl.Duration), ([[1], [2]], pl.List(pl.Int64)), ([b"\xff", b"\x00"], pl.Binary)],
)
def test_durations_lists_and_bytes_become_identifiers(values: list, dtype: pl.DataType) -> None:
    assert draft_of(values, dtype=dtype).role is Role.IDENTIFIER


@pytest.mark.parametrize("values", [[1.0, 3.0, None], [1.0, 3.0, math.nan]])
def test_gaps_in_numbers_are_drafted_as_a_value_of_their_own(values: list) -> None:
    drafted = draft_of(values)

    assert drafted.missing is Missing.CATEGORY
    assert drafted.bounds == (1.0, 3.0)


def test_a_constant_column_is_drafted_without_bounds() -> None:
    drafted = draft_of([5, 5, 5])

    assert drafted.bounds is None
    assert drafted.read_off == ("missing", "integer", "role", "scale")
    assert drafted.role is Role.IDENTIFIER


def test_a_column_without_any_number_is_drafted_without_bounds() -> None:
    assert draft_of([None, None], dtype=pl.Float64).bounds is None


def test_a_table_without_records_cannot_be_drafted() -> None:
    with pytest.raises(DataError, match=r"is empty: it has columns and no records.*Check"):
        draft_schema(pl.DataFrame({"x": []}))


def test_a_table_without_columns_cannot_be_drafted() -> None:
    with pytest.raises(DataError, match=r"has no columns.*Check"):
        draft_schema(pl.DataFrame())


def test_a_schema_can_be_drafted_from_whatever_a_table_can_be_read_from() -> None:
    drafted = Schema.draft(np.array([[1.5, 2], [3, 4]]))

    assert drafted.names == ("x0", "x1")
    assert drafted["x0"].bounds == (1.5, 3.0)


@given(st.lists(st.one_of(st.none(), st.floats(), st.integers(-9, 9).map(float)), min_size=1))
def test_a_draft_of_any_numbers_is_a_schema_without_contradictions(values: list) -> None:
    drafted = draft_of(values, dtype=pl.Float64)

    assert drafted.bounds is None or drafted.bounds[0] < drafted.bounds[1]
    assert ("bounds" in drafted.read_off) == (drafted.bounds is not None)

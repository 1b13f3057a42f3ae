"""Profiles say what a column looks like, and never repeat a text of an identifier."""

from __future__ import annotations

import datetime as dt

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from covey.table import Attribute, Schema
from covey.table.profile import BARS, ColumnProfile, pattern_of, profile_columns


def profile_of(values, attribute: Attribute) -> ColumnProfile:
    frame = pl.DataFrame({attribute.name: values})
    return profile_columns(frame, Schema((attribute,)))[0]


@given(st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6), st.just(float("nan"))), min_size=1))
def test_bars_hold_every_number_and_gaps_the_rest(values) -> None:
    found = profile_of(pl.Series(values, dtype=pl.Float64), Attribute("x"))

    assert sum(found.bars) + found.gaps == found.n == len(values)
    assert len(found.bars) <= BARS


def test_special_values_are_told_apart_and_codes_for_missing_are_gaps() -> None:
    attribute = Attribute("x", special=(0.0,), missing_codes=("-9",), missing="category")

    found = profile_of([0, 0, 3, 4, -9, None], attribute)

    assert found.gaps == 2
    assert found.frequent == (("0", 2),)
    assert found.bars == (1, 1)
    assert found.ends == ("3", "4")


def test_dates_have_ends_that_are_dates() -> None:
    found = profile_of([dt.date(2020, 5, 1), dt.date(2021, 1, 3)], Attribute("x", kind="date"))

    assert found.ends == ("2020-05-01", "2021-01-03")
    assert found.bars == (1, 1)


def test_dates_that_cannot_be_read_are_shown_as_texts() -> None:
    found = profile_of(["2020-05-01", "soon"], Attribute("x", kind="date"))

    assert found.ends == ()
    assert dict(found.patterns) == {"9999-99-99": 1, "aaaa": 1}


def test_categories_come_with_counts_the_most_frequent_first() -> None:
    found = profile_of(["b", "a", "b", None], Attribute("x", scale="nominal"))

    assert found.frequent == (("b", 2), ("a", 1))
    assert (found.gaps, found.distinct) == (1, 2)


@given(st.lists(st.text(alphabet="abcXYZ0123456789 -", min_size=1, max_size=12), min_size=1))
def test_no_text_of_an_identifier_is_repeated(texts) -> None:
    attribute = Attribute("x", role="identifier", scale="nominal")

    found = profile_of(texts, attribute)

    assert found.frequent == ()
    assert not {c for pattern, _ in found.patterns for c in pattern} & set("bcXYZ012345678")


def test_a_pattern_is_as_long_as_it_needs_to_be() -> None:
    assert pattern_of("DE89 3704 0044 0532") == "AA99 9999 9999 9999"
    assert pattern_of("1" * 50) == "999999…"

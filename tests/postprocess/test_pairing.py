"""Shuffled columns keep their values, meet independently, and come sorted."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.postprocess import pairing
from covey.postprocess.pairing import distinct_values, shuffled_rows


@given(st.integers(1, 40), st.integers(1, 3), st.integers(1, 50), st.integers(0, 9))
def test_shuffled_rows_are_sorted_and_hold_each_value_as_often(n, columns, rows, seed) -> None:
    rng = np.random.default_rng(seed)
    counts = [np.bincount(rng.integers(0, 4, n), minlength=5) for _ in range(columns)]

    pieces = list(shuffled_rows(counts, rng, rows=rows))

    together = np.column_stack([np.concatenate(part) for part in zip(*pieces, strict=True)])
    assert together.tolist() == sorted(together.tolist())
    for column, expected in zip(together.T, counts, strict=True):
        assert np.bincount(column, minlength=5).tolist() == expected.tolist()


@pytest.mark.parametrize("many", [0, 10], ids=["by random bits", "by swapping"])
def test_values_of_two_columns_meet_independently(many, monkeypatch) -> None:
    monkeypatch.setattr(pairing, "_MANY", many)
    rng = np.random.default_rng(1)
    met = np.zeros((2, 2))
    for _ in range(2_000):
        for first, second in shuffled_rows([np.array([2, 2]), np.array([2, 2])], rng, rows=2):
            np.add.at(met, (first, second), 1)

    # 8000 rows, each pair in a quarter of them; five standard deviations of a mean of draws.
    assert np.abs(met / met.sum() - 0.25).max() < 0.25 * 5 * 0.5 / np.sqrt(2_000)


def test_rows_that_do_not_fit_into_one_integer_are_sorted_alike(monkeypatch) -> None:
    counts = [np.array([3, 4, 5]), np.array([6, 6]), np.array([2, 3, 3, 4])]
    packed = list(shuffled_rows(counts, np.random.default_rng(3), rows=12))

    monkeypatch.setattr(pairing, "WIDEST", 4)
    unpacked = list(shuffled_rows(counts, np.random.default_rng(3), rows=12))

    assert np.array_equal(packed, unpacked)


def test_means_that_become_one_value_are_counted_together_and_categories_sort_by_name() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3], "level": ["low", "high", "low"]})
    ordered = covey.Attribute("level", scale="ordinal", categories=("low", "high"))
    schema = covey.Schema((covey.Attribute("age", bounds=(0, 9), integer=True), ordered))
    table = covey.read_table(frame, schema)

    ages, often = distinct_values(table, "age", np.array([1.8, 2.2, 7.0]), np.array([4, 5, 6]))
    levels, _ = distinct_values(table, "level", np.array([0.0, 1.0]), np.array([1, 1]))

    assert np.rint(ages).tolist() == [2, 7]
    assert often.tolist() == [9, 6]
    assert levels.tolist() == [1.0, 0.0]  # "high" comes before "low"

"""Counting loses no value and looks at no more than it must."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from covey import Attribute, Scale
from covey.report import binned
from covey.report.binned import BINS, CATEGORIES, MISSING, bin_edges, count_columns
from tests.report.conftest import count_column

numbers = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=40)


@given(values=numbers)
@example(values=[5e-324, 0.0])
@example(values=[1e16, 1e16 + 2])
@example(values=[-1.7e308, 1.7e308])
def test_every_number_is_counted_once(values) -> None:
    counted = count_column(Attribute("x"), {"released": pl.Series(values)})

    assert counted.counts["released"].sum() == len(values)
    assert np.all(np.diff(counted.edges) > 0)
    assert counted.counts["released"].size <= BINS + 2


@given(low=st.integers(-1000, 1000), width=st.integers(0, 5000))
def test_bins_of_whole_numbers_hold_equally_many_of_them(low, width) -> None:
    edges = bin_edges(low, low + width, whole=True)

    held = np.histogram(np.arange(np.ceil(edges[0]), np.ceil(edges[-1])), bins=edges)[0]
    assert len(set(held.tolist())) == 1


def test_two_sets_of_records_are_counted_in_the_same_bins() -> None:
    sets = {"original": pl.Series([0.0, 10.0]), "released": pl.Series([5.0, 5.0])}

    counted = count_column(Attribute("x", unit="kg"), sets)

    assert counted.title == "x (kg)"
    assert [counts.size for counts in counted.counts.values()] == [counted.edges.size - 1] * 2


def test_values_outside_the_bounds_are_counted_at_the_bound() -> None:
    attribute = Attribute("x", bounds=(0, 10))

    counted = count_column(attribute, {"original": pl.Series([-5.0, 3.0, 9e9])})

    assert counted.edges[-1] <= 11
    assert counted.counts["original"][[0, -1]].tolist() == [1, 1]


@given(texts=st.lists(st.text(max_size=2) | st.none(), min_size=1, max_size=60))
def test_every_category_is_counted_or_added_up(texts) -> None:
    column = pl.Series("count", texts, dtype=pl.String)

    counted = count_column(Attribute("x", scale=Scale.NOMINAL), {"released": column})

    assert counted.counts["released"].sum() == len(texts)
    assert len(counted.labels) == counted.counts["released"].size <= CATEGORIES + 1


def test_ordered_categories_stay_in_their_order() -> None:
    pain = Attribute("pain", scale=Scale.ORDINAL, categories=("none", "mild", "strong"))

    counted = count_column(pain, {"released": pl.Series(["strong", "strong", "none", "mild"])})

    assert counted.labels == ("none", "mild", "strong")


@pytest.mark.parametrize("scale", [Scale.NUMERIC, Scale.NOMINAL])
def test_a_column_without_values_is_not_drawn(scale) -> None:
    dtype = pl.Float64 if scale is Scale.NUMERIC else pl.String

    counted = count_column(Attribute("x", scale=scale), {"released": pl.Series([], dtype=dtype)})

    assert counted is None


def test_columns_are_counted_piece_by_piece_as_all_at_once(monkeypatch) -> None:
    monkeypatch.setattr(binned, "_ROWS", 7)
    rng = np.random.default_rng(4)
    sets = {
        of: pl.DataFrame(
            {
                "income": pl.Series(rng.lognormal(8, 1, n)).scatter(0, None),
                "age": rng.integers(0, 90, n),
                "work": [None, *rng.choice(["a", "b", "c"], n - 1)],
                "town": [f"t{i}" for i in rng.zipf(1.5, n) % 40],
            }
        )
        for of, n in (("original", 100), ("released", 60))
    }
    income, age = Attribute("income", bounds=(0, 9_000)), Attribute("age")
    texts = [Attribute(name, scale=Scale.NOMINAL) for name in ("work", "town")]

    found = count_columns([income, age, *texts], {of: rows.lazy() for of, rows in sets.items()})

    assert list(found) == ["income", "age", "work", "town"]
    low = min(rows["income"].min() for rows in sets.values())
    edges = bin_edges(low, 9_000, whole=False)
    assert np.array_equal(found["income"].edges, edges)
    assert found["age"].edges[0] % 1 == 0.5
    for of, rows in sets.items():
        incomes = rows["income"].drop_nulls().clip(0, 9_000).to_numpy()
        assert np.array_equal(found["income"].counts[of], np.histogram(incomes, edges)[0])
        assert found["age"].counts[of].sum() == rows.height
        for name in ("work", "town"):
            texts = rows[name].fill_null(MISSING).to_list()
            shown = dict(zip(found[name].labels, found[name].counts[of], strict=True))
            others = {label: count for label, count in shown.items() if label.endswith("others")}
            assert all(texts.count(label) == shown[label] for label in shown.keys() - others)
            assert sum(shown.values()) == rows.height
    towns = set().union(*(rows["town"] for rows in sets.values()))
    assert found["town"].labels[-1] == f"{len(towns) - CATEGORIES} others"


def test_a_column_of_names_is_not_drawn_and_not_kept(monkeypatch) -> None:
    monkeypatch.setattr(binned, "_ROWS", 10)
    monkeypatch.setattr(binned, "MOST_LABELS", 30)
    names = pl.Series([f"n{i}" for i in range(31)] * 2)
    name = Attribute("x", scale=Scale.NOMINAL)

    assert count_column(name, {"released": names}) is None
    assert count_column(name, {"released": names[:30].append(names[:30])}) is not None

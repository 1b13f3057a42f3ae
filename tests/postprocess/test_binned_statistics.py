"""Means, quantiles and shares from bins hold the truth as often as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from covey.partition.bins import bins_of
from covey.postprocess.binned_statistics import mean_frame, quantile_frame
from covey.postprocess.controlled_rounding import rounding_order, whole_tables
from covey.postprocess.interactions import NoisyTable, consistent
from covey.postprocess.ratio_intervals import ratios
from covey.table import Attribute, Head, Scale, Schema

AGE = Attribute("age", bounds=(0, 99), integer=True)
SEX = Attribute("sex", scale=Scale.NOMINAL, categories=("f", "m"), missing="refuse")
HEAD = Head(schema=Schema((AGE, SEX)), n=600, kind="polars")
RUNS = 150
SCALE = 8.0


def people(rng):
    """Return ages and sexes, and the table of both."""
    age = np.clip(rng.normal(45, 18, 600), 0, 99).astype(int)
    sex = rng.integers(0, 2, 600)
    bins = {"age": bins_of(HEAD, AGE, 10), "sex": bins_of(HEAD, SEX, None)}
    cells = np.zeros((10, 2), dtype=np.int64)
    np.add.at(cells, (bins["age"].of[age], sex), 1)
    return age, sex, bins, cells


def noisy(rng, cells, total):
    p = math.exp(-1 / SCALE)
    noise = rng.geometric(1 - p, cells.shape) - rng.geometric(1 - p, cells.shape)
    table = NoisyTable(names=("age", "sex"), values=cells + noise, variance=2 * SCALE**2)
    margins = consistent([table], total)
    n = total if total is not None else max(0, round(float(margins[()].values)))
    return margins, whole_tables(margins, rounding_order([("age", "sex")]), n)


@pytest.mark.parametrize("total", [600, None], ids=["n public", "n noisy"])
def test_intervals_of_means_and_quantiles_hold(total) -> None:
    rng = np.random.default_rng(4)
    age, sex, bins, cells = people(rng)
    held = {"mean": 0, "by": 0, "quantile": 0, "share": 0}
    for _ in range(RUNS):
        margins, counts = noisy(rng, cells, total)
        means = mean_frame(margins, bins).to_dicts()
        wanted = [age.mean(), age[sex == 0].mean(), age[sex == 1].mean()]
        inside = [row["lower"] <= m <= row["upper"] for row, m in zip(means, wanted, strict=True)]
        held["mean"] += inside[0]
        held["by"] += inside[1]
        rows = quantile_frame(margins, counts, bins).to_dicts()
        (median,) = [r for r in rows if r["statistic"] == "quantile" and r["at"] == 0.5]
        held["quantile"] += median["lower"] <= np.sort(age)[299] <= median["upper"]
        (half,) = [r for r in rows if r["statistic"] == "cumulated share" and r["at"] == 49.0]
        held["share"] += half["lower"] <= (age <= 49).mean() <= half["upper"]

    assert min(held.values()) / RUNS >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / RUNS)


def test_without_noise_bins_tell_quantiles_and_shares_to_the_width_of_a_bin() -> None:
    age, _, bins, cells = people(np.random.default_rng(2))
    table = NoisyTable(names=("age", "sex"), values=cells, variance=1e-6)
    margins = consistent([table], 600)
    counts = whole_tables(margins, rounding_order([("age", "sex")]), 600)

    frame = quantile_frame(margins, counts, bins)

    for row in frame.to_dicts():
        if row["statistic"] == "quantile":
            true = np.quantile(age, row["at"], method="inverted_cdf")
            assert row["lower"] <= true <= row["upper"]
            assert row["upper"] - row["lower"] <= 19
            assert abs(row["value"] - true) <= 10
        else:
            assert row["value"] == pytest.approx((age <= row["at"]).mean())


def test_special_values_have_no_part_in_means_and_quantiles() -> None:
    wage = Attribute("wage", bounds=(0, 100), integer=True, special=(-9.0,))
    head = Head(schema=Schema((wage,)), n=100, kind="polars")
    bins = {"wage": bins_of(head, wage, [50.0])}
    table = NoisyTable(names=("wage",), values=np.array([60, 40, 0]), variance=1e-6)
    margins = consistent([table], 100)
    counts = whole_tables(margins, [], 100)

    mean = mean_frame(margins, bins)
    quantiles = quantile_frame(margins, counts, bins)

    assert mean["mean"].item() == pytest.approx(24.5, abs=0.01)
    assert quantiles["upper"].to_list()[:7] == [49.0] * 7


def test_where_a_group_may_be_empty_nothing_is_said_about_its_mean() -> None:
    found = ratios(np.array([[1.0, 2.0], [900.0, 100.0]]), np.array([0.0, 10.0]), 5.0, (0.0, 10.0))

    assert np.isnan(found.values[0])
    assert (found.low[0], found.high[0]) == (0.0, 10.0)
    assert found.values[1] == pytest.approx(1.0)
    assert 0.8 < found.low[1] < 1.0 < found.high[1] < 1.2


def test_tables_without_numbers_have_neither() -> None:
    table = NoisyTable(names=("sex",), values=np.array([5, 6]), variance=1.0)
    margins = consistent([table], None)
    bins = {"sex": bins_of(HEAD, SEX, None)}

    assert mean_frame(margins, bins) is None
    assert quantile_frame(margins, whole_tables(margins, [], 11), bins) is None

"""Intervals of cells hold the truth at least 95 times in 100, before and after agreement."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from covey.postprocess.cell_intervals import (
    LAPLACE_REACH,
    cell_intervals,
    gaussian_quantile,
    laplace_quantile,
)
from covey.postprocess.controlled_rounding import rounding_order, whole_tables
from covey.postprocess.interactions import NoisyTable, consistent, margin_over
from covey.postprocess.intervals import sum_quantile

NAMES = ("a", "b", "c")
RUNS = 150


@pytest.mark.parametrize("scale", [Fraction(1, 10), Fraction(1, 3), Fraction(2), Fraction(61, 7)])
def test_the_quantile_of_discrete_noise_is_the_smallest_that_holds_enough(scale) -> None:
    p = math.exp(-1 / scale)
    law = np.array([(1 - p) / (1 + p) * p ** abs(z) for z in range(-2000, 2001)])

    found = laplace_quantile(scale)

    assert law[2000 - found : 2001 + found].sum() >= 0.95
    assert found == 0 or law[2001 - found : 2000 + found].sum() < 0.95


@pytest.mark.parametrize("scale", [Fraction(1, 10), Fraction(1), Fraction(50)])
def test_the_variance_of_discrete_noise_is_not_underestimated(scale) -> None:
    p = math.exp(-1 / scale)

    assert 2 * p / (1 - p) ** 2 <= 2 * float(scale) ** 2


def test_a_sum_of_noise_reaches_less_far_than_one_laplace_variable() -> None:
    reached = [sum_quantile(count) / math.sqrt(2 * count) for count in (1, 2, 3, 5, 10, 100)]

    assert reached == sorted(reached, reverse=True)
    assert reached[0] == pytest.approx(LAPLACE_REACH, rel=1e-4)


def draws(rng, scale, shape):
    p = math.exp(-1 / scale)
    return rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)


@pytest.mark.parametrize("total", [None, 900], ids=["n noisy", "n public"])
@pytest.mark.parametrize("scales", [(3.0, 2.0, 8.0), (0.4, 0.6, 0.5)], ids=["coarse", "fine"])
@pytest.mark.parametrize(
    "tables",
    [[("a", "b"), ("b", "c"), ("a", "c")], [("a", "b", "c"), ("b",), ("c",)]],
    ids=["ring", "nested"],
)
def test_intervals_hold_as_often_as_they_say_after_agreement(tables, scales, total) -> None:
    rng = np.random.default_rng(11)
    cells = rng.multinomial(900, rng.dirichlet(np.full(24, 0.4))).reshape(3, 2, 4)
    order = rounding_order(tables)
    held: dict[tuple[str, ...], list[float]] = {}
    for _ in range(RUNS):
        noisy = []
        for names, scale in zip(tables, scales, strict=True):
            exact = margin_over(cells, NAMES, names)
            values = exact + draws(rng, scale, exact.shape)
            noisy.append(NoisyTable(names=names, values=values, variance=2 * scale**2))
        margins = consistent(noisy, total)
        n = total if total is not None else max(0, round(float(margins[()].values)))
        counts = whole_tables(margins, order, n)
        for names, margin in margins.items():
            low, high = cell_intervals(margin, counts[names], total)
            exact = margin_over(cells, NAMES, names)
            assert ((low <= counts[names]) & (counts[names] <= high)).all()
            held.setdefault(names, []).append(float(((low <= exact) & (exact <= high)).mean()))

    for names, shares in held.items():
        error = np.std(shares) / math.sqrt(RUNS)
        assert np.mean(shares) >= 0.95 - 3 * error, names


def test_intervals_are_not_wider_than_they_must_be() -> None:
    cells = np.full(20_000, 500)
    values = cells + draws(np.random.default_rng(5), 6.0, cells.size)

    margin = consistent([NoisyTable(names=("a",), values=values, variance=72.0)], None)["a",]
    low, high = cell_intervals(margin, values, None)

    assert 0.95 <= ((low <= cells) & (cells <= high)).mean() < 0.96


def test_an_exact_total_has_no_interval_and_nothing_is_below_zero_or_above_all() -> None:
    noisy = NoisyTable(names=("a",), values=np.array([-40, 90, 12]), variance=50.0)
    margins = consistent([noisy], 60)
    counts = whole_tables(margins, rounding_order([("a",)]), 60)

    low, high = cell_intervals(margins["a",], counts["a",], 60)
    total = cell_intervals(margins[()], counts[()], 60)

    assert [int(end) for end in total] == [60, 60]
    assert low.min() >= 0
    assert high.max() <= 60


@pytest.mark.parametrize("variance", ["0.05", "0.3", "1", "7.5", "400", "90000"])
def test_gaussian_noise_stays_within_its_quantile_and_within_no_less(variance) -> None:
    z = np.arange(-5000, 5001)
    law = np.exp(-(z**2) / (2 * float(variance)))
    law /= law.sum()

    within = gaussian_quantile(Fraction(variance))

    assert law[np.abs(z) <= within].sum() >= 0.95 - 1e-12
    assert within == 0 or law[np.abs(z) <= within - 1].sum() < 0.95

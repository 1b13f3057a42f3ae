"""Post-processing uses noisy values and public numbers only, and finds the nearest rise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core import Noisy
from covey.postprocess.isotonic import rising_means
from covey.table.grid import Grid

GRID = Grid(low=-10.0, high=10.0, steps=100)


def noisy_sums(sums: list[int]) -> Noisy:
    return Noisy(np.array(sums, dtype=np.int64), Fraction(1))


def nearest_rise(values: list[float], weights: list[float]) -> list[float]:
    """Pool adjacent violators, written down from the definition."""
    pools: list[list[float]] = []
    for value, weight in zip(values, weights, strict=True):
        pools.append([value, weight, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            later, earlier = pools.pop(), pools.pop()
            both = earlier[1] + later[1]
            mean = (earlier[0] * earlier[1] + later[0] * later[1]) / both
            pools.append([mean, both, earlier[2] + later[2]])
    return [mean for mean, _, length in pools for _ in range(int(length))]


blocks = st.lists(st.tuples(st.integers(-400, 900), st.integers(1, 6)), min_size=1, max_size=9)


@given(blocks)
def test_means_rise_within_the_public_bounds(drawn: list[tuple[int, int]]) -> None:
    sums, sizes = zip(*drawn, strict=True)

    values = rising_means(noisy_sums(list(sums)), np.array(sizes), GRID)

    assert values.size == len(sizes)
    assert (np.diff(values) >= 0).all()
    assert values.min() >= GRID.low
    assert values.max() <= GRID.high


@given(blocks)
def test_means_are_the_nearest_rise_weighted_by_the_squares_of_the_sizes(
    drawn: list[tuple[int, int]],
) -> None:
    sums, sizes = zip(*drawn, strict=True)
    means = [GRID.low + total / size * GRID.step for total, size in drawn]
    wanted = np.clip(nearest_rise(means, [float(size) ** 2 for size in sizes]), -10.0, 10.0)

    values = rising_means(noisy_sums(list(sums)), np.array(sizes), GRID)

    assert values == pytest.approx(wanted, abs=1e-9)


def test_means_that_rise_already_stay() -> None:
    means = rising_means(noisy_sums([50, 100, 300]), np.array([1, 2, 3]), GRID)

    assert means.tolist() == [0.0, 0.0, 10.0]

"""Counts alone tell how far values are from the means of their blocks of ranks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.aggregate.ranked_means import RankedMeans
from covey.partition import rank_block_sizes

integers = st.lists(st.integers(0, 9), min_size=1, max_size=30).map(np.array)


def blocks(values, k):
    """Return sizes and rising means of blocks, as a release would have them."""
    sizes = rank_block_sizes(values.size, min(k, values.size))
    rng = np.random.default_rng(values.size)
    return sizes, np.sort(rng.normal(5, 3, sizes.size))


@given(values=integers, k=st.integers(1, 12))
def test_whole_numbers_deviate_as_if_they_were_sorted(values, k) -> None:
    sizes, means = blocks(values, k)
    ranked = RankedMeans.of(np.bincount(values), sizes, means)

    found = ranked.deviations(values.astype(float), values)

    errors = np.sort(values) - np.repeat(means, sizes)
    assert found.n == values.size
    assert found.squared == pytest.approx([np.sum(errors**2)], rel=1e-12, abs=1e-12)
    assert found.absolute == pytest.approx([np.sum(np.abs(errors))], rel=1e-12, abs=1e-12)


@given(values=integers, k=st.integers(1, 12), seed=st.integers(0, 5))
def test_values_that_share_a_place_deviate_by_the_average_over_their_orders(
    values, k, seed
) -> None:
    sizes, means = blocks(values, k)
    rng = np.random.default_rng(seed)
    exact = values + rng.uniform(-0.5, 0.5, values.size)
    exact[rng.random(values.size) < 0.2] += 40.0
    ranked = RankedMeans.of(np.bincount(values), sizes, means)

    found = ranked.deviations(exact, values)

    order = np.argsort(values, kind="stable")
    given_means = np.repeat(means, sizes)
    errors = [exact[i] - given_means[values[order] == values[i]] for i in range(values.size)]
    assert found.squared == pytest.approx([sum(np.mean(e**2) for e in errors)], rel=1e-9)
    assert found.absolute == pytest.approx([sum(np.mean(np.abs(e)) for e in errors)], rel=1e-9)


def test_many_blocks_far_from_zero_lose_no_digits() -> None:
    rng = np.random.default_rng(4)
    values = np.sort(rng.integers(0, 1_000, 100_000))
    sizes = rank_block_sizes(values.size, 7)
    means = 1e6 + np.sort(rng.uniform(0, 1_000, sizes.size))
    ranked = RankedMeans.of(np.bincount(values), sizes, means)

    found = ranked.deviations(1e6 + values, values)

    errors = 1e6 + values - np.repeat(means, sizes)
    assert found.squared == pytest.approx([np.sum(errors**2)], rel=1e-9)
    assert found.absolute == pytest.approx([np.sum(np.abs(errors))], rel=1e-9)

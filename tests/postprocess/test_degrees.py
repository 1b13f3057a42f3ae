"""Degree distributions from noisy counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core import Noisy
from covey.postprocess.degrees import from_cumulative, from_histogram, from_sorted_sums
from covey.systems.sound.degrees import falling_blocks

degrees = st.lists(st.integers(0, 30), min_size=31, max_size=600).map(sorted)


def noisy(counts, scale: float = 1.0) -> Noisy:
    return Noisy(np.asarray(counts, dtype=np.int64), Fraction(scale))


@given(values=degrees)
def test_without_noise_the_sums_of_sorted_degrees_keep_their_total(values) -> None:
    sizes = falling_blocks(len(values))
    falling = np.array(values[::-1])
    sums = np.add.reduceat(falling, np.cumsum(sizes) - sizes)

    nodes = from_sorted_sums(noisy(sums), sizes)

    assert nodes.sum() == len(values)
    assert nodes.min() >= 0
    assert abs(int(np.arange(len(nodes)) @ nodes) - sum(values)) <= 1


def test_without_noise_single_ranks_give_the_degrees_back() -> None:
    values = [7, 5, 5, 2, 1, 1, 1, 0]

    nodes = from_sorted_sums(noisy(values), np.ones(8, dtype=np.int64))

    assert nodes.tolist() == np.bincount(values).tolist()


def test_a_block_between_two_degrees_holds_both_in_proportion() -> None:
    nodes = from_sorted_sums(noisy([13]), np.array([10]))

    assert nodes.tolist() == [0, 7, 3]


@given(values=degrees)
def test_without_noise_cumulative_counts_give_the_degrees_back(values) -> None:
    true = np.bincount(values, minlength=31)

    nodes = from_cumulative(noisy(np.cumsum(true)))

    assert nodes.tolist() == true[: max(values) + 1].tolist()


@pytest.mark.parametrize("estimate", [from_cumulative, from_histogram])
@given(counts=st.lists(st.integers(-50, 50), min_size=1, max_size=30))
def test_no_noise_makes_a_number_of_nodes_negative(estimate, counts) -> None:
    nodes = estimate(noisy(counts))

    assert nodes.min() >= 0
    assert len(nodes) <= max(len(counts), 1)


def test_counts_that_may_be_noise_are_set_to_zero() -> None:
    assert from_histogram(noisy([0, 100, 19, -5, 21, 3], scale=10.0)).tolist() == [0, 100, 0, 0, 21]

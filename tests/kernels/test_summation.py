"""A sum is rounded once, so it does not depend on the order of its values."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from covey.kernels.summation import MOST_PARTS, group_means, rounded_sum

any_size = st.floats(-1e300, 1e300)
similar = st.floats(-1e6, 1e6, allow_subnormal=False)
lists = st.lists(any_size, min_size=1, max_size=30) | st.lists(similar, min_size=1, max_size=60)


def summed(values: list[float]) -> float:
    return rounded_sum(np.array(values), 1.0, np.empty(MOST_PARTS))


def mean(values: list[float]) -> float:
    """Return the mean of one group."""
    labels = np.zeros(len(values), dtype=np.int64)
    return float(group_means(np.array(values), labels, np.array([len(values)]))[0])


@given(lists)
@example([1e16, 1.0, 1e-16])
@example([2.0**53, 1.0, -(2.0**-60)])
@example([2.0**53 + 2, 1.0, 2.0**-1074])
@example([-1e134, 2e-121, 5e-138, 1e-236, 1e134])
def test_a_sum_is_that_of_math_fsum(values) -> None:
    assert summed(values) == math.fsum(values)


@given(lists, st.randoms(use_true_random=False))
def test_a_sum_does_not_depend_on_the_order(values, random) -> None:
    expected = summed(values)

    random.shuffle(values)

    assert summed(values) == expected


@given(lists)
def test_what_is_added_and_taken_away_leaves_nothing(values) -> None:
    assert summed([*values, *(-value for value in values)]) == 0.0


@given(st.lists(similar, min_size=1, max_size=40))
def test_a_mean_is_the_rounded_sum_over_the_size_within_the_range(values) -> None:
    expected = math.fsum(values) / len(values)

    assert mean(values) == min(max(expected, min(values)), max(values))


@given(any_size, st.integers(1, 60))
def test_equal_values_are_their_own_mean(value, count) -> None:
    assert mean([value] * count) == value


def test_two_roundings_alone_would_leave_the_range() -> None:
    value, count = 92.15, 3

    assert math.fsum([value] * count) / count != value
    assert mean([value] * count) == value


@given(st.lists(st.floats(-1e308, 1e308), min_size=1, max_size=40))
def test_huge_values_do_not_overflow(values) -> None:
    expected = float(sum(map(Fraction, values)) / len(values))

    # Beside huge values, those near the smallest floats lose digits, always the same ones.
    assert mean(values) == pytest.approx(expected, rel=1e-15, abs=1e-300)


@given(st.lists(st.tuples(st.integers(0, 5), similar), min_size=1, max_size=60))
def test_groups_are_told_apart_by_their_labels(rows) -> None:
    _, labels, sizes = np.unique([row[0] for row in rows], return_inverse=True, return_counts=True)
    values = np.array([row[1] for row in rows])

    found = group_means(values, labels, sizes)

    assert found.tolist() == [mean(values[labels == group].tolist()) for group in range(len(sizes))]


def test_one_zero_stands_for_both() -> None:
    assert math.copysign(1.0, mean([-0.0, -0.0])) == 1.0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_not_finite_has_no_mean_and_spoils_no_other(bad) -> None:
    found = group_means(np.array([1.0, bad, 3.0, 5.0]), np.array([0, 0, 1, 1]), np.array([2, 2]))

    assert np.isnan(found[0])
    assert found[1] == 4.0


def test_no_values_have_no_means() -> None:
    none = np.empty(0, dtype=np.int64)

    assert group_means(np.empty(0), none, none).size == 0

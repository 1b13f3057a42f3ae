"""Rows get the categories that were published, where their boxes allow it, and means move least."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.postprocess.leaves import Clusters, whole_counts
from covey.postprocess.margins import (
    draw_codes,
    inner_bounds,
    moved_to,
    raked_shares,
    shifted_positions,
    tilted,
)


def expected_counts(low, high, counts, weights) -> np.ndarray:
    """Fill boxes by weights, one by one."""
    total = np.zeros(weights.size)
    for first, last, count in zip(low, high, counts, strict=True):
        inside = weights[first : last + 1]
        total[first : last + 1] += count * inside / inside.sum()
    return total


def test_raked_shares_reach_the_target_that_boxes_allow() -> None:
    low, high = np.array([0, 0, 2]), np.array([1, 3, 3])
    counts, target = np.array([40, 50, 10]), np.array([30, 25, 40, 5])

    weights = raked_shares(low, high, counts, target)

    assert expected_counts(low, high, counts, weights) == pytest.approx(target, abs=0.01)


@st.composite
def boxes(draw):
    """Draw boxes, their counts, and a target of the same total."""
    size = draw(st.integers(1, 6))
    pairs = draw(
        st.lists(
            st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), min_size=1, max_size=5
        )
    )
    low, high = (np.array(part) for part in zip(*map(sorted, pairs), strict=True))
    counts = np.array(draw(st.lists(st.integers(1, 30), min_size=low.size, max_size=low.size)))
    shares = np.array(draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)), dtype=float)
    return low, high, counts, whole_counts(shares, int(counts.sum()))


@given(boxes(), st.integers(0, 5))
def test_every_category_has_its_target_count_whatever_the_boxes(given_boxes, seed) -> None:
    low, high, counts, target = given_boxes

    codes = draw_codes(low, high, counts, target, np.random.default_rng(seed))

    assert np.bincount(codes, minlength=target.size).tolist() == target.tolist()


def test_rows_stay_in_their_boxes_where_the_target_allows_it() -> None:
    low, high = np.array([0, 2]), np.array([1, 3])
    counts, target = np.array([600, 400]), np.array([500, 100, 0, 400])

    codes = draw_codes(low, high, counts, target, np.random.default_rng(1))

    assert set(codes[:600].tolist()) == {0, 1}
    assert set(codes[600:].tolist()) == {3}


def test_two_columns_of_a_box_are_independent() -> None:
    low, high, counts = np.array([0]), np.array([1]), np.array([40_000])
    rng = np.random.default_rng(2)

    first, second = (
        draw_codes(low, high, counts, np.array([10_000, 30_000]), rng) for _ in range(2)
    )

    assert abs(np.corrcoef(first, second)[0, 1]) < 0.02


def test_as_few_codes_as_possible_are_changed() -> None:
    codes = np.array([0, 0, 0, 0, 1, 1, 2])

    changed = moved_to(codes, np.array([2, 2, 3]), np.random.default_rng(3))

    assert np.bincount(changed).tolist() == [2, 2, 3]
    assert np.count_nonzero(changed != codes) == 2


def test_a_mean_inside_its_bounds_stays() -> None:
    mass = np.array([0.2, 0.3, 0.5])

    assert tilted(mass, np.arange(3.0), 1.0, 1.4) is mass


@pytest.mark.parametrize(("low", "high", "mean"), [(1.5, 1.8, 1.5), (0.2, 0.6, 0.6)])
def test_a_mean_outside_its_bounds_is_tilted_to_the_nearer_one(low, high, mean) -> None:
    mass, values = np.array([0.2, 0.3, 0.5]), np.arange(3.0)

    found = tilted(mass, values, low, high)

    assert found @ values == pytest.approx(mean)
    assert found.sum() == pytest.approx(1.0)
    # Exponential tilts have constant ratios of ratios.
    ratios = found / mass
    assert ratios[1] / ratios[0] == pytest.approx(ratios[2] / ratios[1])


def test_a_mean_that_no_tilt_reaches_is_left_alone() -> None:
    mass = np.array([0.0, 0.0, 1.0])

    assert tilted(mass, np.arange(3.0), 0.5, 0.6) is mass


def two_boxes() -> Clusters:
    """Two boxes of one side: 0 to 10 with 30 rows around 5, and 10 to 20 with 10 rows around 15."""
    return Clusters(
        kept=np.arange(2),
        low=np.array([[0.0], [10.0]]),
        high=np.array([[10.0], [20.0]]),
        counts=np.array([30, 10]),
        positions=np.zeros((2, 1)),
    )


@pytest.mark.parametrize(
    ("low", "high", "by"), [(7.0, 8.0, 0.0), (8.5, 9.0, 0.2), (4.0, 5.0, -0.5), (19.0, 20.0, 1.0)]
)
def test_rows_move_inside_their_boxes_as_far_as_their_mean_asks_for(low, high, by) -> None:
    found = shifted_positions(two_boxes(), 0, low, high)

    assert found == pytest.approx([by, by])


def test_bounds_are_drawn_in_by_a_twentieth_of_their_distance() -> None:
    assert inner_bounds(10.0, 20.0) == (10.5, 19.5)

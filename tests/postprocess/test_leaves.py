"""Noisy boxes become whole clusters: what may be empty goes, the rest adds up to n."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from covey.postprocess.leaves import (
    KEEP_ABOVE,
    TRUST,
    Leaves,
    clusters_of,
    counts_inside,
    onto_simplex,
    whole_counts,
)

noisy_counts = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30).map(np.array)


@given(noisy=noisy_counts, n=st.integers(1, 10**6))
def test_whole_counts_are_not_negative_and_add_up(noisy, n) -> None:
    counts = whole_counts(noisy, n)

    assert counts.dtype == np.int64
    assert counts.shape == noisy.shape
    assert (counts >= 0).all()
    assert counts.sum() == n


@given(noisy=noisy_counts, n=st.integers(1, 10**6))
def test_a_larger_noisy_count_never_gets_fewer_records(noisy, n) -> None:
    counts = whole_counts(noisy, n)

    order = np.argsort(noisy)
    # Equal fractions go to the first, so neighbours may differ by the one record of a remainder.
    assert (np.diff(counts[order]) >= -1).all()


@given(counts=st.lists(st.integers(0, 10**6), min_size=1, max_size=30))
def test_counts_that_are_right_already_stay(counts) -> None:
    exact = np.array([1, *counts])

    assert whole_counts(exact.astype(np.float64), int(exact.sum())).tolist() == exact.tolist()


@pytest.mark.parametrize(
    ("noisy", "n", "expected"),
    [
        ([2.0, 1.0], 6, [4, 2]),
        ([-5.0, 3.0], 6, [0, 6]),
        ([-5.0, -3.0], 4, [2, 2]),
        ([0.0, 0.0, 0.0], 4, [2, 1, 1]),
        ([10.0, 6.0], 6, [5, 1]),
        ([10.0, 1.0], 6, [6, 0]),
        ([1.0, 1.0, 1.0], 5, [2, 2, 1]),
        ([0.4], 1, [1]),
    ],
)
def test_too_little_is_made_up_in_proportion_and_too_much_is_taken_off_evenly(
    noisy, n, expected
) -> None:
    assert whole_counts(np.array(noisy), n).tolist() == expected


@given(
    values=st.lists(st.floats(-100, 100), min_size=1, max_size=8).map(np.array),
    total=st.floats(0.5, 200),
)
def test_the_projection_is_the_only_point_of_the_simplex_that_no_other_is_nearer_than(
    values, total
) -> None:
    found = onto_simplex(values, total)

    assert (found >= 0).all()
    assert found.sum() == pytest.approx(total)
    # Nearest in a convex set: the way to every corner leads away from the point.
    corners = total * np.eye(values.size)
    assert ((corners - found) @ (values - found) <= 1e-6 * (1 + total) * 100).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_projection_is_what_a_general_optimiser_finds(seed) -> None:
    rng = np.random.default_rng(seed)
    values, total = rng.normal(2.0, 3.0, 6), 5.0

    found = onto_simplex(values, total)

    best = minimize(
        lambda x: np.sum((x - values) ** 2),
        np.full(6, total / 6),
        bounds=[(0, None)] * 6,
        constraints={"type": "eq", "fun": lambda x: x.sum() - total},
        method="SLSQP",
    )
    assert found == pytest.approx(best.x, abs=1e-4)


def leaves_of(counts, *, offsets=None, noise_sd=1.0, share=0.0, prior=0.0) -> Leaves:
    """Make boxes [2b, 2b + 2] of one side."""
    counts = np.array(counts, dtype=np.float64)
    boxes = counts.size
    low = 2.0 * np.arange(boxes)[:, None]
    return Leaves(
        low=low,
        high=low + 2.0,
        counts=counts,
        offsets=np.zeros((boxes, 1)) if offsets is None else np.array(offsets)[:, None],
        noise_sd=np.full(boxes, noise_sd),
        share=np.full(boxes, 0.0) + share,
        prior=np.full((boxes, 1), prior),
    )


def test_boxes_within_two_standard_deviations_of_the_noise_are_dropped() -> None:
    leaves = leaves_of([100.0, 20.0, 19.9, -50.0], noise_sd=10.0)

    found = clusters_of(leaves, 60)

    assert KEEP_ABOVE == 2.0
    assert found.kept.tolist() == [0]
    assert clusters_of(leaves_of([100.0, 20.1], noise_sd=10.0), 120).kept.tolist() == [0, 1]


def test_a_wide_box_needs_up_to_one_standard_deviation_more() -> None:
    counts, share = [100.0, 25.0, 25.0, 29.9, 30.1], np.array([0.0, 0.4, 0.6, 1.0, 1.0])

    found = clusters_of(leaves_of(counts, noise_sd=10.0, share=share), 100)

    assert found.kept.tolist() == [0, 1, 4]


def test_if_no_box_stands_out_the_largest_is_kept_with_all_records() -> None:
    found = clusters_of(leaves_of([-3.0, 1.0, -9.0], noise_sd=10.0), 40)

    assert found.kept.tolist() == [1]
    assert found.counts.tolist() == [40]


@given(
    counts=st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=20),
    n=st.integers(1, 10**5),
    noise_sd=st.floats(0.1, 1e3),
    data=st.data(),
)
def test_clusters_add_up_to_n_and_their_means_lie_inside_their_boxes(
    counts, n, noise_sd, data
) -> None:
    offsets = data.draw(st.lists(st.floats(-1e4, 1e4), min_size=len(counts), max_size=len(counts)))
    leaves = leaves_of(counts, offsets=offsets, noise_sd=noise_sd, prior=-0.3)

    found = clusters_of(leaves, n)

    assert found.counts.sum() == n
    assert (found.counts > 0).all()
    assert (found.low == leaves.low[found.kept]).all()
    assert (found.high == leaves.high[found.kept]).all()
    assert (np.abs(found.positions) <= 1).all()
    assert (found.centres >= found.low).all()
    assert (found.centres <= found.high).all()


def test_the_mean_is_measured_where_records_are_many_and_the_prior_s_where_they_are_few() -> None:
    many = clusters_of(leaves_of([1e6], offsets=[5e5], noise_sd=10.0, prior=-0.5), 10)
    few = clusters_of(leaves_of([1.0], offsets=[0.5], noise_sd=1e4, prior=-0.5), 10)

    assert many.positions[0, 0] == pytest.approx(0.5, abs=1e-6)
    assert few.positions[0, 0] == pytest.approx(-0.5, abs=1e-6)
    assert many.centres[0, 0] == pytest.approx(1.5, abs=1e-6)


def test_the_mean_is_weighed_by_the_variance_of_its_noise() -> None:
    found = clusters_of(leaves_of([40.0], offsets=[20.0], noise_sd=10.0, prior=-0.5), 40)

    variance = 10.0**2 * (1 + 0.5**2) / 40.0**2
    assert TRUST == 3.0
    assert found.positions[0, 0] == pytest.approx((0.5 - 0.5 * variance) / (1 + variance))


def test_less_trust_draws_the_mean_to_the_prior_and_another_threshold_keeps_other_boxes() -> None:
    leaves = leaves_of([40.0, 15.0], offsets=[20.0, 0.0], noise_sd=10.0)

    strict, lenient = clusters_of(leaves, 50), clusters_of(leaves, 50, keep_above=1.0, trust=0.25)

    assert strict.kept.tolist() == [0]
    assert lenient.kept.tolist() == [0, 1]
    assert 0 < lenient.positions[0, 0] < strict.positions[0, 0] < 0.5


@given(
    st.lists(st.integers(0, 200), min_size=1, max_size=8).flatmap(
        lambda counts: st.tuples(
            st.just(counts),
            st.lists(
                st.tuples(st.integers(-20, 220), st.integers(1, 60)),
                min_size=len(counts),
                max_size=len(counts),
            ),
        )
    )
)
def test_counts_are_moved_between_their_ends_wherever_all_fit(drawn) -> None:
    given_counts, ends = drawn
    counts = np.array(given_counts)
    low = np.array([max(at, 0) + 0.4 for at, _ in ends])
    high = low + np.array([wide for _, wide in ends])

    found = counts_inside(counts, low, high)

    assert found.sum() == counts.sum()
    if np.ceil(low).sum() <= counts.sum() <= np.floor(high).sum():
        assert ((low <= found) & (found <= high)).all()
    else:
        assert (found == counts).all()

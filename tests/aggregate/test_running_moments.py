"""Moments of pieces are brought together without losing digits."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey.aggregate.running_moments import RunningMoments

# Thousandths keep variances far from underflow; few of them bring ties and constant columns.
values = st.one_of(st.integers(-3, 3), st.integers(-1_000_000, 1_000_000)).map(lambda i: i / 1000)


@given(
    table=arrays(np.float64, st.tuples(st.integers(0, 20), st.just(3)), elements=values),
    cut=st.integers(0, 20),
)
def test_merged_moments_do_not_depend_on_where_the_records_are_cut(table, cut) -> None:
    whole, merged = (
        RunningMoments.of(table),
        RunningMoments.of(table[:cut]).merged(RunningMoments.of(table[cut:])),
    )

    assert merged.n == whole.n
    assert np.array_equal(merged.low, whole.low)
    assert np.array_equal(merged.high, whole.high)
    assert merged.means == pytest.approx(whole.means, rel=1e-12, abs=1e-12)
    assert merged.variances == pytest.approx(whole.variances, rel=1e-9, abs=1e-9)
    assert merged.correlations == pytest.approx(whole.correlations, abs=1e-6)


def test_a_constant_column_has_no_variance_in_spite_of_rounding() -> None:
    pieces = [np.full((n, 1), 0.1) for n in (3, 7, 11)]

    merged = reduce(RunningMoments.merged, map(RunningMoments.of, pieces))

    assert merged.variances.tolist() == [0.0]


def test_small_spread_far_from_zero_is_not_cancelled() -> None:
    rng = np.random.default_rng(3)
    table = 1e6 + rng.normal(size=(5_000, 2))

    merged = reduce(RunningMoments.merged, map(RunningMoments.of, np.array_split(table, 37)))

    assert merged.variances == pytest.approx(table.var(axis=0), rel=1e-9)


def test_pieces_without_records_change_nothing_however_large_the_values_are() -> None:
    none, some = RunningMoments.of(np.empty((0, 1))), RunningMoments.of(np.full((2, 1), 1e200))

    for found in (none.merged(some), some.merged(none)):
        assert found.n == 2
        assert found.means.tolist() == [1e200]
        assert found.variances.tolist() == [0.0]

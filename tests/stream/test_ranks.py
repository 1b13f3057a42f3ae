"""Counts tell sums of ranks, and shuffled columns keep their values."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey.aggregate import block_sums
from covey.stream.ranks import shuffled_rows, sums_of_ranks

VALUES = arrays(np.int64, st.integers(1, 60), elements=st.integers(0, 12))


@given(VALUES, st.data())
def test_sums_of_ranks_are_those_of_the_sorted_values(values, data) -> None:
    cuts = data.draw(
        st.sets(st.integers(1, values.size - 1)) if values.size > 1 else st.just(set())
    )
    sizes = np.diff([0, *sorted(cuts), values.size])

    found = sums_of_ranks(np.bincount(values, minlength=15), sizes)

    assert found.tolist() == block_sums(np.sort(values), sizes).tolist()


@given(st.integers(1, 40), st.integers(1, 3), st.integers(1, 50), st.integers(0, 9))
def test_shuffled_rows_are_sorted_and_hold_each_value_as_often(n, columns, rows, seed) -> None:
    rng = np.random.default_rng(seed)
    counts = [np.bincount(rng.integers(0, 4, n), minlength=5) for _ in range(columns)]

    pieces = list(shuffled_rows(counts, rng, rows=rows))

    together = np.column_stack([np.concatenate(part) for part in zip(*pieces, strict=True)])
    assert together.tolist() == sorted(together.tolist())
    for column, expected in zip(together.T, counts, strict=True):
        assert np.bincount(column, minlength=5).tolist() == expected.tolist()


def test_values_of_two_columns_meet_independently() -> None:
    rng = np.random.default_rng(1)
    met = np.zeros((2, 2))
    for _ in range(2_000):
        for first, second in shuffled_rows([np.array([2, 2]), np.array([2, 2])], rng, rows=2):
            np.add.at(met, (first, second), 1)

    # 8000 rows, each pair in a quarter of them; five standard deviations of a mean of draws.
    assert np.abs(met / met.sum() - 0.25).max() < 0.25 * 5 * 0.5 / np.sqrt(2_000)

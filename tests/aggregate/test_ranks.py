"""Counts tell sums of blocks of ranks."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey.aggregate import sums_of_ranks

VALUES = arrays(np.int64, st.integers(1, 60), elements=st.integers(0, 12))


@given(VALUES, st.data())
def test_sums_of_ranks_are_those_of_the_sorted_values(values, data) -> None:
    cuts = data.draw(
        st.sets(st.integers(1, values.size - 1)) if values.size > 1 else st.just(set())
    )
    sizes = np.diff([0, *sorted(cuts), values.size])

    found = sums_of_ranks(np.bincount(values, minlength=15), sizes)

    parts = np.split(np.sort(values), np.cumsum(sizes)[:-1])
    assert found.tolist() == [part.sum() for part in parts]
    assert found.dtype == np.int64


def test_sums_beyond_the_precision_of_floats_are_not_rounded() -> None:
    counts = np.array([0, 1, 2**52])

    found = sums_of_ranks(counts, np.array([2**52, 1]))

    assert found.tolist() == [2**53 - 1, 2]

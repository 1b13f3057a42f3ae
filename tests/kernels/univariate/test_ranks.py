"""Records get the value of the block that a stable sort would put them into."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey.kernels.univariate.ranks import values_by_rank
from covey.partition import rank_block_sizes

COLUMNS = arrays(np.int64, st.integers(1, 60), elements=st.integers(0, 9))


@given(COLUMNS, st.integers(1, 20), st.integers(0, 5))
def test_each_record_gets_the_value_of_its_rank(integers, k, unused) -> None:
    sizes = rank_block_sizes(integers.size, min(k, integers.size))
    values = np.arange(sizes.size) + 0.5
    counts = np.bincount(integers, minlength=integers.max() + 1 + unused)

    found = values_by_rank(integers, counts, sizes, values)

    expected = np.empty(integers.size)
    expected[np.argsort(integers, kind="stable")] = np.repeat(values, sizes)
    assert found.tolist() == expected.tolist()

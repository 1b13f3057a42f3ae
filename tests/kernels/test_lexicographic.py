"""Records are ordered by key after key as `np.lexsort` orders them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.kernels.lexicographic import lexicographic_order

FEW = st.sampled_from([-0.0, 0.0, 1.0, -1.5, 1e300, 5e-324])
ROWS = st.integers(1, 4).flatmap(lambda d: st.lists(st.tuples(*[FEW] * d), min_size=1, max_size=60))


@given(ROWS)
def test_the_order_is_that_of_lexsort(rows: list[tuple[float, ...]]) -> None:
    keys = list(np.array(rows).T)
    assert lexicographic_order(keys).tolist() == np.lexsort(keys[::-1]).tolist()


@pytest.mark.parametrize("distinct", [1, 2, 77, 10**6])
@pytest.mark.parametrize("kind", [np.int32, np.float64])
def test_many_records_are_ordered_as_by_lexsort(distinct: int, kind: type) -> None:
    rng = np.random.default_rng(distinct)
    keys = [rng.integers(d, size=30_000).astype(kind) for d in (distinct, 3, distinct)]
    assert np.array_equal(lexicographic_order(keys), np.lexsort(keys[::-1]))


def test_no_records_have_an_order() -> None:
    assert lexicographic_order([np.empty(0), np.empty(0)]).size == 0

"""MD with pruning forms the groups of the plain algorithm."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.kernels.mdav.md import md
from tests.oracles import microaggregation as oracle
from tests.oracles.shapes import by_content, shapes


@pytest.mark.parametrize("shape", tuple(shapes(4, 1)))
@pytest.mark.parametrize(("n", "d", "k"), [(31, 1, 3), (80, 2, 4), (90, 5, 7), (60, 20, 5)])
def test_it_equals_the_oracle(shape: str, n: int, d: int, k: int) -> None:
    X = shapes(n, d)[shape]

    assert md(X, k).tolist() == oracle.md(X, k).tolist()


@settings(max_examples=100)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 2), min_size=4, max_size=30),
    k=st.integers(2, 4),
)
def test_grids_full_of_ties_equal_the_oracle(rows, k) -> None:
    X = by_content(np.array(rows, dtype=np.float64))

    expected = oracle.md(X, k) if len(X) >= 2 * k else np.zeros(len(X), dtype=np.int64)

    assert md(X, k).tolist() == expected.tolist()


def test_the_records_are_not_modified() -> None:
    X = shapes(300, 3)["normal"]
    before = X.copy()

    md(X, 4)

    assert np.array_equal(X, before)


def test_an_interruption_stops_the_work() -> None:
    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        md(shapes(2000, 2)["normal"], 5, progress=interrupt)

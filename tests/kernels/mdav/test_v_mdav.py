"""V-MDAV forms the groups of the plain algorithm."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.kernels.mdav.v_mdav import vmdav
from tests.oracles import microaggregation as oracle
from tests.oracles.shapes import by_content, shapes


@pytest.mark.parametrize("gamma", [0.0, 0.2, 1.1])
@pytest.mark.parametrize("shape", tuple(shapes(4, 1)))
@pytest.mark.parametrize(("n", "d", "k"), [(31, 1, 3), (90, 2, 4), (80, 6, 5), (60, 20, 4)])
def test_it_equals_the_oracle(shape: str, n: int, d: int, k: int, gamma: float) -> None:
    X = shapes(n, d)[shape]

    assert vmdav(X, k, gamma).tolist() == oracle.vmdav(X, k, gamma).tolist()


@settings(max_examples=100)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 4)] * 2), min_size=4, max_size=30),
    k=st.integers(2, 4),
    gamma=st.sampled_from([0.0, 0.2, 1.0, 2.0]),
)
def test_grids_full_of_ties_equal_the_oracle(rows, k, gamma) -> None:
    X = by_content(np.array(rows, dtype=np.float64))
    if len(X) < 2 * k:
        return

    assert vmdav(X, k, gamma).tolist() == oracle.vmdav(X, k, gamma).tolist()


def test_groups_have_at_least_k_records_and_the_input_stays() -> None:
    X = shapes(3000, 3)["clustered"]
    before = X.copy()

    sizes = np.bincount(vmdav(X, 5, 0.5))

    assert np.array_equal(X, before)
    assert sizes.min() >= 5

"""A pairing is a permutation that tells nothing of the order of rows."""

from __future__ import annotations

import numpy as np
import pytest

from covey.engines.spark.pairing import paired, pairing_keys


@pytest.mark.parametrize("n", [1, 2, 3, 1000, 4097])
def test_a_pairing_takes_every_place_once(n) -> None:
    keys = pairing_keys(np.random.default_rng(n))

    found = paired(np.arange(n), n, keys)

    assert np.array_equal(np.sort(found), np.arange(n))


def test_a_pairing_leaves_no_trace_of_the_order() -> None:
    n = 50_000
    found = paired(np.arange(n), n, pairing_keys(np.random.default_rng(1)))

    # The correlation of two independent orders has a standard deviation of 1/√n.
    assert abs(np.corrcoef(found, np.arange(n))[0, 1]) < 5 / np.sqrt(n)
    assert abs(np.corrcoef(found[1:], found[:-1])[0, 1]) < 5 / np.sqrt(n)

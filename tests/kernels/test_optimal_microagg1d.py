"""Optimal univariate partitions agree with those of microagg1d, an independent package.

The first import of microagg1d compiles for about a minute; later ones take a second.
Its default method with its default sums (0.4.0) is not always optimal for small k: the
rational oracle sides with its other methods, so those are the reference here.
"""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.optimal import optimal_sizes
from tests.oracles.univariate import exact_total

microagg1d = pytest.importorskip("microagg1d", reason="microagg1d is in the dev extra of covey")

SAMPLES = {
    "normal": lambda rng: rng.normal(size=500),
    "heavy-tailed": lambda rng: rng.pareto(1.0, 500),
    "tied": lambda rng: rng.integers(0, 60, 500).astype(float),
}


def their_labels(x: np.ndarray, k: int) -> np.ndarray:
    return microagg1d.univariate_microaggregation(x, k=k, method="wilber", stable=2)


@pytest.mark.parametrize("k", [2, 3, 10, 100])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_sse_is_that_of_microagg1d(name, k) -> None:
    x = SAMPLES[name](np.random.default_rng(k))
    in_order = np.sort(x)

    ours = optimal_sizes(in_order, k)

    theirs = np.bincount(their_labels(x, k))
    assert exact_total(in_order, ours) == exact_total(in_order, theirs)


@pytest.mark.parametrize("k", [2, 3, 10, 100])
@pytest.mark.parametrize("name", ["normal", "heavy-tailed"])
def test_without_ties_the_labels_in_input_order_are_those_of_microagg1d(name, k) -> None:
    x = SAMPLES[name](np.random.default_rng(k))
    order = np.argsort(x)
    labels = np.empty(x.size, dtype=np.int64)

    sizes = optimal_sizes(x[order], k)

    labels[order] = np.repeat(np.arange(sizes.size), sizes)
    np.testing.assert_array_equal(labels, their_labels(x, k))


@pytest.mark.parametrize("k", [2, 3, 10])
def test_the_sse_is_never_above_that_of_the_default_method(k) -> None:
    x = np.sort(np.random.default_rng(k).normal(size=500))

    ours = optimal_sizes(x, k)

    theirs = np.bincount(microagg1d.univariate_microaggregation(x, k=k))
    assert exact_total(x, ours) <= exact_total(x, theirs)

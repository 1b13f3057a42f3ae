"""Optimal univariate partitions agree with those of microagg1d, an independent package.

Its default method with its default sums (0.4.0) is not always optimal for small k: the
rational oracle sides with its other methods, so those are the reference here.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from covey.kernels.univariate.optimal import optimal_sizes
from tests.oracles.uncompiled import labels_of_microagg1d
from tests.oracles.univariate import exact_total

SAMPLES = {
    "normal": lambda rng: rng.normal(size=500),
    "heavy-tailed": lambda rng: rng.pareto(1.0, 500),
    "tied": lambda rng: rng.integers(0, 60, 500).astype(float),
}


SIZES = [2, 3, 10, 100]
BEST = {"method": "wilber", "stable": 2}


def sample(name: str, k: int) -> np.ndarray:
    return SAMPLES[name](np.random.default_rng(k))


@pytest.fixture(scope="module")
def their_labels() -> dict[tuple[str, int], np.ndarray]:
    """Give the labels of microagg1d for every sample and k, by its methods that are optimal."""
    asked = list(product(SAMPLES, SIZES))
    questions = [(sample(name, k), {"k": k, **BEST}) for name, k in asked]
    return dict(zip(asked, labels_of_microagg1d(questions), strict=True))


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("name", SAMPLES)
def test_the_sse_is_that_of_microagg1d(name, k, their_labels) -> None:
    x = sample(name, k)
    in_order = np.sort(x)

    ours = optimal_sizes(in_order, k)

    theirs = np.bincount(their_labels[name, k])
    assert exact_total(in_order, ours) == exact_total(in_order, theirs)


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("name", ["normal", "heavy-tailed"])
def test_without_ties_the_labels_in_input_order_are_those_of_microagg1d(
    name, k, their_labels
) -> None:
    x = sample(name, k)
    order = np.argsort(x)
    labels = np.empty(x.size, dtype=np.int64)

    sizes = optimal_sizes(x[order], k)

    labels[order] = np.repeat(np.arange(sizes.size), sizes)
    np.testing.assert_array_equal(labels, their_labels[name, k])


@pytest.mark.parametrize("k", [2, 3, 10])
def test_the_sse_is_never_above_that_of_the_default_method(k) -> None:
    x = np.sort(np.random.default_rng(k).normal(size=500))

    ours = optimal_sizes(x, k)

    (theirs,) = map(np.bincount, labels_of_microagg1d([(x, {"k": k})]))
    assert exact_total(x, ours) <= exact_total(x, theirs)

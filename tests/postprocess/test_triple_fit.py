"""A noisy table of three columns keeps what stands out, and its pairs."""

from __future__ import annotations

import numpy as np
import pytest

from covey.postprocess.raking import clique_of
from covey.postprocess.triple_fit import fitted_triple


def pairs_of(table):
    return table.sum(axis=2), table.sum(axis=1), table.sum(axis=0)


def test_a_strong_interaction_is_kept_and_the_pairs_are_exact() -> None:
    rng = np.random.default_rng(1)
    truth = rng.dirichlet(np.ones(4 * 3 * 5)).reshape(4, 3, 5)
    noisy = 10_000 * truth + rng.laplace(0, 5, truth.shape)

    found = fitted_triple(noisy, 5 * np.sqrt(2), pairs_of(truth), n=10_000)

    alone = clique_of(truth.sum(axis=1), truth.sum(axis=0), truth.sum(axis=2))
    assert np.abs(found - truth).sum() < 0.2 * np.abs(alone - truth).sum()
    for mine, given in zip(pairs_of(found), pairs_of(truth), strict=True):
        assert mine == pytest.approx(given, abs=2e-3)


def test_noise_alone_adds_little_to_what_the_pairs_say() -> None:
    rng = np.random.default_rng(2)
    truth = np.einsum("i,j,k", *(rng.dirichlet(np.full(6, 9.0)) for _ in range(3)))
    ours, raw = [], []
    for _ in range(20):
        noisy = 1000 * truth + rng.laplace(0, 10, truth.shape)
        found = fitted_triple(noisy, 10 * np.sqrt(2), pairs_of(truth), n=1000)
        ours.append(np.abs(found - truth).sum())
        raw.append(np.abs(noisy / 1000 - truth).sum())

    assert np.mean(ours) < 0.2 * np.mean(raw)


@pytest.mark.parametrize("shape", [(1, 3, 4), (2, 2, 2), (2, 1, 1)])
def test_small_tables_have_shares_and_given_pairs(shape) -> None:
    rng = np.random.default_rng(3)
    truth = rng.dirichlet(np.ones(int(np.prod(shape)))).reshape(shape)
    noisy = 500 * truth + rng.laplace(0, 4, shape)

    found = fitted_triple(noisy, 4 * np.sqrt(2), pairs_of(truth), n=500)

    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1, abs=1e-6)

"""Sampling finds what is there, does not find what is not, and says when it could not have."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from covey.audit.law import NoisyVector, VectorLaw
from covey.audit.sampling import Verdict, clopper_pearson, lower_bound, sampled
from covey.perturb import SeededNoise


def laplace(loss: float, scale: float = 64.0) -> VectorLaw:
    """Return a count that moves so far that its loss is this one."""
    here, there = (NoisyVector.of([centre], [scale]) for centre in (0, round(loss * scale)))
    return VectorLaw(words="", here=here, there=there)


@pytest.mark.parametrize(("count", "runs"), [(0, 50), (1, 50), (25, 50), (50, 50), (7, 1000)])
def test_the_limits_are_those_at_which_the_count_would_be_surprising(count, runs) -> None:
    low, high = (limit[0] for limit in clopper_pearson(np.array([count]), runs, error=0.01))

    # Nothing is surprisingly rare at 0, nor surprisingly frequent at 1.
    rare = 0.0 if count == 0 else binom.sf(count - 1, runs, low)
    frequent = 0.0 if count == runs else binom.cdf(count, runs, high)
    assert rare == pytest.approx(0.005 if count else 0.0)
    assert frequent == pytest.approx(0.005 if count < runs else 0.0)
    assert low <= count / runs <= high


@pytest.mark.parametrize("runs", [1_000, 200_000])
def test_an_infinite_loss_shows_as_the_logarithm_of_the_runs(runs) -> None:
    bound = lower_bound(lambda side, count: np.full(count, float(side)), runs)

    assert bound == pytest.approx(math.log(runs / 7.6), abs=0.01)


def test_inputs_that_give_the_same_output_have_no_loss() -> None:
    assert lower_bound(lambda _side, count: np.zeros(count), 1_000) == 0.0


def test_the_bound_hardly_ever_exceeds_the_true_loss() -> None:
    subject, source = laplace(0.5), SeededNoise.of(3)

    bounds = [
        lower_bound(lambda side, count: subject.draw(side, count, source), 2_000)
        for _ in range(200)
    ]

    # Wrong once in a thousand: four of two hundred would be most unlikely.
    assert sum(bound > subject.exact for bound in bounds) < 4
    assert 0.2 < np.mean(bounds) < 0.5


@pytest.mark.parametrize(
    ("loss", "verdict"),
    [(1.0, Verdict.NOT_REFUTED), (2.0, Verdict.REFUTED), (0.3, Verdict.NO_POWER)],
)
def test_noise_off_by_a_factor_of_two_is_refuted_and_right_noise_is_not(loss, verdict) -> None:
    found = sampled(laplace(loss), epsilon=1.0, runs=20_000, source=SeededNoise.of(1))

    assert found.verdict is verdict
    assert found.bound <= loss


def test_an_audit_with_few_runs_says_that_it_has_no_power() -> None:
    found = sampled(laplace(1.0), epsilon=1.0, runs=20, source=SeededNoise.of(1))

    assert found.verdict is Verdict.NO_POWER


def test_an_exact_loss_above_epsilon_refutes_without_any_sampling() -> None:
    # Three percent too much: sampling would need far more runs.
    found = sampled(laplace(1.03, scale=100.0), epsilon=1.0, runs=500, source=SeededNoise.of(1))

    assert found.bound <= 1.0
    assert found.verdict is Verdict.REFUTED


def test_there_is_no_word_for_a_claim_that_is_true() -> None:
    assert {str(verdict) for verdict in Verdict} == {"refuted", "not refuted", "no power"}

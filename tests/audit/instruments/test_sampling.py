"""Sampling finds what is there, and does not find what is not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from covey.audit.cases.specimens import counts_law
from covey.audit.instruments.law import DrawLaw
from covey.audit.instruments.sampling import clopper_pearson, lower_bound
from covey.seeded import SeededNoise


def laplace(loss: float, scale: int = 64) -> DrawLaw:
    """Return a count that moves so far that its loss is this one."""
    return counts_law([0], [round(loss * scale)], scale)


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

"""Discrete Gaussian noise has exactly its law and its price."""

from __future__ import annotations

import math
import os
from fractions import Fraction

import numpy as np
import pytest

from covey.core.digits import FARTHEST, Digit
from covey.core.gauss import FIRST_PLACES, _settle, gaussian_noise, reaches
from tests.core.frequencies import fits, happens
from tests.core.opendp import opendp_gaussian

DRAWS = 20_000
SMALL = [Fraction(1, 4), Fraction(7, 10), Fraction(2), Fraction(50, 3)]
LARGE = [Fraction(10**5, 7), Fraction(2**40), Fraction(10**40, 3**20 + 1)]


def gaussian_law(variance: float) -> dict[int, float]:
    """Return the probability of each number that is not too rare."""
    weights = {z: math.exp(-z * z / (2 * variance)) for z in range(-400, 401)}
    total = math.fsum(weights.values())
    return {z: weight / total for z, weight in weights.items() if weight / total > 1e-3}


def has_variance(noise: np.ndarray, variance: float) -> bool:
    """Return whether the mean of z² is within six standard errors of what the law gives."""
    z = np.arange(-400, 401)
    share = np.exp(-(z**2) / (2 * variance))
    share /= share.sum()
    mean, fourth = (z**2 * share).sum(), (z**4 * share).sum()
    return abs(np.mean(noise**2) - mean) < 6 * math.sqrt((fourth - mean**2) / noise.size)


def normal(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2


@pytest.mark.parametrize("variance", SMALL, ids=str)
def test_small_noise_follows_its_law_number_by_number_and_so_does_opendp_s(variance) -> None:
    ours = gaussian_noise(variance, DRAWS, os.urandom)
    # OpenDP takes a standard deviation, as a float: close enough for so many draws.
    theirs = np.array(opendp_gaussian(math.sqrt(variance))([0] * DRAWS))

    for noise in (ours, theirs):
        assert fits(noise, gaussian_law(float(variance)))
        verdicts = [has_variance(noise, factor * float(variance)) for factor in (0.8, 1, 1.2)]
        assert verdicts == [False, True, False]


@pytest.mark.parametrize("variance", LARGE, ids=lambda variance: f"{float(variance):.3g}")
def test_large_noise_falls_into_bins_as_often_as_it_should(variance) -> None:
    noise = gaussian_noise(variance, DRAWS, os.urandom)
    sigma = math.sqrt(variance)

    cuts = (-2.0, -1.0, -0.3, 0.0, 0.3, 1.0, 2.0)
    for cut in cuts:
        # At this size the sum over integers is the integral up to half a step.
        share = normal((math.floor(cut * sigma) + 0.5) / sigma)
        assert happens(noise <= math.floor(cut * sigma), share, among=len(cuts))
    assert not happens(noise <= sigma, normal(1 / math.sqrt(0.8)))
    assert not happens(noise <= sigma, normal(1 / math.sqrt(1.2)))
    assert happens(noise % 2 == 0, 1 / 2)


def test_noise_that_would_leave_64_bits_stops_at_a_bound() -> None:
    noise = gaussian_noise(Fraction(2**122), 2000, os.urandom)

    assert (noise.min(), noise.max()) == (-FARTHEST, FARTHEST)
    assert happens(noise == FARTHEST, 1 - normal(2), among=2)
    assert happens(noise > 2**61, 1 - normal(1), among=2)


def test_noise_smaller_than_a_step_is_drawn_too() -> None:
    assert not gaussian_noise(Fraction(1, 1000), DRAWS, os.urandom).any()
    assert gaussian_noise(Fraction(5), 0, os.urandom).tolist() == []


@pytest.mark.parametrize("kind", [np.int64, object])
@pytest.mark.parametrize(
    "x", [Fraction(0), Fraction(3, 10), Fraction(1), Fraction(7, 2), Fraction(10**9)], ids=str
)
def test_an_event_has_probability_exp_minus_x(x, kind) -> None:
    events = reaches(np.full(DRAWS, x.numerator, dtype=kind), x.denominator, os.urandom)

    assert happens(events, math.exp(-x))
    if 0 < x < 10:
        assert not happens(events, math.exp(-0.8 * x))
        assert not happens(events, math.exp(-1.2 * x))


def test_an_event_of_a_long_denominator_has_its_probability_too() -> None:
    events = reaches(np.full(DRAWS, 2**40), 2**40 * 3**50 + 1, os.urandom)
    again = reaches(np.full(DRAWS, 3**50, dtype=object), 2 * 3**50 + 1, os.urandom)

    assert events.all()
    assert happens(again, math.exp(-0.5))


@pytest.mark.parametrize("share", [Fraction(1, 5), Fraction(1, 2), Fraction(6, 7)], ids=str)
def test_equal_first_places_are_settled_by_further_ones(share) -> None:
    # The exponential number begins like the exponent: the rest is almost uniform in one step.
    exponent = (3 + share) / 2**FIRST_PLACES

    events = [_settle(exponent, 3, os.urandom) for _ in range(1000)]

    assert happens(events, float(1 - share))


def test_whole_exponents_and_different_places_need_no_further_ones() -> None:
    def none(count: int) -> bytes:
        raise AssertionError(count)

    exponent = Fraction(7, 2 * 2**FIRST_PLACES)
    assert _settle(Fraction(3, 2**FIRST_PLACES), 3, none)
    assert not _settle(exponent, 2, none)
    assert _settle(exponent, 4, none)


def test_further_places_are_those_of_an_exponential_number() -> None:
    # The next nine places of 2^−16-th parts: nearly uniform, which a digit of scale 2^25 is.
    digit = Digit(Fraction(2 ** (FIRST_PLACES + 9)), 2**9)
    exponent = (
        Fraction(1, 2**FIRST_PLACES) + Fraction(100, 2 ** (FIRST_PLACES + 9)) + Fraction(1, 2**90)
    )

    events = [_settle(exponent, 1, os.urandom) for _ in range(1000)]

    share = digit.floors(64)[99] / 2**64
    assert happens(events, 1 - share)


@pytest.mark.parametrize("variance", [0.3, 1.0, 7.0])
@pytest.mark.parametrize("shift", [1, 2, 5])
@pytest.mark.parametrize("order", [1.1, 2.0, 3.7, 20.0])
def test_divergences_are_what_the_proof_says_and_attained_at_whole_orders(
    variance, shift, order
) -> None:
    z = np.arange(-800, 801)
    logs = -(z**2) / (2 * variance), -((z - shift) ** 2) / (2 * variance)
    total = math.fsum(np.exp(logs[0]))
    exponents = order * logs[0] + (1 - order) * logs[1] - math.log(total)
    top = exponents.max()
    divergence = (top + math.log(math.fsum(np.exp(exponents - top)))) / (order - 1)

    bound = order * shift**2 / (2 * variance)

    assert divergence <= bound * (1 + 1e-12)
    if order == 2.0:
        assert divergence == pytest.approx(bound)


@pytest.mark.parametrize("sigma", [0.5, 3.0, 1000.0])
def test_the_price_of_a_sensitivity_is_opendp_s(sigma) -> None:
    assert opendp_gaussian(sigma).map(2.0) == pytest.approx(4 / (2 * sigma**2), rel=1e-12)

"""A record is kept exactly as often as its preference allows, and never more often."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import UnprovenError
from covey.perturb import SecureNoise, SeededNoise, keep_records
from covey.perturb.keep import PARTS, kept_parts
from covey.privacy import Budget, PrivacyUnit, Sensitivity, sensitivity
from tests.perturb.frequencies import happens

ONE = sensitivity("personalised", "records")
levels = st.fractions(Fraction(1, 10**9), 40, max_denominator=10**9)


def exp_between(x: Fraction, terms: int = 300) -> tuple[Fraction, Fraction]:
    """Enclose exp(x) by its series and a bound on the rest, in exact arithmetic."""
    term, total = Fraction(1), Fraction(1)
    for i in range(1, terms):
        # Shorter fractions, rounded down: every term may lack 2**-300, and the rest pays for it.
        term = Fraction(math.floor(term * x / i * 2**300), 2**300)
        total += term
    return total, total + Fraction(1, 2**200)


@given(preference=levels, threshold=levels)
def test_the_probability_is_the_largest_number_of_parts_that_is_not_above_it(
    preference, threshold
) -> None:
    parts = kept_parts(preference, threshold)

    if preference >= threshold:
        assert parts == PARTS
        return
    (least, most), (low, high) = exp_between(preference), exp_between(threshold)
    assert Fraction(parts, PARTS) <= (least - 1) / (high - 1)
    assert Fraction(parts + 2, PARTS) > (most - 1) / (low - 1)


@pytest.mark.parametrize(
    ("preference", "threshold"), [("1e-9", "1e9"), ("1", "1e9"), ("999999999", "1e9"), ("1e-9", 60)]
)
def test_extreme_preferences_have_a_probability_too(preference, threshold) -> None:
    parts = kept_parts(Fraction(preference), Fraction(threshold))

    expected = math.exp(float(Fraction(preference) - Fraction(threshold)))
    assert 0 <= parts <= expected * PARTS * (1 + 1e-9)


def test_a_larger_preference_is_kept_at_least_as_often() -> None:
    parts = [kept_parts(Fraction(i, 100), Fraction(2)) for i in range(1, 220)]

    assert parts == sorted(parts)
    assert parts[-1] == PARTS


@pytest.mark.parametrize("source", [SecureNoise(), SeededNoise.of(5)], ids=["secure", "seeded"])
def test_coins_fall_as_often_as_they_should(source) -> None:
    preferences = np.tile([0.1, 0.5, 1.0, 3.0], 20_000)

    kept = keep_records(preferences, sensitivity=ONE, budget=Budget.of(1), source=source)

    for j, preference in enumerate((0.1, 0.5, 1.0, 3.0)):
        probability = min(1.0, math.expm1(preference) / math.expm1(1.0))
        assert kept.probabilities[j] == pytest.approx(probability, rel=1e-12)
        assert happens(kept.mask[j::4], kept.probabilities[j], among=4)
    assert not happens(kept.mask[::4], 0.1, among=4)
    assert kept.mask[2::4].all()


def test_the_coin_compares_a_uniform_number_with_the_parts() -> None:
    parts = kept_parts(Fraction(1, 2), Fraction(1))

    class Fed:
        secure = True

        def __init__(self, number: int) -> None:
            self.number = number

        def random_bytes(self, count: int) -> bytes:
            assert count == 8
            return np.array([2 * self.number + 1], dtype=np.uint64).tobytes()

    for number, expected in [(0, True), (parts - 1, True), (parts, False), (PARTS - 1, False)]:
        kept = keep_records(
            np.array([0.5]), sensitivity=ONE, budget=Budget.of(1), source=Fed(number)
        )
        assert kept.mask.tolist() == [expected]


def test_the_account_names_the_threshold_the_unit_and_the_proof() -> None:
    kept = keep_records(np.ones(3), sensitivity=ONE, budget=Budget.of(2), source=SecureNoise())

    assert (kept.epsilon, kept.unit, kept.claim, kept.secure) == (
        2,
        PrivacyUnit.REPLACE_RECORD,
        "personalised",
        True,
    )


def test_an_input_that_changes_in_two_records_is_not_covered() -> None:
    two = Sensitivity(l1=2, unit=PrivacyUnit.REPLACE_RECORD, claim="personalised")

    with pytest.raises(UnprovenError, match="more than one record"):
        keep_records(np.ones(3), sensitivity=two, budget=Budget.of(1), source=SecureNoise())


def test_an_enclosure_of_exp_contains_it() -> None:
    for x in (Fraction(1, 10**9), Fraction(1), Fraction(40)):
        low, high = exp_between(x)

        assert low <= high
        assert float(low) == pytest.approx(math.exp(x), rel=1e-14)

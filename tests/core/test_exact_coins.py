"""A record is kept exactly as often as its preference allows, and never more often."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core.exact import COIN_PARTS, kept_parts

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
        assert parts == COIN_PARTS
        return
    (least, most), (low, high) = exp_between(preference), exp_between(threshold)
    assert Fraction(parts, COIN_PARTS) <= (least - 1) / (high - 1)
    assert Fraction(parts + 2, COIN_PARTS) > (most - 1) / (low - 1)


@pytest.mark.parametrize(
    ("preference", "threshold"), [("1e-9", "1e9"), ("1", "1e9"), ("999999999", "1e9"), ("1e-9", 60)]
)
def test_extreme_preferences_have_a_probability_too(preference, threshold) -> None:
    parts = kept_parts(Fraction(preference), Fraction(threshold))

    expected = math.exp(float(Fraction(preference) - Fraction(threshold)))
    assert 0 <= parts <= expected * COIN_PARTS * (1 + 1e-9)


def test_a_larger_preference_is_kept_at_least_as_often() -> None:
    parts = [kept_parts(Fraction(i, 100), Fraction(2)) for i in range(1, 220)]

    assert parts == sorted(parts)
    assert parts[-1] == COIN_PARTS


def test_an_enclosure_of_exp_contains_it() -> None:
    for x in (Fraction(1, 10**9), Fraction(1), Fraction(40)):
        low, high = exp_between(x)

        assert low <= high
        assert float(low) == pytest.approx(math.exp(x), rel=1e-14)

"""Bounds of exponentials and logarithms enclose the true values, and closely."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core.bounds import binary_above, exp_bounds, log_bounds, shortened

WIDE = Context(prec=400)
positive = st.builds(Fraction, st.integers(1, 10**40), st.integers(1, 10**40))


def decimal(x: Fraction) -> Decimal:
    return WIDE.divide(Decimal(x.numerator), Decimal(x.denominator))


@given(x=st.fractions(-500, 500), places=st.integers(1, 300))
def test_bounds_of_the_exponential_enclose_it_closely(x, places) -> None:
    low, high = exp_bounds(x, places)
    true = Fraction(WIDE.exp(decimal(x)))

    assert low < true < high
    assert high - low <= max(true, 1) * Fraction(1, 2**places)


@given(x=positive, places=st.integers(1, 300))
def test_bounds_of_the_logarithm_enclose_it_closely(x, places) -> None:
    low, high = log_bounds(x, places)
    true = Fraction(WIDE.ln(decimal(x)))

    assert low < true < high or low == true == high == 0
    assert high - low <= max(abs(true), 1) * Fraction(1, 2**places)


def test_the_logarithm_of_one_is_zero_and_nearly_one_has_bounds_on_its_side() -> None:
    above = log_bounds(1 + Fraction(1, 10**100), 64)

    assert log_bounds(Fraction(1), 64) == (0, 0)
    assert above[0] == 0 < Fraction(1, 10**100) < above[1] < Fraction(1, 2**64)


def test_what_is_smaller_than_the_last_place_is_bounded_by_it() -> None:
    assert exp_bounds(Fraction(-(10**30)), 64) == (0, Fraction(1, 2**64))


@given(x=positive, digits=st.integers(1, 40))
def test_shortened_numbers_lie_on_both_sides_and_have_few_digits(x, digits) -> None:
    low, high = shortened(x, digits)

    assert low <= x <= high
    assert high - low <= x * Fraction(1, 10 ** (digits - 1))
    # Both are whole numbers of few digits times a power of ten.
    assert shortened(low, digits) == (low, low)
    assert shortened(high, digits) == (high, high)


@pytest.mark.parametrize("x", [Fraction(1, 8), Fraction(12345), Fraction(-3, 2)])
def test_what_is_short_stays_as_it_is(x) -> None:
    assert shortened(x, 6) == (x, x)


@given(st.fractions(Fraction(1, 10**12), 10**12), st.integers(1, 40))
def test_a_number_of_few_binary_digits_lies_above_and_near(x, bits) -> None:
    above = binary_above(x, bits)

    assert x <= above <= x * (1 + Fraction(2, 2**bits))

"""Between which fractions do exp(x), ln(x) and roots lie, to as many places as one likes?

`Decimal.exp` and `Decimal.ln` are correctly rounded, so the neighbours of what they return enclose
the true value; arguments are rounded to both sides.
"""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction


def exp_bounds(x: Fraction, places: int) -> tuple[Fraction, Fraction]:
    """Return numbers below and above exp(x), to so many binary places of its size or absolutely."""
    if x < -places:
        return Fraction(0), Fraction(1, 2**places)
    down, up = _contexts(places)
    low, high = down.exp(_decimal(x, down)), up.exp(_decimal(x, up))
    return Fraction(down.next_minus(low)), Fraction(up.next_plus(high))


def log_bounds(x: Fraction, places: int) -> tuple[Fraction, Fraction]:
    """Return numbers not above and not below ln(x), to so many binary places, as above."""
    down, up = _contexts(places)
    low, high = down.ln(_decimal(x, down)), up.ln(_decimal(x, up))
    # Zero is the logarithm of 1 exactly, and its neighbours have no end of digits.
    return Fraction(low and down.next_minus(low)), Fraction(high and up.next_plus(high))


def shortened(x: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Return the numbers of so many significant digits that lie below and above x."""
    contexts = (Context(prec=digits, rounding=each) for each in (ROUND_FLOOR, ROUND_CEILING))
    low, high = (Fraction(_decimal(x, context)) for context in contexts)
    return low, high


def _contexts(places: int) -> tuple[Context, Context]:
    down, up = (
        Context(prec=places // 3 + 10, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
        for rounding in (ROUND_FLOOR, ROUND_CEILING)
    )
    return down, up


def _decimal(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def root_below(x: Fraction) -> Fraction:
    """Return a number not above the square root of x, to 40 binary places of its size."""
    places = max(0, 40 - (x.numerator.bit_length() - x.denominator.bit_length()) // 2)
    return Fraction(math.isqrt((x.numerator << 2 * places) // x.denominator), 1 << places)


def binary_above(x: Fraction, bits: int) -> Fraction:
    """Return a number not below x that has so many significant binary digits."""
    unit = Fraction(2) ** (x.numerator.bit_length() - x.denominator.bit_length() - bits)
    return math.ceil(x / unit) * unit

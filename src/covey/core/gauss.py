"""How is discrete Gaussian noise of any rational variance drawn, exactly?

By rejection from discrete Laplace noise, after Canonne, Kamath and Steinke (2020), Algorithm 3.
An event of probability exp(−γ) is that an exponential number reaches γ, of which 16 binary places
decide nearly always, and as many more as it takes (docs/proofs/discrete-gaussian.md).
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core.digits import FARTHEST, TABLE_BITS, Digit, geometric_noise, laplace_noise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core.exact import RandomBytes

FIRST_PLACES = 16
"""So many binary places of an exponential number are drawn at first."""


def gaussian_noise(variance: Fraction, size: int, random_bytes: RandomBytes) -> NDArray[np.int64]:
    """Draw z with probability ∝ exp(−z² / (2·variance)); what reaches ±`FARTHEST` stops there."""
    scale = isqrt(int(variance)) + 1
    noise = np.empty(size, dtype=np.int64)
    pending = np.arange(size)
    while pending.size:
        drawn = _candidates(Fraction(scale), pending.size, random_bytes)
        # γ = (|z| − variance/scale)² / (2·variance), as a whole number over a public one.
        unit = scale * variance.denominator
        most = max(int(abs(drawn).max()) * unit, variance.numerator)
        if most**2 << FIRST_PLACES > FARTHEST:
            drawn = drawn.astype(object)
        numerators = (abs(drawn) * unit - variance.numerator) ** 2
        denominator = 2 * variance.numerator * unit * scale
        kept = reaches(numerators, denominator, random_bytes)
        noise[pending[kept]] = drawn[kept].clip(-FARTHEST, FARTHEST)
        pending = pending[~kept]
    return noise


def _candidates(scale: Fraction, size: int, random_bytes: RandomBytes) -> NDArray[Any]:
    """Draw discrete Laplace noise that stops nowhere."""
    drawn: NDArray[Any] = laplace_noise(scale, size, random_bytes)
    stopped = np.flatnonzero((drawn == FARTHEST) | (drawn == ~FARTHEST))
    drawn = drawn.astype(object) if stopped.size else drawn
    for place in stopped:
        above = _endless(FARTHEST, scale, random_bytes)
        drawn[place] = above if drawn[place] > 0 else ~above
    return drawn


def _endless(number: int, scale: Fraction, random_bytes: RandomBytes) -> int:
    """Go on where a geometric number stopped: it has no memory."""
    further = number
    while further == FARTHEST:
        further = int(geometric_noise(scale, 1, random_bytes)[0])
        number += further
    return number


def reaches(
    numerators: NDArray[Any], denominator: int, random_bytes: RandomBytes
) -> NDArray[np.bool_]:
    """Return true with probability exp(−numerator/denominator).

    Numerators are 64-bit integers with room for `FIRST_PLACES` more bits, or Python's of any size.
    """
    scale = Fraction(1 << FIRST_PLACES)
    # An exponential number lies in [drawn, drawn + 1) / 2^FIRST_PLACES.
    drawn = geometric_noise(scale, numerators.size, random_bytes)
    wide = numerators if denominator < FARTHEST else numerators.astype(object)
    floors = (wide << FIRST_PLACES) // denominator
    found = np.asarray(drawn > floors, dtype=np.bool_)
    for place in np.flatnonzero((drawn == floors) | (drawn == FARTHEST)):
        number = int(drawn[place])
        number = _endless(number, scale, random_bytes) if number == FARTHEST else number
        found[place] = _settle(Fraction(int(numerators[place]), denominator), number, random_bytes)
    return found


def _settle(exponent: Fraction, number: int, random_bytes: RandomBytes) -> bool:
    """Draw more places of an exponential number until it lies on one side of the exponent."""
    places = FIRST_PLACES
    whole, rest = divmod(exponent.numerator << places, exponent.denominator)
    while number == whole and rest:
        places += TABLE_BITS
        whole, rest = divmod(exponent.numerator << places, exponent.denominator)
        digit = Digit(Fraction(1 << places), 1 << TABLE_BITS)
        number = (number << TABLE_BITS) + int(digit.draw(1, random_bytes)[0])
    return number >= whole

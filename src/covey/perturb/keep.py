"""Which records may speak for themselves, when each brings its own bound on the loss?

A mechanism that costs everybody the threshold t costs less a record that takes part with some
probability only.  Record i is kept with probability (exp(ε_i) − 1) / (exp(t) − 1), or always
if ε_i ≥ t, and its loss is then at most ε_i (docs/proofs/personalised.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import UnprovenError
from covey.perturb.uniform import uniform_below
from covey.privacy import Budget

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb.source import NoiseSource
    from covey.privacy import PrivacyUnit, Sensitivity

PARTS = 2**62
"""Probabilities of being kept are whole numbers of these parts."""

_DOWN, _UP = (
    Context(prec=50, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
    for rounding in (ROUND_FLOOR, ROUND_CEILING)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Which records were kept, by coins that nobody may see.  Only `keep_records` makes one.

    Parameters
    ----------
    mask : array of bool
        True for a record that is kept.  It is secret: a system uses it and publishes nothing
        of it.
    probabilities : array of float64
        How likely each record was to be kept: a function of public numbers.
    epsilon : Fraction
        The threshold: what the mechanism that follows may cost.
    unit, claim, secure
        As in `Perturbed`.
    """

    mask: NDArray[np.bool_]
    probabilities: NDArray[np.float64]
    epsilon: Fraction
    unit: PrivacyUnit
    claim: str
    secure: bool


def keep_records(
    preferences: NDArray[np.float64],
    *,
    sensitivity: Sensitivity,
    budget: Budget,
    source: NoiseSource,
) -> Kept:
    """Toss a coin for each record, so that a mechanism of cost t costs record i at most ε_i.

    The probability is rounded down to a whole number of `PARTS`, which can only protect more,
    and the coin itself is exact.

    Parameters
    ----------
    preferences : array of float64
        ε_i of each record: public, positive.
    sensitivity : Sensitivity
        How many records of the mechanism's input change with one record; it must be one.
    budget : Budget
        The threshold t: what the mechanism costs that sees the records that are kept.
    source : NoiseSource
        The randomness.

    Notes
    -----
    Costs some 0.1 ms for each distinct preference and 0.1 µs for each record.
    """
    if sensitivity.l1 != 1:
        raise UnprovenError(
            "a record changes more than one record of what the mechanism sees, so the proof of "
            "personalised privacy does not cover it."
        )
    levels, level = np.unique(preferences, return_inverse=True)
    parts = np.array(
        [kept_parts(Budget.of(float(value)).epsilon, budget.epsilon) for value in levels],
        dtype=np.int64,
    )[level]
    return Kept(
        mask=uniform_below(np.full(parts.size, PARTS), source.random_bytes) < parts,
        probabilities=parts / PARTS,
        epsilon=budget.epsilon,
        unit=sensitivity.unit,
        claim=sensitivity.claim,
        secure=source.secure,
    )


def kept_parts(preference: Fraction, threshold: Fraction) -> int:
    """Return the largest whole number of parts that is surely not above the probability.

    `Decimal.exp` is correctly rounded, so its neighbours on either side enclose the true value;
    all other steps are rounded towards a smaller result.

    Examples
    --------
    >>> kept_parts(Fraction(1), Fraction(1)) == PARTS
    True
    >>> round(kept_parts(Fraction(1, 10), Fraction(1)) / PARTS, 6)
    0.061207
    """
    if preference >= threshold:
        return PARTS
    least = _DOWN.subtract(_DOWN.next_minus(_DOWN.exp(_decimal(preference, _DOWN))), Decimal(1))
    most = _UP.subtract(_UP.next_plus(_UP.exp(_decimal(threshold, _UP))), Decimal(1))
    return max(0, int(_DOWN.multiply(_DOWN.divide(least, most), Decimal(PARTS))))


def _decimal(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))

"""Which epsilon and delta does a rho of zCDP imply, and which rho may be spent for them?

Where a conversion is no fraction, it is rounded to the side that promises less
(docs/proofs/losses.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from covey.core.bounds import exp_bounds, log_bounds, shortened
from covey.errors import PlanError

RHO_DIGITS, EPSILON_DIGITS = 12, 10
"""Conversions have so many significant digits.  A rho is rounded down by more than an epsilon can
tell, so what a rho implies that was made from an epsilon is that epsilon again."""

_PLACES = 160
_RAREST = 700  # deltas below exp(−700) are given as that, which is still a float


def largest_rho(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the largest rho that implies (epsilon, delta), rounded down.

    Examples
    --------
    >>> round(float(largest_rho(Fraction(1), Fraction(1, 10**9))), 5)
    0.01497
    """
    _refuse(delta)
    logarithm = float(-log_bounds(delta, _PLACES)[0])
    chosen = _best(lambda a: -(float(epsilon) - _beyond(a, logarithm)) / (1 + a))
    rho = (epsilon - _beyond_bound(chosen, delta)) / (1 + chosen)
    return max(Fraction(0), shortened(rho, RHO_DIGITS)[0])


def epsilon_at(rho: Fraction, delta: Fraction) -> Fraction:
    """Return an epsilon such that this rho implies (epsilon, delta), rounded up."""
    _refuse(delta)
    logarithm = float(-log_bounds(delta, _PLACES)[0])
    chosen = _best(lambda a: (1 + a) * float(rho) + _beyond(a, logarithm))
    epsilon = (1 + chosen) * rho + _beyond_bound(chosen, delta)
    return max(Fraction(0), shortened(epsilon, EPSILON_DIGITS)[1])


def delta_at(rho: Fraction, epsilon: Fraction) -> Fraction:
    """Return a delta such that this rho implies (epsilon, delta), rounded up."""
    loss, target = float(rho), float(epsilon)
    chosen = _best(lambda a: a * ((1 + a) * loss - target) - math.log1p(a) - a * math.log1p(1 / a))
    order = 1 + chosen
    exponent = (
        chosen * (order * rho - epsilon)
        - log_bounds(order, _PLACES)[0]
        + chosen * log_bounds(chosen / order, _PLACES)[1]
    )
    bound = exp_bounds(max(exponent, Fraction(-_RAREST)), _PLACES + _RAREST)[1]
    return min(Fraction(1), shortened(bound, EPSILON_DIGITS)[1])


def _beyond(a: float, logarithm: float) -> float:
    """Return what epsilon has beyond rho times the order 1 + a, for ln(1/delta)."""
    return (logarithm - math.log1p(a)) / a - math.log1p(1 / a)


def _beyond_bound(a: Fraction, delta: Fraction) -> Fraction:
    """Return the same, exactly rounded up."""
    delta_below, order_below = log_bounds(delta, _PLACES)[0], log_bounds(1 + a, _PLACES)[0]
    return (-delta_below - order_below) / a + log_bounds(a / (1 + a), _PLACES)[1]


def _best(goal: Callable[[float], float]) -> Fraction:
    """Return an order, less 1, that makes a goal about as small as possible.

    Every order gives a valid bound, so that floats choose it costs nothing but tightness.
    """
    low, high = math.log(1e-12), math.log(1e12)
    for _ in range(5):
        step = (high - low) / 200
        best = min((low + i * step for i in range(201)), key=lambda at: goal(math.exp(at)))
        low, high = best - step, best + step
    return Fraction(f"{math.exp(best):.12g}")


def _refuse(delta: Fraction) -> None:
    if not 0 < delta < 1:
        raise PlanError(
            f"delta = {float(delta):g} is not between 0 and 1, so no rho corresponds to it: "
            f"Gaussian noise cannot promise delta = 0, and delta = 1 promises nothing. Give a "
            f"number well below one divided by the number of records, such as 1e-9."
        )

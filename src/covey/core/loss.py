"""How much privacy is lost, in pure epsilon or in rho of zCDP, and what does a rho imply?

Losses are fractions and compose exactly.  Where a conversion is no fraction, it is rounded to the
side that promises less (docs/proofs/losses.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from covey.core.bounds import exp_bounds, log_bounds, shortened
from covey.errors import PlanError

DIGITS = 15
"""Converted losses are given with so many significant digits."""

_PLACES = 160
_RAREST = 700  # deltas below exp(−700) are given as that, which is still a float


@dataclass(frozen=True, slots=True)
class PureLoss:
    """No output is more than exp(epsilon) times as likely under a neighbour."""

    epsilon: Fraction

    def __add__(self, other: PureLoss) -> PureLoss:
        """Compose: the ratios multiply."""
        return PureLoss(self.epsilon + other.epsilon)

    @property
    def concentrated(self) -> ConcentratedLoss:
        """Return what it implies: rho = epsilon²/2.

        Convert each of several losses before they are composed, not their sum.
        """
        return ConcentratedLoss(self.epsilon**2 / 2)


@dataclass(frozen=True, slots=True)
class ConcentratedLoss:
    """Zero-concentrated: the Rényi divergence of every order above 1 is at most rho times it."""

    rho: Fraction

    def __add__(self, other: ConcentratedLoss) -> ConcentratedLoss:
        """Compose: divergences of every order add up."""
        return ConcentratedLoss(self.rho + other.rho)

    @classmethod
    def largest(cls, epsilon: Fraction, delta: Fraction) -> ConcentratedLoss:
        """Return the largest loss that implies (epsilon, delta), rounded down.

        Examples
        --------
        >>> loss = ConcentratedLoss.largest(Fraction(1), Fraction(1, 10**9))
        >>> round(float(loss.rho), 5)
        0.01497
        """
        _refuse(delta)
        logarithm = float(-log_bounds(delta, _PLACES)[0])
        chosen = _best(lambda a: -(float(epsilon) - _beyond(a, logarithm)) / (1 + a))
        rho = (epsilon - _beyond_bound(chosen, delta)) / (1 + chosen)
        return cls(max(Fraction(0), shortened(rho, DIGITS)[0]))

    def epsilon_at(self, delta: Fraction) -> Fraction:
        """Return an epsilon such that this loss implies (epsilon, delta), rounded up."""
        _refuse(delta)
        logarithm = float(-log_bounds(delta, _PLACES)[0])
        chosen = _best(lambda a: (1 + a) * float(self.rho) + _beyond(a, logarithm))
        epsilon = (1 + chosen) * self.rho + _beyond_bound(chosen, delta)
        return max(Fraction(0), shortened(epsilon, DIGITS)[1])

    def delta_at(self, epsilon: Fraction) -> Fraction:
        """Return a delta such that this loss implies (epsilon, delta), rounded up."""
        rho, target = float(self.rho), float(epsilon)
        chosen = _best(
            lambda a: a * ((1 + a) * rho - target) - math.log1p(a) - a * math.log1p(1 / a)
        )
        order = 1 + chosen
        exponent = (
            chosen * (order * self.rho - epsilon)
            - log_bounds(order, _PLACES)[0]
            + chosen * log_bounds(chosen / order, _PLACES)[1]
        )
        bound = exp_bounds(max(exponent, Fraction(-_RAREST)), _PLACES + _RAREST)[1]
        return min(Fraction(1), shortened(bound, DIGITS)[1])


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

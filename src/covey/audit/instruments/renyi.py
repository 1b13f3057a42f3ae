"""Which rho, or which delta, do the draws of an output attain on two inputs, exactly?

Discrete Gaussian noise of one variance around two whole numbers is compared by its Rényi
divergences, and what a rho was converted to by the law of its privacy loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.audit.instruments.drawn import Drawn
from covey.errors import InternalError

if TYPE_CHECKING:
    from numpy.typing import NDArray

RENYI_ORDERS = (1.0 + 1e-6, 1.001, 1.1, 1.5, 2.0, 3.0, 5.5, 16.0, 64.0, 512.0)
"""Divergences over their order are compared at these; zCDP bounds all of them by rho."""

DEVIATIONS = 40.0
"""Sums over whole numbers go so many standard deviations to either side, and one step more."""

FLAT = 8.0
"""Where twice the variance is more, sums over whole numbers and over halves agree to all digits."""

Both = tuple[Drawn, Drawn]


def attained_rho(draws: Sequence[Both]) -> float:
    """Return the largest divergence over its order, of all draws together, in either direction.

    Draws whose public numbers follow from earlier results have the divergences of this output,
    each of which its own price has to cover.
    """
    found = 0.0
    for order in RENYI_ORDERS:
        for way in (draws, [(there, here) for here, there in draws]):
            found = max(found, math.fsum(divergence(*both, order) for both in way) / order)
    return found


def divergence(here: Drawn, there: Drawn, order: float) -> float:
    """Return the Rényi divergence of what was drawn around one input's values from the other's."""
    if here.request != there.request:
        return math.inf
    if here.mechanism == "choices":
        return _of_choices(here, there, order)
    if here.mechanism != "gaussian":
        raise InternalError(f"{here.mechanism!r} noise has no rho of its own here.")
    twice = 2.0 * float(here.public["variance"])
    moves, times = np.unique(np.abs(here.exact - there.exact), return_counts=True)
    return math.fsum(
        count * _of_gaussians(int(move), twice, order)
        for move, count in zip(moves.tolist(), times.tolist(), strict=True)
        if move
    )


def _of_gaussians(move: int, twice: float, order: float) -> float:
    """Return the divergence of two discrete Gaussians that are so many whole numbers apart.

    It is that of the continuous ones, less what a sum over whole numbers lacks if its middle is
    between two of them.
    """
    between = order * move % 1.0
    if twice > FLAT:
        return float(order * move**2 / twice)
    z = _support(twice / 2.0)
    shifted, own = np.exp(-((z - between) ** 2) / twice).sum(), np.exp(-(z**2) / twice).sum()
    return float(order * move**2 / twice + (math.log(shifted) - math.log(own)) / (order - 1.0))


def _of_choices(here: Drawn, there: Drawn, order: float) -> float:
    logs = [_log_probabilities(each) for each in (here, there)]
    powers = order * logs[0] + (1.0 - order) * logs[1]
    return float((np.logaddexp.reduce(powers, axis=1) / (order - 1.0)).sum())


def _log_probabilities(drawn: Drawn) -> NDArray[np.float64]:
    losses = drawn.exact - drawn.exact.min(axis=1, keepdims=True)
    logs = -float(drawn.public["rate"]) * losses
    return np.asarray(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True))


def attained_delta(draws: Sequence[Both], epsilon: float) -> float:
    """Return the smallest delta for which Gaussian draws of both inputs are (epsilon, delta) apart.

    The privacy loss of moves Δ is (Σ Δ² + 2 Σ Δ y) / (2 variance) with noise y, so the law of
    Σ Δ y, a whole number, is all that matters.
    """
    law, square, twice = np.ones(1), 0, 0.0
    for here, there in draws:
        if here.request != there.request:
            return 1.0
        if here.mechanism != "gaussian" or twice not in (0.0, 2.0 * float(here.public["variance"])):
            raise InternalError("only Gaussian noise of one variance is added up here.")
        twice = 2.0 * float(here.public["variance"])
        z = _support(twice / 2.0)
        own = np.exp(-(z**2) / twice)
        own /= own.sum()
        for move in np.abs(here.exact - there.exact).ravel().tolist():
            if move:
                spread = np.zeros(move * (own.size - 1) + 1)
                spread[::move] = own
                law, square = np.convolve(law, spread), square + move**2
    if not square:
        return 0.0
    sums = np.arange(law.size) - law.size // 2
    loss = (square + 2.0 * sums) / twice
    beyond = loss > epsilon
    return float((law[beyond] * -np.expm1(epsilon - loss[beyond])).sum())


def _support(variance: float) -> NDArray[np.float64]:
    reach = math.ceil(DEVIATIONS * math.sqrt(variance)) + 1
    return np.arange(-reach, reach + 1, dtype=np.float64)

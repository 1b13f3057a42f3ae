"""How are events of probability exp(−x), and what follows from them, drawn without floats?

After Canonne, Kamath and Steinke (2020), Algorithm 1: only uniform integers and comparisons,
so every probability is exact (docs/proofs/exponential-mechanism.md).  The functions work on
whole arrays, with fractions as integer numerators over a common denominator.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.perturb.uniform import RandomBytes, uniform_below

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def bernoulli_exp(
    numerators: NDArray[np.int64], denominator: int, random_bytes: RandomBytes
) -> NDArray[np.bool_]:
    """Return true with probability exp(−numerator/denominator), for numerators of at least 0.

    exp(−x) is a product of ⌊x⌋ factors exp(−1) and one exp(−rest); the first failure decides.
    Costs a few uniform draws for each event, whatever x is.
    """
    whole, rest = np.divmod(numerators, denominator)
    alive = np.ones(numerators.size, dtype=np.bool_)
    pending = np.flatnonzero(whole > 0)
    while pending.size:
        kept = _below_one(np.full(pending.size, 1), 1, random_bytes)
        alive[pending[~kept]] = False
        whole[pending] -= 1
        pending = pending[kept & (whole[pending] > 0)]
    left = np.flatnonzero(alive)
    alive[left] = _below_one(rest[left], denominator, random_bytes)
    return alive


def geometric(scale: int, size: int, random_bytes: RandomBytes) -> NDArray[np.int64]:
    """Return draws of g = 0, 1, … with probability ∝ exp(−g/scale), for a whole scale.

    g = u + scale·v with u below the scale, accepted with probability exp(−u/scale), and v the
    number of successes of probability exp(−1) before the first failure.
    """
    low = np.zeros(size, dtype=np.int64)
    pending = np.arange(size)
    while pending.size:
        candidate = uniform_below(np.full(pending.size, scale), random_bytes)
        accepted = bernoulli_exp(candidate, scale, random_bytes)
        low[pending[accepted]] = candidate[accepted]
        pending = pending[~accepted]
    high = np.zeros(size, dtype=np.int64)
    pending = np.arange(size)
    while pending.size:
        pending = pending[_below_one(np.full(pending.size, 1), 1, random_bytes)]
        high[pending] += 1
    return low + scale * high


def choice(losses: list[int], rate: Fraction, randbelow: Callable[[int], int]) -> int:
    """Return a position with probability ∝ exp(−rate · loss), for losses of at least 0.

    By rejection from a uniform candidate; in Python's integers, because rates may be any fraction.
    """
    while True:
        candidate = randbelow(len(losses))
        if _one_bernoulli_exp(rate * losses[candidate], randbelow):
            return candidate


def _below_one(
    numerators: NDArray[np.int64], denominator: int, random_bytes: RandomBytes
) -> NDArray[np.bool_]:
    # Count successes of events with probability x/1, x/2, x/3, …: that the first failure comes
    # at an odd place has probability 1 − x + x²/2 − … = exp(−x).
    place = np.ones(numerators.size, dtype=np.int64)
    going = np.arange(numerators.size)
    while going.size:
        drawn = uniform_below(denominator * place[going], random_bytes)
        going = going[drawn < numerators[going]]
        place[going] += 1
    return np.asarray(place % 2 == 1)


def _one_bernoulli_exp(x: Fraction, randbelow: Callable[[int], int]) -> bool:
    whole, rest = divmod(x, 1)
    return all(_one_below_one(Fraction(1), randbelow) for _ in range(int(whole))) and (
        _one_below_one(Fraction(rest), randbelow)
    )


def _one_below_one(x: Fraction, randbelow: Callable[[int], int]) -> bool:
    place = 1
    while randbelow(x.denominator * place) < x.numerator:
        place += 1
    return place % 2 == 1

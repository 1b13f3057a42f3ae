"""How is an event of probability exp(−x) drawn without floats?

After Canonne, Kamath and Steinke (2020), Algorithm 1: only uniform integers and comparisons
of fractions, so the probability is exact (docs/proofs/exponential-mechanism.md).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

RandBelow = Callable[[int], int]
"""Returns a uniform integer in 0 … bound − 1, as ``secrets.randbelow`` does."""


def bernoulli(p: Fraction, randbelow: RandBelow) -> bool:
    """Return true with probability p, a fraction between 0 and 1."""
    return randbelow(p.denominator) < p.numerator


def bernoulli_exp(x: Fraction, randbelow: RandBelow) -> bool:
    """Return true with probability exp(−x), for a fraction x of at least 0.

    exp(−x) is a product of ⌊x⌋ factors exp(−1) and one exp(−rest); the first failure decides.
    Costs a few uniform draws on average, whatever x is.
    """
    whole, rest = divmod(x, 1)
    for _ in range(int(whole)):
        if not _bernoulli_exp_below_one(Fraction(1), randbelow):
            return False
    return _bernoulli_exp_below_one(Fraction(rest), randbelow)


def _bernoulli_exp_below_one(x: Fraction, randbelow: RandBelow) -> bool:
    # Count successes of events with probability x/1, x/2, x/3, …: that the first failure comes
    # at an odd place has probability 1 − x + x²/2 − … = exp(−x).
    k = 1
    while bernoulli(x / k, randbelow):
        k += 1
    return k % 2 == 1

"""How are random numbers of an exact law drawn, without floats?

From uniform integers and comparisons alone, so every probability is exact: events of probability
exp(−x) after Canonne, Kamath and Steinke (2020), Algorithm 1, and what follows from them
(docs/proofs/exponential-mechanism.md, cube-noise.md, private-tree.md, personalised.md).  The
functions work on whole arrays, with fractions as integers over a common denominator.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InternalError

if TYPE_CHECKING:
    from numpy.typing import NDArray

GAMMA = Fraction(7, 10)
"""How many scales the threshold of a private tree rises with each level; any γ ≥ ln 2 will do."""

THOUSANDTHS = 1000
"""κ and λ of a private tree are counted in these."""

COIN_PARTS = 2**62
"""Probabilities of being kept are whole numbers of these parts."""

_DOWN, _UP = (
    Context(prec=50, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
    for rounding in (ROUND_FLOOR, ROUND_CEILING)
)

RandomBytes = Callable[[int], bytes]
"""Returns so many random bytes, as ``os.urandom`` does."""

MOST = 2**62
"""Bounds above this would leave no room for exact 64-bit arithmetic."""


def uniform_below(bounds: NDArray[np.int64], random_bytes: RandomBytes) -> NDArray[np.int64]:
    """Return one uniform integer in 0 … bound − 1 for each bound.

    A uniform 63-bit number is taken modulo the bound if it lies below the largest multiple of
    the bound, and drawn again otherwise: every remainder is then equally likely, exactly.
    """
    if bounds.size and (bounds.min() < 1 or bounds.max() > MOST):
        raise InternalError("a bound of a uniform draw is out of range.")
    limits = np.uint64(2**63) - np.uint64(2**63) % bounds.astype(np.uint64)
    drawn = _bits(bounds.size, random_bytes)
    again = np.flatnonzero(drawn >= limits)
    while again.size:
        drawn[again] = _bits(again.size, random_bytes)
        again = again[drawn[again] >= limits[again]]
    return np.asarray(drawn % bounds.astype(np.uint64), dtype=np.int64)


def _bits(count: int, random_bytes: RandomBytes) -> NDArray[np.uint64]:
    words = np.frombuffer(random_bytes(8 * count), dtype=np.uint64)
    return words >> np.uint64(1)


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


def cube_noise(scale: int, shape: tuple[int, ...], random_bytes: RandomBytes) -> NDArray[np.int64]:
    """Draw rows z of D integers with probability ∝ exp(−max|z| / scale), exactly.

    A row is uniform in the cube of integers of size at most t, with t of weight
    (2t + 1)^D · exp(−t/scale): summing over t ≥ max|z| leaves exp(−max|z|/scale).  And t is a
    sum of D + 1 geometric draws, which has weight (t+1)…(t+D)·exp(−t/scale), accepted with
    probability (t+½)^D / ((t+1)…(t+D)).
    """
    rows, dimensions = shape
    sizes = np.empty(rows, dtype=np.int64)
    pending = np.arange(rows)
    while pending.size:
        draws = geometric(scale, pending.size * (dimensions + 1), random_bytes)
        sums = draws.reshape(pending.size, dimensions + 1).sum(axis=1)
        accepted = np.ones(pending.size, dtype=np.bool_)
        for i in range(1, dimensions + 1):
            accepted &= uniform_below(2 * sums + 2 * i, random_bytes) < 2 * sums + 1
        sizes[pending[accepted]] = sums[accepted]
        pending = pending[~accepted]
    bounds = np.repeat(2 * sizes + 1, dimensions)
    return uniform_below(bounds, random_bytes).reshape(shape) - sizes[:, None]


def cut_boxes(
    counts: NDArray[np.int64], depth: int, scale: Fraction, random_bytes: RandomBytes
) -> NDArray[np.bool_]:
    """Return for each box of one depth whether it is cut: PrivTree's test, exactly.

    A box of depth h with c records is cut with probability P(s), s = max(c/λ − h·γ, −γ), where
    P(s) = exp(s)/2 for s ≤ 0 and 1 − exp(−s)/2 for s > 0: as if Laplace noise of scale λ were
    added to c and compared with a threshold that rises by γλ a level.
    """
    # s = counts/λ − h·γ over the common denominator of λ = p/1000 and γ = 7/10.
    p = int(scale * THOUSANDTHS)
    exponents = counts * (THOUSANDTHS * GAMMA.denominator) - depth * GAMMA.numerator * p
    exponents = np.maximum(exponents, -GAMMA.numerator * p)
    tail = bernoulli_exp(np.abs(exponents), p * GAMMA.denominator, random_bytes)
    tail &= uniform_below(np.full(counts.size, 2), random_bytes) == 1
    return np.where(exponents > 0, ~tail, tail)


def kept_parts(preference: Fraction, threshold: Fraction) -> int:
    """Return the largest number of parts surely not above (exp(ε) − 1) / (exp(t) − 1).

    `Decimal.exp` is correctly rounded, so its neighbours on either side enclose the true value;
    all other steps are rounded towards a smaller result.

    Examples
    --------
    >>> kept_parts(Fraction(1), Fraction(1)) == COIN_PARTS
    True
    >>> round(kept_parts(Fraction(1, 10), Fraction(1)) / COIN_PARTS, 6)
    0.061207
    """
    if preference >= threshold:
        return COIN_PARTS
    least = _DOWN.subtract(_DOWN.next_minus(_DOWN.exp(_decimal(preference, _DOWN))), Decimal(1))
    most = _UP.subtract(_UP.next_plus(_UP.exp(_decimal(threshold, _UP))), Decimal(1))
    return max(0, int(_DOWN.multiply(_DOWN.divide(least, most), Decimal(COIN_PARTS))))


def _decimal(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))

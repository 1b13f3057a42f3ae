"""Mechanisms that are no systems of covey, written down to be audited.

Some are sound and simple, others are mistakes that papers or programmers make.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.moments import moment_sums
from covey.audit.cases.neighbours import one_in_zeros, table_pair
from covey.audit.instruments.drawn import Drawn
from covey.audit.instruments.law import DrawLaw
from covey.audit.instruments.recording import SilentNoise
from covey.audit.instruments.replay import record
from covey.audit.subject import Audited

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource

GRID_STEPS = 2**20
FRACTION_BITS = 53


def counts_law(
    here: Sequence[int], there: Sequence[int], scale: int, other_scale: int | None = None
) -> DrawLaw:
    """Return counts that get discrete Laplace noise, perhaps of another scale on the other side."""
    sides = ((here, scale), (there, scale if other_scale is None else other_scale))
    drawn = [_counts(np.array(counts), Fraction(width)) for counts, width in sides]
    return DrawLaw([(drawn[0], drawn[1])])


def _counts(counts: NDArray[np.int64], scale: Fraction) -> Drawn:
    return Drawn("laplace", counts, {"scale": scale, "l1": 1, "epsilon": 1 / scale}, counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatBlock:
    """The mean of a rank block of k records plus a float64 Laplace variable, at full precision.

    T is the place of the last binary digit that is not zero.  Near 0 floats lie close together,
    and a sum that was rounded on the way cannot reach most of them: real numbers would hide the
    record, floats do not.
    """

    k: int = 5
    exact: float = math.inf
    entries: int = 0

    def draw(self, side: int, runs: int, source: NoiseSource) -> NDArray[np.float64]:
        """Add noise naively, and look at the last digit."""
        noisy = side / self.k + source.placement().laplace(0.0, 1.0 / self.k, runs)
        mantissas, exponents = np.frexp(noisy)
        digits = np.abs(mantissas * 2.0**FRACTION_BITS).astype(np.int64)
        # A power of two that divides the digits; 0 is divided by all of them.
        last = np.log2(np.maximum(digits & -digits, 1))
        return np.asarray(exponents - FRACTION_BITS + last)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleAndSubstitute:
    """Keep a record with probability (e^own − 1)/(e^threshold − 1), else take the public default.

    A sum with discrete Laplace noise for the threshold follows, divided by ``shrink``.  One input
    holds the default itself, the other a record at the far end, which attains the bound: the loss
    is ``own``.
    """

    own: float
    threshold: float
    shrink: float = 1.0
    words: str = "the record of a person with a small preference: the public default, or far off"
    entries: int = 0

    @property
    def kept(self) -> float:
        """Return the probability that the record is kept."""
        return math.expm1(self.own) / math.expm1(self.threshold)

    @property
    def exact(self) -> float:
        """Return the loss at an output beyond the record: ln(1 − π + π·e^threshold)."""
        return math.log1p(self.kept * math.expm1(self.threshold * self.shrink))

    def draw(self, side: int, runs: int, source: NoiseSource) -> NDArray[np.float64]:
        """Toss the coin of the record, then publish the noisy sum; T is the sum."""
        rng = source.placement()
        record = (rng.random(runs) < self.kept) & (side == 1)
        p = -math.expm1(-self.threshold * self.shrink)
        noise = rng.geometric(p, runs) - rng.geometric(p, runs)
        return np.asarray(record + noise, dtype=np.float64)


def full_budget_each(attributes: int, *, n: int = 20, k: int = 5) -> DrawLaw:
    """Return the accounting of paper 004: `insensitive` at full epsilon for each attribute."""
    pair = table_pair("", one_in_zeros(n, attributes))
    drawn = []
    for name in pair.here.schema.names:
        alone = Audited(system="insensitive", parameters={"k": k, "columns": [name]})
        here, there = (record(side, SilentNoise()).script for side in alone.on(pair))
        drawn += list(zip(here, there, strict=True))
    return DrawLaw(drawn)


def printed_coskewness() -> DrawLaw:
    """Return the coskewness of one cluster of three records with the noise of Proposition 8."""
    here, there = (
        moment_sums(
            np.array([[0], [1], [last]]),
            [1],
            np.zeros(3, dtype=np.int64),
            np.array([3]),
            [(0, 0, 0)],
            resolution=GRID_STEPS,
        )[0].tolist()
        for last in (0, 1)
    )
    # Size times the coefficient is printed to move by 1 at most.
    return counts_law(here, there, GRID_STEPS)

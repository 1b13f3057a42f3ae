"""Mechanisms that are no systems of covey, written down to be audited.

Some are sound and simple, others are mistakes that papers or programmers make.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.moments import moment_sums
from covey.audit.law import DECIMALS, NoisyVector, RecordedLaw, VectorLaw
from covey.audit.neighbours import one_in_zeros, unit_table
from covey.audit.pairs import Recorded, recorded
from covey.audit.subject import SPECIMEN
from covey.systems import SYSTEMS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource
    from covey.table import Table

STEPS = 2**20
FRACTION_BITS = 53


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatBlock:
    """The mean of a rank block of k records plus a float64 Laplace variable, at full precision.

    T is the place of the last binary digit that is not zero.  Near 0 floats lie close together,
    and a sum that was rounded on the way cannot reach most of them: real numbers would hide the
    record, floats do not.
    """

    k: int = 5
    words: str = "zeros, one of which becomes a one; the float that comes out is read to its end"
    exact: float = math.inf
    at_least: bool = False
    how: str = SPECIMEN
    decimals: int | None = None

    def draw(
        self, side: int, runs: int, source: NoiseSource, *, shrink: int = 1
    ) -> NDArray[np.float64]:
        """Add noise naively, and look at the last digit."""
        scale = 1.0 / (self.k * shrink)
        noisy = side / self.k + source.placement().laplace(0.0, scale, runs)
        mantissas, exponents = np.frexp(noisy)
        digits = np.abs(mantissas * 2.0**FRACTION_BITS).astype(np.int64)
        # A power of two that divides the digits; 0 is divided by all of them.
        last = np.log2(np.maximum(digits & -digits, 1))
        return np.asarray(exponents - FRACTION_BITS + last)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleAndSubstitute:
    """Keep a record with probability (e^own − 1)/(e^threshold − 1), else take the public default.

    A sum with discrete Laplace noise for the threshold follows.  One input holds the default
    itself, the other a record at the far end, which attains the bound: the loss is ``own``.
    """

    own: float
    threshold: float
    words: str = "the record of a person with a small preference: the public default, or far off"
    at_least: bool = False
    how: str = SPECIMEN
    decimals: int | None = DECIMALS

    @property
    def kept(self) -> float:
        """Return the probability that the record is kept."""
        return math.expm1(self.own) / math.expm1(self.threshold)

    @property
    def exact(self) -> float:
        """Return the loss at an output beyond the record: ln(1 − π + π·e^threshold)."""
        return math.log1p(self.kept * math.expm1(self.threshold))

    def draw(
        self, side: int, runs: int, source: NoiseSource, *, shrink: int = 1
    ) -> NDArray[np.float64]:
        """Toss the coin of the record, then publish the noisy sum; T is the sum."""
        rng = source.placement()
        record = (rng.random(runs) < self.kept) & (side == 1)
        p = -math.expm1(-self.threshold * shrink)
        noise = rng.geometric(p, runs) - rng.geometric(p, runs)
        return np.asarray(record + noise, dtype=np.float64)


def full_budget_each(attributes: int, *, n: int = 20, k: int = 5) -> RecordedLaw:
    """Return the accounting of paper 004: `insensitive` at full epsilon for each attribute."""
    here, there = (_each_alone(unit_table(X), k) for X in one_in_zeros(n, attributes))
    return RecordedLaw(
        words=f"{n} records of zeros, one of which becomes ones", here=here, there=there
    )


def printed_coskewness() -> VectorLaw:
    """Return the coskewness of one cluster of three records with the noise of Proposition 8."""
    sides = []
    for last in (0, 1):
        sums = moment_sums(
            np.array([[0], [1], [last]]),
            [1],
            np.zeros(3, dtype=np.int64),
            np.array([3]),
            [(0, 0, 0)],
            resolution=STEPS,
        )
        # Size times the coefficient is printed to move by 1 at most.
        sides.append(NoisyVector.of(sums[0].tolist(), [float(STEPS)]))
    return VectorLaw(
        words="a cluster of 0, 1 and a third record that moves from 0 to 1",
        here=sides[0],
        there=sides[1],
    )


def _each_alone(table: Table, k: int) -> Recorded:
    parts = [
        recorded(SYSTEMS["insensitive"], table, {"epsilon": 1.0, "k": k, "columns": [name]})
        for name in table.schema.names
    ]
    return Recorded(
        asked=tuple(request for part in parts for request in part.asked),
        bare=(),
        grids=tuple(grid for part in parts for grid in part.grids),
        sizes=(),
    )

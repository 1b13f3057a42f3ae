"""Shall a box with so many records be cut?  The randomised test of a private tree.

A box of depth h with c records is cut with probability P(s), where s = max(c/λ − h·γ, −γ) and
P(s) = exp(s)/2 for s ≤ 0 and 1 − exp(−s)/2 for s > 0: as if Laplace noise of scale λ were
added to c and compared with a threshold that rises by γλ a level.  γ = 7/10 is rational, so
the test is exact (docs/proofs/private-tree.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import PlanError
from covey.perturb.exact import bernoulli_exp
from covey.perturb.uniform import uniform_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb.source import NoiseSource
    from covey.perturb.uniform import RandomBytes
    from covey.privacy import Budget, PrivacyUnit, Sensitivity

GAMMA = Fraction(7, 10)
"""How many scales the threshold rises with each level; any γ ≥ ln 2 keeps empty trees small."""

SMALLEST_SCALE = Fraction(14427, 10000)
"""The proof needs γλ ≥ 1; this bound leaves a margin."""

LARGEST_SCALE = 2**40
"""Beyond it, the exponent of a deep box would not fit into 64-bit integers."""

PARTS = 1000
"""κ and λ are counted in thousandths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitTest:
    """The test with its scale and its cost.  Only `split_test` makes one.

    ``scale`` is λ; the other fields are as in `Account`.
    """

    scale: Fraction
    epsilon: Fraction
    unit: PrivacyUnit
    claim: str
    secure: bool
    random_bytes: RandomBytes

    def __call__(self, counts: NDArray[np.int64], depth: int) -> NDArray[np.bool_]:
        """Return for each box of one depth whether it is cut, exactly as the law above says.

        Each box may be tested once; the tests of a whole tree together cost ``epsilon``.
        """
        if counts.size == 0:
            return np.zeros(0, dtype=np.bool_)
        # s = counts/λ − h·γ over the common denominator of λ = p/1000 and γ = 7/10.
        p = int(self.scale * PARTS)
        exponents = counts * (PARTS * GAMMA.denominator) - depth * GAMMA.numerator * p
        exponents = np.maximum(exponents, -GAMMA.numerator * p)
        tail = bernoulli_exp(np.abs(exponents), p * GAMMA.denominator, self.random_bytes)
        tail &= uniform_below(np.full(counts.size, 2), self.random_bytes) == 1
        return np.where(exponents > 0, ~tail, tail)


def split_test(*, sensitivity: Sensitivity, budget: Budget, source: NoiseSource) -> SplitTest:
    """Return the test with λ = κ/ε, rounded up to thousandths; ``sensitivity.l1`` is 1000 κ."""
    scale = Fraction(math.ceil(Fraction(sensitivity.l1) / budget.epsilon), PARTS)
    if scale < SMALLEST_SCALE:
        most = math.floor(100 * largest_epsilon(sensitivity)) / 100
        raise PlanError(
            f"epsilon is too large for the proof of the private tree: its structure would get "
            f"{float(budget.epsilon):g}, and at most {most:g} is covered. Give a smaller "
            f"epsilon; there is little noise left to save."
        )
    if scale > LARGEST_SCALE:
        raise PlanError(
            "epsilon is too small for exact tests of the private tree, whose numbers would not fit "
            "into 64 bits. Give a larger epsilon, or publish fewer columns."
        )
    return SplitTest(
        scale=scale,
        epsilon=budget.epsilon,
        unit=sensitivity.unit,
        claim=sensitivity.claim,
        secure=source.secure,
        random_bytes=source.random_bytes,
    )


def largest_epsilon(sensitivity: Sensitivity) -> Fraction:
    """Return the most that a structure may cost: beyond it, λ would be too small for the proof."""
    return Fraction(sensitivity.l1, PARTS) / SMALLEST_SCALE

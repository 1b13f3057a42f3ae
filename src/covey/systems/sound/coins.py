"""How likely is each record, edge or node to take part, when each has a public preference?

A mechanism that costs everybody the threshold t costs less to whoever takes part with some
probability only: (exp(ε) − 1) / (exp(t) − 1), or always if ε ≥ t, keeps the loss within ε
(docs/proofs/personalised.md).  Probabilities are rounded down, which can only protect more.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.core import Budget
from covey.core.exact import kept_parts

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class CoinParts:
    """Turns preferences into parts of coins; some 0.1 ms for each distinct preference."""

    threshold: Fraction

    def __call__(self, preferences: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the parts of `covey.core.exact.COIN_PARTS` for each preference."""
        levels, level = np.unique(preferences, return_inverse=True)
        parts = [kept_parts(Budget.of(float(value)).epsilon, self.threshold) for value in levels]
        return np.array(parts, dtype=np.int64)[level]

"""Which means, variances and correlations does a table have that is seen piece by piece?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningMoments:
    """The first two moments of some records, in a form that two sets of records can share.

    Parameters
    ----------
    n : int
        How many records.
    means : array of shape (d,)
        0 where there are no records.
    products : array of shape (d, d)
        Sums of products of deviations from the means.
    low, high : arrays of shape (d,)
        The smallest and the largest value; infinite where there are no records.
    """

    n: int
    means: Floats
    products: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, values: Floats) -> RunningMoments:
        """Return the moments of records, one row each."""
        n, d = values.shape
        means = values.mean(axis=0) if n else np.zeros(d)
        deviations = values - means
        return cls(
            n=n,
            means=means,
            products=deviations.T @ deviations,
            low=values.min(axis=0, initial=np.inf),
            high=values.max(axis=0, initial=-np.inf),
        )

    def merged(self, other: RunningMoments) -> RunningMoments:
        """Return the moments of both sets of records together.

        Deviations are moved to the common mean (Chan, Golub and LeVeque 1983), so no large
        squares are subtracted from each other.
        """
        if not self.n or not other.n:
            return self if self.n else other
        n = self.n + other.n
        share = other.n / n
        apart = other.means - self.means
        return RunningMoments(
            n=n,
            means=self.means + share * apart,
            products=self.products + other.products + self.n * share * np.outer(apart, apart),
            low=np.minimum(self.low, other.low),
            high=np.maximum(self.high, other.high),
        )

    @property
    def variances(self) -> Floats:
        """Return the variances (ddof=0), exactly 0 for constant columns in spite of rounding."""
        found: Floats = np.diagonal(self.products) / max(self.n, 1)
        return np.where(self.low == self.high, 0.0, found)

    @property
    def correlations(self) -> Floats:
        """Return the correlation matrix, with 1 on the diagonal and 0 beside constant columns."""
        variances = self.variances
        spread = ones_for_zeros(np.sqrt(variances))
        found = self.products / max(self.n, 1) / np.outer(spread, spread)
        found[variances == 0.0, :] = found[:, variances == 0.0] = 0.0
        found = np.clip(found, -1.0, 1.0)
        np.fill_diagonal(found, 1.0)
        return found


def ones_for_zeros(scales: Floats) -> Floats:
    """Measure what has no spread in its own unit."""
    positive: Floats = np.where(scales > 0.0, scales, 1.0)
    return positive

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

    A value may be missing (NaN): then a mean is that of the known values, and a covariance that
    of the records in which both are known.

    Parameters
    ----------
    n : int
        How many records.
    known : array of shape (d, d)
        In how many of them both attributes are known.
    centres : array of shape (d, d)
        The mean of the first attribute where both are known; 0 where there are no records.
    products : array of shape (d, d)
        Sums of products of deviations from these means.
    low, high : arrays of shape (d,)
        The smallest and the largest value; infinite where there are none.
    """

    n: int
    known: Floats
    centres: Floats
    products: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, values: Floats) -> RunningMoments:
        """Return the moments of records, one row each."""
        n, d = values.shape
        there = ~np.isnan(values)
        if not there.all():
            return cls._of_known(values, there)
        means = values.mean(axis=0) if n else np.zeros(d)
        deviations = values - means
        return cls(
            n=n,
            known=np.full((d, d), float(n)),
            centres=np.repeat(means[:, None], d, axis=1),
            products=deviations.T @ deviations,
            low=values.min(axis=0, initial=np.inf),
            high=values.max(axis=0, initial=-np.inf),
        )

    @classmethod
    def _of_known(cls, values: Floats, there: NDArray[np.bool_]) -> RunningMoments:
        known = there.astype(np.float64)
        counts = known.T @ known
        means = np.where(there, values, 0.0).sum(axis=0) / np.maximum(np.diagonal(counts), 1.0)
        deviations = np.where(there, values - means, 0.0)
        # The sum of each attribute's deviations where the other is known.
        beside = deviations.T @ known
        shifts = beside / np.maximum(counts, 1.0)
        return cls(
            n=len(values),
            known=counts,
            centres=np.where(counts > 0, means[:, None] + shifts, 0.0),
            products=deviations.T @ deviations - beside * shifts.T,
            low=np.where(there, values, np.inf).min(axis=0, initial=np.inf),
            high=np.where(there, values, -np.inf).max(axis=0, initial=-np.inf),
        )

    def merged(self, other: RunningMoments) -> RunningMoments:
        """Return the moments of both sets of records together.

        Deviations are moved to the common mean (Chan, Golub and LeVeque 1983), so no large
        squares are subtracted from each other.
        """
        if not self.n or not other.n:
            return self if self.n else other
        known = self.known + other.known
        share = other.known / np.maximum(known, 1.0)
        # Where one of them knows nothing, its centre is no number to be apart from.
        apart = np.where((self.known > 0) & (other.known > 0), other.centres - self.centres, 0.0)
        start = np.where(self.known > 0, self.centres, other.centres)
        return RunningMoments(
            n=self.n + other.n,
            known=known,
            centres=start + share * apart,
            products=self.products + other.products + self.known * share * (apart * apart.T),
            low=np.minimum(self.low, other.low),
            high=np.maximum(self.high, other.high),
        )

    @property
    def means(self) -> Floats:
        """Return the mean of the known values of each attribute."""
        return np.diagonal(self.centres).copy()

    @property
    def missing(self) -> NDArray[np.int64]:
        """Return how many values of each attribute are missing."""
        return (self.n - np.diagonal(self.known)).astype(np.int64)

    @property
    def variances(self) -> Floats:
        """Return the variances (ddof=0), exactly 0 for constant columns in spite of rounding."""
        found: Floats = np.diagonal(self.products) / np.maximum(np.diagonal(self.known), 1.0)
        return np.where(self.low < self.high, found, 0.0)

    @property
    def correlations(self) -> Floats:
        """Return the correlation matrix, with 1 on the diagonal and 0 beside constant columns."""
        variances = self.variances
        spread = ones_for_zeros(np.sqrt(variances))
        found = self.products / np.maximum(self.known, 1.0) / np.outer(spread, spread)
        found[variances == 0.0, :] = found[:, variances == 0.0] = 0.0
        found = np.clip(found, -1.0, 1.0)
        np.fill_diagonal(found, 1.0)
        return found


def ones_for_zeros(scales: Floats) -> Floats:
    """Measure what has no spread in its own unit."""
    positive: Floats = np.where(scales > 0.0, scales, 1.0)
    return positive

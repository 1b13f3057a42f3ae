"""How far is each released value from that of the record it was made from, all added up?"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from covey.evaluate.utility import ones_for_zeros, ratio

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviations:
    """Sums over records, from which the scores that compare record with record follow.

    Parameters
    ----------
    n : int
        How many records.
    squared, absolute : arrays of shape (d,)
        Their squared and absolute errors in each attribute.
    """

    n: int
    squared: Floats
    absolute: Floats

    @classmethod
    def of(cls, original: Floats, released: Floats) -> Deviations:
        """Compare row i with row i."""
        errors = released - original
        return cls(
            n=len(original), squared=(errors**2).sum(axis=0), absolute=np.abs(errors).sum(axis=0)
        )

    @classmethod
    def none(cls, d: int) -> Deviations:
        """Return what no record adds."""
        return cls(n=0, squared=np.zeros(d), absolute=np.zeros(d))

    @classmethod
    def beside(cls, columns: Iterable[Deviations]) -> Deviations:
        """Put the deviations of the same records in several attributes together."""
        each = list(columns)
        return cls(
            n=each[0].n,
            squared=np.concatenate([column.squared for column in each]),
            absolute=np.concatenate([column.absolute for column in each]),
        )

    def merged(self, other: Deviations) -> Deviations:
        """Return the deviations of both sets of records together."""
        return Deviations(
            n=self.n + other.n,
            squared=self.squared + other.squared,
            absolute=self.absolute + other.absolute,
        )

    def scores(self, variances: Floats, scales: Floats) -> dict[str, float]:
        """Return the scores of `covey.METRICS` that compare record with record.

        Parameters
        ----------
        variances : array of shape (d,)
            Of the originals, with ddof=0.
        scales : array of shape (d,)
            What errors are divided by before they are squared.
        """
        loss = float(np.sum(self.squared / scales**2))
        total = self.n * float(np.sum(variances / scales**2))
        spread = ones_for_zeros(np.sqrt(variances * self.n / max(self.n - 1, 1)))
        il1s_sum = float(np.sum(self.absolute / (sqrt(2.0) * spread)))
        return {
            "sse": loss,
            "il_percent": 100.0 * ratio(loss, total, if_both_zero=0.0),
            "il1s": il1s_sum / (self.n * variances.size),
            "il1s_sum": il1s_sum,
        }

"""How far is each released value from that of the record it was made from, all added up?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import DataError

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
        require_aligned(original, released)
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


def require_aligned(original: Floats, released: Floats) -> None:
    """Refuse two arrays whose rows cannot correspond one to one."""
    if original.shape != released.shape:
        raise DataError(
            "the release does not have one record for each record of the original, so a metric "
            "that compares record with record is not defined. Use the metrics that compare the "
            "two tables as wholes."
        )

"""Between which values does a mean over noisy counts lie?  Fieller's interval of a ratio.

A mean or a share is a ratio A / C of two sums of counts.  It is μ if and only if A − μ C is 0, and
the noise of that difference is known for each μ: those μ for which it may be noise alone are the
interval.  Where C itself may be noise alone, nothing is known, and all that is possible remains.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.cell_intervals import LAPLACE_REACH

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Ratios:
    """Means, and the ends of their intervals; NaN where there may be nothing to average."""

    values: NDArray[np.float64] = field(repr=False)
    low: NDArray[np.float64] = field(repr=False)
    high: NDArray[np.float64] = field(repr=False)


def ratios(
    counts: NDArray[np.float64],
    values: NDArray[np.float64],
    sd: float,
    possible: tuple[float, float],
) -> Ratios:
    """Return the mean of some values, so often as noisy counts say, for each row of counts.

    Parameters
    ----------
    counts : array of shape (groups, values)
        Unbiased, of no larger error in any weighted sum than independent ones of this ``sd``.
    values : array of float64
        What is averaged.
    sd : float
        Of the noise of a count.
    possible : (float, float)
        Between which values a mean lies anyway.
    """
    low, high = possible
    # Measured from the middle, so that squares of far values do not swallow their differences.
    middle = (low + high) / 2.0
    places = values - middle
    top, bottom = counts @ places, counts.sum(axis=1)
    spread = (LAPLACE_REACH * sd) ** 2
    # (top − μ bottom)² ≤ spread · Σ (place − μ)²: a square inequality in μ.
    second = bottom**2 - spread * values.size
    first = top * bottom - spread * places.sum()
    constant = top**2 - spread * float((places**2).sum())
    known = (second > 0) & (bottom > 0)
    root = np.sqrt(np.maximum(first**2 - second * constant, 0.0))
    safe = np.where(known, second, 1.0)
    ends = [np.where(known, middle + (first + sign * root) / safe, np.nan) for sign in (-1, 1)]
    means = np.divide(top, bottom, out=np.full(top.size, np.nan), where=known) + middle
    return Ratios(
        np.clip(means, low, high),
        np.where(known, np.clip(ends[0], low, high), low),
        np.where(known, np.clip(ends[1], low, high), high),
    )

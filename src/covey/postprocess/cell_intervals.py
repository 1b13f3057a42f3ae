"""Between which whole numbers does the true count of a cell lie, 95 times in 100?

Of a noisy count by itself that is the exact quantile of the discrete Laplace law.  The error of a
count that agrees with other tables is a weighted sum of such noise, of known variance.  The law
of such a sum reaches less far, in units of its standard deviation, than that of one Laplace
variable, whose quantile is taken: such intervals hold the truth a little more often than stated.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.intervals import LEVEL

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from covey.postprocess.interactions import Margin

LAPLACE_REACH = math.log(1.0 / (1.0 - LEVEL)) / math.sqrt(2.0)
"""A Laplace variable stays within so many standard deviations at that level."""


def laplace_variance(scale: Fraction) -> float:
    """Return twice the square of the scale, from above that of whole-number noise."""
    return 2.0 * float(scale) ** 2


def laplace_quantile(scale: Fraction) -> int:
    """Return within which distance discrete Laplace noise stays with at least 95 %.

    More than q off it is with probability 2 p^(q+1) / (1 + p), where p = exp(−1 / scale).

    Examples
    --------
    >>> from fractions import Fraction
    >>> laplace_quantile(Fraction(2)), laplace_quantile(Fraction(1, 10))
    (6, 0)
    """
    p = math.exp(-1.0 / float(scale))
    beyond = float(scale) * math.log(2.0 / ((1.0 - LEVEL) * (1.0 + p)))
    return max(0, math.ceil(beyond * (1 - 1e-12)) - 1)


def cell_intervals(
    margin: Margin, published: NDArray[np.int64], total: int | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ends of the interval of each cell.

    Half a step is added because noise comes in whole ones.  Intervals are cut to what is possible
    anyway, which loses no coverage, and hold the published count, which is moved away from the
    estimate to be whole, not below 0, and in agreement.
    """
    within = LAPLACE_REACH * margin.sd + (0.5 if margin.sd > 0 else 0.0)
    most = np.iinfo(np.int64).max if total is None else total
    low = np.clip(np.ceil(margin.values - within), 0, most).astype(np.int64)
    high = np.clip(np.floor(margin.values + within), 0, most).astype(np.int64)
    return np.minimum(low, published), np.maximum(high, published)

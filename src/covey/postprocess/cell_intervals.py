"""Between which whole numbers does the true count of a cell lie, 95 times in 100?

Of a noisy count by itself that is the exact quantile of the discrete law of its noise.  The error
of a count that agrees with other tables is a weighted sum of such noise, of known variance.  The
law of such a sum reaches less far, in units of its standard deviation, than that of one Laplace
variable, whose quantile is taken: such intervals hold the truth a little more often than stated.
Sums of Gaussian noise are Gaussian.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.intervals import LEVEL, NORMAL

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from covey.postprocess.interactions import Margin

LAPLACE_REACH = math.log(1.0 / (1.0 - LEVEL)) / math.sqrt(2.0)
"""A Laplace variable stays within so many standard deviations at that level."""

FINE_SIGMA = 1000.0
"""Above this deviation, whole numbers and real ones have the same quantile."""


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


def gaussian_quantile(variance: Fraction) -> int:
    """Return within which distance discrete Gaussian noise stays with at least 95 %.

    Examples
    --------
    >>> from fractions import Fraction
    >>> gaussian_quantile(Fraction(4)), gaussian_quantile(Fraction(1, 10))
    (4, 0)
    """
    sigma = math.sqrt(variance)
    if sigma > FINE_SIGMA:
        return math.ceil(NORMAL * sigma)
    z = np.arange(math.ceil(10 * sigma) + 2)
    weights = np.exp(-(z**2) / (2.0 * float(variance)))
    within = (2.0 * np.cumsum(weights) - 1.0) / (2.0 * weights.sum() - 1.0)
    return int(np.argmax(within >= LEVEL))


def cell_intervals(
    margin: Margin, published: NDArray[np.int64], total: int | None, *, gaussian: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ends of the interval of each cell.

    Half a step is added because noise comes in whole ones.  Intervals are cut to what is possible
    anyway, which loses no coverage, and hold the published count, which is moved away from the
    estimate to be whole, not below 0, and in agreement.
    """
    reach = NORMAL if gaussian else LAPLACE_REACH
    within = reach * margin.sd + (0.5 if margin.sd > 0 else 0.0)
    most = np.iinfo(np.int64).max if total is None else total
    low = np.clip(np.ceil(margin.values - within), 0, most).astype(np.int64)
    high = np.clip(np.floor(margin.values + within), 0, most).astype(np.int64)
    return np.minimum(low, published), np.maximum(high, published)

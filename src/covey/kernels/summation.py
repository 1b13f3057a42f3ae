"""What is the mean of some floats, whatever the order they come in?

A sum of floats depends on the order of its additions.  The sums here carry along all that
rounding takes away, as floats that do not overlap (Shewchuk 1997, "grow expansion"), and round
once at the end, so they are a function of which values there are and how often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from covey.kernels.univariate.doubledouble import two_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Floats that do not overlap have different bits out of the 2098 that a float can have.
MOST_PARTS = 2100
# Below, 2**64 values can be added up; above, they are divided first.
HUGE = 2.0**959
SHRINK = 2.0**-64


@njit(cache=True)
def group_means(
    values: NDArray[np.float64], labels: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the mean of each group: its correctly rounded sum, divided by its size.

    A group is the values of one label; labels are 0, 1, … and ``sizes`` says how often each
    occurs.  The result lies between the smallest and the largest value of the group, so it is
    the value itself if they are equal.  A group that holds NaN or an infinite value has the mean
    NaN.  Costs one pass to bring groups together and one to add them up, with some ten operations
    a value where values are of similar size.
    """
    ends = np.cumsum(sizes)
    places = ends - sizes
    grouped = np.empty(values.size)
    for i in range(values.size):
        grouped[places[labels[i]]] = values[i]
        places[labels[i]] += 1
    parts = np.empty(MOST_PARTS)
    means = np.empty(sizes.size)
    for group in range(sizes.size):
        start = ends[group] - sizes[group]
        means[group] = _mean(grouped[start : ends[group]], parts)
    return means


@njit(cache=True)
def rounded_sum(values: NDArray[np.float64], scale: float, parts: NDArray[np.float64]) -> float:
    """Return the sum of finite values times a power of two, rounded once, half to even.

    ``parts`` is room for `MOST_PARTS` floats.
    """
    used = 0
    for value in values:
        x = scale * value
        kept = 0
        for j in range(used):
            x, rest = two_sum(x, parts[j])
            if rest != 0.0:
                parts[kept] = rest
                kept += 1
        parts[kept] = x
        used = kept + 1
    return _rounded(parts[:used])


@njit(cache=True)
def _mean(values: NDArray[np.float64], parts: NDArray[np.float64]) -> float:
    low = np.inf
    high = -np.inf
    for value in values:
        if not np.isfinite(value):
            return np.nan
        low = min(low, value)
        high = max(high, value)
    scale = SHRINK if max(-low, high) > HUGE else 1.0
    mean = rounded_sum(values, scale, parts) / values.size / scale
    # Two roundings may lead past the ends; adding zero makes one zero of both.
    return min(max(mean, low), high) + 0.0


@njit(cache=True)
def _rounded(parts: NDArray[np.float64]) -> float:
    """Add up floats that do not overlap, the largest last."""
    total = 0.0
    rest = 0.0
    at = parts.size
    while at > 0 and rest == 0.0:
        at -= 1
        total, rest = two_sum(total, parts[at])
    # What is below can only decide if the rest lies right between two floats.
    if at > 0 and (rest > 0.0) == (parts[at - 1] > 0.0):
        other = total + 2.0 * rest
        if other - total == 2.0 * rest:
            total = other
    return total

"""How can sums over runs of sorted values keep digits that one float would lose?

A double-double is an unevaluated sum of two floats and carries about 106 bits.
The least-cost partition asks for sums of *distances* between neighbouring values, and those
are tiny beside the values themselves when two groups lie at 0 and at 1e9.
One float64 prefix sum cannot hold both scales; a pair can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

# 2**27 + 1 cuts a float64 into two halves of 26 bits.
SPLITTER = 134217729.0
# A low part that grew for ever would itself lose digits; to carry at each step would double the
# time.
CARRY = 16


@njit(cache=True)
def two_sum(a: float, b: float) -> tuple[float, float]:
    """Return the rounded sum of two floats and the error that rounding made, exactly."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@njit(cache=True)
def prefix_sums(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum ascending values outward from zero, as double-doubles.

    Row ``t`` differs from row ``s`` by the sum of ``x[s:t]``.
    The sums grow from the place where the values change sign, so that each is of the order of
    the values next to it: a huge value at either end cannot swallow the digits of small ones.

    Parameters
    ----------
    x : float64 array of shape (n,)
        Values in ascending order.

    Returns
    -------
    float64 array of shape (n + 1, 2)
        High and low parts.
    """
    n = x.size
    sums = np.empty((n + 1, 2))
    zero = np.searchsorted(x, 0.0)
    high = 0.0
    low = 0.0
    sums[zero, 0] = high
    sums[zero, 1] = low
    for t in range(zero, n):
        high, error = two_sum(high, x[t])
        low += error
        if t % CARRY == 0:
            high, low = two_sum(high, low)
        sums[t + 1, 0] = high
        sums[t + 1, 1] = low
    high = 0.0
    low = 0.0
    for t in range(zero - 1, -1, -1):
        high, error = two_sum(high, -x[t])
        low += error
        if t % CARRY == 0:
            high, low = two_sum(high, low)
        sums[t, 0] = high
        sums[t, 1] = low
    return sums


@njit(cache=True)
def distance_sum(x: NDArray[np.float64], sums: NDArray[np.float64], anchor: int, end: int) -> float:
    """Sum the distances of a run of values to the value at one of its ends.

    The sum of ``x[t] - x[anchor]`` over ``anchor <= t < end`` if ``end`` is larger, and the sum of
    ``x[anchor] - x[t]`` over ``end <= t < anchor`` if it is smaller.
    Halves of 26 bits times a count below 2**27 are exact, so nothing is lost before the last
    addition although the result may be 1e-20 of the sums it is made of.
    """
    count = float(end - anchor)
    scaled = SPLITTER * x[anchor]
    upper = scaled - (scaled - x[anchor])
    lower = x[anchor] - upper
    rest, error1 = two_sum(sums[end, 0], -sums[anchor, 0])
    rest, error2 = two_sum(rest, -count * upper)
    rest, error3 = two_sum(rest, -count * lower)
    return rest + (((error1 + error2) + error3) + (sums[end, 1] - sums[anchor, 1]))

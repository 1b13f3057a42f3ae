"""Does a sample follow the discrete Laplace law of a given scale?  Tests with a known error rate.

Both tests reject a true hypothesis with probability at most ``FALSE_ALARM``, by bounds that hold
for every sample size, so a test suite that runs for years does not cry wolf.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binomtest

if TYPE_CHECKING:
    from numpy.typing import NDArray

FALSE_ALARM = 1e-6


def has_scale(noise: NDArray[np.int64], scale: float) -> bool:
    """Return whether the mean of |noise| is what the discrete Laplace law of ``scale`` gives.

    The laws of |Z| form an exponential family in 1/scale with sufficient statistic |Z|.  So
    by Chernoff's bound a sample whose mean fits the scale s lies that far from the mean of the
    true scale, on its side, with probability at most exp(−N · KL(s ‖ scale)); twice for two sides.
    """
    fitted = fitted_scale(noise)
    distance = divergence(fitted, scale)
    return noise.size * distance <= math.log(2 / FALSE_ALARM)


def has_law(noise: NDArray[np.int64], scale: float, *, cells: int) -> bool:
    """Return whether the frequencies of −cells … cells and of both tails fit the law.

    Each count is binomial, so each test is exact; the error is divided among them.
    """
    a = math.exp(-1 / scale)
    expected = {z: (1 - a) / (1 + a) * a ** abs(z) for z in range(-cells, cells + 1)}
    counts = {z: int(np.sum(noise == z)) for z in expected}
    tail = a ** (cells + 1) / (1 + a)
    expected |= {"below": tail, "above": tail}
    counts |= {"below": int(np.sum(noise < -cells)), "above": int(np.sum(noise > cells))}
    assert math.isclose(sum(expected.values()), 1.0)
    worst = min(binomtest(counts[z], noise.size, expected[z]).pvalue for z in expected)
    return worst >= FALSE_ALARM / len(expected)


def fitted_scale(noise: NDArray[np.int64]) -> float:
    """Return the scale whose law has this mean of |Z|, 1/sinh(1/scale)."""
    return 1 / math.asinh(1 / float(np.abs(noise).mean()))


def divergence(fitted: float, scale: float) -> float:
    """Return the Kullback–Leibler divergence of two discrete Laplace laws, from the first."""
    mean = 1 / math.sinh(1 / fitted)
    return mean * (1 / scale - 1 / fitted) + math.log(
        math.tanh(0.5 / fitted) / math.tanh(0.5 / scale)
    )


def accepted_scales(scale: float, draws: int) -> tuple[float, float]:
    """Return between which fitted scales a sample of this size passes ``has_scale``."""

    def excess(fitted: float) -> float:
        return draws * divergence(fitted, scale) - math.log(2 / FALSE_ALARM)

    return brentq(excess, scale / 100, scale), brentq(excess, scale, scale * 100)


def shell_law(scale: float, dimensions: int) -> dict[int, float]:
    """Return the probability of each size of a cube's largest coordinate, up to a rare one."""
    points = [1] + [(2 * r + 1) ** dimensions - (2 * r - 1) ** dimensions for r in range(1, 400)]
    weights = np.array([number * math.exp(-r / scale) for r, number in enumerate(points)])
    shares = weights / weights.sum()
    return {r: float(share) for r, share in enumerate(shares) if share > 1e-4}


def sizes(noise: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the size of the largest coordinate of each row."""
    return np.abs(noise).max(axis=1)

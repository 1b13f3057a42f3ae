"""Least-cost partitions of sorted values by the recursion itself: quadratic, plain, and exact.

The cost of a cluster is its sum of squared errors plus ``noise / size``.  ``least`` is the
smallest cluster size.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def exact_cost(x: np.ndarray, noise: float) -> Callable[[int, int], Fraction]:
    """Return the cost of the cluster ``x[i:j]`` as a function, in rational numbers."""
    values = [Fraction(float(value)) for value in x]
    unit = lcm(*(value.denominator for value in values))
    # In multiples of 1 / unit all values are integers, and integers are fast.
    whole = [int(value * unit) for value in values]
    sums, squares = [0], [0]
    for value in whole:
        sums.append(sums[-1] + value)
        squares.append(squares[-1] + value * value)
    penalty = Fraction(noise)

    def cost(i: int, j: int) -> Fraction:
        size = j - i
        scatter = (squares[j] - squares[i]) * size - (sums[j] - sums[i]) ** 2
        return Fraction(scatter, size * unit * unit) + penalty / size

    return cost


def exact_total(x: np.ndarray, sizes: Iterable[int], noise: float = 0.0) -> Fraction:
    """Add up the exact costs of consecutive clusters of the given sizes."""
    cost = exact_cost(x, noise)
    total, start = Fraction(0), 0
    for size in sizes:
        total += cost(start, start + int(size))
        start += int(size)
    assert start == len(x)
    return total


def exact_optimum(x: np.ndarray, least: int, noise: float = 0.0) -> Fraction:
    """Return the smallest cost of any partition, in rational numbers.  O(n**2)."""
    cost = exact_cost(x, noise)
    n = len(x)
    best: list[Fraction | None] = [Fraction(0)] + [None] * n
    for j in range(least, n + 1):
        # A cluster of 2 * least can be cut in two at no cost, unless there is noise.
        first = 0 if noise else max(0, j - 2 * least + 1)
        best[j] = min(
            before + cost(i, j)
            for i, before in enumerate(best[: j - least + 1])
            if i >= first and before is not None
        )
    optimum = best[n]
    assert optimum is not None
    return optimum


def recursion(x: np.ndarray, least: int, noise: float = 0.0) -> np.ndarray:
    """Return the sizes of a least-cost partition in floats, with Welford's updates.  O(n**2)."""
    starts = last_starts(np.asarray(x, dtype=np.float64), least, noise)
    sizes = []
    end = len(x)
    while end > 0:
        sizes.append(end - starts[end])
        end = starts[end]
    return np.array(sizes[::-1], dtype=np.int64)


@njit(cache=True)
def last_starts(x: np.ndarray, least: int, noise: float) -> np.ndarray:
    """Try for each start all ends: the paper's Algorithm 3 and the shortest path in one."""
    n = x.size
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    starts = np.zeros(n + 1, np.int64)
    for i in range(n - least + 1):
        if best[i] == np.inf:
            continue
        mean = 0.0
        sse = 0.0
        for j in range(i + 1, n + 1):
            size = j - i
            step = (x[j - 1] - x[i]) - mean
            mean += step / size
            sse += step * step * (size - 1) / size
            if size >= least:
                total = best[i] + sse + noise / size
                if total <= best[j]:
                    best[j] = total
                    starts[j] = i
    return starts

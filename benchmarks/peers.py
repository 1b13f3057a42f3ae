"""The same jobs done by others: plain NumPy, other packages, the quadratic recursion.

Peers that are not installed are left out of the table.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Mdav = Callable[[NDArray[np.float64], int], object]

SDCMICRO = """
suppressMessages(library(sdcMicro))
set.seed(1)
X <- as.data.frame(matrix(rnorm({n} * {d}), ncol = {d}))
taken <- system.time(microaggregation(X, method = "mdav", aggr = {k}))[["elapsed"]]
cat(sprintf('{{"seconds": %f}}', taken))
"""


def numpy_mdav(X: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Form the groups of generic MDAV by whole-array operations.  O(n**2 / k)."""
    labels = np.zeros(len(X), dtype=np.int64)
    left = np.arange(len(X))
    points = X
    group = 0

    def take(seed: NDArray[np.float64]) -> None:
        nonlocal left, points, group
        near = np.argpartition(_squared(points, seed), k - 1)[:k]
        labels[left[near]] = group
        stay = np.ones(len(left), dtype=np.bool_)
        stay[near] = False
        left, points = left[stay], points[stay]
        group += 1

    while len(left) >= 3 * k:
        first = points[np.argmax(_squared(points, points.mean(axis=0)))]
        second = points[np.argmax(_squared(points, first))]
        take(first)
        take(second)
    if len(left) >= 2 * k:
        take(points[np.argmax(_squared(points, points.mean(axis=0)))])
    labels[left] = group
    return labels


def _squared(points: NDArray[np.float64], point: NDArray[np.float64]) -> NDArray[np.float64]:
    distances: NDArray[np.float64] = ((points - point) ** 2).sum(axis=1)
    return distances


def anonypyx_mdav() -> Mdav | None:
    """Return anonypyx's MDAV-generic, or nothing if it is not installed."""
    if find_spec("anonypyx") is None or find_spec("pandas") is None:
        return None
    import pandas as pd
    from anonypyx.microaggregation import MDAVGeneric

    def mdav(X: NDArray[np.float64], k: int) -> object:
        columns = [f"a{j}" for j in range(X.shape[1])]
        return MDAVGeneric(pd.DataFrame(X, columns=columns), columns).partition(k)

    return mdav


def sdcmicro_seconds(n: int, d: int, k: int) -> float | None:
    """Return the seconds of sdcMicro's MDAV on normal data, or nothing without R and sdcMicro."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        return None
    script = SDCMICRO.format(n=n, d=d, k=k)
    done = subprocess.run([rscript, "-e", script], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    return float(json.loads(done.stdout.splitlines()[-1])["seconds"])


def microagg1d_partition() -> Callable[[NDArray[np.float64], int], object] | None:
    """Return microagg1d's optimal method, or nothing if it is not installed."""
    if find_spec("microagg1d") is None:
        return None
    from microagg1d import univariate_microaggregation

    # Its default method is not always optimal (see tests/kernels/test_optimal_microagg1d.py).
    return lambda x, k: univariate_microaggregation(x, k=k, method="wilber")


def plain_recursion(x: NDArray[np.float64], least: int, noise: float) -> NDArray[np.int64]:
    """Return the sizes of a least-cost partition by trying all starts, with plain prefix sums."""
    starts = _last_starts(x, least, noise)
    sizes = []
    end = x.size
    while end > 0:
        sizes.append(end - starts[end])
        end = starts[end]
    return np.array(sizes[::-1])


@njit(cache=True)
def _last_starts(x: NDArray[np.float64], least: int, noise: float) -> NDArray[np.int64]:
    """Find the best last cluster of every prefix."""
    n = x.size
    sums = np.zeros(n + 1)
    squares = np.zeros(n + 1)
    for t in range(n):
        sums[t + 1] = sums[t] + x[t]
        squares[t + 1] = squares[t] + x[t] * x[t]
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    starts = np.zeros(n + 1, np.int64)
    for end in range(least, n + 1):
        for start in range(end - least + 1):
            total = sums[end] - sums[start]
            cost = best[start] + (squares[end] - squares[start])
            cost += (noise - total * total) / (end - start)
            if cost < best[end]:
                best[end] = cost
                starts[end] = start
    return starts

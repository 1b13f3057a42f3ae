"""What does microaggregation without noise give, in the papers' scales?"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate import cluster_means
from covey.partition import partition
from covey.reproduce.data import load

if TYPE_CHECKING:
    from numpy.typing import NDArray


def aggregated(
    X: NDArray[np.float64], labels: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Replace each record by the mean of its cluster."""
    return np.column_stack([cluster_means(column, labels, sizes)[labels] for column in X.T])


@lru_cache(maxsize=64)
def in_domain(
    paper: str, data: str, method: str, k: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Microaggregate with distances divided by domains from 0 to 1.5 times the maximum."""
    X = load(paper, data)
    domain = 1.5 * X.max(axis=0)
    scaled = X / domain
    if method == "mdav":
        found = partition(scaled, "mdav", standardize=False, k=k)
    elif method == "insensitive":
        found = partition(scaled, "insensitive", standardize=False, k=k, sequence="paired")
    else:
        bounds = [(0.0, 1.0)] * X.shape[1]
        found = partition(scaled, "insensitive", standardize=False, k=k, bounds=bounds)
    return X, aggregated(X, found.labels, found.sizes), domain

"""Which record of a cluster is nearest to all the others?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.kernels.lexicographic import lexicographic_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 2**20
"""Distances that are held at a time."""


def cluster_medoids(X: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the row of the medoid of each cluster: the least sum of Euclidean distances.

    Among equals the record that is smallest in its first attribute wins, then in its second, and
    so on, so that the order of the rows does not matter.

    Costs the square of the cluster's size for each cluster; one attribute costs a sort.
    """
    rows = lexicographic_order((labels, *X.T))
    ends = np.cumsum(np.bincount(labels))
    starts = np.concatenate(([0], ends[:-1]))
    if X.shape[1] == 1:
        # The sum of distances on a line is least at the median; of two, the lower comes first.
        return np.asarray(rows[(starts + ends - 1) // 2])
    chosen = [
        rows[start + _medoid(X[rows[start:end]])] for start, end in zip(starts, ends, strict=True)
    ]
    return np.array(chosen, dtype=np.int64)


def _medoid(X: NDArray[np.float64]) -> int:
    totals = np.empty(X.shape[0])
    step = max(1, BLOCK // X.size)
    for start in range(0, X.shape[0], step):
        gaps = X[start : start + step, None, :] - X[None, :, :]
        totals[start : start + step] = np.sqrt((gaps**2).sum(axis=2)).sum(axis=1)
    return int(np.argmin(totals))

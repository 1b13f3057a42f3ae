"""Which records each cluster takes when clusters choose in turns under fixed orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def take_in_turns(orders: NDArray[np.int32], turns: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Give each cluster the ``k`` first records that are left under its order.

    Each order is walked once from its front, so all clusters together cost one pass over the
    orders: ``O(n * orders)``, without memory besides the labels.

    Parameters
    ----------
    orders : (r, n) int32 array
        Row numbers of the records, one permutation for each order.
    turns : (clusters,) int64 array
        Which order each cluster uses; ``clusters * k`` must not exceed ``n``.
    k : int
        Records per cluster.

    Returns
    -------
    (n,) int64 array
        Number of the cluster of each record; the records that are left get ``len(turns)``.
    """
    left = len(turns)
    labels = np.full(orders.shape[1], left, np.int64)
    front = np.zeros(orders.shape[0], np.int64)
    for cluster in range(len(turns)):
        order = turns[cluster]
        taken = 0
        while taken < k:
            record = orders[order, front[order]]
            front[order] += 1
            if labels[record] == left:
                labels[record] = cluster
                taken += 1
    return labels

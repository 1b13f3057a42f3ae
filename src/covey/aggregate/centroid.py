"""Which single value stands for a cluster?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def cluster_means(
    values: NDArray[np.float64], labels: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the mean of one column in each cluster: its correctly rounded sum over its size.

    It depends on the values of the cluster alone, not on their order nor on other clusters, so
    every engine that forms the same clusters publishes the same floats.
    """
    from covey.kernels.summation import group_means

    return np.asarray(group_means(values, labels, sizes))


def cluster_modes(
    codes: NDArray[np.int64], labels: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the most frequent category in each cluster, the lowest code among equals."""
    categories = int(codes.max()) + 1
    pairs, counts = np.unique(labels * categories + codes, return_counts=True)
    # Sorted by cluster, then by falling count, then by code: the first of each cluster wins.
    order = np.lexsort((pairs % categories, -counts, pairs // categories))
    ranked = pairs[order]
    _, first = np.unique(ranked // categories, return_index=True)
    modes = ranked[first] % categories
    assert modes.size == sizes.size  # noqa: S101 — labels are dense
    return np.asarray(modes, dtype=np.int64)


def cluster_sums(
    integers: NDArray[np.int64], labels: NDArray[np.int64], clusters: int
) -> NDArray[np.int64]:
    """Return the integer sum of one column in each cluster, exactly."""
    sums = np.zeros(clusters, dtype=np.int64)
    np.add.at(sums, labels, integers)
    return sums

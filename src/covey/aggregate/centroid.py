"""Which single value stands for a cluster?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def cluster_means(
    values: NDArray[np.float64], labels: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the mean of one column in each cluster."""
    # Around the overall mean, so that large offsets do not eat the digits of the sums.
    centre = values.mean()
    sums = np.bincount(labels, weights=values - centre, minlength=sizes.size)
    return np.asarray(centre + sums / sizes)


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


def block_sums(sorted_values: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the integer sum of each block of consecutive ranks."""
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    return np.asarray(np.add.reduceat(sorted_values, starts), dtype=np.int64)

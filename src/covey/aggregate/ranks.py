"""What do blocks of consecutive ranks add up to, if only counts are known?

Values on a public grid are small integers, so their counts tell the sorted column exactly:
nothing needs to be sorted, in memory or elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def sums_of_ranks(counts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sum of each block of ranks of the sorted values 0, 1, … with these counts.

    The sum of the first r values is a function that rises by one value at a time, so each block
    is a difference of two places on it: no rank is visited by itself.

    Examples
    --------
    >>> sums_of_ranks(np.array([1, 2, 1]), np.array([2, 2])).tolist()  # 0, 1 | 1, 2
    [1, 3]
    """
    ends = np.cumsum(counts)
    totals = np.cumsum(np.arange(counts.size, dtype=np.int64) * counts)
    borders = np.cumsum(sizes)
    value = np.searchsorted(ends, borders)
    first = totals[value] - value * (ends[value] - borders)
    return np.diff(first, prepend=0)

"""Which k records are nearest, when candidates arrive one by one?

A binary heap of at most k candidates with the worst on top, ordered by distance and then by
index, so that among equally distant records the lowest index is the nearer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Nearest(NamedTuple):
    """The nearest candidates so far; ``capacity`` is the length of the arrays."""

    distances: NDArray[np.float64]
    records: NDArray[np.int64]


def empty_nearest(k: int) -> Nearest:
    """Make room for ``k`` candidates."""
    return Nearest(np.empty(k), np.empty(k, dtype=np.int64))


@njit(cache=True)
def offer(heap: Nearest, size: int, distance: float, record: int) -> int:
    """Keep the candidate if it is among the nearest; return the new size.  O(log k)."""
    far, who = heap.distances, heap.records
    capacity = far.shape[0]
    if size < capacity:
        at = size
        while at > 0:
            up = (at - 1) >> 1
            if far[up] > distance or (far[up] == distance and who[up] > record):
                break
            far[at] = far[up]
            who[at] = who[up]
            at = up
        far[at] = distance
        who[at] = record
        return size + 1
    if distance > far[0] or (distance == far[0] and record > who[0]):
        return size
    at = 0
    while True:
        down = 2 * at + 1
        if down >= capacity:
            break
        right = down + 1
        if right < capacity and (
            far[right] > far[down] or (far[right] == far[down] and who[right] > who[down])
        ):
            down = right
        if far[down] < distance or (far[down] == distance and who[down] < record):
            break
        far[at] = far[down]
        who[at] = who[down]
        at = down
    far[at] = distance
    who[at] = record
    return size

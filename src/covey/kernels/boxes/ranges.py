"""Which records lie in which box, when boxes are cut again and again?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def cut_ranges(
    cells: NDArray[np.int32],
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    sides: NDArray[np.int64],
    cuts: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Reorder the records of each box so that those below its cut come first.

    ``order[starts[b]:ends[b]]`` are the records of box b.  Returns where the upper part begins.
    Costs one pass over the records of the boxes that are cut.
    """
    middles = np.empty(starts.size, np.int64)
    for b in range(starts.size):
        left, right = starts[b], ends[b] - 1
        side, cut = sides[b], cuts[b]
        while left <= right:
            record = order[left]
            if cells[record, side] < cut:
                left += 1
            else:
                order[left] = order[right]
                order[right] = record
                right -= 1
        middles[b] = left
    return middles


@njit(cache=True)
def box_sums(
    places: NDArray[np.float64],
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    unit: int,
) -> NDArray[np.int64]:
    """Sum, for each box and side, how far its records lie from the middle of the side.

    A record counts −unit at the lower end and +unit at the upper end, rounded to a whole number
    and never beyond them; a side without width counts 0.
    """
    boxes, sides = low.shape
    sums = np.zeros((boxes, sides), np.int64)
    for b in range(boxes):
        for at in range(starts[b], ends[b]):
            record = order[at]
            for j in range(sides):
                width = high[b, j] - low[b, j]
                if width > 0.0:
                    offset = (2.0 * places[record, j] - low[b, j] - high[b, j]) / width
                    sums[b, j] += np.int64(np.rint(unit * min(1.0, max(-1.0, offset))))
    return sums

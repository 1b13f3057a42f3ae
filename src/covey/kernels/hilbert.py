"""Where a grid cell lies on the Hilbert curve, and how long a chain along the curve can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def hilbert_index(cells: NDArray[np.int64], bits: int) -> NDArray[np.int64]:
    """Return the position of each cell on the Hilbert curve through the grid.

    Skilling's transposition ("Programming the Hilbert curve", 2004): undo the reflections and
    exchanges of axes from the coarsest bit down, decode the Gray code, interleave the bits.
    Costs ``O(n d bits)`` and no memory besides the result.

    Parameters
    ----------
    cells : (n, d) int64 array
        Coordinates from 0 to ``2**bits - 1``.
    bits : int
        Levels of the curve; ``d * bits`` must not exceed 62.
    """
    n, d = cells.shape
    index = np.empty(n, np.int64)
    x = np.empty(d, np.int64)
    for row in range(n):
        for axis in range(d):
            x[axis] = cells[row, axis]
        q = 1 << (bits - 1)
        while q > 1:
            low = q - 1
            for axis in range(d):
                if x[axis] & q:
                    x[0] ^= low
                else:
                    swapped = (x[0] ^ x[axis]) & low
                    x[0] ^= swapped
                    x[axis] ^= swapped
            q >>= 1
        for axis in range(1, d):
            x[axis] ^= x[axis - 1]
        flip = 0
        q = 1 << (bits - 1)
        while q > 1:
            if x[d - 1] & q:
                flip ^= q - 1
            q >>= 1
        position = 0
        for bit in range(bits - 1, -1, -1):
            for axis in range(d):
                position = (position << 1) | (((x[axis] ^ flip) >> bit) & 1)
        index[row] = position
    return index


@njit(cache=True)
def longest_chains(projections: NDArray[np.int64], steps: int) -> NDArray[np.int64]:
    """Return the greatest L1 length of a chain of 1, 2, …, ``steps`` steps along the points.

    A chain visits points in the order of the rows and may stay where it is.  The L1 distance of
    ``x`` and ``y`` is the greatest of ``s.y - s.x`` over all sign vectors ``s``, so the best last
    step into ``y`` needs only, for every ``s``, the running maximum of the length of the chain up
    to ``x`` minus ``s.x`` over the rows so far.  Whole numbers throughout, hence exact.
    Costs ``O(steps * n * 2**d)``.

    Parameters
    ----------
    projections : (n, 2**d) int64 array
        ``s.x`` for every point ``x`` and every sign vector ``s``.
    steps : int
        Number of steps of the longest chain asked for.
    """
    n, signs = projections.shape
    best = np.empty(signs, np.int64)
    length = np.zeros(n, np.int64)
    longest = np.empty(steps, np.int64)
    for step in range(steps):
        best[:] = -(1 << 60)
        for y in range(n):
            here = length[y]
            reach = here
            for s in range(signs):
                reach = max(reach, best[s] + projections[y, s])
                best[s] = max(best[s], here - projections[y, s])
            length[y] = reach
        longest[step] = length.max()
    return longest

"""Which records are nearest and farthest, by looking at all of them as fast as memory allows?

In many dimensions boxes prune little, and a plain scan wins: attribute by attribute over a
block of records that stays in the cache, one vector loop each.  Whether a block holds anything
of interest is first counted, which is a vector loop too; few blocks are looked at record by
record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.mdav.centroid import squared_distance
from covey.kernels.mdav.nearest import Nearest, offer

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK = 256
# What rounding can do to a distance is many times smaller, so a bound with this slack is one.
_RELATIVE = 1.0 + 1e-9
_ABSOLUTE = 1e-150


class Columns(NamedTuple):
    """The remaining records, attribute by attribute, in the first places of each array.

    ``radii`` are the distances to ``origin``, an old centroid.
    """

    values: NDArray[np.float64]
    records: NDArray[np.int64]
    place: NDArray[np.int64]
    radii: NDArray[np.float64]
    origin: NDArray[np.float64]
    scratch: NDArray[np.float64]


def columns_of(X: NDArray[np.float64]) -> Columns:
    """Store the records of ``X`` attribute by attribute."""
    n, d = X.shape
    return Columns(
        X.T.copy(),
        np.arange(n),
        np.arange(n),
        np.full(n, np.inf),
        np.zeros(d),
        np.empty(_BLOCK),
    )


@njit(cache=True)
def farthest_from_centre(columns: Columns, left: int, centre: NDArray[np.float64]) -> int:
    """Find the record farthest from a point that moves little from call to call.

    While the point is within delta of ``origin``, no distance differs from the radius by more
    than delta (triangle inequality), so only records whose radius comes that close to the best
    distance are looked at.  Once these are many, ``origin`` follows the point.
    """
    radii = columns.radii
    best, best_record, looked = -1.0, -1, 0
    outermost = _largest(radii, left)
    drift = _RELATIVE * np.sqrt(squared_distance(columns.origin, centre)) + _ABSOLUTE
    enough = -np.inf
    # The outermost record goes first: it makes the others easy to dismiss.
    for turn in range(-_BLOCK, left, _BLOCK):
        start, stop = turn, min(turn + _BLOCK, left)
        if turn < 0:
            start, stop = outermost, outermost + 1
        if any_outside(radii[start:stop], -np.inf, enough):
            for i in range(start, stop):
                if radii[i] >= enough:
                    looked += 1
                    distance = _distance(columns.values, i, centre)
                    record = columns.records[i]
                    if distance > best or (distance == best and record < best_record):
                        best, best_record = distance, record
                        enough = np.sqrt(best) / _RELATIVE - drift
    if looked > left // 8:
        for j in range(centre.shape[0]):
            columns.origin[j] = centre[j]
        for start in range(0, left, _BLOCK):
            stop = min(start + _BLOCK, left)
            distances_to(columns.values, start, stop, centre, columns.scratch)
            for i in range(start, stop):
                radii[i] = np.sqrt(columns.scratch[i - start])
    return best_record


@njit(cache=True)
def nearest_and_farthest(
    columns: Columns,
    left: int,
    seed: int,
    point: NDArray[np.float64],
    heap: Nearest,
    at_least: float,
) -> int:
    """Fill the heap with the records nearest to the point; return the farthest one.

    Only records at ``at_least`` or more count as far: infinity spares the search.  The scan
    starts in the block of record ``seed``, whose neighbours are likely to be near.
    """
    capacity = heap.distances.shape[0]
    size = 0
    worst = np.inf
    best = at_least
    best_record = -1
    blocks = (left + _BLOCK - 1) // _BLOCK
    home = min(columns.place[seed], left - 1) // _BLOCK
    opposite = blocks - 1 - home
    out = columns.scratch
    for turn in range(blocks):
        # Records come sorted, so what is far from one end is likely to be at the other.
        block = (opposite + turn - 1) % blocks
        if turn == 0:
            block = home
        elif block == home:
            block = (opposite - 1) % blocks
        start = block * _BLOCK
        count = min(_BLOCK, left - start)
        distances_to(columns.values, start, start + count, point, out)
        if not any_outside(out[:count], worst, best):
            continue
        for i in range(count):
            distance = out[i]
            record = columns.records[start + i]
            if distance <= worst:
                size = offer(heap, size, distance, record)
                if size == capacity:
                    worst = heap.distances[0]
            if distance > best or (distance == best < np.inf and record < best_record):
                best, best_record = distance, record
    return best_record


@njit(cache=True)
def remove_columns(columns: Columns, left: int, records: NDArray[np.int64]) -> None:
    """Take records out: the last ones move into their places."""
    for record in records:
        left -= 1
        at = columns.place[record]
        moved = columns.records[left]
        columns.records[at] = moved
        columns.place[moved] = at
        columns.radii[at] = columns.radii[left]
        for j in range(columns.values.shape[0]):
            columns.values[j, at] = columns.values[j, left]


@njit(cache=True)
def any_outside(values: NDArray[np.float64], low: float, high: float) -> bool:
    """Say whether a value is ``low`` or less, or ``high`` or more.

    Counting has no early exit and is therefore one vector loop.
    """
    count = 0
    for i in range(values.shape[0]):
        if values[i] <= low or values[i] >= high:
            count += 1
    return count > 0


@njit(cache=True)
def _largest(values: NDArray[np.float64], count: int) -> int:
    largest = 0
    for start in range(0, count, _BLOCK):
        stop = min(start + _BLOCK, count)
        if any_outside(values[start:stop], -np.inf, values[largest]):
            for i in range(start, stop):
                if values[i] > values[largest]:
                    largest = i
    return largest


@njit(cache=True)
def _distance(values: NDArray[np.float64], i: int, point: NDArray[np.float64]) -> float:
    total = 0.0
    for j in range(point.shape[0]):
        difference = values[j, i] - point[j]
        total += difference * difference
    return total


@njit(cache=True)
def distances_to(
    values: NDArray[np.float64],
    start: int,
    stop: int,
    point: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Write the squared distances of a block to ``out``, two attributes in each sweep."""
    d = point.shape[0]
    # Slices, since an index that might be negative keeps the loops from being vectorised.
    out = out[: stop - start]
    out[:] = 0.0
    for j in range(0, d - 1, 2):
        one, two = values[j, start:stop], values[j + 1, start:stop]
        x, y = point[j], point[j + 1]
        for i in range(out.shape[0]):
            a = one[i] - x
            b = two[i] - y
            out[i] = (out[i] + a * a) + b * b
    if d % 2 == 1:
        one = values[d - 1, start:stop]
        x = point[d - 1]
        for i in range(out.shape[0]):
            a = one[i] - x
            out[i] += a * a

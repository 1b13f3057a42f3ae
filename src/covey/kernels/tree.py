"""Which of the records that remain are nearest to a point, and which is the farthest?

A balanced k-d tree stored without pointers: the children of node ``i`` are ``2 i`` and
``2 i + 1``, the root is 1, and the upper half of the numbers are leaves.  Each node knows the
box around its remaining records and the lowest index among them.  A leaf keeps its remaining
records together, attribute by attribute, so that its distances are one short vector loop for
each attribute.

Searches skip a box if nothing in it can be better than what was found.  The bounds of a box
are computed by the same operations in the same order as a distance, and floating-point
subtraction, multiplication and addition are monotone, so a bound is never on the wrong side of
a distance it bounds.  A box that can only tie is skipped if its lowest index loses the tie.
Hence searches return exactly what a scan of all records returns.

For the farthest record the corners of a box promise too much, because data are round.  So the
squared distance to an origin in the middle, r, is bounded like one more attribute, and with
v = point - origin the identity |x - point|² = r + |v|² - 2 (x - origin)·v gives a second bound,
the smaller the farther the corners of the box lie outside the data.  It is computed with more
slack than rounding can need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.median import cut, widest
from covey.kernels.nearest import Nearest, offer

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAF = 64
"""Records in a leaf at most.  Measured: 32 to 128 do equally well from 2 to 10 attributes."""

# Of the sums bounded by it, per term; a rounding error is at most 1.2e-16.
_SLACK = 1e-15
# Of products so small that their relative error is not bounded.
_TINY = 1e-300


class Tree(NamedTuple):
    """Boxes, leaves, and the place of each record.

    ``boxes[i, j]`` holds the least and the largest value of attribute j in the left, then in
    the right child of node i; attribute d, after the last one, is the squared distance to
    ``origin``.  ``lowest`` is the number of rows for an empty node, and ``place`` is -1 for a
    record that is not in the tree.  The last four are room to work in.
    """

    boxes: NDArray[np.float64]
    lowest: NDArray[np.int64]
    points: NDArray[np.float64]
    records: NDArray[np.int64]
    counts: NDArray[np.int64]
    place: NDArray[np.int64]
    origin: NDArray[np.float64]
    stale: NDArray[np.bool_]
    distances: NDArray[np.float64]
    stack: NDArray[np.int64]
    bounds: NDArray[np.float64]


@njit(cache=True)
def build(X: NDArray[np.float64], records: NDArray[np.int64], leaf_size: int) -> Tree:
    """Build the tree of the given rows of ``X``, with at most ``leaf_size`` records in a leaf.

    Each node is cut at the median of a wide attribute, equal values by index.  O(m log m) time
    for m records, and memory for two copies of their values.
    """
    n, d = X.shape
    m = records.shape[0]
    levels = 1
    while (m - 1) >> levels >= leaf_size:
        levels += 1
    leaves = 1 << levels
    capacity = (m + leaves - 1) // leaves
    order = records.copy()
    values = np.empty((m, d))
    origin = np.zeros(d)
    for i in range(m):
        for j in range(d):
            values[i, j] = X[order[i], j]
            origin[j] += values[i, j] / m
    for level in range(levels):
        for cell in range(1 << level):
            start = (cell * m) >> level
            stop = ((cell + 1) * m) >> level
            middle = ((2 * cell + 1) * m) >> (level + 1)
            if middle < stop:
                cut(values, order, widest(values, start, stop), start, stop, middle)
    tree = Tree(
        np.empty((leaves, d + 1, 4)),
        np.full(2 * leaves, n),
        np.empty((leaves, d + 1, capacity)),
        np.empty((leaves, capacity), dtype=np.int64),
        np.empty(leaves, dtype=np.int64),
        np.full(n, -1),
        origin,
        np.zeros((leaves, d + 1), dtype=np.bool_),
        np.empty(capacity),
        np.empty(levels + 2, dtype=np.int64),
        np.empty(levels + 2),
    )
    # Nothing yet, in all nodes: what is put into a leaf then reaches the nodes above.
    tree.boxes[:, :, ::2] = np.inf
    tree.boxes[:, :, 1::2] = -np.inf
    for leaf in range(leaves):
        start = (leaf * m) >> levels
        stop = ((leaf + 1) * m) >> levels
        tree.counts[leaf] = stop - start
        lowest = n
        for i in range(start, stop):
            slot = i - start
            lowest = min(lowest, order[i])
            tree.records[leaf, slot] = order[i]
            tree.place[order[i]] = leaf * capacity + slot
            total = 0.0
            for j in range(d):
                tree.points[leaf, j, slot] = values[i, j]
                away = values[i, j] - origin[j]
                total += away * away
            tree.points[leaf, d, slot] = total
        for j in range(d + 1):
            low, high = _extremes(tree.points[leaf, j, : stop - start])
            _fit(tree.boxes, leaves + leaf, j, low, high)
        _fit_lowest(tree.lowest, leaves + leaf, lowest)
    return tree


@njit(cache=True)
def nearest(tree: Tree, point: NDArray[np.float64], heap: Nearest, size: int) -> tuple[int, int]:
    """Offer the records nearest to the point to a heap that holds ``size`` candidates.

    Returns how many it then holds, and how many distances were computed.
    """
    leaves = tree.counts.shape[0]
    none = tree.place.shape[0]
    capacity = heap.distances.shape[0]
    work = 0
    worst = np.inf
    worst_record = none
    if size == capacity:
        worst = heap.distances[0]
        worst_record = heap.records[0]
    depth = 1
    tree.stack[0] = 1
    tree.bounds[0] = 0.0
    while depth > 0:
        depth -= 1
        node = tree.stack[depth]
        bound = tree.bounds[depth]
        if bound > worst or (bound == worst and tree.lowest[node] > worst_record):
            continue
        while node < leaves:
            near, far = _gaps(tree.boxes[node], point)
            node *= 2
            other = node + 1
            if far < near or (far == near and tree.lowest[other] < tree.lowest[node]):
                near, far = far, near
                node, other = other, node
            if far < worst or (far == worst and tree.lowest[other] < worst_record):
                tree.stack[depth] = other
                tree.bounds[depth] = far
                depth += 1
            if near > worst or (near == worst and tree.lowest[node] > worst_record):
                node = 0
                break
        if node == 0:
            continue
        leaf = node - leaves
        count = tree.counts[leaf]
        _measure(tree.points[leaf], count, point, tree.distances)
        work += count
        for slot in range(count):
            distance = tree.distances[slot]
            if distance <= worst:
                size = offer(heap, size, distance, tree.records[leaf, slot])
                if size == capacity:
                    worst = heap.distances[0]
                    worst_record = heap.records[0]
    return size, work


@njit(cache=True)
def farthest(tree: Tree, point: NDArray[np.float64]) -> tuple[float, int, int]:
    """Find the record farthest from the point; the lowest index among equals.

    Returns its squared distance, its index, and how many distances were computed.
    """
    leaves = tree.counts.shape[0]
    none = tree.place.shape[0]
    best = -1.0
    best_record = none
    work = 0
    d = point.shape[0]
    constant = _constant(tree, point)
    depth = 1
    tree.stack[0] = 1
    tree.bounds[0] = np.inf
    while depth > 0:
        depth -= 1
        node = tree.stack[depth]
        bound = tree.bounds[depth]
        if bound < best or (bound == best and tree.lowest[node] > best_record):
            continue
        while node < leaves:
            # Spelled out here: as a function of its own this doubles the time of the search.
            box = tree.boxes[node]
            far = 0.0
            near = 0.0
            for j in range(d):
                middle = tree.origin[j]
                v = point[j] - middle
                side = 0 if v > 0.0 else 1
                far += (box[j, side] - middle) * v
                near += (box[j, 2 + side] - middle) * v
            far = box[d, 1] + constant - 2.0 * far
            near = box[d, 3] + constant - 2.0 * near
            if far >= best or near >= best:
                # The corners have no slack, so they decide between equals.
                a = 0.0
                b = 0.0
                for j in range(d):
                    x = point[j]
                    reach = max(x - box[j, 0], box[j, 1] - x)
                    a += reach * reach
                    reach = max(x - box[j, 2], box[j, 3] - x)
                    b += reach * reach
                far = min(far, a)
                near = min(near, b)
            node *= 2
            other = node + 1
            if tree.lowest[node] == none:
                far = -2.0
            if tree.lowest[other] == none:
                near = -2.0
            if near > far or (near == far and tree.lowest[other] < tree.lowest[node]):
                near, far = far, near
                node, other = other, node
            if near > best or (near == best and tree.lowest[other] < best_record):
                tree.stack[depth] = other
                tree.bounds[depth] = near
                depth += 1
            if far < best or (far == best and tree.lowest[node] > best_record):
                node = 0
                break
        if node == 0:
            continue
        leaf = node - leaves
        count = tree.counts[leaf]
        _measure(tree.points[leaf], count, point, tree.distances)
        work += count
        for slot in range(count):
            distance = tree.distances[slot]
            if distance >= best:
                record = tree.records[leaf, slot]
                if distance > best or record < best_record:
                    best = distance
                    best_record = record
    return best, best_record, work


@njit(cache=True)
def remove(tree: Tree, records: NDArray[np.int64]) -> None:
    """Take records out of the tree and tighten the boxes around what remains."""
    capacity = tree.records.shape[1]
    leaves = tree.counts.shape[0]
    attributes = tree.points.shape[1]
    for record in records:
        leaf = tree.place[record] // capacity
        slot = tree.place[record] - leaf * capacity
        last = tree.counts[leaf] - 1
        moved = tree.records[leaf, last]
        tree.records[leaf, slot] = moved
        tree.place[moved] = leaf * capacity + slot
        tree.counts[leaf] = last
        box = tree.boxes[(leaves + leaf) >> 1]
        side = 2 * (leaf & 1)
        for j in range(attributes):
            x = tree.points[leaf, j, slot]
            tree.points[leaf, j, slot] = tree.points[leaf, j, last]
            # Only a record on the face of the box can change it.
            if x == box[j, side] or x == box[j, side + 1]:
                tree.stale[leaf, j] = True
    for record in records:
        leaf = tree.place[record] // capacity
        tree.place[record] = -1
        count = tree.counts[leaf]
        if tree.lowest[leaves + leaf] == record:
            lowest = tree.place.shape[0]
            for i in range(count):
                lowest = min(lowest, tree.records[leaf, i])
            _fit_lowest(tree.lowest, leaves + leaf, lowest)
        for j in range(attributes):
            if tree.stale[leaf, j]:
                tree.stale[leaf, j] = False
                low, high = _extremes(tree.points[leaf, j, :count])
                _fit(tree.boxes, leaves + leaf, j, low, high)


@njit(cache=True)
def remaining(tree: Tree) -> NDArray[np.int64]:
    """List the records that are still in the tree, in ascending order."""
    return np.flatnonzero(tree.place >= 0)


@njit(cache=True)
def _gaps(box: NDArray[np.float64], point: NDArray[np.float64]) -> tuple[float, float]:
    """Bound from below the squared distances from the point to what is in two children."""
    left = 0.0
    right = 0.0
    for j in range(point.shape[0]):
        x = point[j]
        a = x - min(max(x, box[j, 0]), box[j, 1])
        left += a * a
        b = x - min(max(x, box[j, 2]), box[j, 3])
        right += b * b
    return left, right


@njit(cache=True)
def _constant(tree: Tree, point: NDArray[np.float64]) -> float:
    """Return |point - origin|², plus more than all rounding of the second bound can amount to."""
    d = point.shape[0]
    box = tree.boxes[1]
    square = 0.0
    cross = 0.0
    for j in range(d):
        middle = tree.origin[j]
        v = abs(point[j] - middle)
        square += v * v
        low = min(box[j, 0], box[j, 2])
        high = max(box[j, 1], box[j, 3])
        cross += max(abs(low - middle), abs(high - middle)) * v
    most = max(box[d, 1], box[d, 3])
    return square + _TINY + (d + 8) * _SLACK * (most + square + 2.0 * cross)


@njit(cache=True)
def _measure(
    columns: NDArray[np.float64],
    count: int,
    point: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Write the squared distances from the point to the records of a leaf to ``out``."""
    for i in range(count):
        out[i] = 0.0
    for j in range(point.shape[0]):
        x = point[j]
        for i in range(count):
            difference = columns[j, i] - x
            out[i] += difference * difference


@njit(cache=True)
def _extremes(values: NDArray[np.float64]) -> tuple[float, float]:
    low = np.inf
    high = -np.inf
    for x in values:
        low = min(low, x)
        high = max(high, x)
    return low, high


@njit(cache=True)
def _fit(boxes: NDArray[np.float64], node: int, j: int, low: float, high: float) -> None:
    """Set the range of attribute j in a node, and that of the nodes above as far as it counts."""
    while node > 1:
        box = boxes[node >> 1, j]
        side = 2 * (node & 1)
        if low == box[side] and high == box[side + 1]:
            break
        box[side] = low
        box[side + 1] = high
        low = min(box[0], box[2])
        high = max(box[1], box[3])
        node >>= 1


@njit(cache=True)
def _fit_lowest(lowest: NDArray[np.int64], node: int, index: int) -> None:
    """Set the lowest index in a node, and that of the nodes above as far as it counts."""
    while node > 0 and lowest[node] != index:
        lowest[node] = index
        index = min(lowest[node], lowest[node ^ 1])
        node >>= 1

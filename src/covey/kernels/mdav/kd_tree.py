"""Which of the records that remain are nearest to a point?

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
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.mdav.kd_tree_removal import extremes, fit_lowest, fit_range
from covey.kernels.mdav.median import cut, widest
from covey.kernels.mdav.nearest import Nearest, offer

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAF = 64
"""Records in a leaf at most.  Measured: 32 to 128 do equally well from 2 to 10 attributes."""


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


def build_tree(X: NDArray[np.float64], records: NDArray[np.int64], leaf_size: int) -> Tree:
    """Build the tree of the given rows of ``X``, with at most ``leaf_size`` records in a leaf.

    Each node is cut at the median of a wide attribute, equal values by index.  O(m log m) time
    for m records, and memory for one copy of their values.
    """
    n, d = X.shape
    m = records.shape[0]
    levels = 1
    while (m - 1) >> levels >= leaf_size:
        levels += 1
    leaves = 1 << levels
    capacity = (m + leaves - 1) // leaves
    # Not in compiled code: NumPy asks the system for large memory pages, and a search that
    # jumps from leaf to leaf is faster with these.
    room = np.empty(leaves * (d + 1) * capacity)
    tree = Tree(
        np.empty((leaves, d + 1, 4)),
        np.full(2 * leaves, n),
        room.reshape(leaves, d + 1, capacity),
        np.empty((leaves, capacity), dtype=np.int64),
        np.empty(leaves, dtype=np.int64),
        np.full(n, -1),
        np.zeros(d),
        np.zeros((leaves, d + 1), dtype=np.bool_),
        np.empty(capacity),
        np.empty(levels + 2, dtype=np.int64),
        np.empty(levels + 2),
    )
    order = records.copy()
    # At the end of the room of the leaves: the first leaves are written where no row is left,
    # and each of the others where rows of leaves before it were.
    values = room[room.size - m * d :].reshape(m, d)
    _sort_into_leaves(X, order, values, tree.origin, levels)
    _fill_leaves(tree, order, values, levels)
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
        measure_distances(tree.points[leaf], count, point, tree.distances)
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
def measure_distances(
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
def _sort_into_leaves(
    X: NDArray[np.float64],
    order: NDArray[np.int64],
    values: NDArray[np.float64],
    origin: NDArray[np.float64],
    levels: int,
) -> None:
    """Reorder records until those of a leaf are together; write their values and their mean."""
    m, d = values.shape
    for i in range(m):
        for j in range(d):
            values[i, j] = X[order[i], j]
            origin[j] += values[i, j] / m
    # A node is cut just before its first leaf is reached: depth first, so that most cuts find
    # their rows in the cache.
    for leaf in range(1 << levels):
        for level in range(levels):
            below = levels - level
            cell = leaf >> below
            if cell << below == leaf:
                start = (cell * m) >> level
                stop = ((cell + 1) * m) >> level
                middle = ((2 * cell + 1) * m) >> (level + 1)
                if middle < stop:
                    cut(values, order, widest(values, start, stop), start, stop, middle)


@njit(cache=True)
def _fill_leaves(
    tree: Tree, order: NDArray[np.int64], values: NDArray[np.float64], levels: int
) -> None:
    """Store sorted records leaf by leaf, attribute by attribute, and fit all boxes."""
    m, d = values.shape
    leaves, capacity = tree.records.shape
    none = tree.place.shape[0]
    rows = np.empty((capacity, d))
    # Nothing yet, in all nodes: what is put into a leaf then reaches the nodes above.
    tree.boxes[:, :, ::2] = np.inf
    tree.boxes[:, :, 1::2] = -np.inf
    for leaf in range(leaves):
        start = (leaf * m) >> levels
        count = (((leaf + 1) * m) >> levels) - start
        tree.counts[leaf] = count
        for slot in range(count):
            for j in range(d):
                rows[slot, j] = values[start + slot, j]
        lowest = none
        for slot in range(count):
            record = order[start + slot]
            lowest = min(lowest, record)
            tree.records[leaf, slot] = record
            tree.place[record] = leaf * capacity + slot
            total = 0.0
            for j in range(d):
                tree.points[leaf, j, slot] = rows[slot, j]
                away = rows[slot, j] - tree.origin[j]
                total += away * away
            tree.points[leaf, d, slot] = total
        for j in range(d + 1):
            low, high = extremes(tree.points[leaf, j, :count])
            fit_range(tree.boxes, leaves + leaf, j, low, high)
        fit_lowest(tree.lowest, leaves + leaf, lowest)


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

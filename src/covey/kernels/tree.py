"""Which of the records that remain are nearest to a point, and which is the farthest?

A balanced k-d tree stored without pointers: the children of node ``i`` are ``2 i`` and
``2 i + 1``, the root is 1, and the leaves are the upper half.  Each node knows the box around
its remaining records and the lowest index among them.  A leaf keeps its remaining records
together, attribute by attribute, so that a scan of a leaf is one short vector loop for each
attribute.

Searches skip a box if nothing in it can be better than what was found.  Both bounds of a box
are computed by the same operations in the same order as a distance, and floating-point
subtraction, multiplication and addition are monotone, so a bound is never on the wrong side
of a distance it bounds.  A box that can only tie is skipped if its lowest index loses the
tie.  Hence searches return exactly what a scan of all records returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.nearest import Nearest, offer

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Tree(NamedTuple):
    """Boxes, leaves and the place of each record; ``-1`` for a record that is not in it."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    lowest: NDArray[np.int64]
    points: NDArray[np.float64]
    records: NDArray[np.int64]
    counts: NDArray[np.int64]
    place: NDArray[np.int64]
    changed: NDArray[np.bool_]
    scratch: NDArray[np.float64]
    stack: NDArray[np.int64]
    bounds: NDArray[np.float64]


@njit(cache=True)
def build(X: NDArray[np.float64], records: NDArray[np.int64], leaf_size: int) -> Tree:
    """Build the tree of the given records of ``X``.

    Each node is cut at the median of its widest attribute, equal values by index.
    O(m log m) time for m records; memory for two copies of their values while building.
    """
    n, d = X.shape
    m = records.shape[0]
    levels = 0
    while (m >> levels) > leaf_size:
        levels += 1
    leaves = 1 << levels
    capacity = (m + leaves - 1) // leaves
    low = np.empty((2 * leaves, d))
    high = np.empty((2 * leaves, d))
    lowest = np.full(2 * leaves, n, dtype=np.int64)
    order = records.copy()
    values = np.empty((m, d))
    for i in range(m):
        values[i] = X[order[i]]
    for level in range(levels + 1):
        for cell in range(1 << level):
            node = (1 << level) + cell
            start = (cell * m) >> level
            stop = ((cell + 1) * m) >> level
            _bound(values, order, start, stop, low[node], high[node], lowest, node)
            if level < levels:
                widest = np.argmax(high[node] - low[node])
                middle = ((2 * cell + 1) * m) >> (level + 1)
                _split(values, order, widest, start, stop - 1, middle)
    points = np.empty((leaves, d, capacity))
    inside = np.empty((leaves, capacity), dtype=np.int64)
    counts = np.empty(leaves, dtype=np.int64)
    place = np.full(n, -1, dtype=np.int64)
    for leaf in range(leaves):
        start = (leaf * m) >> levels
        stop = ((leaf + 1) * m) >> levels
        counts[leaf] = stop - start
        for i in range(start, stop):
            slot = i - start
            inside[leaf, slot] = order[i]
            place[order[i]] = leaf * capacity + slot
            for j in range(d):
                points[leaf, j, slot] = values[i, j]
    return Tree(
        low,
        high,
        lowest,
        points,
        inside,
        counts,
        place,
        np.zeros(leaves, dtype=np.bool_),
        np.empty(capacity),
        np.empty(levels + 2, dtype=np.int64),
        np.empty(levels + 2),
    )


@njit(cache=True)
def nearest(
    tree: Tree, point: NDArray[np.float64], heap: Nearest, size: int
) -> tuple[int, int]:
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
            node *= 2
            near = gap(tree, node, point)
            far = gap(tree, node + 1, point)
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
        _scan(tree.points[leaf], count, point, tree.scratch)
        work += count
        for slot in range(count):
            distance = tree.scratch[slot]
            if distance <= worst:
                size = offer(heap, size, distance, tree.records[leaf, slot])
                if size == capacity:
                    worst = heap.distances[0]
                    worst_record = heap.records[0]
    return size, work


@njit(cache=True)
def farthest(
    tree: Tree, point: NDArray[np.float64], at_least: float
) -> tuple[float, int, int]:
    """Find the record farthest from the point, among those at ``at_least`` or more.

    Returns its squared distance, its index (-1 if there is none), and how many distances
    were computed.
    """
    leaves = tree.counts.shape[0]
    none = tree.place.shape[0]
    best = at_least
    best_record = none
    work = 0
    depth = 0
    if tree.lowest[1] != none:
        tree.stack[0] = 1
        tree.bounds[0] = np.inf
        depth = 1
    while depth > 0:
        depth -= 1
        node = tree.stack[depth]
        bound = tree.bounds[depth]
        if bound < best or (bound == best and tree.lowest[node] > best_record):
            continue
        while node < leaves:
            node *= 2
            far = reach(tree, node, point)
            near = reach(tree, node + 1, point)
            other = node + 1
            if near > far or (far == near and tree.lowest[other] < tree.lowest[node]):
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
        _scan(tree.points[leaf], count, point, tree.scratch)
        work += count
        for slot in range(count):
            distance = tree.scratch[slot]
            if distance >= best:
                record = tree.records[leaf, slot]
                if distance > best or record < best_record:
                    best = distance
                    best_record = record
    if best_record == none:
        return best, -1, work
    return best, best_record, work


@njit(cache=True)
def remove(tree: Tree, records: NDArray[np.int64]) -> None:
    """Take records out of the tree and tighten the boxes around what remains."""
    capacity = tree.records.shape[1]
    leaves = tree.counts.shape[0]
    d = tree.low.shape[1]
    for record in records:
        leaf = tree.place[record] // capacity
        slot = tree.place[record] - leaf * capacity
        last = tree.counts[leaf] - 1
        moved = tree.records[leaf, last]
        tree.records[leaf, slot] = moved
        tree.place[moved] = leaf * capacity + slot
        for j in range(d):
            tree.points[leaf, j, slot] = tree.points[leaf, j, last]
        tree.counts[leaf] = last
        tree.changed[leaf] = True
    for record in records:
        leaf = tree.place[record] // capacity
        if tree.changed[leaf]:
            tree.changed[leaf] = False
            _tighten_leaf(tree, leaf)
            node = (leaf + leaves) >> 1
            while node > 0 and _tighten(tree, node):
                node >>= 1
    for record in records:
        tree.place[record] = -1


@njit(cache=True)
def remaining(tree: Tree) -> NDArray[np.int64]:
    """List the records that are still in the tree, in ascending order."""
    return np.flatnonzero(tree.place >= 0)


@njit(cache=True)
def _bound(
    values: NDArray[np.float64],
    order: NDArray[np.int64],
    start: int,
    stop: int,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    lowest: NDArray[np.int64],
    node: int,
) -> None:
    for j in range(low.shape[0]):
        low[j] = np.inf
        high[j] = -np.inf
    for i in range(start, stop):
        lowest[node] = min(lowest[node], order[i])
        for j in range(low.shape[0]):
            x = values[i, j]
            low[j] = min(low[j], x)
            high[j] = max(high[j], x)


@njit(cache=True)
def _split(
    values: NDArray[np.float64],
    order: NDArray[np.int64],
    column: int,
    start: int,
    stop: int,
    middle: int,
) -> None:
    """Reorder ``start..stop`` so that position ``middle`` holds what sorting would put there."""
    while start < stop:
        half = (start + stop) >> 1
        # The middle of three as pivot: sorted input, the usual case here, is split evenly.
        if _before(values, order, column, stop, start):
            _swap(values, order, start, stop)
        if _before(values, order, column, half, start):
            _swap(values, order, start, half)
        if _before(values, order, column, stop, half):
            _swap(values, order, half, stop)
        pivot = values[half, column]
        pivot_record = order[half]
        i = start
        j = stop
        while i <= j:
            while values[i, column] < pivot or (
                values[i, column] == pivot and order[i] < pivot_record
            ):
                i += 1
            while values[j, column] > pivot or (
                values[j, column] == pivot and order[j] > pivot_record
            ):
                j -= 1
            if i <= j:
                _swap(values, order, i, j)
                i += 1
                j -= 1
        if middle <= j:
            stop = j
        elif middle >= i:
            start = i
        else:
            return


@njit(cache=True)
def _before(
    values: NDArray[np.float64], order: NDArray[np.int64], column: int, a: int, b: int
) -> bool:
    x = values[a, column]
    y = values[b, column]
    return x < y or (x == y and order[a] < order[b])


@njit(cache=True)
def _swap(values: NDArray[np.float64], order: NDArray[np.int64], a: int, b: int) -> None:
    order[a], order[b] = order[b], order[a]
    for j in range(values.shape[1]):
        values[a, j], values[b, j] = values[b, j], values[a, j]


@njit(cache=True)
def gap(tree: Tree, node: int, point: NDArray[np.float64]) -> float:
    """Bound from below the squared distance from the point to anything in the box."""
    total = 0.0
    for j in range(point.shape[0]):
        apart = max(0.0, max(tree.low[node, j] - point[j], point[j] - tree.high[node, j]))
        total += apart * apart
    return total


@njit(cache=True)
def reach(tree: Tree, node: int, point: NDArray[np.float64]) -> float:
    """Bound from above the squared distance from the point to anything in the box."""
    if tree.lowest[node] == tree.place.shape[0]:
        return -1.0
    total = 0.0
    for j in range(point.shape[0]):
        most = max(point[j] - tree.low[node, j], tree.high[node, j] - point[j])
        total += most * most
    return total


@njit(cache=True)
def _scan(
    columns: NDArray[np.float64],
    count: int,
    point: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Write the squared distances of a leaf's records to ``out``."""
    for i in range(count):
        out[i] = 0.0
    for j in range(point.shape[0]):
        x = point[j]
        for i in range(count):
            difference = columns[j, i] - x
            out[i] += difference * difference


@njit(cache=True)
def _tighten_leaf(tree: Tree, leaf: int) -> None:
    node = leaf + tree.counts.shape[0]
    lowest = tree.place.shape[0]
    for i in range(tree.counts[leaf]):
        lowest = min(lowest, tree.records[leaf, i])
    tree.lowest[node] = lowest
    for j in range(tree.low.shape[1]):
        low = np.inf
        high = -np.inf
        for i in range(tree.counts[leaf]):
            low = min(low, tree.points[leaf, j, i])
            high = max(high, tree.points[leaf, j, i])
        tree.low[node, j] = low
        tree.high[node, j] = high


@njit(cache=True)
def _tighten(tree: Tree, node: int) -> bool:
    """Fit an inner node to its children; say whether that changed it."""
    left = 2 * node
    right = left + 1
    changed = False
    lowest = min(tree.lowest[left], tree.lowest[right])
    if lowest != tree.lowest[node]:
        tree.lowest[node] = lowest
        changed = True
    for j in range(tree.low.shape[1]):
        low = min(tree.low[left, j], tree.low[right, j])
        high = max(tree.high[left, j], tree.high[right, j])
        if low != tree.low[node, j] or high != tree.high[node, j]:
            tree.low[node, j] = low
            tree.high[node, j] = high
            changed = True
    return changed

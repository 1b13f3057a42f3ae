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
    """Boxes, leaves and the place of each record; ``-1`` for a record that is not in it.

    ``boxes[i, j]`` holds the least and the largest value of attribute j in the two children
    of node i.  Attribute d, after the last one, is the squared distance to ``origin``.
    """

    boxes: NDArray[np.float64]
    lowest: NDArray[np.int64]
    points: NDArray[np.float64]
    records: NDArray[np.int64]
    counts: NDArray[np.int64]
    place: NDArray[np.int64]
    changed: NDArray[np.bool_]
    origin: NDArray[np.float64]
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
    levels = 1
    while (m >> levels) > leaf_size:
        levels += 1
    leaves = 1 << levels
    capacity = (m + leaves - 1) // leaves
    order = records.copy()
    values = np.empty((m, d))
    origin = np.zeros(d)
    for i in range(m):
        values[i] = X[order[i]]
        origin += values[i]
    origin /= m
    for level in range(levels):
        for cell in range(1 << level):
            start = (cell * m) >> level
            stop = ((cell + 1) * m) >> level
            middle = ((2 * cell + 1) * m) >> (level + 1)
            _split(values, order, _widest(values, start, stop), start, stop - 1, middle)
    tree = Tree(
        np.empty((leaves, d + 1, 4)),
        np.full(2 * leaves, n),
        np.empty((leaves, d + 1, capacity)),
        np.empty((leaves, capacity), dtype=np.int64),
        np.empty(leaves, dtype=np.int64),
        np.full(n, -1),
        np.zeros(leaves, dtype=np.bool_),
        origin,
        np.empty(capacity),
        np.empty(levels + 2, dtype=np.int64),
        np.empty(levels + 2),
    )
    for leaf in range(leaves):
        start = (leaf * m) >> levels
        stop = ((leaf + 1) * m) >> levels
        tree.counts[leaf] = stop - start
        for i in range(start, stop):
            slot = i - start
            tree.records[leaf, slot] = order[i]
            tree.place[order[i]] = leaf * capacity + slot
            total = 0.0
            for j in range(d):
                tree.points[leaf, j, slot] = values[i, j]
                away = values[i, j] - origin[j]
                total += away * away
            tree.points[leaf, d, slot] = total
        _tighten_leaf(tree, leaf)
    for node in range(leaves - 1, 1, -1):
        _tighten(tree, node)
    return tree


@njit(cache=True)
def nearest(
    tree: Tree, point: NDArray[np.float64], heap: Nearest, size: int
) -> tuple[int, int]:
    """Offer the records nearest to the point to a heap that holds ``size`` candidates.

    Returns how many it then holds, and how many distances were computed.
    """
    leaves = tree.counts.shape[0]
    none = tree.place.shape[0]
    d = point.shape[0]
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
            box = tree.boxes[node]
            near = 0.0
            far = 0.0
            for j in range(d):
                x = point[j]
                a = x - min(max(x, box[j, 0]), box[j, 1])
                near += a * a
                b = x - min(max(x, box[j, 2]), box[j, 3])
                far += b * b
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
    d = point.shape[0]
    best = at_least
    best_record = none
    work = 0
    depth = 1
    tree.stack[0] = 1
    tree.bounds[0] = np.inf
    constant = _constant(tree, point)
    while depth > 0:
        depth -= 1
        node = tree.stack[depth]
        bound = tree.bounds[depth]
        if bound < best or (bound == best and tree.lowest[node] > best_record):
            continue
        while node < leaves:
            box = tree.boxes[node]
            a = 0.0
            b = 0.0
            for j in range(d):
                o = tree.origin[j]
                x = point[j] - o
                side = 0 if x > 0 else 1
                a += (box[j, side] - o) * x
                b += (box[j, 2 + side] - o) * x
            far = box[d, 1] + constant - 2.0 * a
            near = box[d, 3] + constant - 2.0 * b
            if far >= best or near >= best:
                a = 0.0
                b = 0.0
                for j in range(d):
                    x = point[j]
                    y = max(x - box[j, 0], box[j, 1] - x)
                    a += y * y
                    y = max(x - box[j, 2], box[j, 3] - x)
                    b += y * y
                far = min(far, a)
                near = min(near, b)
            node *= 2
            other = node + 1
            if tree.lowest[node] == none:
                far = -1.0
            if tree.lowest[other] == none:
                near = -1.0
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
def _constant(tree, point):
    d = point.shape[0]
    square = 0.0
    cross = 0.0
    most = 0.0
    for j in range(d):
        o = tree.origin[j]
        x = point[j] - o
        square += x * x
        low = min(tree.boxes[1, j, 0], tree.boxes[1, j, 2])
        high = max(tree.boxes[1, j, 1], tree.boxes[1, j, 3])
        cross += max(abs(low - o), abs(high - o)) * abs(x)
    most = max(tree.boxes[1, d, 1], tree.boxes[1, d, 3])
    return square + 1e-300 + (d + 8) * 1e-15 * (most + square + 2.0 * cross)


@njit(cache=True)
def remove(tree: Tree, records: NDArray[np.int64]) -> None:
    """Take records out of the tree and tighten the boxes around what remains."""
    capacity = tree.records.shape[1]
    leaves = tree.counts.shape[0]
    d = tree.points.shape[1]
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
            while node > 1 and _tighten(tree, node):
                node >>= 1
    for record in records:
        tree.place[record] = -1


@njit(cache=True)
def remaining(tree: Tree) -> NDArray[np.int64]:
    """List the records that are still in the tree, in ascending order."""
    return np.flatnonzero(tree.place >= 0)


@njit(cache=True)
def distances(
    tree: Tree, point: NDArray[np.float64], left: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """List the ``left`` records in the tree with their squared distances to the point."""
    records = np.empty(left, dtype=np.int64)
    out = np.empty(left)
    at = 0
    for leaf in range(tree.counts.shape[0]):
        count = tree.counts[leaf]
        _scan(tree.points[leaf], count, point, out[at:])
        records[at : at + count] = tree.records[leaf, :count]
        at += count
    return records, out


@njit(cache=True)
def _widest(values: NDArray[np.float64], start: int, stop: int) -> int:
    """Find the attribute with the largest range, judged by a sample."""
    step = max(1, (stop - start) // 64)
    widest = 0
    width = -1.0
    for j in range(values.shape[1]):
        low = np.inf
        high = -np.inf
        for i in range(start, stop, step):
            low = min(low, values[i, j])
            high = max(high, values[i, j])
        if high - low > width:
            width = high - low
            widest = j
    return widest


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
    """Fit the box of a leaf to its records."""
    count = tree.counts[leaf]
    node = leaf + tree.counts.shape[0]
    lowest = tree.place.shape[0]
    for i in range(count):
        lowest = min(lowest, tree.records[leaf, i])
    tree.lowest[node] = lowest
    side = 2 * (node & 1)
    for j in range(tree.points.shape[1]):
        low = np.inf
        high = -np.inf
        for i in range(count):
            x = tree.points[leaf, j, i]
            low = min(low, x)
            high = max(high, x)
        tree.boxes[node >> 1, j, side] = low
        tree.boxes[node >> 1, j, side + 1] = high


@njit(cache=True)
def _tighten(tree: Tree, node: int) -> bool:
    """Fit the box of an inner node to its children; say whether that changed it."""
    changed = False
    lowest = min(tree.lowest[2 * node], tree.lowest[2 * node + 1])
    if lowest != tree.lowest[node]:
        tree.lowest[node] = lowest
        changed = True
    side = 2 * (node & 1)
    for j in range(tree.boxes.shape[1]):
        low = min(tree.boxes[node, j, 0], tree.boxes[node, j, 2])
        high = max(tree.boxes[node, j, 1], tree.boxes[node, j, 3])
        if low != tree.boxes[node >> 1, j, side] or high != tree.boxes[node >> 1, j, side + 1]:
            tree.boxes[node >> 1, j, side] = low
            tree.boxes[node >> 1, j, side + 1] = high
            changed = True
    return changed

"""Which of the records in a tree is the farthest from a point?

The corners of a box promise too much, because data are round.  So the squared distance to an
origin in the middle, r, is bounded like one more attribute, and with v = point - origin the
identity |x - point|² = r + |v|² - 2 (x - origin)·v gives a second bound, the smaller the farther
the corners of the box lie outside the data.  It is computed with more slack than rounding can
need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from covey.kernels.mdav.kd_tree import Tree, measure_distances

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of the sums bounded by it, per term; a rounding error is at most 1.2e-16.
_SLACK = 1e-15
# Of products so small that their relative error is not bounded.
_TINY = 1e-300


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
        measure_distances(tree.points[leaf], count, point, tree.distances)
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

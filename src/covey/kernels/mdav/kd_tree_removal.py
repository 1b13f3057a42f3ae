"""How do records leave a tree, and its boxes stay tight around the rest?

A box is fitted from below: the range of a leaf changes first, and that of the nodes above as
long as it makes a difference, which it rarely does for more than one or two of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.kernels.mdav.kd_tree import Tree


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
            fit_lowest(tree.lowest, leaves + leaf, lowest)
        for j in range(attributes):
            if tree.stale[leaf, j]:
                tree.stale[leaf, j] = False
                low, high = extremes(tree.points[leaf, j, :count])
                fit_range(tree.boxes, leaves + leaf, j, low, high)


@njit(cache=True)
def remaining(tree: Tree) -> NDArray[np.int64]:
    """List the records that are still in the tree, in ascending order."""
    return np.flatnonzero(tree.place >= 0)


@njit(cache=True)
def extremes(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the least and the largest value; infinity and its negative if there is none."""
    low = np.inf
    high = -np.inf
    for x in values:
        low = min(low, x)
        high = max(high, x)
    return low, high


@njit(cache=True)
def fit_range(boxes: NDArray[np.float64], node: int, j: int, low: float, high: float) -> None:
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
def fit_lowest(lowest: NDArray[np.int64], node: int, index: int) -> None:
    """Set the lowest index in a node, and that of the nodes above as far as it counts."""
    while node > 0 and lowest[node] != index:
        lowest[node] = index
        index = min(lowest[node], lowest[node ^ 1])
        node >>= 1

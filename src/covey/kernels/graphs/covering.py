"""Which square boxes, taken greedily, cover all points of a grid?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


def cover_greedily(points: NDArray[np.int64], side: int) -> NDArray[np.int64]:
    """Take the box that covers most points, again and again until all are covered.

    Boxes are closed squares ``[x, x + side] × [y, y + side]`` with integer corners.  Boxes are
    created while the points are scanned, for each point by rising x, then by rising y; of several
    with the same number of points the one created first is taken.

    Parameters
    ----------
    points : array of int64, shape (n, 2)
        Different points in lexicographic order.
    side : int
        At least 0.

    Returns
    -------
    array of int64, shape (n,)
        The box of each point, numbered in the order in which boxes were taken.

    Notes
    -----
    Every point lies in (side + 1)² boxes, so with s = side + 1 it takes O(s² n log n) steps:
    each box is filed under its count again only after that has dropped.  Memory is one integer
    for each pair of corner coordinates that occur, and a few for each box.
    """
    corners = [_corners(points[:, axis], side) for axis in range(2)]
    first = np.column_stack(
        [np.searchsorted(corners[axis], points[:, axis] - side) for axis in range(2)]
    )
    serials = np.full((len(corners[0]), len(corners[1])), -1, dtype=np.int64)
    boxes, counts = _create(first, side, serials)
    return _take(points, first, side, serials, boxes, counts, corners[0], corners[1])


def _corners(values: NDArray[np.int64], side: int) -> NDArray[np.int64]:
    """Return the lower coordinates of all boxes around some value, ascending.

    Those of one value are neighbours here too, so only where they begin has to be looked up.
    """
    return np.unique(np.unique(values)[:, None] - np.arange(side + 1))


@njit(cache=True)
def _create(
    first: NDArray[np.int64], side: int, serials: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give boxes numbers as they are created, and count the points in each."""
    counts = np.zeros(first.shape[0] * (side + 1) ** 2, np.int64)
    boxes = np.empty((counts.shape[0], 2), np.int64)
    created = 0
    for point in range(first.shape[0]):
        for x in range(first[point, 0], first[point, 0] + side + 1):
            for y in range(first[point, 1], first[point, 1] + side + 1):
                if serials[x, y] < 0:
                    serials[x, y] = created
                    boxes[created, 0], boxes[created, 1] = x, y
                    created += 1
                counts[serials[x, y]] += 1
    return boxes[:created].copy(), counts[:created].copy()


@njit(cache=True)
def _take(
    points: NDArray[np.int64],
    first: NDArray[np.int64],
    side: int,
    serials: NDArray[np.int64],
    boxes: NDArray[np.int64],
    counts: NDArray[np.int64],
    corners_x: NDArray[np.int64],
    corners_y: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Go down from the largest count; a box whose count has dropped is filed lower."""
    labels = np.full(points.shape[0], -1, np.int64)
    taken = 0
    largest = counts.max() if counts.shape[0] else 0
    # A chain of boxes for each count; a box stands in one chain, at or above its true count.
    head = np.full(largest + 1, -1, np.int64)
    after = np.empty(counts.shape[0], np.int64)
    for box in range(counts.shape[0]):
        after[box] = head[counts[box]]
        head[counts[box]] = box
    for count in range(largest, 0, -1):
        chain = _chain(head, after, count)
        for box in np.sort(chain):
            if counts[box] == count:
                x, y = corners_x[boxes[box, 0]], corners_y[boxes[box, 1]]
                _label(points, first, labels, taken, x, y, side, serials, counts)
                taken += 1
            elif counts[box] > 0:
                after[box] = head[counts[box]]
                head[counts[box]] = box
    return labels


@njit(cache=True)
def _chain(head: NDArray[np.int64], after: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    size = 0
    box = head[count]
    while box >= 0:
        size += 1
        box = after[box]
    chain = np.empty(size, np.int64)
    box = head[count]
    for place in range(size):
        chain[place] = box
        box = after[box]
    return chain


@njit(cache=True)
def _label(
    points: NDArray[np.int64],
    first: NDArray[np.int64],
    labels: NDArray[np.int64],
    label: int,
    x: int,
    y: int,
    side: int,
    serials: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Give the points of a box that are left their label, and take them from all their boxes."""
    start = np.searchsorted(points[:, 0], x)
    stop = np.searchsorted(points[:, 0], x + side, side="right")
    while start < stop:
        end = start + np.searchsorted(points[start:stop, 0], points[start, 0], side="right")
        inside = start + np.searchsorted(points[start:end, 1], y)
        while inside < end and points[inside, 1] <= y + side:
            if labels[inside] < 0:
                labels[inside] = label
                for a in range(first[inside, 0], first[inside, 0] + side + 1):
                    for b in range(first[inside, 1], first[inside, 1] + side + 1):
                        counts[serials[a, b]] -= 1
            inside += 1
        start = end

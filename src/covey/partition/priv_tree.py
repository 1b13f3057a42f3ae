"""Into which boxes are records cut, when a randomised test decides whether to cut again?

The tree of a private partition (docs/proofs/private-tree.md).  Where a box is cut depends on
the box alone; whether it is cut is decided by a test that the caller brings, and that is the
only place where the data enter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Decide = Callable[["NDArray[np.int64]", int], "NDArray[np.bool_]"]
"""Given the counts of boxes and their depth, says which of them are cut."""

MOST_LEVELS = 80
MOST_BOXES = 2**17
BEND = 1024.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The public scale on which one attribute is cut.

    Parameters
    ----------
    edges : array of float64
        Values 0 … m − 1 of the attribute occupy edges[v] … edges[v + 1] on a scale from 0 to 1.
    finest : float
        A piece that is not wider than this is not cut.
    apart : int
        The first so many values stand by themselves: each is cut off before any test.
    """

    edges: NDArray[np.float64]
    finest: float = 0.0
    apart: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """The leaves of a tree, and the records in each: ``order[starts[b]:ends[b]]``.

    For engines alone: it knows which records are where.  ``low`` and ``high`` are the smallest
    and largest value of each side, both inside.
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    order: NDArray[np.int64]


def bent(t: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the public scale that looks closely at both ends, where most data have their mass.

    The mean of the identity and of a logarithm from either end.
    """
    below = np.log1p(BEND * t) / np.log1p(BEND)
    above = 1.0 - np.log1p(BEND * (1.0 - t)) / np.log1p(BEND)
    return np.asarray((t + below + above) / 3.0)


@lru_cache(maxsize=64)
def bent_side(values: int, *, finest: float = 0.0) -> Side:
    """Return the side of a numeric attribute with so many grid values; the same for all alike."""
    edges = bent(np.arange(values + 1) / values)
    edges.setflags(write=False)
    return Side(edges=edges, finest=finest)


def even_side(values: int, *, finest: float = 0.0) -> Side:
    """Return a side that is cut into equal halves."""
    return Side(edges=np.arange(values + 1) / values, finest=finest)


def grow(cells: NDArray[np.int32], sides: Sequence[Side], decide: Decide) -> Boxes:
    """Cut the domain into boxes, level by level, until the test or the grid says stop.

    The widest side of a box on its public scale is cut at the middle of that scale; among
    equals, the first.  Values that stand apart are cut off first, without a test: that is public.
    Costs one pass over the records for each level.
    """
    from covey.kernels.boxes.ranges import cut_ranges

    n, d = cells.shape
    order = np.arange(n, dtype=np.int64)
    low = np.zeros((1, d), dtype=np.int64)
    high = np.array([[side.edges.size - 2 for side in sides]], dtype=np.int64)
    starts, ends = np.array([0]), np.array([n])
    for j, side in enumerate(sides):
        for value in range(1, side.apart + 1):
            # A box that begins with this value's predecessor still holds all that follows it.
            whole = np.flatnonzero((low[:, j] == value - 1) & (high[:, j] >= value))
            low, high, starts, ends = _halved(
                cells, order, (low, high, starts, ends), whole, at=(j, value)
            )
    leaves: list[tuple[NDArray[np.int64], ...]] = []
    for depth in range(MOST_LEVELS + 1):
        widths = widths_of(sides, low, high)
        side = np.argmax(widths, axis=1)
        # Caps are functions of the tree alone, so they tell nothing about the records.
        may = (widths.max(axis=1) > 0) & (depth < MOST_LEVELS) & (low.shape[0] <= MOST_BOXES)
        go = np.zeros(low.shape[0], dtype=np.bool_)
        go[may] = decide((ends - starts)[may], depth)
        leaves.append((low[~go], high[~go], starts[~go], ends[~go]))
        if not go.any():
            break
        low, high, starts, ends, side = low[go], high[go], starts[go], ends[go], side[go]
        cuts = cuts_of(sides, low, high, side)
        middles = cut_ranges(cells, order, starts, ends, side, cuts)
        rows = np.arange(low.shape[0])
        below, above = high.copy(), low.copy()
        below[rows, side], above[rows, side] = cuts - 1, cuts
        low, high = np.concatenate((low, above)), np.concatenate((below, high))
        starts, ends = np.concatenate((starts, middles)), np.concatenate((middles, ends))
    low, high, starts, ends = (np.concatenate(part) for part in zip(*leaves, strict=True))
    return Boxes(low=low, high=high, starts=starts, ends=ends, order=order)


def _halved(
    cells: NDArray[np.int32],
    order: NDArray[np.int64],
    boxes: tuple[NDArray[np.int64], ...],
    chosen: NDArray[np.int64],
    *,
    at: tuple[int, int],
) -> tuple[NDArray[np.int64], ...]:
    """Cut some boxes ``at`` a side and a value of it, and leave the others as they are."""
    from covey.kernels.boxes.ranges import cut_ranges

    (side, cut), (low, high, starts, ends) = at, boxes
    middles = cut_ranges(
        cells,
        order,
        starts[chosen],
        ends[chosen],
        np.full(chosen.size, side),
        np.full(chosen.size, cut),
    )
    above, below = low[chosen].copy(), high.copy()
    above[:, side], below[chosen, side] = cut, cut - 1
    left = ends.copy()
    left[chosen] = middles
    return (
        np.concatenate((low, above)),
        np.concatenate((below, high[chosen])),
        np.concatenate((starts, middles)),
        np.concatenate((left, ends[chosen])),
    )


def widths_of(
    sides: Sequence[Side], low: NDArray[np.int64], high: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the width of each side that can be cut, and 0 for one that cannot."""
    columns = []
    for j, side in enumerate(sides):
        width = side.edges[high[:, j] + 1] - side.edges[low[:, j]]
        columns.append(np.where((high[:, j] > low[:, j]) & (width > side.finest), width, 0.0))
    return np.column_stack(columns)


def cuts_of(
    sides: Sequence[Side],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    chosen: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the first value of the upper part of each box."""
    cuts = np.empty(low.shape[0], dtype=np.int64)
    for j, side in enumerate(sides):
        rows = np.flatnonzero(chosen == j)
        middle = (side.edges[low[rows, j]] + side.edges[high[rows, j] + 1]) / 2.0
        nearest = np.searchsorted(side.edges, middle)
        cuts[rows] = np.clip(nearest, low[rows, j] + 1, high[rows, j])
    return cuts

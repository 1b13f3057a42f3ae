"""What does a private tree learn of records that are never together in one place?

Every question is a function from the integers of some records to whole numbers, which add up
over pieces; an engine says how it asks all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import RECORD_UNIT, BoxSums
from covey.engines.shared.cuts import CutTree, grow_counted, look_ahead

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition.axis import Axis
    from covey.partition.priv_tree import Boxes, Decide, Side

Question = Callable[["NDArray[np.int32]"], "NDArray[np.int64]"]
"""Takes the integers of some records, a row each; its answers on all pieces are added up."""

Ask = Callable[[Question, tuple[int, ...]], "NDArray[np.int64]"]
"""Asks all records a question whose answer has a certain shape."""

Nodes = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]"]
"""The side, the cut and the children of each node of a tree of cuts."""


@dataclass(frozen=True, slots=True)
class CountedBoxes:
    """Boxes that know how many records they hold, and the tree of cuts that leads to them.

    ``boxes.order`` are their nodes in the tree.
    """

    boxes: Boxes
    tree: CutTree = field(repr=False)

    @property
    def nodes(self) -> Nodes:
        """Return what leads an integer down the tree."""
        return self.tree.side, self.tree.cut, self.tree.children

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Return the number of the box that each node is, or −1."""
        found = np.full(self.tree.size, -1, dtype=np.int64)
        found[self.boxes.order] = np.arange(self.boxes.order.size)
        return found

    def with_counts(self, sums: NDArray[np.int64]) -> NDArray[np.int64]:
        """Put the counts of the boxes before the sums of positions in them."""
        counts = self.boxes.ends - self.boxes.starts
        return np.column_stack([counts * RECORD_UNIT, sums])


@dataclass(frozen=True, slots=True)
class CountedRecords:
    """Records in pieces: counts of boxes cost a pass for many levels, and sums another one."""

    ask: Ask = field(repr=False)

    def cut(self, sides: Sequence[Side], decide: Decide) -> CountedBoxes:
        """Cut the domain."""
        return CountedBoxes(*grow_counted(sides, decide, self._count))

    def sums(self, found: CountedBoxes, question: BoxSums) -> NDArray[np.int64]:
        """Return counts and sums of the positions of all records; they are whole numbers."""
        low, high = question.low, question.high
        where = partial(position_sums, cuts=found.nodes, number=found.numbers)
        ask = partial(where, axes=question.axes, low=low, high=high)
        return found.with_counts(self.ask(ask, low.shape))

    def _count(self, tree: CutTree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        if (tree.counts[nodes] < 0).any():
            levels = look_ahead(tree, nodes)
            cuts = (tree.side, tree.cut, tree.children)
            tree.counts[:] = self.ask(partial(_node_counts, cuts=cuts), (tree.size,))
            for level in reversed(levels):
                lower = tree.children[level]
                tree.counts[level] = tree.counts[lower] + tree.counts[lower + 1]
        return tree.counts[nodes]


@dataclass(frozen=True, slots=True)
class CountedValues:
    """One column, known by how often each integer of its axis occurs: no further pass is needed."""

    histogram: NDArray[np.int64] = field(repr=False)

    def cut(self, sides: Sequence[Side], decide: Decide) -> CountedBoxes:
        """Cut the axis; counts of intervals are differences of cumulated ones."""
        below = np.concatenate(([0], np.cumsum(self.histogram)))

        def count(tree: CutTree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
            found = below[tree.high[nodes, 0] + 1] - below[tree.low[nodes, 0]]
            tree.counts[nodes] = found
            return np.asarray(found)

        return CountedBoxes(*grow_counted(sides, decide, count))

    def sums(self, found: CountedBoxes, question: BoxSums) -> NDArray[np.int64]:
        """Return counts and sums of positions, each value as often as it occurs."""
        (axis,), low, high = question.axes, question.low, question.high
        values = np.arange(self.histogram.size, dtype=np.int32)
        first = np.argsort(found.boxes.low[:, 0])
        box = first[np.searchsorted(found.boxes.low[first, 0], values, side="right") - 1]
        width = high[box, 0] - low[box, 0]
        wide = width > 0.0
        middle = 2.0 * axis.places(values) - low[box, 0] - high[box, 0]
        offsets = np.clip(middle / np.where(wide, width, 1.0), -1.0, 1.0)
        steps = np.where(wide, np.rint(RECORD_UNIT * offsets), 0.0).astype(np.int64)
        sums = np.zeros(low.shape, dtype=np.int64)
        np.add.at(sums[:, 0], box, steps * self.histogram)
        return found.with_counts(sums)


def _node_counts(cells: NDArray[np.int32], *, cuts: Nodes) -> NDArray[np.int64]:
    """Count the records that end in each node of a tree of cuts."""
    from covey.kernels.boxes.descend import ends_of

    return np.bincount(ends_of(cells, *cuts), minlength=cuts[0].size).astype(np.int64)


def position_sums(
    cells: NDArray[np.int32],
    *,
    cuts: Nodes,
    number: NDArray[np.int64],
    axes: Sequence[Axis],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Add up where some records lie in their boxes; ``number`` gives the box of a node."""
    from covey.kernels.boxes.descend import ends_of
    from covey.kernels.boxes.ranges import box_sums

    box = number[ends_of(cells, *cuts)]
    order = np.argsort(box, kind="stable")
    borders = np.searchsorted(box[order], np.arange(len(low) + 1))
    places = np.column_stack([axis.places(cells[:, j]) for j, axis in enumerate(axes)])
    return np.asarray(box_sums(places, order, borders[:-1], borders[1:], low, high, RECORD_UNIT))

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

from covey.stream.cuts import Cuts, grow_counted, look_ahead
from covey.systems.tree_records import UNIT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition.tree import Boxes, Decide, Side
    from covey.systems.axes import Axis

Question = Callable[["NDArray[np.int32]"], "NDArray[np.int64]"]
"""Takes the integers of some records, a row each; its answers on all pieces are added up."""

Ask = Callable[[Question, tuple[int, ...]], "NDArray[np.int64]"]
"""Asks all records a question whose answer has a certain shape."""

Nodes = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]"]
"""The side, the cut and the children of each node of a tree of cuts."""


@dataclass(slots=True, kw_only=True)
class CountedRecords:
    """Records in pieces: a question costs a pass, but for those about one column.

    Parameters
    ----------
    n : int
        How many there are.
    histograms : sequence of arrays
        How many records have each value of each axis.
    ask : callable
        Asks all pieces.
    """

    n: int
    histograms: Sequence[NDArray[np.int64]] = field(repr=False)
    ask: Ask = field(repr=False)
    tree: Cuts | None = field(default=None, repr=False)

    def counts(self, j: int, values: int) -> NDArray[np.int64]:
        """Return how many records have each value of an axis, as counted before."""
        del values
        return self.histograms[j]

    def column(self, j: int) -> CountedValues:
        """Return the values of one axis, which are counted already."""
        return CountedValues(self.histograms[j])

    def boxes(self, sides: Sequence[Side], decide: Decide) -> Boxes:
        """Cut the domain with one pass for many levels."""
        found, self.tree = grow_counted(sides, decide, self._count)
        return found

    def _count(self, tree: Cuts, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        if (tree.counts[nodes] < 0).any():
            levels = look_ahead(tree, nodes)
            tree.counts[:] = self.ask(partial(node_counts, cuts=_nodes(tree)), (tree.size,))
            for level in reversed(levels):
                lower = tree.children[level]
                tree.counts[level] = tree.counts[lower] + tree.counts[lower + 1]
        return tree.counts[nodes]

    def sums(
        self,
        boxes: Boxes,
        axes: Sequence[Axis],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> NDArray[np.int64]:
        """Add the positions of all records up; they are whole numbers."""
        assert self.tree is not None  # noqa: S101 — boxes come before their sums
        number = np.full(self.tree.size, -1, dtype=np.int64)
        number[boxes.order] = np.arange(boxes.order.size)
        question = partial(
            position_sums, cuts=_nodes(self.tree), number=number, axes=axes, low=low, high=high
        )
        return self.ask(question, low.shape)


@dataclass(frozen=True, slots=True)
class CountedValues:
    """One column, known by how often each integer of its axis occurs."""

    histogram: NDArray[np.int64] = field(repr=False)

    @property
    def n(self) -> int:
        """Return how many records there are."""
        return int(self.histogram.sum())

    def counts(self, j: int, values: int) -> NDArray[np.int64]:
        """Return the counts."""
        del j, values
        return self.histogram

    def column(self, j: int) -> CountedValues:
        """Return the column itself."""
        del j
        return self

    def boxes(self, sides: Sequence[Side], decide: Decide) -> Boxes:
        """Cut the axis; counts of intervals are differences of cumulated ones."""
        below = np.concatenate(([0], np.cumsum(self.histogram)))

        def count(tree: Cuts, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
            found = below[tree.high[nodes, 0] + 1] - below[tree.low[nodes, 0]]
            tree.counts[nodes] = found
            return np.asarray(found)

        return grow_counted(sides, decide, count)[0]

    def sums(
        self,
        boxes: Boxes,
        axes: Sequence[Axis],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> NDArray[np.int64]:
        """Add positions up, each value as often as it occurs."""
        values = np.arange(self.histogram.size, dtype=np.int32)
        first = np.argsort(boxes.low[:, 0])
        box = first[np.searchsorted(boxes.low[first, 0], values, side="right") - 1]
        width = high[box, 0] - low[box, 0]
        wide = width > 0.0
        middle = 2.0 * axes[0].places(values) - low[box, 0] - high[box, 0]
        offsets = np.clip(middle / np.where(wide, width, 1.0), -1.0, 1.0)
        steps = np.where(wide, np.rint(UNIT * offsets), 0.0).astype(np.int64)
        sums = np.zeros(low.shape, dtype=np.int64)
        np.add.at(sums[:, 0], box, steps * self.histogram)
        return sums


def node_counts(cells: NDArray[np.int32], *, cuts: Nodes) -> NDArray[np.int64]:
    """Count the records that end in each node of a tree of cuts."""
    from covey.kernels.descend import ends_of

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
    from covey.kernels.boxes import box_sums
    from covey.kernels.descend import ends_of

    box = number[ends_of(cells, *cuts)]
    order = np.argsort(box, kind="stable")
    borders = np.searchsorted(box[order], np.arange(len(low) + 1))
    places = np.column_stack([axis.places(cells[:, j]) for j, axis in enumerate(axes)])
    return np.asarray(box_sums(places, order, borders[:-1], borders[1:], low, high, UNIT))


def _nodes(tree: Cuts) -> Nodes:
    return tree.side, tree.cut, tree.children

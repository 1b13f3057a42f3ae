"""Which boxes does a private tree cut, if only counts of boxes can be asked for?

Where a box is cut is public, so all cuts that the next levels could make are laid out first,
as far as there is room; one pass counts the records of all of them, and the randomised tests
then go down these levels without looking at the records again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.partition.priv_tree import (
    MOST_BOXES,
    MOST_LEVELS,
    Boxes,
    Decide,
    Side,
    cuts_of,
    widths_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROOM = 2**17
"""Nodes that are laid out for one pass; always enough for one more level."""


class CutTree:
    """A tree of public cuts that grows; node 0 is the whole domain.

    Parameters
    ----------
    sides : sequence of Side
        Where each attribute can be cut.
    """

    def __init__(self, sides: Sequence[Side]) -> None:
        self.sides = sides
        self.low = np.zeros((1, len(sides)), dtype=np.int64)
        self.high = np.array([[side.edges.size - 2 for side in sides]], dtype=np.int64)
        self.side = np.zeros(1, dtype=np.int64)
        self.cut = np.zeros(1, dtype=np.int64)
        self.children = np.full(1, -1, dtype=np.int64)
        self.counts = np.full(1, -1, dtype=np.int64)

    @property
    def size(self) -> int:
        """Return the number of nodes."""
        return self.children.size

    def widest(self, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the side at which each box would be cut, and whether it can be."""
        widths = widths_of(self.sides, self.low[nodes], self.high[nodes])
        return np.argmax(widths, axis=1), widths.max(axis=1) > 0

    def halve(
        self, nodes: NDArray[np.int64], side: NDArray[np.int64], cut: NDArray[np.int64]
    ) -> None:
        """Give nodes two children each, below and from the cut on, unless they have them."""
        new = self.children[nodes] < 0
        nodes, side, cut = nodes[new], side[new], cut[new]
        rows = np.arange(nodes.size)
        low, high = (np.repeat(part[nodes], 2, axis=0) for part in (self.low, self.high))
        low[2 * rows + 1, side], high[2 * rows, side] = cut, cut - 1
        self.side[nodes], self.cut[nodes] = side, cut
        self.children[nodes] = self.size + 2 * rows
        self.low, self.high = np.concatenate((self.low, low)), np.concatenate((self.high, high))
        more = np.zeros(2 * nodes.size, dtype=np.int64)
        self.side, self.cut = (np.concatenate((part, more)) for part in (self.side, self.cut))
        self.children = np.concatenate((self.children, more - 1))
        self.counts = np.concatenate((self.counts, more - 1))

    def next_level(self, nodes: NDArray[np.int64], side: NDArray[np.int64]) -> NDArray[np.int64]:
        """Cut boxes at the public middle; return the lower halves, then the upper ones."""
        self.halve(nodes, side, cuts_of(self.sides, self.low[nodes], self.high[nodes], side))
        lower = self.children[nodes]
        return np.concatenate((lower, lower + 1))


Count = Callable[[CutTree, "NDArray[np.int64]"], "NDArray[np.int64]"]
"""Returns the number of records in some nodes of a tree of cuts."""


def grow_counted(sides: Sequence[Side], decide: Decide, count: Count) -> tuple[Boxes, CutTree]:
    """Cut the domain into the boxes of `covey.partition.priv_tree.grow`, in the same order.

    The boxes know how many records they hold, not which.
    """
    tree = CutTree(sides)
    nodes = np.zeros(1, dtype=np.int64)
    for j, apart in enumerate(side.apart for side in sides):
        for value in range(1, apart + 1):
            whole = np.flatnonzero(
                (tree.low[nodes, j] == value - 1) & (tree.high[nodes, j] >= value)
            )
            tree.halve(nodes[whole], np.full(whole.size, j), np.full(whole.size, value))
            upper = tree.children[nodes[whole]] + 1
            nodes[whole] = upper - 1
            nodes = np.concatenate((nodes, upper))
    leaves: list[NDArray[np.int64]] = []
    for depth in range(MOST_LEVELS + 1):
        side, can = tree.widest(nodes)
        may = can & (depth < MOST_LEVELS) & (nodes.size <= MOST_BOXES)
        counts = count(tree, nodes)
        go = np.zeros(nodes.size, dtype=np.bool_)
        go[may] = decide(counts[may], depth)
        # What was laid out below a box that is not cut must not part its records.
        tree.children[nodes[~go]] = -1
        leaves.append(nodes[~go])
        if not go.any():
            break
        nodes = tree.next_level(nodes[go], side[go])
    found = np.concatenate(leaves)
    ends = np.cumsum(tree.counts[found])
    boxes = Boxes(
        low=tree.low[found],
        high=tree.high[found],
        starts=ends - tree.counts[found],
        ends=ends,
        order=found,
    )
    return boxes, tree


def look_ahead(
    tree: CutTree, nodes: NDArray[np.int64], room: int = ROOM
) -> list[NDArray[np.int64]]:
    """Lay out the cuts that could follow below some boxes; return what was cut, level by level."""
    levels, first = list["NDArray[np.int64]"](), tree.size
    while nodes.size:
        side, can = tree.widest(nodes)
        nodes, side = nodes[can], side[can]
        if levels and tree.size - first + 2 * nodes.size > room:
            break
        below = tree.next_level(nodes, side)
        levels.append(nodes)
        nodes = below
    return levels

"""By how much can two neighbours be told apart by a private tree and what its boxes publish?

The logarithm of the ratio of the probabilities of a tree is a sum over its boxes: one term if a
box is cut, another if it is a leaf, which also publishes its noisy count and sums.  So the
largest ratio over *all* trees is found exactly by recursion: the better of the two terms, with
the best of the parts added to the first.  Boxes that hold the same records say nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.audit.law import DECIMALS
from covey.audit.subject import RECORDED
from covey.partition.tree import MOST_LEVELS, Side, cuts_of, widths_of
from covey.perturb.cube import cube_noise
from covey.perturb.splits import GAMMA, split_test
from covey.privacy import Budget, sensitivity
from covey.systems.private_tree import LEAVES_SHARE, STRUCTURE_SHARE
from covey.systems.tree_records import UNIT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource
    from covey.systems.axes import Axis
    from covey.table import Table

Cells = Counter[tuple[int, ...]]
"""How many records lie in each cell of the grid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A box that holds different records of the two inputs.

    Parameters
    ----------
    depth : int
        How often it was cut out of the domain.
    counts : pair of int
        How many records it holds.
    vectors : pair of arrays of int64
        Count and sums that it publishes as a leaf.
    parts : tuple of Node, optional
        Its halves that hold different records; None if it may not be cut.
    """

    depth: int
    counts: tuple[int, int]
    vectors: tuple[NDArray[np.int64], NDArray[np.int64]]
    parts: tuple[Node, ...] | None

    def leaf_loss(self, scale: float) -> float:
        """Return the exact loss of cube noise on count and sums."""
        return float(np.abs(self.vectors[0] - self.vectors[1]).max()) / scale


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLaw:
    """A private tree on two neighbours: exact loss over all trees, and draws of T.

    The draws use the samplers that the system publishes with, for all runs at once.

    Parameters
    ----------
    root : Node or None
        The whole domain; None if the inputs are the same.
    structure, leaves : Budget
        What the tests and the noise of the boxes may cost.
    """

    words: str
    root: Node | None
    structure: Budget
    leaves: Budget
    how: str = RECORDED
    at_least: bool = False
    decimals: int | None = DECIMALS

    @property
    def split_scale(self) -> Fraction:
        """Return λ, in thousandths, as the system rounds it."""
        bound = sensitivity("private-tree", "structure").l1
        return Fraction(math.ceil(Fraction(bound) / self.structure.epsilon), 1000)

    @property
    def cube_scale(self) -> int:
        """Return the scale of the noise of the boxes."""
        bound = sensitivity("private-tree", "leaves", unit=UNIT).l1
        return math.ceil(Fraction(bound) / self.leaves.epsilon)

    @property
    def exact(self) -> float:
        """Return the largest loss over all trees and all that their leaves can publish."""
        scales = float(self.split_scale), float(self.cube_scale)
        return worst_loss(self.root, split_scale=scales[0], cube_scale=scales[1])

    def draw(
        self, side: int, runs: int, source: NoiseSource, *, shrink: int = 1
    ) -> NDArray[np.float64]:
        """Draw trees and their leaves; return the log likelihood ratio of each."""
        test = split_test(
            sensitivity=sensitivity("private-tree", "structure"),
            budget=Budget(self.structure.epsilon * shrink),
            source=source,
        )
        scale = float(self.split_scale)
        ratios = np.zeros(runs)
        pending = [(self.root, np.arange(runs))] if self.root is not None else []
        while pending:
            node, who = pending.pop()
            cut = np.zeros(who.size, dtype=np.bool_)
            if node.parts is not None:
                cut = test(np.full(who.size, node.counts[side], dtype=np.int64), node.depth)
                stop, go = _differences(node, scale)
                ratios[who] += np.where(cut, go, stop)
                pending += [(part, who[cut]) for part in node.parts if cut.any()]
            whole = who[~cut]
            if whole.size:
                ratios[whole] += self._leaf(node, side, whole.size, source, shrink)
        return ratios

    def _leaf(
        self, node: Node, side: int, runs: int, source: NoiseSource, shrink: int
    ) -> NDArray[np.float64]:
        here, there = node.vectors
        noise = cube_noise(
            math.ceil(self.cube_scale / shrink), (runs, here.size), source.random_bytes
        )
        y = node.vectors[side] + noise
        far, near = (np.abs(y - centre).max(axis=1) for centre in (there, here))
        return np.asarray((far - near) / self.cube_scale)


def tree_law(
    words: str, here: Table, there: Table, axes: Sequence[Axis], *, epsilon: float
) -> TreeLaw:
    """Return the law of `private-tree` on two tables of fewer than six numeric columns.

    With n public and no categories, epsilon has two parts: for the tests and for the boxes.
    """
    cells = [np.column_stack([axis.cells(table) for axis in axes]) for table in (here, there)]
    counted = [Counter(map(tuple, rows.tolist())) for rows in cells]
    structure, leaves = Budget.of(epsilon).split([STRUCTURE_SHARE, LEAVES_SHARE])
    root = nodes(counted[0], counted[1], [axis.side for axis in axes])
    return TreeLaw(words=words, root=root, structure=structure, leaves=leaves)


def nodes(here: Cells, there: Cells, sides: Sequence[Side]) -> Node | None:
    """Return the boxes that hold different records, from the whole domain downwards."""
    low = (0,) * len(sides)
    high = tuple(side.edges.size - 2 for side in sides)
    return _node(here, there, sides, (low, high), 0)


def worst_loss(
    root: Node | None, *, split_scale: float, cube_scale: float, gamma: float = float(GAMMA)
) -> float:
    """Return the largest loss over all trees, in either direction."""

    def best(node: Node, sign: int) -> float:
        leaf = node.leaf_loss(cube_scale)
        if node.parts is None:
            return leaf
        stop, go = (sign * part for part in _differences(node, split_scale, gamma))
        return max(stop + leaf, go + sum(best(part, sign) for part in node.parts))

    return 0.0 if root is None else max(best(root, sign) for sign in (1, -1))


def _node(
    here: Cells,
    there: Cells,
    sides: Sequence[Side],
    corners: tuple[tuple[int, ...], tuple[int, ...]],
    depth: int,
) -> Node | None:
    if here == there:
        return None
    low, high = corners
    parts: tuple[Node, ...] | None = None
    where = _cut(sides, low, high) if depth < MOST_LEVELS else None
    if where is not None:
        j, cut = where
        below, above = (*high[:j], cut - 1, *high[j + 1 :]), (*low[:j], cut, *low[j + 1 :])
        halves = []
        for upper, half in ((False, (low, below)), (True, (above, high))):
            inside = [
                Counter({cell: m for cell, m in cells.items() if (cell[j] >= cut) == upper})
                for cells in (here, there)
            ]
            halves.append(_node(inside[0], inside[1], sides, half, depth + 1))
        parts = tuple(part for part in halves if part is not None)
    return Node(
        depth=depth,
        counts=(here.total(), there.total()),
        vectors=(_vector(here, low, high), _vector(there, low, high)),
        parts=parts,
    )


def _cut(
    sides: Sequence[Side], low: tuple[int, ...], high: tuple[int, ...]
) -> tuple[int, int] | None:
    """Return which side of a box is cut and where, as the tree itself decides; None if nowhere."""
    corners = np.array([low]), np.array([high])
    widths = widths_of(sides, *corners)
    if widths.max() <= 0:
        return None
    side = np.argmax(widths, axis=1)
    return int(side[0]), int(cuts_of(sides, *corners, side)[0])


def _vector(cells: Cells, low: tuple[int, ...], high: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the count and the sums of a leaf, as `covey.systems.boxes` measures them."""
    from covey.kernels.boxes import box_sums

    wide = np.array(high) > np.array(low)
    if not cells:
        return np.zeros(1 + int(wide.sum()), dtype=np.int64)
    places = np.repeat(np.array(list(cells), dtype=np.float64), list(cells.values()), axis=0)
    n = len(places)
    ends = np.array([low], dtype=np.float64), np.array([high], dtype=np.float64)
    sums = box_sums(places, np.arange(n), np.array([0]), np.array([n]), *ends, UNIT)
    return np.concatenate([[n * UNIT], sums[0][wide]])


def _differences(node: Node, scale: float, gamma: float = float(GAMMA)) -> tuple[float, float]:
    """Return the log ratios of the probabilities that a box stays whole and that it is cut."""
    here, there = (_log_probabilities(count, node.depth, scale, gamma) for count in node.counts)
    return here[0] - there[0], here[1] - there[1]


def _log_probabilities(count: int, depth: int, scale: float, gamma: float) -> tuple[float, float]:
    s = max(count / scale - depth * gamma, -gamma)
    tail = -abs(s) - math.log(2.0)
    rest = math.log1p(-math.exp(tail))
    return (tail, rest) if s > 0 else (rest, tail)

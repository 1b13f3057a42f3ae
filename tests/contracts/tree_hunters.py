"""How far do the tree, the leaves and the counts of a private tree move between neighbours?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from covey.core import CLAIMS, Bill, Budget, Meter, PrivacyUnit
from covey.core.exact import GAMMA, THOUSANDTHS
from covey.core.meter import SMALLEST_TEST
from covey.core.questions import RECORD_UNIT, BoxSums, Cuts
from covey.engines.memory.records import TableRecords
from covey.partition.axis import axis_of, scaled, weighted
from covey.partition.priv_tree import Side, cuts_of, even_side, widths_of
from tests.contracts.hunters import Moved, bound, difference
from tests.contracts.neighbours import neighbouring_tables
from tests.core.stand_ins import Silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy
    from numpy.typing import NDArray

    from covey.partition.axis import Axis
    from covey.table import Table

Cells = list[tuple[int, ...]]


def tree_loss(here: Cells, there: Cells, sides: Sequence[Side], scale: float) -> float:
    """Return the largest logarithm of P(tree | here) / P(tree | there) over all trees, exactly.

    A box that holds the same records on both sides says nothing, nor does all below it.
    """

    def worst(mine: Cells, other: Cells, low: list[int], high: list[int], depth: int) -> float:
        corners = np.array([low]), np.array([high])
        widths = widths_of(sides, *corners)[0]
        if sorted(mine) == sorted(other) or widths.max() == 0:
            return 0.0
        (stop, go), (other_stop, other_go) = (
            _log_probabilities(len(cells), depth, scale) for cells in (mine, other)
        )
        side = int(np.argmax(widths))
        cut = int(cuts_of(sides, *corners, np.array([side]))[0])
        parts = [
            [[cell for cell in cells if (cell[side] >= cut) == upper] for cells in (mine, other)]
            for upper in (False, True)
        ]
        below = [*high[:side], cut - 1, *high[side + 1 :]]
        above = [*low[:side], cut, *low[side + 1 :]]
        deeper = worst(*parts[0], low, below, depth + 1) + worst(*parts[1], above, high, depth + 1)
        return max(stop - other_stop, go - other_go + deeper)

    top = [side.edges.size - 2 for side in sides]
    return worst(here, there, [0] * len(sides), top, 0)


def _log_probabilities(count: int, depth: int, scale: float) -> tuple[float, float]:
    """Return the logarithms of the probabilities that a box is left whole and that it is cut."""
    gamma = float(GAMMA)
    s = max(count / scale - depth * gamma, -gamma)
    tail = -abs(s) - math.log(2.0)
    rest = math.log1p(-math.exp(tail))
    return (tail, rest) if s > 0 else (rest, tail)


@st.composite
def structures(draw: DrawFn, *, replaced: bool) -> Moved:
    """Move the law of which boxes are cut, in thousandths of 1 / scale."""
    sides = draw(st.sampled_from([(even_side(64),), (even_side(8), even_side(8))]))
    # Few values and many records on each: that is where trees are deep and counts matter.
    cell = st.tuples(*[st.integers(0, side.edges.size - 2) for side in sides])
    places = draw(st.lists(cell, min_size=1, max_size=3))
    copies = [draw(st.integers(0, 40)) for _ in places]
    here = [place for place, times in zip(places, copies, strict=True) for _ in range(times)]
    there = [*here, draw(st.sampled_from(places) | cell)]
    if replaced:
        here = [*here, draw(st.sampled_from(places) | cell)]
    scale = draw(st.sampled_from([float(SMALLEST_TEST), 2.0, 5.0, 18.0]))
    loss = max(tree_loss(here, there, sides, scale), tree_loss(there, here, sides, scale))
    allowed = bound("private-tree", "structure" if replaced else "structure-add-remove")
    return Moved(by=loss * scale * THOUSANDTHS, allowed=allowed)


@st.composite
def leaves(draw: DrawFn, *, replaced: bool) -> Moved:
    """Move counts and sums of a fixed tree; add up the largest change of each box."""
    here, there = draw(
        neighbouring_tables(
            numeric=st.integers(1, 2), nominal=st.integers(0, 1), shuffled=True, whole=True
        )
    )
    axes = [axis_of(here.head(known_n=replaced), attribute) for attribute in here.schema]
    if draw(st.booleans()):
        seed = np.random.default_rng(draw(st.integers(0, 2**32)))
        masses = [seed.lognormal(0.0, 3.0, axis.side.edges.size - 1) for axis in axes]
        axes = [
            weighted(axis, mass.astype(np.int64))
            if axis.grid is None
            else scaled(axis, mass, finest=2.0**-14)
            for axis, mass in zip(axes, masses, strict=True)
        ]
    depth = draw(st.integers(0, 4))
    tables = [here, there if replaced else _without_one(draw, here)]
    vectors = [_vectors(table, axes, depth) for table in tables]
    by = sum(np.abs(mine - other).max(axis=1).sum() for mine, other in zip(*vectors, strict=True))
    statistic = "leaves" if replaced else "leaves-add-remove"
    return Moved(by=int(by), allowed=bound("private-tree", statistic, unit=RECORD_UNIT))


def _without_one(draw: DrawFn, table: Table) -> Table:
    gone = draw(st.integers(0, table.n - 1))
    kept = [row for row in range(table.n) if row != gone]
    return replace(table, frame=table.frame[kept])


def _vectors(table: Table, axes: list[Axis], depth: int) -> list[NDArray[np.int64]]:
    """Return the counts and sums of a tree of public depth that were about to get noise."""
    records, source = TableRecords(table), Silent()
    low, high, number = records.cut(
        Cuts(axes), lambda counts, level: np.full(counts.size, level < depth)
    )
    ends = [axis.ends(low[:, j], high[:, j]) for j, axis in enumerate(axes)]
    first, last = (np.column_stack(part) for part in zip(*ends, strict=True))
    measured = (last > first) & np.array([axis.measured for axis in axes])
    bill = Bill(unit=PrivacyUnit.REPLACE_RECORD, budget=Budget.of(1))
    Meter(records, bill, source).vectors(BoxSums(number, axes, first, last, measured), Budget.of(1))
    return [np.array(group["values"]) for group in source.asked]


@st.composite
def category_counts(draw: DrawFn, *, replaced: bool) -> Moved:
    """Move numbers of records in public categories."""
    here = draw(st.lists(st.integers(0, 4), min_size=1, max_size=20))
    at = draw(st.integers(0, len(here) - 1))
    new: SearchStrategy[list[int]] = st.lists(st.integers(0, 4), min_size=1, max_size=1)
    there = here[:at] + (draw(new) if replaced else []) + here[at + 1 :]
    counts = [np.bincount(np.array(codes, dtype=np.int64), minlength=5) for codes in (here, there)]
    statistic = "counts" if replaced else "counts-add-remove"
    assert (CLAIMS["histogram", statistic].unit is PrivacyUnit.REPLACE_RECORD) == replaced
    return Moved(by=difference(*counts), allowed=bound("histogram", statistic))


@st.composite
def table_sizes(draw: DrawFn) -> Moved:
    """Move the number of records."""
    n = draw(st.integers(1, 10**6))
    return Moved(by=abs(n - (n + 1)), allowed=bound("private-tree", "size"))

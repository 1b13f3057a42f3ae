"""Into which public cells does an attribute fall when it is tabulated: categories, or bins?

TableBins of numbers lie between the public bounds.  Each holds its lower end and not its upper one;
the last holds both.  Special values have cells of their own, and so has "missing" if the schema
calls it a category.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import PlanError, SchemaError
from covey.partition.axis import Axis, axis_of
from covey.partition.calendar_bins import calendar_cuts, read_moments
from covey.table import Attribute, Head, Scale
from covey.table.attribute import MISSING_CATEGORY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.table.grid import Grid

USUAL_BINS = 15
"""Unless told otherwise, numbers get at most so many bins, of a round width."""

MOST_BINS = 2**20
"""More cells of one attribute nobody could read, nor fill."""

SLACK = 1e-6
"""Of a step: cut points so close above one are at it."""

ROUND_WIDTHS = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBins:
    """The cells of an attribute.

    Parameters
    ----------
    axis : Axis
        The attribute as integers.
    of : array of int32
        The cell of each integer of the axis.
    labels : tuple of str
        What each cell is called.
    special : int
        The first so many cells are special values.
    low, high : array of float64
        The smallest and the largest value of each other cell of numbers; empty for others.
    cuts : tuple of float or str, optional
        Where numbers, or dates, are cut; None for categories.
    """

    axis: Axis = field(repr=False)
    of: NDArray[np.int32] = field(repr=False)
    labels: tuple[str, ...]
    special: int = 0
    low: NDArray[np.float64] = field(default_factory=lambda: np.empty(0), repr=False)
    high: NDArray[np.float64] = field(default_factory=lambda: np.empty(0), repr=False)
    cuts: tuple[float | str, ...] | None = None

    @property
    def name(self) -> str:
        """Return the name of the attribute."""
        return self.axis.name

    @property
    def size(self) -> int:
        """Return how many cells there are."""
        return len(self.labels)

    @property
    def numeric(self) -> bool:
        """Return whether the cells are bins of numbers, which have means and quantiles."""
        return self.low.size > 0


def bins_of(
    head: Head, attribute: Attribute, wanted: int | Sequence[float | str] | None
) -> TableBins:
    """Return the public cells of an attribute, or explain what is missing or wrong.

    ``wanted`` is how many bins of equal width numbers get, or where they are cut.
    """
    listed = attribute.categories or ()
    if len(listed) > MOST_BINS:
        raise SchemaError(
            f"attribute {attribute.name!r} lists {len(listed):,} categories, which no table can "
            f"show, so nothing was published. Put them into groups, or tabulate another column."
        )
    if attribute.scale is Scale.NOMINAL or listed:
        if wanted is not None:
            raise PlanError(
                f"attribute {attribute.name!r} has categories and no numbers, so it cannot be cut "
                f"into bins. Leave it out of the bins."
            )
        return _categories(head, attribute)
    return _numbers(attribute, axis_of(head, attribute), wanted)


def _categories(head: Head, attribute: Attribute) -> TableBins:
    axis = axis_of(head, attribute)
    if axis.grid is not None:  # ordered, so the integers are the places in the list
        apart = len(axis.special)  # a grade that is missing, where the schema keeps it
        labels = (*[MISSING_CATEGORY] * apart, *(attribute.categories or ()))
        of = np.arange(len(labels), dtype=np.int32)
        return TableBins(axis=axis, of=of, labels=labels, special=apart)
    # In the order of the schema, whatever the order of the axis.
    inside = set(axis.values)
    labels = tuple(value for value in head.domain(attribute.name) if value in inside)
    place = {value: at for at, value in enumerate(labels)}
    of = np.array([place[value] for value in axis.values], dtype=np.int32)
    return TableBins(axis=axis, of=of, labels=labels)


def _numbers(
    attribute: Attribute, axis: Axis, wanted: int | Sequence[float | str] | None
) -> TableBins:
    grid = axis.grid
    assert grid is not None  # noqa: S101 — numbers have one
    # Of other steps than 1, such as cents, one would write the upper end as of fractions.
    whole, dated = axis.whole and grid.step == 1.0, attribute.kind is not None
    beyond = grid.high + 1.0 if whole else grid.high
    if wanted is None:
        cuts = (
            calendar_cuts(attribute, grid, USUAL_BINS)
            if dated
            else _round_cuts(grid.low, beyond, whole=whole)
        )
    elif isinstance(wanted, int):
        cuts = _equal_cuts(axis.name, grid, wanted, whole=whole)
    else:
        cuts = _given_cuts(attribute, grid, wanted)
    edges = np.array([grid.low, *cuts, beyond])
    # In steps, with a hair of slack: 2.5 of cents is a step, whatever floats make of it.
    first = np.ceil((edges[1:-1] - grid.low) / grid.step - SLACK)
    found = np.searchsorted(first, np.arange(grid.steps + 1), side="right")
    special = len(axis.special)
    low, high = edges[:-1], edges[1:]
    if whole:
        # Zero is added because the ceiling of a little less than 0 is written -0.
        low, high = np.ceil(low - SLACK) + 0.0, np.ceil(high - SLACK) - 1.0
    text = attribute.told if dated else _text
    apart = (MISSING_CATEGORY if math.isnan(each) else text(each) for each in axis.special)
    labels = (*apart, *_labels(low, high, text, whole=whole, dated=dated))
    if len(set(labels)) != len(labels) or len(set(map(_text, edges.tolist()))) != edges.size:
        raise PlanError(
            f"two bins of attribute {axis.name!r} would be called the same, so they could not be "
            f"told apart. Give cut points that are farther apart, and none at a special value."
        )
    return TableBins(
        axis=axis,
        of=np.concatenate([np.arange(special), special + found]).astype(np.int32),
        labels=labels,
        special=special,
        # Means and quantiles of dates are no numbers that one could print.
        low=np.empty(0) if dated else low,
        high=np.empty(0) if dated else high,
        cuts=tuple(map(text, cuts)) if dated else cuts,
    )


def _round_cuts(low: float, high: float, *, whole: bool) -> tuple[float, ...]:
    """Cut at multiples of the smallest round width that gives few bins."""
    least = max((high - low) / USUAL_BINS, 1.0 if whole else 0.0)
    power = 10.0 ** math.floor(math.log10(least))
    width = next(each * power for each in ROUND_WIDTHS if each * power >= least * (1 - 1e-12))
    first, last = math.floor(low / width) + 1, math.ceil(high / width)
    # Divided by its inverse where the width is below 1, so that 3 tenths are 0.3.
    inverse = round(1.0 / width) if width < 1.0 else 0
    cuts = tuple((k / inverse if inverse else k * width) for k in range(first, last))
    # 100 in bins of ten belongs to those from 90 on, not into a bin of its own.
    lonely = whole and width > 1.0 and len(cuts) > 1 and cuts[-1] == high - 1.0
    return cuts[:-1] if lonely else cuts


def _equal_cuts(name: str, grid: Grid, count: int, *, whole: bool) -> tuple[float, ...]:
    most = min(grid.steps + 1, MOST_BINS)
    if not 1 <= count <= most:
        raise PlanError(
            f"attribute {name!r} cannot be cut into {count:,} bins. Give a number between 1 "
            f"and {most:,}."
        )
    width = grid.high - grid.low + (1.0 if whole else 0.0)
    cuts = (grid.low + width * k / count for k in range(1, count))
    return tuple(math.ceil(cut - SLACK) * 1.0 if whole else cut for cut in cuts)


def _given_cuts(
    attribute: Attribute, grid: Grid, wanted: Sequence[float | str]
) -> tuple[float, ...]:
    if attribute.kind is not None:
        cuts = read_moments(attribute, wanted)
    elif any(isinstance(cut, str) for cut in wanted):
        raise PlanError(
            f"the cut points of attribute {attribute.name!r} are no numbers, so its bins are "
            f"unclear. Write numbers, for instance {attribute.told(grid.low)}."
        )
    else:
        cuts = [float(cut) for cut in wanted]
    inside = tuple(cut for cut in cuts if cut not in (grid.low, grid.high))
    inside = (*inside, grid.high) if attribute.is_whole and grid.high in cuts else inside
    rising = all(a < b for a, b in pairwise(cuts))
    if not rising or not all(grid.low < cut <= grid.high for cut in inside):
        low, high = attribute.told(grid.low), attribute.told(grid.high)
        raise PlanError(
            f"the cut points of attribute {attribute.name!r} do not rise between its public "
            f"bounds, {low} and {high}, so its bins are unclear. List them in order, inside the "
            f"bounds."
        )
    return inside


def _labels(
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    text: Callable[[float], str],
    *,
    whole: bool,
    dated: bool,
) -> tuple[str, ...]:
    found = []
    for at, (first, last) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        begin, end = text(first), text(last)
        if not whole:
            under = "" if at == low.size - 1 else "under "
            found.append(f"{begin} to {under}{end}")
        elif begin == end:
            found.append(begin)
        else:
            found.append(f"{begin}-{end}" if first >= 0 and not dated else f"{begin} to {end}")
    return tuple(found)


def _text(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.12g}"  # noqa: PLR2004

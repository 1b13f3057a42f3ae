"""How many values lie where?

Counts add up over pieces where sorted values do not.  Where each value that occurs has a cell of
its own, they tell the distribution exactly; on a grid, they tell it but for how far values lie
from the places that stand for them, which is added up beside them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from covey.table.grid import Grid

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

Cells = Grid | NDArray[np.float64]
"""Where values are counted: on a grid, or at all that occur, which rise.  One more cell lies below
them and one above."""

CELLS = 2**16
"""For a column of which not each number has a cell: half a megabyte of counts."""

MOST_NUMBERS = 2**20

BELOW, ABOVE, BESIDE = range(3)


def counting_grid(low: float, high: float, *, whole: bool) -> Grid:
    """Return the grid on which the values of a column are counted.

    Parameters
    ----------
    low, high : float
        Public bounds, or the smallest and the largest value.
    whole : bool
        Whether whole numbers are expected: each gets a cell, if they are not too many.
    """
    if whole:
        low, high = math.floor(low), math.ceil(high)
    if not low < high:
        high = low + max(1.0, abs(low))
    steps = int(high - low) if whole and high - low <= MOST_NUMBERS else CELLS
    return Grid(low=float(low), high=float(high), steps=steps)


def every_value(*columns: Floats) -> Floats:
    """Return the cells in which no two different values of these columns meet."""
    values = np.unique(np.concatenate(columns))
    return values[~np.isnan(values)]


def cell_count(cells: Cells) -> int:
    """Return the number of cells, with those below and above."""
    return (cells.steps + 1 if isinstance(cells, Grid) else cells.size) + 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """How many values lie in each cell.

    Parameters
    ----------
    cells : Grid or array
        The cells; two histograms can be merged or compared if theirs are the same.
    counts : array of int
        How many values lie in each, the first below all places and the last above.
    strayed : array of shape (3,)
        How far values lie below the places, above them, and from the place of their cell, added
        up.
    """

    cells: Cells = field(repr=False)
    counts: NDArray[np.int64] = field(repr=False)
    strayed: Floats

    @classmethod
    def empty(cls, cells: Cells) -> Histogram:
        """Return the counts of no values."""
        counts = np.zeros(cell_count(cells), dtype=np.int64)
        return cls(cells=cells, counts=counts, strayed=np.zeros(3))

    def add(self, values: Floats) -> None:
        """Count further values, in place: there may be many more cells than values.

        Missing ones (NaN) are counted nowhere.
        """
        cells = self.cells
        values = values[~np.isnan(values)]
        if not isinstance(cells, Grid):
            reached = np.searchsorted(np.sort(values), cells, side="right")
            self.counts[1:-1] += np.diff(reached, prepend=0)
            return
        integers = cells.integers(values)
        inside = np.clip(values, cells.low, cells.high)
        below, above = inside - values, values - inside
        places = np.where(below > 0, 0, np.where(above > 0, cells.steps + 2, integers + 1))
        np.add.at(self.counts, places, 1)
        self.strayed[BELOW] += below[below > 0].sum()
        self.strayed[ABOVE] += above[above > 0].sum()
        self.strayed[BESIDE] += np.abs(inside - (cells.low + integers * cells.step)).sum()

    def merged(self, other: Histogram) -> Histogram:
        """Return the counts of both sets of values together."""
        counts, strayed = self.counts + other.counts, self.strayed + other.strayed
        return Histogram(cells=self.cells, counts=counts, strayed=strayed)

    @property
    def widths(self) -> Floats | float:
        """Return how far each place is from the next, one number if all are as far."""
        return self.cells.step if isinstance(self.cells, Grid) else np.diff(self.cells)

    @property
    def distribution(self) -> Floats:
        """Return the distribution function after each cell.

        A quotient of whole numbers is rounded once, so equal shares of tables of different sizes
        are equal.
        """
        return np.asarray(np.cumsum(self.counts) / max(self.counts.sum(), 1))

    def quantile(self, share: float) -> float:
        """Return the place below or at which that share of the values lies; NaN of no values."""
        total = int(self.counts.sum())
        if not total:
            return math.nan
        # As far as cells tell: what lies beyond them is at their end.
        at = int(np.searchsorted(np.cumsum(self.counts), share * total)) - 1
        cells = self.cells
        if isinstance(cells, Grid):
            return cells.low + min(max(at, 0), cells.steps) * cells.step
        return float(cells[min(max(at, 0), cells.size - 1)])


def side_by_side(x: Floats, y: Floats) -> tuple[Histogram, Histogram]:
    """Count all different values of two columns."""
    cells = every_value(x, y)
    both = Histogram.empty(cells), Histogram.empty(cells)
    for histogram, values in zip(both, (x, y), strict=True):
        histogram.add(values)
    return both

"""How far apart are two distributions of which only counts on a grid are known?

Counts add up over pieces where sorted values do not.  Between two borders of cells nothing is
known, so each distance comes with how far it can be from that of the values themselves.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey.perturb import Grid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Floats = NDArray[np.float64]

    Distance = tuple[float, float]
    """A distance, and how far it can be from that of the values."""


CELLS = 2**16
"""For a column of which not each number has a cell: half a megabyte of counts."""

MOST_NUMBERS = 2**20


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


def cells_of(values: Floats, grid: Grid) -> Counts:
    """Return the cell of each value: 0 below the grid, then its integers, and one above it."""
    cells = grid.integers(values) + 1
    cells[values < grid.low] = 0
    cells[values > grid.high] = grid.steps + 2
    return cells


def cell_count(grid: Grid) -> int:
    """Return the number of cells of `cells_of`."""
    return grid.steps + 3


def beyond(values: Floats, grid: Grid) -> Floats:
    """Return how far values lie below and above the grid, added up."""
    below, above = grid.low - values, values - grid.high
    return np.array([below[below > 0.0].sum(), above[above > 0.0].sum()])


def has_whole_cells(grid: Grid) -> bool:
    """Return whether each cell holds one whole number."""
    return grid.step == 1.0 and grid.low.is_integer()


def counted_ks(x: Counts, y: Counts, *, alone: bool) -> Distance:
    """Return the Kolmogorov-Smirnov distance at the borders of cells.

    The distance of the values is at least that.  Inside a cell both distribution functions lie
    between their values at its borders, so it is larger by at most the smaller of the two shares
    of records in one cell.

    Parameters
    ----------
    x, y : arrays of counts
        Of the same cells.
    alone : bool
        Whether all values inside the grid are alone in their cells, so that only the values
        beyond it are uncertain.
    """
    F, G = _shares(x), _shares(y)
    distance = float(np.max(np.abs(F - G)))
    inside = np.maximum(F - np.append(0.0, G[:-1]), G - np.append(0.0, F[:-1]))
    widest = float(np.max(inside[[0, -1]] if alone else inside))
    return distance, max(0.0, widest - distance)


def counted_wasserstein(
    x: Counts, y: Counts, beyond_x: Floats, beyond_y: Floats, grid: Grid, *, alone: bool
) -> Distance:
    """Return the area between two distribution functions, in the unit of the column.

    Rounding to the grid moves a value of either table by at most half a step.  Where only one of
    them reaches beyond the grid, the area there is how far it does on average; where both do,
    that is known up to twice the smaller of the two.
    """
    F, G = _shares(x), _shares(y)
    inside = grid.step * float(np.sum(np.abs(F - G)[1:-2]))
    tail_x, tail_y = beyond_x / x.sum(), beyond_y / y.sum()
    distance = inside + float(np.sum(np.abs(tail_x - tail_y)))
    uncertain = 2.0 * float(np.sum(np.minimum(tail_x, tail_y)))
    return distance, uncertain + (0.0 if alone else grid.step)


def _shares(counts: Counts) -> Floats:
    """Return the distribution function after each cell.

    A quotient of whole numbers is rounded once, so equal shares of tables of different sizes are
    equal.
    """
    return np.asarray(np.cumsum(counts) / counts.sum())

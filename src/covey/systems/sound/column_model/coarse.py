"""Into which coarse cells is a published column cut, so that pairs can be counted?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import ColumnCells
from covey.systems.sound.column_model.columns import cells_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.systems.sound.column_model.columns import PublishedColumn

RARE = 3.0
"""Categories below so many standard deviations of the noise share a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoarseColumn:
    """A published column in coarse cells.

    Parameters
    ----------
    column : PublishedColumn
        The column.
    cells : ColumnCells
        Its coarse cells.
    counts, variance : arrays of float64
        What the column itself says about them, and with which noise.
    mass : array of float64
        Their shares.
    """

    column: PublishedColumn
    cells: ColumnCells
    counts: NDArray[np.float64]
    variance: NDArray[np.float64]
    mass: NDArray[np.float64]

    @property
    def ordered(self) -> bool:
        """Return whether neighbouring cells are alike."""
        return self.column.density is not None


def coarsened(column: PublishedColumn, n: float, *, wanted: int, noise: float) -> CoarseColumn:
    """Cut a number into cells of equal mass, and put rare categories together."""
    if column.density is None:
        return _categories(column, n, noise)
    axis, density, level = column.axis, column.density, column.level
    apart = len(axis.special)
    below = density.below(np.array([apart]))[0]
    ranks = below + (1.0 - below) * np.arange(1, wanted) / wanted
    found = density.at_ranks(ranks)
    found = found[found >= apart]
    # A value with as much mass as a cell is a cell of its own.
    mass = density.below(np.minimum(found + 1, axis.side.edges.size - 1)) - density.below(found)
    heavy = found[mass >= (1.0 - below) / wanted] + 1
    starts = np.unique(np.concatenate((np.arange(apart + 1), found, heavy)))
    starts = starts[starts < axis.side.edges.size - 1]
    ends = np.append(starts[1:], axis.side.edges.size - 1)
    share = density.below(ends) - density.below(starts)
    # What the level's counts say: whole cells, and parts of cells by published mass.
    overlap = _overlap(column, starts, ends)
    variance = np.array([level.variances(weights).sum() for weights in overlap])
    return CoarseColumn(
        column=column,
        cells=cells_from(axis, starts),
        counts=n * share,
        variance=np.maximum(variance, 1e-9),
        mass=np.maximum(share, 0.0) / max(float(np.maximum(share, 0.0).sum()), 1e-300),
    )


def _overlap(
    column: PublishedColumn, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return which share of each fine cell lies in each coarse one."""
    edges = column.axis.side.edges
    fine = column.level.starts
    until = np.append(fine[1:], edges.size - 1)
    low = np.maximum(edges[starts][:, None], edges[fine][None, :])
    high = np.minimum(edges[ends][:, None], edges[until][None, :])
    width = (edges[until] - edges[fine])[None, :]
    return np.asarray(np.maximum(high - low, 0.0) / width)


def _categories(column: PublishedColumn, n: float, noise: float) -> CoarseColumn:
    level = column.level
    least = RARE * max(noise, level.noise)
    rare = n * column.mass < least
    of = np.zeros(column.mass.size, dtype=np.int32)
    if rare.sum() > 1:
        of[~rare] = np.arange((~rare).sum())
        of[rare] = (~rare).sum()
    else:
        of = np.arange(column.mass.size, dtype=np.int32)
    size = int(of.max()) + 1
    counts = np.bincount(of, weights=level.counts, minlength=size).astype(np.float64)
    mass = np.bincount(of, weights=column.mass, minlength=size).astype(np.float64)
    together = np.bincount(of, minlength=size).astype(np.float64)
    return CoarseColumn(
        column=column,
        cells=ColumnCells(column.axis, of, size),
        counts=counts,
        variance=together * level.noise**2,
        mass=mass,
    )

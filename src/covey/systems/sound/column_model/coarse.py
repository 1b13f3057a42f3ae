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
    # Cells are made of whole cells of the column: where records lie inside these, nobody knows.
    apart, fine = len(axis.special), level.starts
    mass = np.diff(density.below(np.append(fine, axis.side.edges.size - 1)))
    below = np.cumsum(mass) - mass
    first = below[apart]
    ranks = first + (1.0 - first) * np.arange(1, wanted) / wanted
    nearest = np.abs(below[None, apart:] - ranks[:, None]).argmin(axis=1) + apart
    heavy = np.flatnonzero(mass[apart:] >= (1.0 - first) / wanted) + apart
    places = np.unique(np.concatenate((np.arange(apart + 1), nearest, heavy, heavy + 1)))
    places = places[places < fine.size]
    share = np.maximum(np.add.reduceat(mass, places), 0.0)
    inside = np.searchsorted(places, np.arange(fine.size), side="right") - 1
    variance = [
        level.variances((inside == cell).astype(float)).sum() for cell in range(places.size)
    ]
    return CoarseColumn(
        column=column,
        cells=cells_from(axis, fine[places]),
        counts=n * share,
        variance=np.maximum(np.array(variance), 1e-9),
        mass=share / max(float(share.sum()), 1e-300),
    )


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

"""How is each column published?  Counts of values, or of cells of a public grid and their parts.

A number is counted in a few wide cells of its bent scale first; a cell is then cut into as many
parts as its noisy count pays for, and counted again (`refine`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import CellCounts, ColumnCells
from covey.postprocess.density import Density, piled, tilted_density
from covey.postprocess.kept_cells import kept_counts
from covey.postprocess.levels import Level, first_level
from covey.systems.sound.column_model.refine import (
    RefinedColumn,
    Refinement,
    first_parts,
    first_starts,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Meter, Noisy
    from covey.partition.axis import Axis
    from covey.systems.sound.column_model.shares import Purse

MAY_BE_EMPTY = 1.0
"""Categories below so many standard deviations are taken as empty, if there are three or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedColumn:
    """A column as it was published.

    Parameters
    ----------
    axis : Axis
        What its integers mean.
    level : Level
        Unbiased counts of cells, with their variance.
    mass : array of float64
        Shares of these cells, none negative.
    density : Density, optional
        Of a number: the shares along its scale.
    """

    axis: Axis
    level: Level
    mass: NDArray[np.float64]
    density: Density | None


def published_columns(
    meter: Meter, axes: Sequence[Axis], purse: Purse, parts: Sequence[int], n: float
) -> list[PublishedColumn]:
    """Count every column once, and the numbers again in the parts that these counts pay for."""
    split = [first_parts(axis, purse, share, n) for axis, share in zip(axes, parts, strict=True)]
    first = [Refinement(first_starts(axis), share) for axis, share in zip(axes, split, strict=True)]
    counted = []
    answers = _answers(meter, axes, first, purse)
    for axis, wide, share, noisy in zip(axes, first, parts, answers, strict=True):
        level = first_level(wide.starts, noisy.values, noisy.deviation)
        counted.append(RefinedColumn(axis=axis, left=share - wide.parts, level=level, probed=level))
    while True:
        looks = {j: look for j, each in enumerate(counted) if (look := each.next(purse))}
        if not looks:
            return [_published(each) for each in counted]
        again = [axes[j] for j in looks]
        answers = _answers(meter, again, list(looks.values()), purse)
        for j, noisy in zip(looks, answers, strict=True):
            counted[j] = counted[j].after(looks[j], noisy)


def cells_from(axis: Axis, starts: NDArray[np.int64]) -> ColumnCells:
    """Return the cells of an axis that begin with these integers."""
    size = len(axis.values) if axis.grid is None else axis.side.edges.size - 1
    of = np.repeat(np.arange(starts.size, dtype=np.int32), np.diff(np.append(starts, size)))
    return ColumnCells(axis, of, starts.size)


def _answers(
    meter: Meter, axes: Sequence[Axis], looks: Sequence[Refinement], purse: Purse
) -> list[Noisy]:
    questions = [
        CellCounts((cells_from(axis, look.starts),)) for axis, look in zip(axes, looks, strict=True)
    ]
    return meter.counts_of(questions, [purse.of(look.parts) for look in looks])


def _published(counted: RefinedColumn) -> PublishedColumn:
    axis, level = counted.axis, counted.level
    if axis.grid is None:
        counts = np.maximum(level.counts, 0.0)
        if counts.size > 2:  # noqa: PLR2004 — of two, one may be rare but is hardly impossible
            counts[counts < MAY_BE_EMPTY * level.noise] = 0.0
        if counts.sum() <= 0:
            counts = np.ones(counts.size)
        return PublishedColumn(axis=axis, level=level, mass=counts / counts.sum(), density=None)
    edges, apart = axis.side.edges, len(axis.special)
    ends = np.append(level.starts[1:], edges.size - 1)
    counts = kept_counts(
        level,
        first_starts(axis),
        middles=(level.starts + ends - 1) / 2.0,
        common=_common(axis, level),
        apart=apart,
    )
    density = piled(tilted_density(edges, level.starts, counts, apart), apart)
    total = counts.sum()
    mass = counts / total if total > 0 else np.full(counts.size, 1.0 / counts.size)
    return PublishedColumn(axis=axis, level=level, mass=mass, density=density)


def _common(axis: Axis, level: Level) -> NDArray[np.bool_]:
    """Return which cells lie in wide ones of the first counts: no bounds, no zero, none apart."""
    first = first_starts(axis)
    wide = np.diff(np.append(first, axis.side.edges.size - 1)) > 1
    return np.asarray(wide[np.searchsorted(first, level.starts, side="right") - 1])

"""How is each column published?  Counts of values, or of cells of a public grid and their parts.

A number is counted in a few wide cells of its bent scale first; a cell is then cut into as many
parts as its noisy count pays for, and counted again; with many records, parts are cut once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import CellCounts, ColumnCells
from covey.postprocess.density import Density, piled, tilted_density
from covey.postprocess.levels import Level, finer_level, first_level, kept_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Meter, Noisy
    from covey.partition.axis import Axis
    from covey.systems.sound.column_model.shares import Purse

WIDE_CELLS = 8
"""A number is counted in so many cells first."""

FIRST_PERCENT = 35
"""Part of a number's budget for them."""

PAYS_FOR = 4.0
"""A part is expected to hold so many standard deviations of its noise."""

MOST_CUT = 64
"""A cell is cut into at most so many parts."""

CUT_TWICE = 2.5
SECOND_PERCENT = 75
"""If a cell has so many times the records that all its parts need, this part of what is left is
for its parts, and the rest for theirs."""

NEARLY = 4
"""A cell with so many times as many values as it is worth parts is cut into single values: half a
step too wide, a part that holds one frequent value would put half of it beside its place."""

FEW_VALUES = 16
"""So few values are counted one by one, at once."""

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
    left = list(parts)
    split = [_first_parts(axis, purse, share, n) for axis, share in zip(axes, parts, strict=True)]
    starts = [_first_starts(axis) for axis in axes]
    levels = [
        first_level(cuts, noisy.values, noisy.deviation)
        for cuts, noisy in zip(starts, _counted(meter, axes, starts, purse, split), strict=True)
    ]
    for _ in range(2):
        left = [all_left - share for all_left, share in zip(left, split, strict=True)]
        again = [j for j in range(len(axes)) if left[j]]
        if not again:
            break
        split = [_next_parts(levels[j], purse, left[j]) if left[j] else 0 for j in range(len(axes))]
        chosen = [split[j] for j in again]
        finer = [
            _cut_starts(axes[j], levels[j], purse.noise(share))
            for j, share in zip(again, chosen, strict=True)
        ]
        found = _counted(meter, [axes[j] for j in again], finer, purse, chosen)
        for j, cuts, noisy in zip(again, finer, found, strict=True):
            levels[j] = finer_level(levels[j], cuts, noisy.values, noisy.deviation)
    return [_published(axis, level) for axis, level in zip(axes, levels, strict=True)]


def cells_from(axis: Axis, starts: NDArray[np.int64]) -> ColumnCells:
    """Return the cells of an axis that begin with these integers."""
    size = len(axis.values) if axis.grid is None else axis.side.edges.size - 1
    of = np.repeat(np.arange(starts.size, dtype=np.int32), np.diff(np.append(starts, size)))
    return ColumnCells(axis, of, starts.size)


def _counted(
    meter: Meter,
    axes: Sequence[Axis],
    starts: Sequence[NDArray[np.int64]],
    purse: Purse,
    parts: Sequence[int],
) -> list[Noisy]:
    questions = [
        CellCounts((cells_from(axis, cuts),)) for axis, cuts in zip(axes, starts, strict=True)
    ]
    return meter.counts_of(questions, [purse.of(share) for share in parts])


def _first_parts(axis: Axis, purse: Purse, parts: int, n: float) -> int:
    """Return what the first counts of a column get: all, unless numbers can be cut again."""
    if axis.grid is None or axis.side.edges.size - 1 - len(axis.special) <= FEW_VALUES:
        return parts
    first = parts * FIRST_PERCENT // 100
    # If not even half of the records could be told apart in parts, there is no second look.
    return first if n >= 4.0 * PAYS_FOR * purse.noise(parts - first) else parts


def _next_parts(level: Level, purse: Purse, left: int) -> int:
    """Return what the next counts get: all that is left, unless some cells can be cut twice.

    So many records in a cell pay for more parts than it is cut into: single values with much mass
    are found at the third look.
    """
    twice = level.counts.max() > CUT_TWICE * MOST_CUT * PAYS_FOR * purse.noise(left)
    if level.coarser is None and twice:
        return left * SECOND_PERCENT // 100
    return left


def _first_starts(axis: Axis) -> NDArray[np.int64]:
    if axis.grid is None:
        return np.arange(len(axis.values))
    apart, edges = len(axis.special), axis.side.edges
    values = edges.size - 1 - apart
    if values <= FEW_VALUES:
        return np.arange(values + apart)
    # The last value may be wider than a cell on the bent scale.
    cuts = np.searchsorted(edges[apart:-2], np.arange(WIDE_CELLS) / WIDE_CELLS) + apart
    return np.unique(np.concatenate((np.arange(apart), cuts, _likely_spikes(axis))))


def _likely_spikes(axis: Axis) -> NDArray[np.int64]:
    """Return where cells begin and end that hold one value alone: both bounds, and zero.

    Many records share such a value in many columns, and next to none do in others, where the cell
    is empty and costs nothing: it is disjoint from the others.
    """
    assert axis.grid is not None  # noqa: S101 — a number
    apart, steps = len(axis.special), axis.grid.steps
    places = [0, steps]
    if axis.grid.low < 0.0 < axis.grid.high:
        places.append(int(axis.grid.integers(np.zeros(1))[0]))
    found = np.array(places) + apart
    return np.unique(np.concatenate((found, np.minimum(found + 1, steps + apart))))


def _cut_starts(axis: Axis, level: Level, noise: float) -> NDArray[np.int64]:
    """Cut every cell into as many parts, a power of two, as its noisy count pays for."""
    edges, apart = axis.side.edges, len(axis.special)
    ends = np.append(level.starts[1:], edges.size - 1)
    worth = np.minimum(level.counts / (PAYS_FOR * noise), MOST_CUT)
    found = [level.starts]
    for cell in np.flatnonzero(worth >= 2.0).tolist():  # noqa: PLR2004 — two parts at least
        first, last = int(level.starts[cell]), int(ends[cell])
        parts = 2 ** int(np.log2(worth[cell]))
        if cell < apart or last - first < 2:  # noqa: PLR2004 — one value cannot be cut
            continue
        if last - first <= NEARLY * parts:
            found.append(np.arange(first, last))
            continue
        cuts = edges[first] + (edges[last] - edges[first]) * np.arange(1, parts) / parts
        found.append(np.clip(np.searchsorted(edges, cuts), first, last - 1))
    return np.unique(np.concatenate(found))


def _published(axis: Axis, level: Level) -> PublishedColumn:
    if axis.grid is None:
        counts = np.maximum(level.counts, 0.0)
        if counts.size > 2:  # noqa: PLR2004 — of two, one may be rare but is hardly impossible
            counts[counts < MAY_BE_EMPTY * level.noise] = 0.0
        if counts.sum() <= 0:
            counts = np.ones(counts.size)
        return PublishedColumn(axis=axis, level=level, mass=counts / counts.sum(), density=None)
    top = level
    while top.coarser is not None:
        top = top.coarser
    edges, apart = axis.side.edges, len(axis.special)
    ends = np.append(top.starts[1:], edges.size - 1)
    share = (ends - top.starts) / (edges.size - 1)
    share[:apart] = 0.0
    counts = kept_counts(level, share, apart)
    density = piled(tilted_density(edges, level.starts, counts, apart), apart)
    total = counts.sum()
    mass = counts / total if total > 0 else np.full(counts.size, 1.0 / counts.size)
    return PublishedColumn(axis=axis, level=level, mass=mass, density=density)

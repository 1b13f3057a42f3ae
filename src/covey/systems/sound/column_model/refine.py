"""Where is a number looked at next?  A few wide cells, probes of a crowd, and parts of cells.

Bounds are public facts and often far too wide.  Where nearly all records lie in one or two wide
cells, these are probed first: a coarse count of a few parts costs little, because it shall only
say whether the records stand together again.  What it counts chooses cells and is used for
nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.levels import Level, finer_level

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Noisy
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

CROWD, CROWD_SHARE, LEAST_OF_CROWD = 2, 0.8, 0.1
"""So many cells that hold such a share of the records are a crowd; each has this share at least."""

PROBE_CELLS, PROBE_SIGNAL = 8, 20.0
PROBE_PERCENT, MOST_PROBES = 5, 4
"""A probe cuts each cell of a crowd into a few; all records are worth so many standard deviations
of its noise.  It may cost this part of what is left, and there are at most so many."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """What a column is asked next: cells that begin so, for so many parts of epsilon."""

    starts: NDArray[np.int64]
    parts: int
    probe: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinedColumn:
    """A column as it was counted so far, and what is ``left`` to spend on it.

    ``probed`` are the cells counted first, or in the last probe that found a crowd.  ``probes`` are
    those that may follow.
    """

    axis: Axis
    left: int
    level: Level
    probed: Level
    probes: int = MOST_PROBES

    def next(self, purse: Purse) -> Refinement | None:
        """Return the next look: a probe, parts of cells, or once more parts of parts."""
        if not self.left:
            return None
        if self.level.coarser is not None:
            return Refinement(_parts(self.axis, self.level, purse.noise(self.left)), self.left)
        crowd = crowded(self.axis, self.probed) if self.probes else ()
        if len(crowd):
            price = purse.parts_for(float(self.probed.counts.sum()) / PROBE_SIGNAL)
            if price <= self.left * PROBE_PERCENT // 100:
                cuts = [_cuts(self.axis, self.probed, cell, PROBE_CELLS) for cell in crowd]
                return Refinement(
                    np.unique(np.concatenate((self.probed.starts, *cuts))), price, probe=True
                )
        # So many records in a cell pay for more parts than it is cut into: single values with
        # much mass are found at a last look.
        most = CUT_TWICE * MOST_CUT * PAYS_FOR * purse.noise(self.left)
        twice = self.level.counts.max() > most
        share = self.left * SECOND_PERCENT // 100 if twice else self.left
        found = _parts(self.axis, self.level, purse.noise(share))
        if self.probed is not self.level:
            # Beside the parts of wide cells: what is outside of a crowd is not seen in a probe.
            crowd = crowded(self.axis, self.probed)
            more = _parts(self.axis, self.probed, purse.noise(share), only=crowd)
            found = np.union1d(found, more)
        return Refinement(found, share)

    def after(self, look: Refinement, noisy: Noisy) -> RefinedColumn:
        """Return the column after a look."""
        left = self.left - look.parts
        if not look.probe:
            level = finer_level(self.level, look.starts, noisy.values, noisy.deviation)
            return replace(self, left=left, level=level)
        probed = finer_level(self.probed, look.starts, noisy.values, noisy.deviation)
        if len(crowded(self.axis, probed)):
            return replace(self, left=left, probed=probed, probes=self.probes - 1)
        return replace(self, left=left, probes=0)


def first_starts(axis: Axis) -> NDArray[np.int64]:
    """Return the cells that are counted first."""
    if axis.grid is None:
        return np.arange(len(axis.values))
    apart, edges = len(axis.special), axis.side.edges
    values = edges.size - 1 - apart
    if values <= FEW_VALUES:
        return np.arange(values + apart)
    # The last value may be wider than a cell on the bent scale.
    cuts = np.searchsorted(edges[apart:-2], np.arange(WIDE_CELLS) / WIDE_CELLS) + apart
    return np.unique(np.concatenate((np.arange(apart), cuts, _likely_spikes(axis))))


def first_parts(axis: Axis, purse: Purse, parts: int, n: float) -> int:
    """Return what the first counts of a column get: all, unless numbers can be cut again."""
    if axis.grid is None or axis.side.edges.size - 1 - len(axis.special) <= FEW_VALUES:
        return parts
    first = parts * FIRST_PERCENT // 100
    # If not even half of the records could be told apart in parts, there is no second look.
    return first if n >= 4.0 * PAYS_FOR * purse.noise(parts - first) else parts


def crowded(axis: Axis, level: Level) -> list[int]:
    """Return the few wide cells that hold nearly all records, leaving single values aside."""
    wide = np.flatnonzero(_ends(axis, level) - level.starts > FEW_VALUES)
    counts = level.counts[wide]
    total = counts.sum()
    top = np.argsort(-counts)[:CROWD]
    top = top[counts[top] > LEAST_OF_CROWD * total]
    if total <= 0 or counts[top].sum() < CROWD_SHARE * total:
        return []
    return [int(cell) for cell in wide[top]]


def _cuts(axis: Axis, level: Level, cell: int, parts: int) -> NDArray[np.int64]:
    """Return where a cell is cut into parts of equal width on its scale, but for its start."""
    edges, first, last = axis.side.edges, level.starts[cell], _ends(axis, level)[cell]
    cuts = edges[first] + (edges[last] - edges[first]) * np.arange(1, parts) / parts
    return np.asarray(np.clip(np.searchsorted(edges, cuts), first, last - 1))


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


def _parts(
    axis: Axis, level: Level, noise: float, *, only: Sequence[int] | None = None
) -> NDArray[np.int64]:
    """Cut every cell into as many parts, a power of two, as its noisy count pays for."""
    ends, apart = _ends(axis, level), len(axis.special)
    worth = np.minimum(level.counts / (PAYS_FOR * noise), MOST_CUT)
    found = [level.starts]
    for cell in np.flatnonzero(worth >= 2.0).tolist():  # noqa: PLR2004 — two parts at least
        if only is not None and cell not in only:
            continue
        first, last = int(level.starts[cell]), int(ends[cell])
        parts = 2 ** int(np.log2(worth[cell]))
        if cell < apart or last - first < 2:  # noqa: PLR2004 — one value cannot be cut
            continue
        if last - first <= NEARLY * parts:
            found.append(np.arange(first, last))
        else:
            found.append(_cuts(axis, level, cell, parts))
    return np.unique(np.concatenate(found))


def _ends(axis: Axis, level: Level) -> NDArray[np.int64]:
    return np.append(level.starts[1:], axis.side.edges.size - 1)

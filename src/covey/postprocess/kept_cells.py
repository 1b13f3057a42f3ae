"""Which cells of a column hold records at all, where noisy counts say so of empty ones, too?

A cell that may be empty is, if bounds are to be public facts: they are often far too wide, and
what noise leaves in a cell far away ruins means and deviations.  How sure one must be grows with
the distance from the other records, because far tails hold few.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.leaves import onto_simplex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.postprocess.levels import Level

KEEP_CELLS = 2.0
SURE_CELLS = 3.0
"""Cells above so many standard deviations are kept, if they hang together with a sure one."""

KEEP_HALVES = 1.0
"""The same inside a cell, for each half of its parts."""

NEAR_SPREADS = 6.0
BEYOND = 2.0**0.5
MOST_BEYOND = 4.0
"""Up to so many spreads from the centre that is enough.  Farther, so many standard deviations
are added for each e-fold: the share that lies so far falls with the square of the distance at
least (Chebyshev), and Laplace noise exceeds z deviations with probability exp(−√2 z) / 2.  At
most so many are added, so that no distance hides a group that is there."""

OUTER = 0.1
OUTER_NORMAL = 2.563
"""The spread is told by the tenth and the ninetieth percentile, so many normal deviations apart:
false mass does not move it."""


@dataclass(frozen=True, slots=True)
class _Cells:
    """Wide cells, and the parts of each: ``ends[i]`` … ``ends[i + 1]``."""

    parts: Level
    ends: NDArray[np.int64]
    total: NDArray[np.float64]
    deviation: NDArray[np.float64]
    apart: int


def kept_counts(
    level: Level,
    wide: NDArray[np.int64],
    *,
    middles: NDArray[np.float64],
    common: NDArray[np.bool_],
    apart: int,
) -> NDArray[np.float64]:
    """Return counts of at least 0: none where cells may be empty.

    Parameters
    ----------
    level : Level
        The finest.
    wide : array of int64
        Where wide cells start, whose counts are sure or not as a whole.
    middles : array of float64
        The place of each cell of the level.
    common : array of bool
        Which cells tell where records usually lie: not single values that many may share.
    apart : int
        The first so many cells stand by themselves, and hang together with none.
    """
    ends = np.append(np.searchsorted(level.starts, wide), level.starts.size)
    inside = np.repeat(np.arange(wide.size), np.diff(ends))
    each = (level.variances((inside == cell).astype(np.float64)).sum() for cell in range(wide.size))
    cells = _Cells(
        parts=level,
        ends=ends,
        total=np.add.reduceat(level.counts, ends[:-1]),
        deviation=np.sqrt(np.fromiter(each, dtype=np.float64)),
        apart=apart,
    )
    nowhere_far = _kept(cells, np.zeros(wide.size), np.zeros(middles.size))
    mass = np.where(common, nowhere_far, 0.0)
    if mass.sum() <= 0:
        return nowhere_far
    beyond = _beyond(mass, middles)
    return _kept(cells, beyond((middles[ends[:-1]] + middles[ends[1:] - 1]) / 2.0), beyond(middles))


def _beyond(
    mass: NDArray[np.float64], middles: NDArray[np.float64]
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Return by how many deviations more a place must be sure, for its distance from the mass."""
    below = (np.cumsum(mass) - mass / 2.0) / mass.sum()
    low, centre, high = np.interp([OUTER, 0.5, 1.0 - OUTER], below, middles)
    near = NEAR_SPREADS * max((high - low) / OUTER_NORMAL, 1.0)

    def more(places: NDArray[np.float64]) -> NDArray[np.float64]:
        folds = np.log(np.maximum(np.abs(places - centre) / near, 1.0))
        return np.asarray(np.minimum(BEYOND * folds, MOST_BEYOND))

    return more


def _kept(
    cells: _Cells, beyond: NDArray[np.float64], inside: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the counts; ``beyond`` and ``inside`` say how much surer cells and parts must be."""
    total, apart = cells.total, cells.apart
    standard = total / cells.deviation
    likely, sure = standard > KEEP_CELLS + beyond, standard > SURE_CELLS + beyond
    begins = np.ones(likely.size, dtype=np.bool_)
    begins[1:] = ~likely[:-1]
    begins[: apart + 1] = True
    run = np.cumsum(begins) - 1
    kept = likely & (np.bincount(run, weights=sure)[run] > 0)
    kept[:apart] = standard[:apart] > KEEP_CELLS
    if not kept.any():
        kept[int(np.argmax(total))] = True
    counts, variance = cells.parts.counts, cells.parts.variance
    found = [
        _shared(counts[a:b], variance[a:b], KEEP_HALVES + inside[a:b], float(whole))
        for a, b, whole in zip(
            cells.ends[:-1],
            cells.ends[1:],
            np.where(kept, np.maximum(total, 0.0), 0.0),
            strict=True,
        )
    ]
    return np.concatenate(found)


def _shared(
    parts: NDArray[np.float64],
    variance: NDArray[np.float64],
    needed: NDArray[np.float64],
    total: float,
) -> NDArray[np.float64]:
    """Share the records of a cell among its parts, half by half; a half that may be empty is.

    Halves first: what a tail holds as a whole is seen before its parts are.
    """
    if parts.size == 1 or total <= 0:
        return np.full(parts.size, total / parts.size)
    middle = [parts.size // 2]
    halves, noise, least = (np.split(each, middle) for each in (parts, variance, needed))
    sums = np.array([half.sum() for half in halves])
    standard = sums / np.sqrt([half.sum() for half in noise])
    likely = standard > np.array([half.mean() for half in least])
    if not likely.any():
        return onto_simplex(parts, total)
    sums = np.where(likely, sums, 0.0)
    each = zip(halves, noise, least, sums * (total / sums.sum()), strict=True)
    return np.concatenate(
        [_shared(half, own, more, float(count)) for half, own, more, count in each]
    )

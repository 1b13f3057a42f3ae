"""How many records are in the cells of a column that was counted coarsely, then finely?

Cells of a finer level lie inside those of the coarser one.  Both say how many records a cell
holds, each with noise of its own, so their inverse-variance mean is taken, and the parts are
shifted to add up to it.  Everything is linear in the noisy counts, so its variance is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.leaves import onto_simplex

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEEP_CELLS = 2.0
SURE_CELLS = 3.0
"""Cells above so many standard deviations are kept, if they hang together with a sure one: false
mass in a wide empty cell ruins means, and a cut tail ruins standard deviations."""

KEEP_HALVES = 1.0
"""The same inside a cell, for each half of its parts: a cell in which all records stand together
has many empty parts, and what noise leaves in them lies far away if bounds are too wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Estimated counts of the cells of a column.

    Parameters
    ----------
    starts : array of int64
        The first integer of each cell on its axis.
    counts : array of float64
        How many records are in each; unbiased, so some may be negative.
    variance : array of float64
        Of the noise on each.
    noise : float
        Standard deviation of the noise that this level added.
    own : array of float64
        Weight of this level's own counts in the total of a coarser cell.
    coarser : Level, optional
        The level before.
    inside : array of int64
        The cell of the coarser level that each cell lies in.
    """

    starts: NDArray[np.int64]
    counts: NDArray[np.float64]
    variance: NDArray[np.float64]
    noise: float
    own: NDArray[np.float64] | None = None
    coarser: Level | None = None
    inside: NDArray[np.int64] | None = None

    def variances(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the variance of each draw of noise in the weighted sum of the counts."""
        if self.coarser is None or self.inside is None or self.own is None:
            return np.asarray((weights * self.noise) ** 2)
        parts = np.bincount(self.inside)
        mean = np.bincount(self.inside, weights=weights) / parts
        drawn = weights - mean[self.inside] + (self.own * mean)[self.inside]
        before = self.coarser.variances((1.0 - self.own) * mean)
        return np.concatenate(((drawn * self.noise) ** 2, before))


def first_level(starts: NDArray[np.int64], noisy: NDArray[np.int64], noise: float) -> Level:
    """Return the level that was counted first."""
    variance = np.full(starts.size, noise**2)
    return Level(starts=starts, counts=noisy.astype(float), variance=variance, noise=noise)


def finer_level(
    coarser: Level, starts: NDArray[np.int64], noisy: NDArray[np.int64], noise: float
) -> Level:
    """Return the level of cells inside those of a coarser one."""
    inside = np.searchsorted(coarser.starts, starts, side="right") - 1
    parts = np.bincount(inside, minlength=coarser.starts.size)
    added = np.bincount(inside, weights=noisy, minlength=coarser.starts.size)
    anew = parts * noise**2
    own = coarser.variance / (coarser.variance + anew)
    total = own * added + (1.0 - own) * coarser.counts
    together = own * anew
    return Level(
        starts=starts,
        counts=noisy + ((total - added) / parts)[inside],
        variance=noise**2 * (1.0 - 1.0 / parts[inside]) + (together / parts**2)[inside],
        noise=noise,
        own=own,
        coarser=coarser,
        inside=inside,
    )


def kept_counts(level: Level, share: NDArray[np.float64], apart: int) -> NDArray[np.float64]:
    """Return counts of at least 0: none where the coarsest cells may be empty.

    Parameters
    ----------
    level : Level
        The finest.
    share : array of float64
        The width of the coarsest cells as a share of the range.
    apart : int
        The first so many cells stand by themselves, and hang together with none.
    """
    path = [level]
    while path[-1].coarser is not None:
        path.append(path[-1].coarser)
    top = path[-1]
    inside = np.searchsorted(top.starts, level.starts, side="right") - 1
    total = np.bincount(inside, weights=level.counts, minlength=top.starts.size)
    deviation = np.sqrt(_total_variance(path))
    likely = total > (KEEP_CELLS + share) * deviation
    sure = total > (SURE_CELLS + share) * deviation
    begins = np.ones(likely.size, dtype=np.bool_)
    begins[1:] = ~likely[:-1]
    begins[: apart + 1] = True
    run = np.cumsum(begins) - 1
    kept = likely & (np.bincount(run, weights=sure)[run] > 0)
    kept[:apart] = likely[:apart]
    if not kept.any():
        kept[int(np.argmax(total))] = True
    wanted = np.where(kept, np.maximum(total, 0.0), 0.0)
    ends = np.searchsorted(inside, np.arange(top.starts.size + 1))
    found = [
        _shared(level.counts[start:end], level.variance[start:end], float(count))
        for start, end, count in zip(ends[:-1], ends[1:], wanted, strict=True)
    ]
    return np.concatenate(found)


def _shared(
    parts: NDArray[np.float64], variance: NDArray[np.float64], total: float
) -> NDArray[np.float64]:
    """Share the records of a cell among its parts, half by half; a half that may be empty is.

    Halves first: what a tail holds as a whole is seen before its parts are.
    """
    if parts.size == 1 or total <= 0:
        return np.full(parts.size, total / parts.size)
    halves, noise = (np.split(each, [parts.size // 2]) for each in (parts, variance))
    sums = np.array([half.sum() for half in halves])
    likely = sums > KEEP_HALVES * np.sqrt([half.sum() for half in noise])
    if not likely.any():
        return onto_simplex(parts, total)
    sums = np.where(likely, sums, 0.0)
    each = zip(halves, noise, sums * (total / sums.sum()), strict=True)
    return np.concatenate([_shared(half, own, float(count)) for half, own, count in each])


def _total_variance(path: list[Level]) -> NDArray[np.float64]:
    """Return the variance of what all levels together say about the coarsest cells."""
    top = path[-1]
    precise = 1.0 / top.variance
    for finer in path[:-1]:
        inside = np.searchsorted(top.starts, finer.starts, side="right") - 1
        precise = precise + 1.0 / (np.bincount(inside) * finer.noise**2)
    return np.asarray(1.0 / precise)

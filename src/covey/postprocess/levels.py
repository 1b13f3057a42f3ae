"""How many records are in the cells of a column that was counted coarsely, then finely?

Cells of a finer level lie inside those of the coarser one.  Both say how many records a cell
holds, each with noise of its own, so their inverse-variance mean is taken, and the parts are
shifted to add up to it.  Everything is linear in the noisy counts, so its variance is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


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

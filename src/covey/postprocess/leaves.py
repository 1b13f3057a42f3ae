"""What do noisy counts and sums of boxes say about the records?  Post-processing of a tree.

Everything here is a function of published numbers: boxes, noisy counts, noisy sums, n.
All constants are public and fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEEP_ABOVE = 2.0
"""A box is kept if its noisy count exceeds this many standard deviations of the noise."""

TRUST = 3.0
"""Weight of the measured mean of a box against its prior; large means almost no shrinkage."""

MARGINAL_KEEP_ABOVE = 2.0
MARGINAL_TRUST = 0.25
"""The same for the boxes of a single column.  A lower threshold leaves false records in long
tails, which ruin means and standard deviations; a higher one cuts the tails off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaves:
    """Boxes with noisy statistics.

    Parameters
    ----------
    low, high : arrays of shape (boxes, d)
        Where each side begins and ends, in the coordinates in which it was measured.
    counts : array of shape (boxes,)
        Noisy numbers of records.
    offsets : array of shape (boxes, d)
        Noisy sums of positions inside the box, −1 at its lower end and +1 at its upper end.
    noise_sd : array of shape (boxes,)
        Standard deviation of the noise on each of these.
    share : array of shape (boxes,)
        Width of the widest side, as a share of the attribute's range.
    prior : array of shape (boxes, d)
        Where records of a box are expected to lie, −1 … 1, before anything was measured.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    counts: NDArray[np.float64]
    offsets: NDArray[np.float64]
    noise_sd: NDArray[np.float64]
    share: NDArray[np.float64]
    prior: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """The boxes that are kept, each with a whole number of records and its mean position.

    ``kept`` says which leaves they are; the other fields have one row for each of them.
    """

    kept: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    counts: NDArray[np.int64]
    positions: NDArray[np.float64]

    @property
    def centres(self) -> NDArray[np.float64]:
        """Return the mean of each cluster, in the coordinates of its sides."""
        middle, half = (self.low + self.high) / 2.0, (self.high - self.low) / 2.0
        return np.asarray(middle + half * self.positions)


def clusters_of(
    leaves: Leaves, n: int, *, keep_above: float = KEEP_ABOVE, trust: float = TRUST
) -> Clusters:
    """Drop boxes that may be empty, share n among the rest, and locate their means.

    A box whose count is within the noise is dropped, the sooner the wider it is: false mass in
    a wide empty box ruins means and correlations.
    """
    enough = leaves.counts > (keep_above + leaves.share) * leaves.noise_sd
    kept = np.flatnonzero(enough) if enough.any() else np.array([int(np.argmax(leaves.counts))])
    counts = whole_counts(leaves.counts[kept], n)
    weight = np.maximum(leaves.counts[kept], 1.0)[:, None]
    measured = np.clip(leaves.offsets[kept] / weight, -1.0, 1.0)
    variance = leaves.noise_sd[kept, None] ** 2 * (1.0 + measured**2) / weight**2
    spread = trust / 3.0
    positions = (measured * spread + leaves.prior[kept] * variance) / (spread + variance)
    present = counts > 0
    return Clusters(
        kept=kept[present],
        low=leaves.low[kept][present],
        high=leaves.high[kept][present],
        counts=counts[present],
        positions=positions[present],
    )


def whole_counts(noisy: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """Return non-negative whole numbers near the noisy ones that add up to n.

    Too much mass is taken off evenly (the nearest point of the simplex), too little is made
    up in proportion.  Remainders go to the largest fractions, the first among equals.
    """
    positive = np.maximum(noisy, 0.0)
    if positive.sum() <= 0:
        positive = np.ones_like(positive)
    shares = onto_simplex(noisy, n) if positive.sum() > n else n * (positive / positive.sum())
    counts = np.floor(shares).astype(np.int64)
    rest = n - int(counts.sum())
    order = np.argsort(-(shares - counts), kind="stable")
    counts[order[:rest]] += 1
    return counts


def counts_inside(
    counts: NDArray[np.int64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return counts of the same total that lie between these ends, if there are any.

    Each is moved to its nearer end, and what that leaves over goes where there is room for it.
    Where there is not enough room, the counts stay as they are.

    Examples
    --------
    >>> counts_inside(np.array([359, 141]), np.array([333.1, 123.1]), np.array([358.9, 148.9]))
    array([358, 142])
    """
    lowest, highest = np.ceil(low).astype(np.int64), np.floor(high).astype(np.int64)
    if (lowest > highest).any():
        return counts
    inside = np.clip(counts, lowest, highest)
    rest = int(counts.sum() - inside.sum())
    room = highest - inside if rest > 0 else inside - lowest
    if rest == 0 or int(room.sum()) < abs(rest):
        return counts if rest else inside
    moved = whole_counts(room * (abs(rest) / room.sum()), abs(rest))
    return inside + moved if rest > 0 else inside - moved


def onto_simplex(values: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """Return the nearest numbers of at least 0 that add up to a total."""
    falling = np.sort(values)[::-1]
    excess = (np.cumsum(falling) - total) / np.arange(1, values.size + 1)
    last = np.flatnonzero(falling > excess)[-1]
    return np.asarray(np.maximum(values - excess[last], 0.0))

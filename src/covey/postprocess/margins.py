"""How do rows come to agree with published counts and means?  Raking, and the least tilt.

Post-processing: boxes say which categories a row may have, published counts say how many rows
each category has.  Iterative proportional fitting finds shares that keep both.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.postprocess.leaves import Clusters

RAKING_ROUNDS = 200
CLOSE_ENOUGH = 1e-3
"""Fitting ends when no expected count is further than this from its target, in rows."""

MARGIN = 0.05
"""Means are fitted to bounds that are closer together by this share of their distance."""

STEEPEST_TILT = 60.0
"""Beyond it, a tilted distribution has all its mass at one end."""


def raked_shares(
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    counts: NDArray[np.int64],
    target: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return a weight for each category such that boxes, filled by it, reach the target counts.

    Box b holds ``counts[b]`` rows of the categories low[b] … high[b], in proportion to the
    weights.  A box is an interval, so prefix sums stand for the table of boxes and categories.
    Categories that no box allows keep their target as weight.
    """
    weights = target.astype(np.float64)
    for _ in range(RAKING_ROUNDS):
        before = np.concatenate(([0.0], np.cumsum(weights)))
        mass = before[high + 1] - before[low]
        rate = np.divide(counts, mass, out=np.zeros(counts.size), where=mass > 0)
        steps = np.zeros(target.size + 1)
        np.add.at(steps, low, rate)
        np.add.at(steps, high + 1, -rate)
        expected = weights * np.maximum(np.cumsum(steps)[:-1], 0.0)
        if np.abs(expected - target).max() < CLOSE_ENOUGH:
            break
        weights *= np.divide(target, expected, out=np.ones(target.size), where=expected > 0)
    return weights


def draw_codes(
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    counts: NDArray[np.int64],
    target: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw a category for each row of each box so that every category has its target count.

    Rows of a box are spread evenly over its categories, in random order; what rounding leaves
    over, and what no box allows, is moved between rows drawn at random.
    """
    shares = raked_shares(low, high, counts, target)
    # A box whose categories all have the target 0 is filled evenly, and its rows are moved.
    shares = np.maximum(shares, max(shares.sum(), 1.0) * 1e-12)
    before = np.concatenate(([0.0], np.cumsum(shares)))
    rows = np.repeat(np.arange(counts.size), counts)
    first = np.cumsum(counts) - counts
    order = np.argsort(rows + rng.random(rows.size))  # shuffled inside each box
    place = np.empty(rows.size)
    place[order] = np.arange(rows.size) - first[rows] + rng.random(counts.size)[rows]
    start, end = before[low[rows]], before[high[rows] + 1]
    codes = np.searchsorted(before, start + place / counts[rows] * (end - start), side="right") - 1
    return moved_to(np.clip(codes, low[rows], high[rows]), target, rng)


def moved_to(
    codes: NDArray[np.int64], target: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the codes with as few of them changed as lead to the target counts."""
    over = np.bincount(codes, minlength=target.size) - target
    if not over.any():
        return codes
    order = rng.permutation(codes.size)
    # Small integers are sorted by counting.
    small = np.int16 if target.size < np.iinfo(np.int16).max else np.int64
    order = order[np.argsort(codes[order].astype(small), kind="stable")]
    ends = np.cumsum(np.bincount(codes, minlength=target.size))
    taken = [order[end - extra : end] for end, extra in zip(ends, over, strict=True) if extra > 0]
    changed = codes.copy()
    changed[rng.permutation(np.concatenate(taken))] = np.repeat(
        np.arange(target.size), np.maximum(-over, 0)
    )
    return changed


def inner_bounds(low: float, high: float) -> tuple[float, float]:
    """Return the bounds a little closer together: rows are rounded after they were fitted."""
    return low + MARGIN * (high - low), high - MARGIN * (high - low)


def shifted_positions(
    clusters: Clusters, side: int, low: float, high: float
) -> NDArray[np.float64]:
    """Return mean positions of clusters on one side, such that the mean of all rows is in bounds.

    All are moved alike inside their boxes, as little as it takes, or as far as boxes reach.
    """
    from scipy.optimize import brentq

    middle = (clusters.low[:, side] + clusters.high[:, side]) / 2.0
    half = (clusters.high[:, side] - clusters.low[:, side]) / 2.0
    at = clusters.positions[:, side]

    def mean(by: float) -> float:
        return float(np.average(middle + half * np.clip(at + by, -1, 1), weights=clusters.counts))

    goal = min(max(mean(0.0), low), high)
    if goal == mean(0.0):
        return at
    by = math.copysign(2.0, goal - mean(0.0))
    if (mean(by) - goal) * by > 0:
        by = brentq(lambda shift: mean(shift) - goal, *sorted((0.0, by)), xtol=1e-12)
    return np.asarray(np.clip(at + by, -1, 1))


def tilted(
    mass: NDArray[np.float64], values: NDArray[np.float64], low: float, high: float
) -> NDArray[np.float64]:
    """Return a distribution with a mean between two bounds: the nearest in relative entropy.

    It is the given one if its mean lies there, and otherwise tilted exponentially to the nearer
    bound.
    """
    from scipy.optimize import brentq

    mean = float(mass @ values) / float(mass.sum())
    middle, half = (values.max() + values.min()) / 2.0, (values.max() - values.min()) / 2.0
    goal = min(max(mean, low), high)
    if goal == mean or half <= 0:
        return mass
    at = (values - middle) / half

    def tilt(slope: float) -> NDArray[np.float64]:
        weights = mass * np.exp(slope * at - abs(slope))
        return np.asarray(weights / weights.sum())

    def excess(slope: float) -> float:
        return float((tilt(slope) * at).sum()) - float((goal - middle) / half)

    ends = (-STEEPEST_TILT, STEEPEST_TILT)
    if excess(ends[0]) >= 0 or excess(ends[1]) <= 0:
        return mass
    slope: float = brentq(excess, *ends, xtol=1e-12)
    return tilt(slope)

"""How far may a published mean or count be from the truth?  Intervals of known coverage.

The law of the noise is public, so an interval around a noisy statistic that holds the statistic
itself 95 times in 100 is a function of released and public numbers: it costs no privacy.

What an interval covers is the noise, and nothing else.  The truth that it holds is the mean of
the values *after* those outside the public bounds were moved to the nearer bound, or the number
of records.  Estimates are made of the noisy sums themselves, so they are not bent by what
happens to the released rows later (clamping, sorting, spreading records in boxes).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Noisy
    from covey.postprocess.leaves import Leaves
    from covey.table.grid import Grid

LEVEL = 0.95
"""How often an interval holds the truth."""

NORMAL = 1.959963984540054
"""A normal variable stays within this many standard deviations with that probability."""

SHARES = 4096
"""The law of a sum of noise is averaged over this many equally likely variances."""

UNDONE = 1e-6
"""Random choices are undone if what is left of them is below this."""

WEIGHTED = "mean, weighted by the probability of being kept"
"""What can be said about the original records when coins decided which were kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A published number with the interval that holds the truth 95 times in 100.

    Parameters
    ----------
    column : str
        The attribute; empty for the number of records.
    statistic : str
        "mean", "count" of a category, or "records".
    category : str, optional
        The category that is counted.
    estimate : float
        In the units of the attribute, or in records; cut to what is possible.
    within : float
        The truth is within this distance of the estimate with probability ``level``.
    low, high : float
        The ends of that interval, cut to what is possible.
    level : float
        The probability that the interval holds the truth.
    """

    column: str
    statistic: str
    category: str | None = None
    estimate: float
    within: float
    low: float
    high: float
    level: float = LEVEL

    @classmethod
    def around(
        cls,
        column: str,
        statistic: str,
        estimate: float,
        within: float,
        *,
        possible: tuple[float, float],
        category: str | None = None,
    ) -> Interval:
        """Cut the interval to what is possible anyway, which loses no coverage.

        So is the estimate.  An interval that lies outside would be cut to a single point, which
        nobody should believe: then it is as wide as ever, from where the possible begins.
        """
        low, high = np.clip([estimate - within, estimate + within], *possible)
        estimate = float(np.clip(estimate, *possible))
        if low == high and within > 0:
            low, high = np.clip([estimate - within, estimate + within], *possible)
        return cls(
            column=column,
            statistic=statistic,
            category=category,
            estimate=float(estimate),
            within=float(within),
            low=float(low),
            high=float(high),
        )


def holding(interval: Interval, said: float) -> Interval:
    """Return an interval that holds what the rows say, too: noise alone can contradict itself."""
    low, high = min(interval.low, said), max(interval.high, said)
    return replace(interval, low=low, high=high)


def as_frame(intervals: Sequence[Interval]) -> pl.DataFrame:
    """Return intervals as the table that a release holds."""
    texts = ("column", "statistic", "category")
    kinds = {
        field.name: pl.String() if field.name in texts else pl.Float64()
        for field in fields(Interval)
    }
    columns = {name: [getattr(interval, name) for interval in intervals] for name in kinds}
    return pl.DataFrame(columns, schema=kinds)


def mean_interval(
    name: str,
    noisy: Noisy,
    n: int,
    *,
    grid: Grid,
    whole: bool = False,
) -> Interval:
    """Return the mean of a column from noisy sums of disjoint groups of its n records.

    Parameters
    ----------
    name : str
        The attribute.
    noisy : Noisy
        Sums of the column on its grid, each with its own noise.
    n : int
        The public number of records.
    grid : Grid
        What the steps of the sums mean for the attribute.
    whole : bool
        Whether its values are whole numbers, so that steps of 1 round nothing.
    """
    sums = noisy.values
    if noisy.gaussian:
        noise = NORMAL * noisy.deviation * math.sqrt(sums.size)
    else:
        noise = float(noisy.scale) * sum_quantile(sums.size)
    return total_interval(name, int(sums.sum()), n, noise=noise, grid=grid, whole=whole)


def total_interval(
    name: str, total: int, n: int, *, noise: float, grid: Grid, whole: bool
) -> Interval:
    """Return the same from the sum of all noisy sums, whose noise stays within a bound."""
    rounding = 0.0 if whole and grid.step == 1.0 else 0.5
    # Half a step in all for noise that comes in whole steps.
    within = (noise + 0.5) / n + rounding
    estimate = grid.low + float(total) / n * grid.step
    return Interval.around(
        name, "mean", estimate, within * grid.step, possible=(grid.low, grid.high)
    )


def boxes_interval(
    name: str, leaves: Leaves, side: int, *, n: int | None, grid: Grid, whole: bool = False
) -> Interval:
    """Return the mean of a column from the noisy counts and sums of boxes that hold all records.

    A box with c records whose positions add up to s holds a sum of middle · c + half width · s.
    All noise is independent, or uncorrelated inside a box, so variances add up.

    Parameters
    ----------
    name : str
        The attribute.
    leaves : Leaves
        All boxes, also those that are dropped later; the side in steps of the grid.
    side : int
        The column of ``leaves`` that belongs to the attribute.
    n : int, optional
        The number of records, if it is public; the noisy counts add up to it otherwise.
    grid, whole
        As in `mean_interval`.
    """
    middle = (leaves.low[:, side] + leaves.high[:, side]) / 2.0
    half = (leaves.high[:, side] - leaves.low[:, side]) / 2.0
    sums = middle * leaves.counts + half * leaves.offsets[:, side]
    variance = leaves.noise_sd**2
    if n is None:
        count = max(1.0, float(leaves.counts.sum()))
        mean = float(np.clip(sums.sum() / count, 0.0, grid.steps))
        centre = mean
    else:
        # Counts are measured from a centre that the noise of the counts matters least for.
        count, centre = float(n), float(np.average(middle, weights=variance))
        mean = centre + float((sums - centre * leaves.counts).sum()) / count
    parts = variance * ((middle - centre) ** 2 + half**2)
    rounding = 0.0 if whole and grid.step == 1.0 else 0.5
    within = (sum_within(parts) / count + rounding) * grid.step
    estimate = grid.low + mean * grid.step
    return Interval.around(name, "mean", estimate, within, possible=(grid.low, grid.high))


def count_intervals(
    name: str, categories: Sequence[str], noisy: Noisy, n: int | None
) -> list[Interval]:
    """Return the number of records in each category from noisy counts; n if it is public."""
    within = noise_within(noisy) + 0.5
    possible = (0.0, math.inf if n is None else float(n))
    return [
        Interval.around(name, "count", count, within, possible=possible, category=category)
        for category, count in zip(categories, noisy.values.tolist(), strict=True)
    ]


def noise_within(noisy: Noisy) -> float:
    """Return within which distance the noise of a number of weight 1 stays, at that level."""
    if noisy.gaussian:
        return NORMAL * noisy.deviation
    return float(noisy.scale) * sum_quantile(1)


def size_interval(noisy: Noisy) -> Interval:
    """Return the number of records where it is not public."""
    (counted,) = count_intervals("", [""], noisy, None)
    return replace(counted, statistic="records", category=None)


def choice_intervals(
    name: str,
    categories: Sequence[str],
    chances: NDArray[np.float64],
    drawn: NDArray[np.int64],
) -> list[Interval]:
    """Return the number of records in each category when every record drew one at random.

    Parameters
    ----------
    name : str
        The attribute.
    categories : sequence of str
        Possible values of a record.
    chances : array of shape (categories, candidates)
        How likely each candidate is for each value: public.
    drawn : array of int64
        How many records drew each candidate.

    Notes
    -----
    Counts of candidates are, on average, the true counts times the chances; undoing that adds
    up a weight for each record, whose largest possible variance bounds the error.  Where the
    chances of several values are the same mixture of others', their counts cannot be told apart,
    and the interval is all that is possible.
    """
    weights = np.linalg.pinv(chances)
    spread = chances @ weights**2 - (chances @ weights) ** 2
    n = int(drawn.sum())
    within = NORMAL * np.sqrt(np.maximum(n * spread.max(axis=0), 0.0))
    told_apart = np.abs(chances @ weights - np.eye(len(chances))).max(axis=0) < UNDONE
    within = np.where(told_apart, within, n)
    rows = zip(categories, drawn @ weights, within, strict=True)
    possible = (0.0, float(n))
    return [
        Interval.around(name, "count", estimate, width, possible=possible, category=category)
        for category, estimate, width in rows
    ]


def after_substitution(
    table: pl.DataFrame,
    probabilities: NDArray[np.float64],
    defaults: Mapping[str, float],
    bounds: Mapping[str, tuple[float, float]],
) -> pl.DataFrame:
    """Return means of the original records, each counted as often as it was likely to be kept.

    Of n records, Σp are kept on average and a public default value stands for the others, so the
    mean of what is kept follows from the mean of all.  Which records are kept is random: a sum
    of independent terms, none wider than the distance from the default to the farther bound.
    Counts are left out: they hold the default records.
    """
    n, kept = probabilities.size, float(probabilities.sum())
    varied = float((probabilities * (1.0 - probabilities)).sum())
    found = []
    for row in table.filter(pl.col("statistic") == "mean").iter_rows(named=True):
        name = row["column"]
        low, high = bounds[name]
        default = min(max(defaults[name], low), high)
        reach = max(high - default, default - low)
        within = math.hypot(row["within"] * n, NORMAL * math.sqrt(varied) * reach) / kept
        estimate = default + (row["estimate"] - default) * n / kept
        found.append(Interval.around(name, WEIGHTED, estimate, within, possible=(low, high)))
    return as_frame(found)


@lru_cache(maxsize=256)
def sum_quantile(count: int) -> float:
    """Return within which bound the sum of so many Laplace variables of scale 1 stays, at 95 %.

    Such a sum is a normal variable of variance 2G, where G has a gamma law of that shape.

    Examples
    --------
    >>> round(sum_quantile(1), 2)  # ln 20
    3.0
    """
    from scipy.optimize import brentq
    from scipy.special import erfc, gammaincinv

    roots = np.sqrt(gammaincinv(count, (np.arange(SHARES) + 0.5) / SHARES))
    widest = 10.0 * math.sqrt(2.0 * count)
    return float(brentq(lambda bound: erfc(bound / (2 * roots)).mean() - (1 - LEVEL), 0, widest))


def sum_within(variances: NDArray[np.float64]) -> float:
    """Return within which bound a sum of noise of these variances stays, at 95 %.

    As if it were the sum of so many Laplace variables of one scale as the variances amount to:
    none of the noise here has heavier tails.
    """
    whole = float(variances.sum())
    if whole <= 0.0:
        return 0.0
    alike = max(1, math.floor(whole**2 / float((variances**2).sum())))
    return sum_quantile(alike) * math.sqrt(whole / (2.0 * alike))

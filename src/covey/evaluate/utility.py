"""How much of what the original says the release still says.

Each metric is a function of sums that add up over pieces of the two tables: `Deviations` where
row i is compared with row i, `RunningMoments` and `Histogram` where the tables are compared as
wholes, in any order of the rows.  Both tables have the same attributes in the same order.

A constant attribute has no spread to measure an error by: it is measured in its own unit, that
is, its scale is 1, and its correlation with every other attribute is 0.  No metric is ever NaN.
All of this is computed from the original and is for the curator's eyes only.
"""

from __future__ import annotations

from functools import partial
from math import inf, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from covey.aggregate.histogram import ABOVE, BELOW, BESIDE
from covey.aggregate.running_moments import ones_for_zeros
from covey.errors import BoundsError, PlanError, suggest
from covey.evaluate.metric import Metric, by_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from covey.aggregate.deviations import Deviations
    from covey.aggregate.histogram import Histogram
    from covey.aggregate.running_moments import RunningMoments

    Floats = NDArray[np.float64]
    Scaling = Literal["standard", "raw", "bounds"]
    Distance = tuple[float, float]
    """A distance, and how far it can be from that of the values."""


def column_scales(
    variances: Floats, scaling: Scaling, bounds: Sequence[tuple[float, float]] | None = None
) -> Floats:
    """Return what the values of each attribute are divided by before they are compared.

    Parameters
    ----------
    variances : array of shape (d,)
        Of the originals, with ddof=0.
    scaling : {"standard", "raw", "bounds"}
        Divide by the standard deviation (ddof=0), by 1, or by the width of the public bounds.
    bounds : sequence of d pairs (low, high), optional
        Needed for "bounds".
    """
    if scaling == "raw":
        return np.ones(variances.size)
    if scaling == "standard":
        return ones_for_zeros(np.sqrt(variances))
    if scaling != "bounds":
        raise PlanError(
            f"scaling {scaling!r} is not known, so distances have no unit. "
            f"{suggest(scaling, ('standard', 'raw', 'bounds'))}"
        )
    if bounds is None or len(bounds) != variances.size:
        raise BoundsError(
            "scaling by 'bounds' needs the public bounds of every attribute that is compared, and "
            "some are missing. Set `bounds = [low, high]` in the schema, or take another scaling."
        )
    low, high = np.asarray(bounds, dtype=np.float64).reshape(-1, 2).T
    return ones_for_zeros(high - low)


def sse(errors: Deviations, scales: ArrayLike = 1.0) -> float:
    """Sum the squared errors of all values, each divided by its attribute's scale."""
    return float(np.sum(errors.squared / np.square(scales)))


def il_percent(errors: Deviations, variances: Floats, scales: ArrayLike = 1.0) -> float:
    """Return SSE in percent of SST, the SSE of replacing each value by its attribute's mean.

    If all attributes are constant, SST is 0: the loss is then 0 for a release that changes
    nothing and infinite for any other.
    """
    sst = errors.n * float(np.sum(variances / np.square(scales)))
    return 100.0 * _ratio(sse(errors, scales), sst, if_both_zero=0.0)


def il1s_sum(errors: Deviations, variances: Floats) -> float:
    """Sum |x - x'| / (sqrt(2) S_j) over all values, S_j with ddof=1.

    Some publications tabulate this sum under the name of its mean, :func:`il1s`.
    """
    spread = ones_for_zeros(np.sqrt(variances * errors.n / max(errors.n - 1, 1)))
    return float(np.sum(errors.absolute / (sqrt(2.0) * spread)))


def il1s(errors: Deviations, variances: Floats) -> float:
    """Return the mean of |x - x'| / (sqrt(2) S_j) over all values (Yancey et al. 2002)."""
    return il1s_sum(errors, variances) / (errors.n * variances.size)


def score_factors(
    sse_baseline: float, sse: float, rl_baseline: float, rl: float
) -> dict[str, float]:
    """Weigh utility against risk relative to a baseline: SSE_f, RL_f and Score.

    Defined by Soria-Comas et al. (2014), section 5.2, who leave out what happens at 0.  Here 0
    against 0 is a factor of 1 (no change), and a release that brings a positive SSE or RL down
    to 0 has an infinite factor.  Where one factor is 0 and the other infinite, neither outweighs
    the other, and the score is 1.
    """
    sse_f = sqrt(_ratio(sse_baseline, sse, if_both_zero=1.0))
    rl_f = _ratio(rl_baseline, rl, if_both_zero=1.0)
    undecided = {sse_f, rl_f} == {0.0, inf}
    return {"sse_f": sse_f, "rl_f": rl_f, "score": 1.0 if undecided else sse_f * rl_f}


def variation(old: Floats, new: Floats) -> Floats:
    """Return |new - old| / |old| of a mean, a variance or whatever statistics there are.

    Defined by Soria-Comas et al. (2014), section 5.4 and Table 7.  It is 0 where nothing changed,
    and infinite where the old value is 0 and the new one is not.
    """
    change = np.abs(new - old)
    unchanged_or_infinite = np.where(change == 0.0, 0.0, inf)
    return np.divide(change, np.abs(old), out=unchanged_or_infinite, where=old != 0.0)


def mean_error(before: RunningMoments, after: RunningMoments) -> float:
    """Return the largest error of a mean, in standard deviations of its attribute."""
    scales = column_scales(before.variances, "standard")
    return float(np.max(np.abs(after.means - before.means) / scales))


def variance_error(before: RunningMoments, after: RunningMoments) -> float:
    """Return the largest relative error of a variance."""
    return _relative_error(before.variances, after.variances)


def sd_error(before: RunningMoments, after: RunningMoments) -> float:
    """Return the largest relative error of a standard deviation."""
    return _relative_error(np.sqrt(before.variances), np.sqrt(after.variances))


def correlation_error(before: RunningMoments, after: RunningMoments) -> float:
    """Return the largest absolute error of a correlation; 0 if there is one attribute only."""
    return float(np.max(np.abs(after.correlations - before.correlations)))


def ks(x: Histogram, y: Histogram) -> Distance:
    """Return the largest distance of the two distribution functions of an attribute.

    It is taken at the borders of cells, and that of the values is at least as large.  Inside a
    cell both functions lie between their values at its borders, so it is larger by at most the
    smaller of the two shares of records in one cell.
    """
    F, G = x.distribution, y.distribution
    distance = float(np.max(np.abs(F - G)))
    inside = np.maximum(F - np.append(0.0, G[:-1]), G - np.append(0.0, F[:-1]))
    # Where all values lie at the places of their cells, only those beyond all cells are uncertain.
    alone = x.strayed[BESIDE] == y.strayed[BESIDE] == 0.0
    widest = float(np.max(inside[[0, -1]] if alone else inside))
    return distance, max(0.0, widest - distance)


def wasserstein(x: Histogram, y: Histogram) -> Distance:
    """Return the area between the two distribution functions of an attribute, in its unit.

    Where only one of the tables reaches beyond the cells, the area there is how far it does on
    average; where both do, that is known up to twice the smaller of the two.
    """
    gaps = np.abs(x.distribution - y.distribution)[1:-2]
    apart_x = x.strayed / max(x.counts.sum(), 1)
    apart_y = y.strayed / max(y.counts.sum(), 1)
    beyond = [BELOW, ABOVE]
    distance = np.sum(x.widths * gaps) + np.sum(np.abs(apart_x - apart_y)[beyond])
    error = 2.0 * np.sum(np.minimum(apart_x, apart_y)[beyond]) + (apart_x + apart_y)[BESIDE]
    return float(distance), float(error)


def _relative_error(old: Floats, new: Floats) -> float:
    """Return the largest error in units of the old value, or in its own where that is 0."""
    return float(np.max(np.abs(new - old) / ones_for_zeros(old)))


def _ratio(numerator: float, denominator: float, *, if_both_zero: float) -> float:
    """Divide two numbers of at least 0, also by 0."""
    if denominator > 0.0:
        return numerator / denominator
    return inf if numerator > 0.0 else if_both_zero


_record_by_record = partial(Metric, better="lower", low=0.0, high=inf, aligned=True, kind="utility")
_table_by_table = partial(
    Metric, better="lower", low=0.0, high=inf, aligned=False, kind="utility", columns="numbers"
)

UTILITY_METRICS = by_name(
    _record_by_record(
        name="sse",
        title="Sum of squared errors",
        explanation="The squared distance between each value and its released version, added "
        "up over all records and attributes.",
    ),
    _record_by_record(
        name="sse_ranked",
        title="Sum of squared errors by rank",
        explanation="The sum of squared errors if the sampled values of a cluster are given to "
        "its records in the order of their own, as paper 003 compares them and no release does.",
        memory_only=True,
    ),
    _record_by_record(
        name="il_percent",
        title="Information loss (%)",
        explanation="The sum of squared errors in percent of the loss of a release that replaces "
        "every value by the mean of its attribute, or by the category nearest to all.",
    ),
    _record_by_record(
        name="il1s",
        title="Scaled absolute error",
        explanation="The average distance between a value and its released version, in units of "
        "1.41 standard deviations of the attribute: the typical distance of two records.",
    ),
    _record_by_record(
        name="il1s_sum",
        title="Scaled absolute error, summed",
        explanation="The scaled absolute error added up over all records and attributes instead "
        "of averaged, as some publications print it.",
    ),
    _table_by_table(
        name="mean_error",
        title="Error of means",
        explanation="How far the worst preserved mean of an attribute has moved, in standard "
        "deviations of that attribute.",
    ),
    _table_by_table(
        name="variance_error",
        title="Error of variances",
        explanation="By what fraction of itself the worst preserved variance of an attribute has "
        "changed.",
    ),
    _table_by_table(
        name="sd_error",
        title="Error of standard deviations",
        explanation="By what fraction of itself the worst preserved standard deviation of an "
        "attribute has changed.",
    ),
    _table_by_table(
        name="correlation_error",
        title="Error of correlations",
        explanation="By how much the worst preserved correlation between two attributes has "
        "changed.",
        high=2.0,
    ),
    _table_by_table(
        name="ks",
        title="Kolmogorov-Smirnov distance",
        explanation="The largest error in the share of records below any threshold, averaged over "
        "the attributes.",
        high=1.0,
    ),
    _table_by_table(
        name="wasserstein",
        title="Wasserstein distance",
        explanation="How far values must be moved on average to turn the released distribution of "
        "an attribute into the original one, in standard deviations and averaged over the "
        "attributes.",
    ),
    _record_by_record(
        name="sse_f",
        title="Utility against baseline",
        explanation="How many times smaller the typical error of a value is than in the baseline "
        "release.",
        better="higher",
    ),
    _record_by_record(
        name="score",
        title="Utility and risk against baseline",
        explanation="The improvement in utility times the improvement in linkage risk over the "
        "baseline release, where more than 1 is a better balance of the two.",
        better="higher",
        memory_only=True,
    ),
)

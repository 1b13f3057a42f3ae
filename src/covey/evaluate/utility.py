"""How much of what the original says the release still says.

Every function takes ``original``, float64 (n, d), and ``released``, float64 (m, d), with the same
attributes in the same order.  The metrics down to :func:`error_split` compare row i with row i
and need m = n; the others compare the two tables as wholes, in any order of the rows.

A constant attribute has no spread to measure an error by: it is measured in its own unit, that
is, its scale is 1, and its correlation with every other attribute is 0.  No metric is ever NaN.
All of this is computed from the original and is for the curator's eyes only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from covey.errors import BoundsError, PlanError, suggest
from covey.evaluate.metric import Metric, by_name, require_aligned, require_comparable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Scaling = Literal["standard", "raw", "bounds"]


def column_scales(
    original: Floats, scaling: Scaling, bounds: Sequence[tuple[float, float]] | None = None
) -> Floats:
    """Return what the values of each attribute are divided by before they are compared.

    Parameters
    ----------
    original : ndarray of shape (n, d)
    scaling : {"standard", "raw", "bounds"}
        Divide by the standard deviation (ddof=0), by 1, or by the width of the public bounds.
    bounds : sequence of d pairs (low, high), optional
        Needed for "bounds".
    """
    spread = _variances(original) if scaling == "standard" else np.ones(original.shape[1])
    return scales_of(spread, scaling, bounds)


def scales_of(
    variances: Floats, scaling: Scaling, bounds: Sequence[tuple[float, float]] | None = None
) -> Floats:
    """Return `column_scales` of attributes of which only the variances (ddof=0) are known."""
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
    low, high = np.asarray(bounds, dtype=np.float64).T
    return ones_for_zeros(high - low)


def sse(original: Floats, released: Floats, scale: ArrayLike = 1.0) -> float:
    """Sum the squared errors of all values, each divided by its attribute's ``scale``."""
    require_aligned(original, released)
    return float(np.sum(((original - released) / np.asarray(scale)) ** 2))


def il_percent(original: Floats, released: Floats, scale: ArrayLike = 1.0) -> float:
    """Return SSE in percent of SST, the SSE of replacing each value by its attribute's mean.

    If all attributes are constant, SST is 0: the loss is then 0 for a release that changes
    nothing and infinite for any other.
    """
    loss = sse(original, released, scale)
    sst = original.shape[0] * float(np.sum(_variances(original) / np.asarray(scale) ** 2))
    return 100.0 * ratio(loss, sst, if_both_zero=0.0)


def il1s_sum(original: Floats, released: Floats) -> float:
    """Sum |x - x'| / (sqrt(2) S_j) over all values, S_j with ddof=1.

    Some publications tabulate this sum under the name of its mean, :func:`il1s`.
    """
    require_aligned(original, released)
    n = original.shape[0]
    spread = ones_for_zeros(np.sqrt(_variances(original) * n / max(n - 1, 1)))
    return float(np.sum(np.abs(original - released) / (sqrt(2.0) * spread)))


def il1s(original: Floats, released: Floats) -> float:
    """Return the mean of |x - x'| / (sqrt(2) S_j) over all values (Yancey et al. 2002)."""
    return il1s_sum(original, released) / original.size


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSplit:
    """The parts of an SSE; ``total`` is the sum of the other three."""

    aggregation: float
    noise: float
    cross: float
    total: float


def error_split(
    original: Floats, aggregated: Floats, released: Floats, scale: ArrayLike = 1.0
) -> ErrorSplit:
    """Split SSE into what the aggregation lost, what the noise added, and their cross term.

    With x - x' = (x - a) + (a - x') the square has the cross term 2 (x - a)(a - x').  It is 0
    if each cluster is replaced by its mean and all its records get the same noise.
    """
    aggregation, noise = sse(original, aggregated, scale), sse(aggregated, released, scale)
    divisor = np.asarray(scale) ** 2
    cross = 2.0 * float(np.sum((original - aggregated) * (aggregated - released) / divisor))
    return ErrorSplit(
        aggregation=aggregation, noise=noise, cross=cross, total=aggregation + noise + cross
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFactors:
    """The factors by which a release improves on a baseline, and their product."""

    sse_f: float
    rl_f: float
    score: float


def score_factors(sse_baseline: float, sse: float, rl_baseline: float, rl: float) -> ScoreFactors:
    """Weigh utility against risk relative to a baseline: SSE_f, RL_f and Score.

    Defined by Soria-Comas et al. (2014), section 5.2, who leave out what happens at 0.  Here 0
    against 0 is a factor of 1 (no change), and a release that brings a positive SSE or RL down
    to 0 has an infinite factor.  Where one factor is 0 and the other infinite, neither outweighs
    the other, and the score is 1.
    """
    sse_f = sqrt(ratio(sse_baseline, sse, if_both_zero=1.0))
    rl_f = ratio(rl_baseline, rl, if_both_zero=1.0)
    undecided = {sse_f, rl_f} == {0.0, inf}
    return ScoreFactors(sse_f=sse_f, rl_f=rl_f, score=1.0 if undecided else sse_f * rl_f)


def mean_variation(original: Floats, released: Floats) -> Floats:
    """Return |new - old| / |old| of the mean of each attribute.

    Defined by Soria-Comas et al. (2014), section 5.4 and Table 7.  Like all three variations it
    is 0 where nothing changed, and infinite where the old value is 0 and the new one is not.
    """
    require_comparable(original, released)
    return _variation(original.mean(axis=0), released.mean(axis=0))


def variance_variation(original: Floats, released: Floats) -> Floats:
    """Return |new - old| / |old| of the variance of each attribute."""
    require_comparable(original, released)
    return _variation(_variances(original), _variances(released))


def correlation_variation(original: Floats, released: Floats) -> Floats:
    """Return |new - old| / |old| of the correlation of each pair of attributes, (d, d)."""
    require_comparable(original, released)
    return _variation(_correlations(original), _correlations(released))


def mean_error(original: Floats, released: Floats) -> float:
    """Return the largest error of a mean, in standard deviations of its attribute."""
    require_comparable(original, released)
    error = np.abs(released.mean(axis=0) - original.mean(axis=0))
    return float(np.max(error / column_scales(original, "standard")))


def variance_error(original: Floats, released: Floats) -> float:
    """Return the largest relative error of a variance."""
    require_comparable(original, released)
    return relative_error(_variances(original), _variances(released))


def sd_error(original: Floats, released: Floats) -> float:
    """Return the largest relative error of a standard deviation."""
    require_comparable(original, released)
    return relative_error(np.sqrt(_variances(original)), np.sqrt(_variances(released)))


def correlation_error(original: Floats, released: Floats) -> float:
    """Return the largest absolute error of a correlation; 0 if there is one attribute only."""
    require_comparable(original, released)
    return float(np.max(np.abs(_correlations(released) - _correlations(original))))


def ks_by_column(original: Floats, released: Floats) -> Floats:
    """Return the largest distance of the two distribution functions of each attribute."""
    return _by_column(original, released, lambda _steps, gaps: float(gaps.max(initial=0.0)))


def wasserstein_by_column(original: Floats, released: Floats) -> Floats:
    """Return the area between the two distribution functions of each attribute, in its unit."""
    return _by_column(original, released, lambda steps, gaps: float(np.sum(steps * gaps)))


def ks(original: Floats, released: Floats) -> float:
    """Return the mean Kolmogorov-Smirnov distance over the attributes."""
    return float(np.mean(ks_by_column(original, released)))


def wasserstein(original: Floats, released: Floats) -> float:
    """Return the mean over the attributes of W1 in standard deviations of the attribute."""
    distances = wasserstein_by_column(original, released)
    return float(np.mean(distances / column_scales(original, "standard")))


def _variances(values: Floats) -> Floats:
    """Return the variances (ddof=0), exactly 0 for constant columns in spite of rounding."""
    constant = values.max(axis=0) == values.min(axis=0)
    variances: Floats = np.where(constant, 0.0, values.var(axis=0))
    return variances


def _correlations(values: Floats) -> Floats:
    """Return the correlation matrix, with 1 on the diagonal and 0 beside constant columns."""
    variances = _variances(values)
    scores = (values - values.mean(axis=0)) / ones_for_zeros(np.sqrt(variances))
    scores[:, variances == 0.0] = 0.0
    correlations: Floats = np.clip(scores.T @ scores / values.shape[0], -1.0, 1.0)
    np.fill_diagonal(correlations, 1.0)
    return correlations


def _variation(old: Floats, new: Floats) -> Floats:
    change = np.abs(new - old)
    unchanged_or_infinite = np.where(change == 0.0, 0.0, inf)
    variation: Floats = np.divide(change, np.abs(old), out=unchanged_or_infinite, where=old != 0.0)
    return variation


def relative_error(old: Floats, new: Floats) -> float:
    """Return the largest error in units of the old value, or in its own where that is 0."""
    return float(np.max(np.abs(new - old) / ones_for_zeros(old)))


def ones_for_zeros(scales: Floats) -> Floats:
    """Measure what has no spread in its own unit."""
    positive: Floats = np.where(scales > 0.0, scales, 1.0)
    return positive


def ratio(numerator: float, denominator: float, *, if_both_zero: float) -> float:
    """Divide two numbers of at least 0, also by 0."""
    if denominator > 0.0:
        return numerator / denominator
    return inf if numerator > 0.0 else if_both_zero


def _by_column(
    original: Floats, released: Floats, measure: Callable[[Floats, Floats], float]
) -> Floats:
    require_comparable(original, released)
    return np.array(
        [measure(*_distribution_gaps(x, y)) for x, y in zip(original.T, released.T, strict=True)]
    )


def _distribution_gaps(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the steps between the sorted values of both samples and |F_x - F_y| on each step.

    The gap is taken from whole numbers, so that equal distributions are at distance exactly 0
    even if one is written with every record repeated.
    """
    values = np.sort(np.concatenate((x, y)))
    steps = np.diff(values)
    below_x = np.searchsorted(np.sort(x), values[:-1], side="right")
    below_y = np.searchsorted(np.sort(y), values[:-1], side="right")
    gaps = np.abs(below_x * y.size - below_y * x.size) / (x.size * y.size)
    return steps, gaps


_record_by_record = partial(Metric, better="lower", low=0.0, high=inf, aligned=True, kind="utility")
_table_by_table = partial(Metric, better="lower", low=0.0, high=inf, aligned=False, kind="utility")

UTILITY_METRICS = by_name(
    _record_by_record(
        name="sse",
        title="Sum of squared errors",
        explanation="The squared difference between each value and its released version, added "
        "up over all records and attributes.",
    ),
    _record_by_record(
        name="il_percent",
        title="Information loss (%)",
        explanation="The sum of squared errors in percent of the loss of a release that replaces "
        "every value by the mean of its attribute.",
    ),
    _record_by_record(
        name="il1s",
        title="Scaled absolute error",
        explanation="The average distance between a value and its released version, in units of "
        "1.41 standard deviations of the attribute.",
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
    ),
)

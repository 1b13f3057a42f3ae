"""What does a private tree ask?  Distributions of columns, cuts, counts and sums of boxes, and n.

With many columns a box cannot be narrow on all sides, so each column first publishes its own
distribution: a private tree of one dimension.  The joint tree then cuts every column where its
published mass halves, and measures places by that mass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.core import questions as ask
from covey.partition.axis import Axis, scaled, weighted
from covey.postprocess.intervals import Interval, boxes_interval, count_intervals, size_interval
from covey.postprocess.leaves import (
    MARGINAL_KEEP_ABOVE,
    MARGINAL_TRUST,
    Clusters,
    Leaves,
    clusters_of,
)
from covey.postprocess.margins import inner_bounds, tilted
from covey.postprocess.spread import cell_masses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Boxed, Budget, Meter
    from covey.systems.sound.private_tree.ask import AskedTree

COLUMN_STRUCTURE_SHARE = 15
COLUMN_LEAVES_SHARE = 85
"""Parts of a column's budget; more for the cuts makes boxes that are smaller than their noise."""

BACKGROUND = 1e-5
"""Share of the bent scale that is mixed in, so that no value is impossible."""

_FINEST = 2.0**-14

PRIOR = 0.5
"""How far the prior of a box leans from its middle towards the middle of the bent scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredTree:
    """Noisy counts and sums of boxes, the axes that they are measured on, and how many records.

    ``size`` is the number of records that all noisy counts tell, where n is not public;
    ``counts`` are the noisy counts of the categories of each column that has any.
    """

    axes: Sequence[Axis]
    boxes: Boxed
    leaves: Leaves
    intervals: Sequence[Interval]
    size: int | None
    counts: Mapping[str, NDArray[np.int64]]


def measure(meter: Meter, asked: AskedTree) -> MeasuredTree:
    """Spend the budget: distributions of columns if they are needed, cuts, boxes, and n."""
    axes, intervals = list(asked.axes), list[Interval]()
    counts: dict[str, NDArray[np.int64]] = {}
    totals: list[tuple[float, float]] = []
    if asked.first:
        shares = asked.budgets["columns"].split([1] * len(asked.first))
        for j, share in zip(asked.first, shares, strict=True):
            axis = axes[j]
            if axis.grid is None:
                noisy = meter.counts(ask.ValueCounts(axis), share)
                axes[j], counts[axis.name] = weighted(axis, noisy.values), noisy.values
                intervals += count_intervals(axis.name, axis.values, noisy, asked.n)
                totals.append((noisy.values.sum(), noisy.values.size * noisy.deviation**2))
            else:
                axes[j], found = _distribution(meter, axis, share, asked.n)
                intervals += found
    meter.progress("private-tree: cutting the domain", 0, 3)
    boxes = meter.boxes(ask.Cuts(axes), asked.budgets["structure"])
    meter.progress("private-tree: measuring the boxes", 1, 3)
    leaves = _leaves(meter, boxes, axes, asked.budgets["leaves"])
    intervals += _means(axes, leaves, asked.n)
    size = None
    if asked.n is None:
        noisy = meter.counts(ask.Size(), asked.budgets["size"])
        intervals.append(size_interval(noisy))
        totals += [
            (noisy.values[0], noisy.deviation**2),
            (leaves.counts.sum(), (leaves.noise_sd**2).sum()),
        ]
        size = max(1, round(inverse_variance_mean(totals)))
    meter.progress("private-tree: placing records", 2, 3)
    return MeasuredTree(
        axes=axes, boxes=boxes, leaves=leaves, intervals=intervals, size=size, counts=counts
    )


def inverse_variance_mean(numbers: Sequence[tuple[float, float]]) -> float:
    """Return the best mean of unbiased numbers with known variances."""
    values, variances = np.array(numbers).T
    return float(np.average(values, weights=1.0 / np.maximum(variances, 1e-300)))


def _distribution(
    meter: Meter, axis: Axis, share: Budget, n: int | None
) -> tuple[Axis, list[Interval]]:
    """Publish the distribution of a number, and measure the column by it from now on.

    Boxes that may be empty are dropped from it, which can move its mean; it is tilted back to
    where the mean of all boxes says that it is.
    """
    structure, rest = share.split([COLUMN_STRUCTURE_SHARE, COLUMN_LEAVES_SHARE])
    boxes = meter.boxes(ask.Cuts([axis]), structure)
    leaves = _leaves(meter, boxes, [axis], rest)
    # Only proportions matter here, so the noisy total serves where n is not public.
    total = max(1, round(float(np.maximum(leaves.counts, 0.0).sum())))
    clusters = clusters_of(leaves, total, keep_above=MARGINAL_KEEP_ABOVE, trust=MARGINAL_TRUST)
    widths = np.diff(axis.side.edges)
    mass = (1 - BACKGROUND) * _masses(clusters, axis) + BACKGROUND * widths / widths.sum()
    intervals = _means([axis], leaves, n)
    for interval in intervals:
        bounds = inner_bounds(interval.low, interval.high)
        mass = tilted(mass, axis.at(np.arange(mass.size)), *bounds)
    return scaled(axis, mass, finest=_FINEST), intervals


def _leaves(meter: Meter, boxes: Boxed, axes: Sequence[Axis], share: Budget) -> Leaves:
    """Publish count and sums of every box at once (docs/proofs/private-tree.md)."""
    ends = [axis.ends(boxes.low[:, j], boxes.high[:, j]) for j, axis in enumerate(axes)]
    low, high = (np.column_stack(part) for part in zip(*ends, strict=True))
    measured = (high > low) & np.array([axis.measured for axis in axes])
    noisy = meter.vectors(ask.BoxSums(boxes.number, axes, low, high, measured), share)
    width = measured.sum(axis=1)
    return Leaves(
        low=low,
        high=high,
        counts=noisy.values[:, 0] / ask.RECORD_UNIT,
        offsets=noisy.values[:, 1:] / ask.RECORD_UNIT,
        noise_sd=noisy.deviation(width + 1) / ask.RECORD_UNIT,
        share=_share(boxes, axes),
        prior=_prior(boxes, axes),
    )


def _means(axes: Sequence[Axis], leaves: Leaves, n: int | None) -> list[Interval]:
    """Return the interval of each mean that boxes tell.

    Places must be measured in steps of the grid: neither by mass, nor with special values beside
    it.
    """
    return [
        boxes_interval(axis.name, leaves, side, n=n, grid=axis.grid, whole=axis.exact)
        for side, axis in enumerate(axes)
        if axis.grid is not None and not axis.by_mass and not axis.special
    ]


def _masses(clusters: Clusters, axis: Axis) -> NDArray[np.float64]:
    """Return the share of each grid value: boxes by count, inside by the largest entropy."""
    values = axis.side.edges.size - 1
    mass = np.zeros(values)
    total = clusters.counts.sum()
    rows = zip(clusters.low[:, 0], clusters.high[:, 0], clusters.counts, strict=True)
    for (low, high, count), position in zip(rows, clusters.positions[:, 0], strict=True):
        first, last = int(low), int(high)
        mass[first : last + 1] += count / total * cell_masses(last - first + 1, float(position))
    return mass


def _share(boxes: Boxed, axes: Sequence[Axis]) -> NDArray[np.float64]:
    """Return the width of the widest numeric side, as a share of its range."""
    widths = [
        (boxes.high[:, j] - boxes.low[:, j]) / axis.grid.steps
        for j, axis in enumerate(axes)
        if axis.grid is not None
    ]
    return np.asarray(np.max([np.zeros(len(boxes.low)), *widths], axis=0))


def _prior(boxes: Boxed, axes: Sequence[Axis]) -> NDArray[np.float64]:
    """Return where records are expected in a box: towards the middle of the bent scale."""
    prior = np.zeros(boxes.low.shape)
    for j, axis in enumerate(axes):
        if axis.grid is None or axis.by_mass:
            continue
        low, high, edges = boxes.low[:, j], boxes.high[:, j], axis.side.edges
        at = np.searchsorted(edges, (edges[low] + edges[high + 1]) / 2.0) - (high + low) / 2.0
        half = np.where(high > low, (high - low) / 2.0, np.inf)
        prior[:, j] = np.clip(PRIOR * at / half, -1.0, 1.0)
    return prior

"""How do noisy boxes become clusters and rows?  Post-processing of published numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.postprocess.intervals import Interval, as_frame, holding
from covey.postprocess.leaves import Clusters, clusters_of, counts_inside, whole_counts
from covey.postprocess.margins import draw_codes, inner_bounds, shifted_positions
from covey.postprocess.rows import Link, Values
from covey.postprocess.spread import even_ranks, quantiles, slope_for_mean, spread_records
from covey.systems.base import Built

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Boxed
    from covey.partition.axis import Axis
    from covey.systems.sound.private_tree.ask import AskedTree
    from covey.systems.sound.private_tree.measure import MeasuredTree

_COUNT = "(records)"
"""Column of a cluster's size; in brackets, so that no attribute is called so."""

_QUANTILES = 64
"""A mean over a curved scale is taken at this many places of a box."""


def build(asked: AskedTree, measured: MeasuredTree, rng: np.random.Generator) -> Built:
    """Make clusters of the noisy boxes, rows of the clusters, and the tables beside them."""
    del rng  # rows are placed when an engine writes them
    axes, boxes = measured.axes, measured.boxes
    n = asked.n if measured.size is None else measured.size
    assert n is not None  # noqa: S101 — public, or measured
    clusters = _with_published_means(clusters_of(measured.leaves, n), axes, measured)
    nearest = nearest_clusters(boxes, clusters, axes)
    means = centroids(axes, clusters)
    became = {axis.name: means[nearest, j] for j, axis in enumerate(axes) if axis.measured}
    targets, intervals = _targets(measured, int(clusters.counts.sum()))
    return Built(
        rows=TreeRows(
            axes=axes,
            boxes=boxes,
            clusters=clusters,
            spread=asked.spread,
            targets=targets,
        ),
        extras={
            "clusters": cluster_table(axes, boxes, clusters),
            "accuracy": as_frame(intervals),
        },
        links=(Link(boxes.number, became),),
    )


def _targets(measured: MeasuredTree, n: int) -> tuple[dict[str, NDArray[np.int64]], list[Interval]]:
    """Return how many rows each category gets, inside its interval, and the intervals."""
    targets: dict[str, NDArray[np.int64]] = {}
    said: dict[tuple[str, str | None], int] = {}
    for name, noisy in measured.counts.items():
        own = [i for i in measured.intervals if (i.column, i.statistic) == (name, "count")]
        low, high = (np.array([getattr(each, end) for each in own]) for end in ("low", "high"))
        targets[name] = counts_inside(whole_counts(noisy.astype(np.float64), n), low, high)
        said |= {(name, i.category): int(c) for i, c in zip(own, targets[name], strict=True)}
    found = [
        holding(each, said[key]) if (key := (each.column, each.category)) in said else each
        for each in measured.intervals
    ]
    return targets, found


def _with_published_means(
    clusters: Clusters, axes: Sequence[Axis], measured: MeasuredTree
) -> Clusters:
    """Move the means of clusters inside their boxes, so that all rows have the published means.

    Boxes that may be empty were dropped, which can move the mean of those that are left.
    """
    means = {each.column: each for each in measured.intervals if each.statistic == "mean"}
    positions = clusters.positions.copy()
    for j, axis in enumerate(axes):
        if axis.grid is not None and not axis.by_mass and axis.name in means:
            ends = np.array([means[axis.name].low, means[axis.name].high])
            low, high = (ends - axis.grid.low) / axis.grid.step
            bounds = inner_bounds(float(low), float(high))
            positions[:, j] = shifted_positions(clusters, j, *bounds)
    return replace(clusters, positions=positions)


def centroids(axes: Sequence[Axis], clusters: Clusters) -> NDArray[np.float64]:
    """Return the mean of each cluster in the units of the attributes.

    Where places are measured by mass, the mean is that of the values along the box.
    """
    columns = []
    for j, axis in enumerate(axes):
        if axis.grid is None:
            columns.append(clusters.centres[:, j])
        elif not axis.by_mass:
            columns.append(axis.at(clusters.centres[:, j]))
        else:
            slopes = slope_for_mean(np.clip(clusters.positions[:, j], -0.999, 0.999))
            at = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
            inside = quantiles(*np.broadcast_arrays(slopes[:, None], at[None, :]))
            low, high = clusters.low[:, [j]], clusters.high[:, [j]]
            places = (low + high) / 2.0 + (high - low) / 2.0 * inside
            columns.append(_known_mean(axis.at(axis.integers(places))))
    return np.column_stack(columns)


def _known_mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of each row without missing values; of nothing but these, a missing one."""
    known = ~np.isnan(values)
    sums = np.where(known, values, 0.0).sum(axis=1)
    return np.where(known.any(axis=1), sums / np.maximum(known.sum(axis=1), 1), np.nan)


def _possible(axis: Axis, means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move a mean between a special value and the bounds, which nobody can have, to the nearer."""
    special = np.array([value for value in axis.special if not np.isnan(value)])
    if axis.grid is None or not special.size:
        return means
    inside = np.clip(means, axis.grid.low, axis.grid.high)
    nearest = special[np.abs(means[:, None] - special).argmin(axis=1)]
    nearer = np.abs(means - nearest) < np.abs(means - inside)
    return np.where(nearer, nearest, inside)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRows:
    """Rows placed in the boxes of clusters, or at their centroids.

    ``targets`` say how many rows have each category of a column, as was published.
    """

    axes: Sequence[Axis]
    boxes: Boxed
    clusters: Clusters
    spread: bool
    targets: Mapping[str, NDArray[np.int64]]

    @property
    def n(self) -> int:
        """Return how many there are."""
        return int(self.clusters.counts.sum())

    def place(self, piece: int, pieces: int, rng: np.random.Generator) -> dict[str, Values]:
        """Place an even share of each cluster.

        So every piece has the published distribution of each column, where that is imposed.
        """
        axes, clusters = self.axes, share_of(self.clusters, piece, pieces)
        if self.spread:
            pads = np.array([0.5 if axis.whole and not axis.by_mass else 0.0 for axis in axes])
            placed = spread_records(clusters, rng, pads=pads)
            by_mass = [j for j, axis in enumerate(axes) if axis.measured and axis.by_mass]
            placed[:, by_mass] = even_ranks(placed[:, by_mass])
        else:
            means = centroids(axes, clusters)
            for j, axis in enumerate(axes):
                means[:, j] = _possible(axis, means[:, j])
            repeated = np.repeat(means, clusters.counts, axis=0)
        columns: dict[str, Values] = {}
        for j, axis in enumerate(axes):
            if axis.grid is None:
                kept = clusters.kept
                low, high = self.boxes.low[kept, j], self.boxes.high[kept, j]
                target = _even_part(self.targets[axis.name], piece, pieces)
                codes = draw_codes(low, high, clusters.counts, target, rng)
                columns[axis.name] = np.array(axis.values, dtype=object)[codes]
            else:
                values = axis.at(axis.integers(placed[:, j])) if self.spread else repeated[:, j]
                columns[axis.name] = values
        return columns


def share_of(clusters: Clusters, piece: int, pieces: int) -> Clusters:
    """Return every so-many-th row of the clusters, beginning with a row of the first ones."""
    return replace(clusters, counts=_even_part(clusters.counts, piece, pieces))


def _even_part(counts: NDArray[np.int64], piece: int, pieces: int) -> NDArray[np.int64]:
    """Return one of so many even parts of counts; equal totals have parts of equal totals."""
    ends = np.cumsum(counts)
    before = (ends - counts + pieces - 1 - piece) // pieces
    return np.asarray((ends + pieces - 1 - piece) // pieces - before)


def cluster_table(axes: Sequence[Axis], boxes: Boxed, clusters: Clusters) -> pl.DataFrame:
    """Return the clusters themselves: box, centroid and count of each."""
    table: dict[str, object] = {_COUNT: clusters.counts}
    means = centroids(axes, clusters)
    for j, axis in enumerate(axes):
        low, high = boxes.low[clusters.kept, j], boxes.high[clusters.kept, j]
        if axis.grid is not None:
            first = axis.at(low)
            # A box that begins with the missing values begins, as numbers go, with the next one.
            first = np.where(np.isnan(first) & (high > low), axis.at(low + 1), first)
            ends = np.sort(np.column_stack([first, axis.at(high)]), axis=1)
            limits = zip(("low", "high", "mean"), (*ends.T, means[:, j]), strict=True)
            for what, values in limits:
                table[f"{axis.name}.{what}"] = pl.Series(values).fill_nan(None)
        else:
            spans = zip(low, high, strict=True)
            table[axis.name] = ["|".join(axis.values[a : b + 1]) for a, b in spans]
    frame = pl.DataFrame(table)
    return frame.sort(frame.columns, nulls_last=True)


def nearest_clusters(boxes: Boxed, clusters: Clusters, axes: Sequence[Axis]) -> NDArray[np.int64]:
    """Return the cluster that stands for each box: its own, or the nearest if it was dropped.

    Nearest by the middles of boxes, in units of the axes' lengths.
    """
    from scipy.spatial import cKDTree

    found = np.full(len(boxes.low), -1, dtype=np.int64)
    found[clusters.kept] = np.arange(clusters.kept.size)
    lost = np.flatnonzero(found < 0)
    if lost.size:
        length = np.array([max(axis.side.edges.size - 1, 1) for axis in axes])
        middle = (boxes.low + boxes.high) / 2.0 / length
        found[lost] = cKDTree(middle[clusters.kept]).query(middle[lost])[1]
    return found

"""How do the clusters of a private tree become rows?  Post-processing of published numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.release import Column, ConceptColumn, NoisyColumn
from covey.release.spread import even_ranks, quantiles, slope_for_mean, spread_records

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition.tree import Boxes
    from covey.perturb import Accounted
    from covey.release.leaves import Clusters
    from covey.systems.axes import Axis

COUNT = "(records)"
"""Column of a cluster's size; in brackets, so that no attribute is called so."""

QUANTILES = 64
"""A mean over a curved scale is taken at this many places of a box."""


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
            at = (np.arange(QUANTILES) + 0.5) / QUANTILES
            inside = quantiles(*np.broadcast_arrays(slopes[:, None], at[None, :]))
            low, high = clusters.low[:, [j]], clusters.high[:, [j]]
            places = (low + high) / 2.0 + (high - low) / 2.0 * inside
            columns.append(axis.at(axis.integers(places)).mean(axis=1))
    return np.column_stack(columns)


def as_columns(
    axes: Sequence[Axis],
    boxes: Boxes,
    clusters: Clusters,
    origin: Accounted,
    *,
    spread: bool,
    rng: np.random.Generator,
) -> dict[str, Column]:
    """Return the released columns: centroids repeated, or records spread inside the boxes."""
    if spread:
        pads = np.array([0.5 if axis.whole and not axis.by_mass else 0.0 for axis in axes])
        placed = spread_records(clusters, rng, pads=pads)
        by_mass = [j for j, axis in enumerate(axes) if axis.measured and axis.by_mass]
        placed[:, by_mass] = even_ranks(placed[:, by_mass])
    else:
        repeated = np.repeat(centroids(axes, clusters), clusters.counts, axis=0)
    columns: dict[str, Column] = {}
    for j, axis in enumerate(axes):
        if axis.grid is None:
            concepts = _concepts(axis, boxes, clusters, j, rng)
            columns[axis.name] = ConceptColumn(concepts=concepts, origin=origin)
        else:
            values = axis.at(axis.integers(placed[:, j])) if spread else repeated[:, j]
            columns[axis.name] = NoisyColumn(values=values, origin=origin)
    return columns


def _concepts(
    axis: Axis, boxes: Boxes, clusters: Clusters, j: int, rng: np.random.Generator
) -> tuple[str, ...]:
    """Draw a category for each row among those of its box, in proportion to published shares."""
    low, high = boxes.low[clusters.kept, j], boxes.high[clusters.kept, j]
    mass = axis.side.edges
    rows = np.repeat(np.arange(clusters.counts.size), clusters.counts)
    start, end = mass[low[rows]], mass[high[rows] + 1]
    drawn = np.searchsorted(mass, start + rng.random(rows.size) * (end - start), side="right") - 1
    codes = np.clip(drawn, low[rows], high[rows])
    return tuple(np.array(axis.values, dtype=object)[codes].tolist())


def cluster_table(axes: Sequence[Axis], boxes: Boxes, clusters: Clusters) -> pl.DataFrame:
    """Return the clusters themselves: box, centroid and count of each."""
    table: dict[str, object] = {COUNT: clusters.counts}
    means = centroids(axes, clusters)
    for j, axis in enumerate(axes):
        low, high = boxes.low[clusters.kept, j], boxes.high[clusters.kept, j]
        if axis.grid is not None:
            ends = np.sort(np.column_stack([axis.at(low), axis.at(high)]), axis=1)
            table[f"{axis.name}.low"], table[f"{axis.name}.high"] = ends.T
            table[f"{axis.name}.mean"] = means[:, j]
        else:
            spans = zip(low, high, strict=True)
            table[axis.name] = ["|".join(axis.values[a : b + 1]) for a, b in spans]
    frame = pl.DataFrame(table)
    return frame.sort(frame.columns)


def nearest_clusters(
    boxes: Boxes, clusters: Clusters, cells: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Return the cluster of each original record, for the curator; the nearest if dropped."""
    position = np.full(boxes.starts.size, -1, dtype=np.int64)
    position[clusters.kept] = np.arange(clusters.kept.size)
    sizes = boxes.ends - boxes.starts
    filled = np.flatnonzero(sizes > 0)
    filled = filled[np.argsort(boxes.starts[filled])]
    found = np.empty(cells.shape[0], dtype=np.int64)
    found[boxes.order] = np.repeat(position[filled], sizes[filled])
    lost = np.flatnonzero(found < 0)
    if lost.size:
        found[lost] = nearest_centres(boxes, clusters, cells[lost], cells.std(axis=0))
    return found


def nearest_centres(
    boxes: Boxes, clusters: Clusters, cells: NDArray[np.int32], spread: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the cluster whose box has its middle nearest to each record, for the curator.

    Distances are taken in units of ``spread``, the standard deviations of all records.
    """
    from scipy.spatial import cKDTree

    centre = (boxes.low[clusters.kept] + boxes.high[clusters.kept]) / 2.0
    scale = np.maximum(spread, 1e-9)
    return np.asarray(cKDTree(centre / scale).query(cells / scale)[1], dtype=np.int64)

"""How do the clusters of a private tree become rows?  Post-processing of published numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.release import Column, ConceptColumn, NoisyColumn
from covey.release.spread import spread_records

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition.tree import Boxes
    from covey.perturb import Accounted, NoiseSource
    from covey.release.leaves import Clusters
    from covey.systems.axes import Axis


def as_columns(
    axes: Sequence[Axis],
    boxes: Boxes,
    clusters: Clusters,
    origin: Accounted,
    *,
    spread: bool,
    source: NoiseSource,
) -> dict[str, Column]:
    """Return the released columns: centroids repeated, or records spread inside the boxes."""
    rng = source.placement()
    numeric = [j for j, axis in enumerate(axes) if axis.grid is not None]
    if spread and numeric:
        pads = np.array([axis.grid.step / 2 if axis.grid and axis.whole else 0.0 for axis in axes])
        values = spread_records(clusters, rng, pads=pads)
    else:
        values = np.repeat(clusters.centroids, clusters.counts, axis=0)
    columns: dict[str, Column] = {}
    for j, axis in enumerate(axes):
        if axis.grid is not None:
            grid = axis.grid
            inside = np.clip(values[:, j], grid.low, grid.high)
            columns[axis.name] = NoisyColumn(values=inside, origin=origin)
        else:
            concepts = _concepts(axis, boxes, clusters, j, rng)
            columns[axis.name] = ConceptColumn(concepts=concepts, origin=origin)
    return columns


def _concepts(
    axis: Axis, boxes: Boxes, clusters: Clusters, j: int, rng: np.random.Generator
) -> tuple[str, ...]:
    """Draw a category for each row among those of its box, as often as other boxes have it.

    Boxes that hold a single category say how frequent it is; one more of each keeps those that
    no such box has.
    """
    low, high = boxes.low[clusters.kept, j], boxes.high[clusters.kept, j]
    decided = low == high
    weight = 1.0 + np.bincount(
        low[decided], weights=clusters.counts[decided], minlength=len(axis.values)
    )
    mass = np.concatenate(([0.0], np.cumsum(weight)))
    rows = np.repeat(np.arange(clusters.counts.size), clusters.counts)
    start, end = mass[low[rows]], mass[high[rows] + 1]
    drawn = np.searchsorted(mass, start + rng.random(rows.size) * (end - start), side="right") - 1
    codes = np.clip(drawn, low[rows], high[rows])
    return tuple(np.array(axis.values, dtype=object)[codes].tolist())


def cluster_table(axes: Sequence[Axis], boxes: Boxes, clusters: Clusters) -> pl.DataFrame:
    """Return the clusters themselves: box, centroid and count of each."""
    table: dict[str, object] = {"records": clusters.counts}
    centroids = clusters.centroids
    for j, axis in enumerate(axes):
        if axis.grid is not None:
            table[f"{axis.name}.low"] = clusters.low[:, j]
            table[f"{axis.name}.high"] = clusters.high[:, j]
            table[f"{axis.name}.mean"] = centroids[:, j]
        else:
            spans = zip(boxes.low[clusters.kept, j], boxes.high[clusters.kept, j], strict=True)
            table[axis.name] = ["|".join(axis.values[a : b + 1]) for a, b in spans]
    frame = pl.DataFrame(table)
    return frame.sort(frame.columns)


def nearest_clusters(
    boxes: Boxes, clusters: Clusters, cells: NDArray[np.int32], numeric: Sequence[int]
) -> NDArray[np.int64]:
    """Return the cluster of each original record, for the curator; the nearest if dropped."""
    position = np.full(boxes.starts.size, -1, dtype=np.int64)
    position[clusters.kept] = np.arange(clusters.kept.size)
    sizes = boxes.ends - boxes.starts
    found = np.empty(cells.shape[0], dtype=np.int64)
    by_box = np.argsort(boxes.starts, kind="stable")
    by_box = by_box[sizes[by_box] > 0]
    found[boxes.order] = np.repeat(position[by_box], sizes[by_box])
    lost = np.flatnonzero(found < 0)
    if lost.size and numeric:
        from scipy.spatial import cKDTree

        centre = (boxes.low[clusters.kept] + boxes.high[clusters.kept])[:, numeric] / 2.0
        scale = np.maximum(cells[:, numeric].std(axis=0), 1e-9)
        found[lost] = cKDTree(centre / scale).query(cells[lost][:, numeric] / scale)[1]
    return np.maximum(found, 0)

"""What is published of the boxes of a private tree: counts and sums, with noise in a cube."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.partition.tree import Boxes
from covey.perturb import CubeNoisy, add_cube
from covey.privacy import Budget, sensitivity
from covey.release.leaves import Leaves
from covey.systems.tree_records import UNIT, Records

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource
    from covey.systems.axes import Axis

PRIOR = 0.5
"""How far the prior of a box leans from its middle towards the middle of the bent scale."""


def measured(
    records: Records,
    boxes: Boxes,
    axes: Sequence[Axis],
    suffix: str,
    *,
    budget: Budget,
    source: NoiseSource,
) -> tuple[Leaves, CubeNoisy]:
    """Publish count and sums of every box at once (docs/proofs/private-tree.md).

    ``suffix`` names the claim: empty for replaced records, "-add-remove" otherwise.
    """
    ends = [axis.ends(boxes.low[:, j], boxes.high[:, j]) for j, axis in enumerate(axes)]
    low, high = (np.column_stack(part) for part in zip(*ends, strict=True))
    counts = (boxes.ends - boxes.starts) * UNIT
    sums = records.sums(boxes, axes, low, high)
    asked = (high > low) & np.array([axis.measured for axis in axes])
    # Boxes with the same number of measured sides form a group; which ones is public.
    width = asked.sum(axis=1)
    groups = [np.flatnonzero(width == sides) for sides in np.unique(width)]
    vectors = [
        np.column_stack([counts[rows], sums[rows][asked[rows]].reshape(rows.size, -1)])
        for rows in groups
    ]
    noisy = add_cube(
        vectors,
        sensitivity=sensitivity("private-tree", f"leaves{suffix}", unit=UNIT),
        budget=budget,
        source=source,
    )
    noisy_counts = np.empty(counts.size)
    offsets = np.zeros(sums.shape)
    for rows, vectors_noisy in zip(groups, noisy.vectors, strict=True):
        noisy_counts[rows] = vectors_noisy[:, 0] / UNIT
        inside = np.zeros((rows.size, sums.shape[1]))
        inside[asked[rows]] = (vectors_noisy[:, 1:] / UNIT).ravel()
        offsets[rows] = inside
    leaves = Leaves(
        low=low,
        high=high,
        counts=noisy_counts,
        offsets=offsets,
        noise_sd=noisy.scale / UNIT * np.sqrt((width + 2) * (width + 3) / 3.0),
        share=_share(boxes, axes),
        prior=_prior(boxes, axes),
    )
    return leaves, noisy


def _share(boxes: Boxes, axes: Sequence[Axis]) -> NDArray[np.float64]:
    """Return the width of the widest numeric side, as a share of its range."""
    widths = [
        (boxes.high[:, j] - boxes.low[:, j]) / axis.grid.steps
        for j, axis in enumerate(axes)
        if axis.grid is not None
    ]
    return np.asarray(np.max([np.zeros(boxes.starts.size), *widths], axis=0))


def _prior(boxes: Boxes, axes: Sequence[Axis]) -> NDArray[np.float64]:
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

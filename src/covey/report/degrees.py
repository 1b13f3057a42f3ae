"""How are degrees of a graph counted for a chart with log axes?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.graph import DK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.release.folder import Published

    Floats = NDArray[np.float64]

_STEPS = 3
"""Bins for each doubling of the degree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DegreeCurve:
    """Nodes for each degree, averaged over bins whose width grows with the degree."""

    degree: Floats
    nodes: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class DegreeMap:
    """Edges in boxes of the degrees of their two ends; rows are (low, high, low, high, edges)."""

    boxes: Floats


def published_degrees(release: Published) -> DK:
    """Return the published counts: of nodes by degree, or of edges by the degrees of their ends."""
    *degrees, counts = (column.to_numpy() for column in release.scan().collect())
    return DK(
        order=len(degrees),
        keys=np.column_stack(degrees).astype(np.int64),
        counts=counts.astype(np.int64),
    )


def degree_curve(counted: DK) -> DegreeCurve:
    """Return nodes by degree, of joint degrees too: d ends of edges at degree d are one node.

    Degree 0 and counts of 0 or below have no place on log axes and are left out.
    """
    degrees, nodes = _nodes(counted)
    kept = (degrees > 0) & (nodes > 0)
    degrees, nodes = degrees[kept], nodes[kept]
    edges = _edges(int(degrees.max(initial=1)))
    place = np.digitize(degrees, edges) - 1
    total = np.bincount(place, weights=nodes, minlength=edges.size - 1)
    # How many degrees a bin could hold: one without nodes counts as well.
    width = np.diff(np.ceil(edges))
    there = np.flatnonzero(total > 0)
    middle = np.sqrt(np.ceil(edges[there]) * (np.ceil(edges[there + 1]) - 1))
    return DegreeCurve(degree=middle, nodes=total[there] / width[there])


def degree_map(joint: DK) -> DegreeMap:
    """Return edges by the degrees of their ends, on boxes whose sides grow with the degree."""
    kept = (joint.counts > 0) & (joint.keys > 0).all(axis=1)
    keys, counts = joint.keys[kept], joint.counts[kept]
    edges = _edges(int(keys.max(initial=1)))
    width = edges.size
    places = np.digitize(keys, edges) - 1
    total = np.bincount(places[:, 0] * width + places[:, 1], weights=counts, minlength=1)
    cells = np.flatnonzero(total)
    i, j = np.divmod(cells, width)
    return DegreeMap(
        boxes=np.column_stack([edges[i], edges[i + 1], edges[j], edges[j + 1], total[cells]])
    )


def _nodes(counted: DK) -> tuple[Floats, Floats]:
    if counted.order == 1:
        return counted.keys[:, 0].astype(np.float64), counted.counts.astype(np.float64)
    ends = np.bincount(
        counted.keys.ravel(), weights=np.repeat(np.maximum(counted.counts, 0), 2), minlength=1
    )
    degrees = np.flatnonzero(ends)
    return degrees.astype(np.float64), ends[degrees] / np.maximum(degrees, 1)


def _edges(largest: int) -> Floats:
    """Return limits of bins from 1 to beyond the largest degree; each holds a whole number."""
    powers = 2.0 ** (np.arange(_STEPS * (int(np.log2(max(largest, 1))) + 1) + 1) / _STEPS)
    small = np.arange(1.0, min(largest, 5) + 2)
    return np.concatenate([small - 0.5, np.unique(np.ceil(powers[powers > small[-1] + 1])) - 0.5])

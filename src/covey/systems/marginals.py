"""What is each column's own distribution, before the columns are looked at together?

With many columns a box cannot be narrow on all sides, so each column first publishes its own
distribution: a private tree of one dimension.  The joint tree then cuts every column where its
published mass halves, and measures places by that mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.partition.tree import bent, grow
from covey.perturb import Accounted, Grid, add_laplace, split_test
from covey.privacy import Budget, sensitivity
from covey.release.leaves import MARGINAL_KEEP_ABOVE, MARGINAL_TRUST, Clusters, clusters_of
from covey.release.spread import cell_masses
from covey.systems.axes import Axis, scaled, weighted
from covey.systems.boxes import measured

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource

STRUCTURE_SHARE = 3
LEAVES_SHARE = 7
BACKGROUND = 0.001
"""Share of the bent scale that is mixed in, so that no value is impossible."""

FINEST = 2.0**-14


def with_marginals(
    cells: NDArray[np.int32],
    axes: Sequence[Axis],
    chosen: Sequence[int],
    suffix: str,
    *,
    budget: Budget,
    source: NoiseSource,
) -> tuple[list[Axis], list[Accounted]]:
    """Publish the distribution of some columns and measure them by it from now on."""
    shares = iter(budget.split([1] * len(chosen)))
    found, paid = list(axes), list[Accounted]()
    for j in chosen:
        axis, share = axes[j], next(shares)
        if axis.grid is None:
            noisy = add_laplace(
                np.bincount(cells[:, j], minlength=len(axis.values)).astype(np.int64),
                grid=Grid(low=0.0, high=1.0, steps=1),
                sensitivity=sensitivity("histogram", f"counts{suffix}"),
                budget=share,
                source=source,
            )
            found[j] = weighted(axis, noisy.steps)
            paid.append(noisy)
        else:
            found[j], costs = _distribution(cells[:, [j]], axis, suffix, share, source)
            paid += costs
    return found, paid


def _distribution(
    cells: NDArray[np.int32], axis: Axis, suffix: str, budget: Budget, source: NoiseSource
) -> tuple[Axis, list[Accounted]]:
    structure, leaves = budget.split([STRUCTURE_SHARE, LEAVES_SHARE])
    test = split_test(
        sensitivity=sensitivity("private-tree", f"structure{suffix}"),
        budget=structure,
        source=source,
    )
    boxes = grow(cells, [axis.side], test)
    found, noisy = measured(cells, boxes, [axis], suffix, budget=leaves, source=source)
    # Only proportions matter here, so the noisy total serves where n is not public.
    total = max(1, round(float(np.maximum(found.counts, 0.0).sum())))
    clusters = clusters_of(found, total, keep_above=MARGINAL_KEEP_ABOVE, trust=MARGINAL_TRUST)
    mass = (1 - BACKGROUND) * _masses(clusters, axis) + BACKGROUND * np.diff(_bent_edges(axis))
    return scaled(axis, mass, finest=FINEST), [test, noisy]


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


def _bent_edges(axis: Axis) -> NDArray[np.float64]:
    values = axis.side.edges.size - 1
    return bent(np.arange(values + 1) / values)

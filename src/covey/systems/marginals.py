"""What is each column's own distribution, before the columns are looked at together?

With many columns a box cannot be narrow on all sides, so each column first publishes its own
distribution: a private tree of one dimension.  The joint tree then cuts every column where its
published mass halves, and measures places by that mass; it says how columns go together, and
the rows get the published distributions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.perturb import Accounted, Grid, add_laplace, split_test
from covey.privacy import Budget, sensitivity
from covey.release.accuracy import Interval, count_intervals
from covey.release.leaves import MARGINAL_KEEP_ABOVE, MARGINAL_TRUST, Clusters, Leaves, clusters_of
from covey.release.spread import cell_masses
from covey.systems.axes import Axis, scaled, weighted
from covey.systems.boxes import measured
from covey.systems.intervals import box_means
from covey.systems.tree_records import Records

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource

STRUCTURE_SHARE = 15
LEAVES_SHARE = 85
"""Parts of a column's budget; more for the cuts makes boxes that are smaller than their noise."""

BACKGROUND = 1e-5
"""Share of the bent scale that is mixed in, so that no value is impossible."""

FINEST = 2.0**-14


def with_marginals(
    records: Records,
    axes: Sequence[Axis],
    chosen: Sequence[int],
    suffix: str,
    *,
    budget: Budget,
    source: NoiseSource,
) -> tuple[list[Axis], list[Accounted], list[Interval]]:
    """Publish the distribution of some columns and measure them by it from now on.

    Returns the axes, what they cost, and how accurate their means and counts are.
    """
    shares = iter(budget.split([1] * len(chosen)))
    found, paid, intervals = list(axes), list[Accounted](), list[Interval]()
    n = None if suffix else records.n
    for j in chosen:
        axis, share = axes[j], next(shares)
        if axis.grid is None:
            noisy = add_laplace(
                records.counts(j, len(axis.values)),
                grid=Grid(low=0.0, high=1.0, steps=1),
                sensitivity=sensitivity("histogram", f"counts{suffix}"),
                budget=share,
                source=source,
            )
            found[j] = weighted(axis, noisy.steps)
            paid.append(noisy)
            intervals += count_intervals(axis.name, axis.values, noisy, n)
        else:
            found[j], costs, leaves = _distribution(records.column(j), axis, suffix, share, source)
            paid += costs
            intervals += box_means([axis], leaves, n)
    return found, paid, intervals


def marginal_noise(epsilon: float) -> float:
    """Return the standard deviation of the noise on a box of one column with this budget."""
    leaves = epsilon * LEAVES_SHARE / (STRUCTURE_SHARE + LEAVES_SHARE)
    return 2.0 / leaves * 2.0


def _distribution(
    records: Records, axis: Axis, suffix: str, budget: Budget, source: NoiseSource
) -> tuple[Axis, list[Accounted], Leaves]:
    structure, leaves = budget.split([STRUCTURE_SHARE, LEAVES_SHARE])
    test = split_test(
        sensitivity=sensitivity("private-tree", f"structure{suffix}"),
        budget=structure,
        source=source,
    )
    boxes = records.boxes([axis.side], test)
    found, noisy = measured(records, boxes, [axis], suffix, budget=leaves, source=source)
    # Only proportions matter here, so the noisy total serves where n is not public.
    total = max(1, round(float(np.maximum(found.counts, 0.0).sum())))
    clusters = clusters_of(found, total, keep_above=MARGINAL_KEEP_ABOVE, trust=MARGINAL_TRUST)
    widths = np.diff(axis.side.edges)
    mass = (1 - BACKGROUND) * _masses(clusters, axis) + BACKGROUND * widths / widths.sum()
    return scaled(axis, mass, finest=FINEST), [test, noisy], found


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

"""Publish a whole table with differential privacy on the original records: covey's own system.

A public domain is cut in two again and again; a randomised test on the number of records
decides whether to go on.  Each final box publishes its count and its sums at once, with noise
that is uniform in a cube; what follows is post-processing (docs/proofs/private-tree.md).
There is no k, no depth and nothing to tune: boxes become small where records are many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PlanError
from covey.partition.tree import Boxes, grow
from covey.perturb import Accounted, Grid, add_cube, add_laplace, split_test, together
from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release import Column
from covey.release.leaves import Leaves, clusters_of
from covey.systems.axes import Axis, axis_of
from covey.systems.base import COLUMNS, EPSILON, Outcome, Parameter, Progress, System
from covey.systems.columns import assumptions, chosen, dropped, from_the_data
from covey.systems.tree_output import as_columns, cluster_table, nearest_clusters
from covey.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource

STRUCTURE_SHARE = 20
LEAVES_SHARE = 78
SIZE_SHARE = 2
"""Percent of epsilon for the cuts, for the boxes, and, where n is not public, for n."""

UNIT = 2**16
"""One record counts this many steps, so that sums keep sixteen binary digits."""

LEAST_SIGNAL = 4.0
"""Fewer records than this many standard deviations of a count's noise are refused."""


def _publish(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    attributes = chosen(table, parameters)
    axes = [axis_of(table, attribute) for attribute in attributes]
    known_n = parameters["unit"] == "replace"
    whole = Budget.of(parameters["epsilon"])
    if known_n:
        _refuse_too_little(table.n, len(axes), whole)
        shares = [STRUCTURE_SHARE, LEAVES_SHARE + SIZE_SHARE]
    else:
        shares = [STRUCTURE_SHARE, LEAVES_SHARE, SIZE_SHARE]
    budgets = whole.split(shares)
    suffix = "" if known_n else "-add-remove"
    if progress is not None:
        progress("private-tree: cutting the domain", 0, 3)
    test = split_test(
        sensitivity=sensitivity("private-tree", f"structure{suffix}"),
        budget=budgets[0],
        source=source,
    )
    cells = np.column_stack([axis.cells(table) for axis in axes])
    boxes = grow(cells, [axis.side for axis in axes], test)
    if progress is not None:
        progress("private-tree: measuring the boxes", 1, 3)
    leaves, account = _measure(cells, boxes, axes, suffix, budget=budgets[1], source=source)
    paid: list[Accounted] = [test, account]
    n = table.n
    if not known_n:
        size = add_laplace(
            np.array([table.n]),
            grid=Grid(low=0.0, high=1.0, steps=1),
            sensitivity=sensitivity("private-tree", "size"),
            budget=budgets[2],
            source=source,
        )
        paid.append(size)
        n = max(1, int(size.steps[0]))
    if progress is not None:
        progress("private-tree: placing records", 2, 3)
    clusters = clusters_of(leaves, n)
    origin = together(paid, claim="private-tree")
    columns: dict[str, Column] = as_columns(
        axes, boxes, clusters, origin, spread=parameters["output"] == "spread", source=source
    )
    guarantee = _guarantee(table, axes, whole, known_n=known_n, parameters=parameters)
    reason = from_the_data(attributes)
    if reason:
        guarantee = guarantee.downgraded(reason)
    numeric = [j for j, axis in enumerate(axes) if axis.grid is not None]
    nearest = nearest_clusters(boxes, clusters, cells, numeric)
    aligned = {axes[j].name: clusters.centroids[nearest, j] for j in numeric}
    return Outcome(
        columns=columns,
        guarantee=guarantee,
        aligned=aligned,
        extras={"clusters": cluster_table(axes, boxes, clusters)},
    )


def _refuse_too_little(n: int, attributes: int, epsilon: Budget) -> None:
    leaf_epsilon = epsilon.value * (LEAVES_SHARE + SIZE_SHARE) / 100
    noise = 2.0 / leaf_epsilon * math.sqrt((attributes + 2) * (attributes + 3) / 3.0)
    if n < LEAST_SIGNAL * noise:
        needed = epsilon.value * LEAST_SIGNAL * noise / n
        raise PlanError(
            f"epsilon = {epsilon.value:g} is too small for this many records and "
            f"{attributes} columns: the noise would drown them all. Publish fewer columns, or "
            f"give an epsilon of at least {needed:.2g}."
        )


def _measure(
    cells: NDArray[np.int32],
    boxes: Boxes,
    axes: Sequence[Axis],
    suffix: str,
    *,
    budget: Budget,
    source: NoiseSource,
) -> tuple[Leaves, Accounted]:
    """Publish count and sums of every box at once, with noise in a cube."""
    from covey.kernels.boxes import box_sums

    counts = (boxes.ends - boxes.starts) * UNIT
    sums = box_sums(cells, boxes.order, boxes.starts, boxes.ends, boxes.low, boxes.high, UNIT)
    numeric = np.array([axis.grid is not None for axis in axes])
    measured = (boxes.high > boxes.low) & numeric
    # Boxes with the same number of measured sides form a group; which ones is public.
    width = measured.sum(axis=1)
    groups = [np.flatnonzero(width == sides) for sides in np.unique(width)]
    vectors = [
        np.column_stack([counts[rows], sums[rows][measured[rows]].reshape(rows.size, -1)])
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
    for rows, rows_noisy in zip(groups, noisy.vectors, strict=True):
        noisy_counts[rows] = rows_noisy[:, 0] / UNIT
        inside = np.zeros((rows.size, sums.shape[1]))
        inside[measured[rows]] = (rows_noisy[:, 1:] / UNIT).ravel()
        offsets[rows] = inside
    dimensions = width + 1
    noise_sd = noisy.scale / UNIT * np.sqrt((dimensions + 1) * (dimensions + 2) / 3.0)
    return _leaves(boxes, axes, noisy_counts, offsets, noise_sd), noisy


def _leaves(
    boxes: Boxes,
    axes: Sequence[Axis],
    counts: NDArray[np.float64],
    offsets: NDArray[np.float64],
    noise_sd: NDArray[np.float64],
) -> Leaves:
    """Express boxes in raw units; categories keep their place on the axis."""
    low, high = boxes.low.astype(np.float64), boxes.high.astype(np.float64)
    prior = np.zeros_like(low)
    share = np.zeros(counts.size)
    for j, axis in enumerate(axes):
        if axis.grid is None:
            continue
        edges, half = axis.side.edges, (high[:, j] - low[:, j]) / 2.0
        middle = (edges[boxes.low[:, j]] + edges[boxes.high[:, j] + 1]) / 2.0
        at = np.searchsorted(edges, middle) - (high[:, j] + low[:, j]) / 2.0
        prior[:, j] = np.where(half > 0, 0.5 * at / np.where(half > 0, half, 1.0), 0.0)
        share = np.maximum(share, (high[:, j] - low[:, j]) / axis.grid.steps)
        low[:, j] = axis.grid.values(boxes.low[:, j])
        high[:, j] = axis.grid.values(boxes.high[:, j])
    return Leaves(
        low=low,
        high=high,
        counts=counts,
        offsets=offsets,
        noise_sd=noise_sd,
        share=share,
        prior=np.clip(prior, -1.0, 1.0),
    )


def _guarantee(
    table: Table,
    axes: Sequence[Axis],
    whole: Budget,
    *,
    known_n: bool,
    parameters: Mapping[str, Any],
) -> Guarantee:
    attributes = chosen(table, parameters)
    grids = {axis.name: axis.grid for axis in axes if axis.grid is not None}
    numeric = [attribute for attribute in attributes if attribute.name in grids]
    facts = list(assumptions(numeric, grids))
    if not known_n:
        facts.remove("The number of records is public.")
    facts += [
        f"The possible values of {axis.name} and their taxonomy are known without these data."
        for axis in axes
        if axis.grid is None
    ]
    return Guarantee(
        kind=GuaranteeKind.PURE_DP,
        unit=PrivacyUnit.REPLACE_RECORD if known_n else PrivacyUnit.ADD_REMOVE_RECORD,
        epsilon=whole.epsilon,
        columns=tuple(axis.name for axis in axes),
        dropped=dropped(table, attributes),
        assumes=tuple(facts),
        conditions=(
            "Rows are made from published boxes, counts and means; none of them is a record.",
        ),
        arithmetic=EXACT,
        claim="private-tree",
    )


PRIVATE_TREE = System(
    name="private-tree",
    summary="Boxes cut by randomised tests, noisy counts and means in each; all kinds of columns.",
    paper="covey",
    kind=GuaranteeKind.PURE_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    parameters=(
        EPSILON,
        COLUMNS,
        Parameter(
            name="output",
            meaning="whether rows repeat the centroids of clusters or are spread inside the boxes",
            kind=str,
            default="spread",
            choices=("spread", "centroids"),
        ),
        Parameter(
            name="unit",
            meaning="whether neighbours replace a record (n public) or add or remove one",
            kind=str,
            default="replace",
            choices=("replace", "add-remove"),
        ),
    ),
    run=_publish,
)

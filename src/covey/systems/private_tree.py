"""Publish a whole table with differential privacy on the original records: covey's own system.

A public domain is cut in two again and again; a randomised test on the number of records
decides whether to go on.  Each final box publishes its count and its sums at once, with noise
that is uniform in a cube; what follows is post-processing (docs/proofs/private-tree.md).
There is no k, no depth and nothing to tune: boxes become small where records are many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PlanError, SchemaError
from covey.perturb import Account, Accounted, Grid, add_laplace, split_test, together
from covey.perturb.splits import largest_epsilon
from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release import Column
from covey.release.accuracy import Interval, as_frame, size_interval
from covey.release.leaves import clusters_of
from covey.systems.axes import Axis, axis_of
from covey.systems.base import COLUMNS, EPSILON, Outcome, Parameter, Progress, System
from covey.systems.boxes import measured
from covey.systems.columns import assumptions, chosen, dropped, from_the_data
from covey.systems.intervals import box_means
from covey.systems.marginals import marginal_noise, with_marginals
from covey.systems.tree_output import as_columns, centroids, cluster_table, nearest_clusters
from covey.systems.tree_records import HeldRecords, Records
from covey.table import Table

if TYPE_CHECKING:
    import polars as pl

    from covey.partition.tree import Boxes
    from covey.perturb import NoiseSource
    from covey.privacy import Sensitivity
    from covey.release.leaves import Clusters
    from covey.table import Attribute

STRUCTURE_SHARE = 20
LEAVES_SHARE = 80
SIZE_SHARE = 2
CATEGORY_SHARE = 10
MARGINAL_SHARE = 120
"""Parts of epsilon: for the cuts and the boxes; for n, where it is not public; for the
frequencies of categories; or for the distributions of all columns, if they are many."""

MANY_COLUMNS = 5
"""From here on the distributions of the columns are published first (over half of epsilon)."""

LEAST_WITHOUT_N = Fraction(1, 100)
"""Where n is not public, the noise on it would exceed some thousands below this epsilon."""

MOST_ROOTS = 256
"""Special values of several columns combine; each combination is a box with noise of its own."""

LEAST_SIGNAL = 4.0
"""Fewer records than this many standard deviations of a count's noise are refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a private tree is to publish, from public numbers alone."""

    attributes: tuple[Attribute, ...]
    axes: Sequence[Axis]
    whole: Budget
    budgets: Mapping[str, Budget]
    structure: Sensitivity
    known_n: bool

    @property
    def suffix(self) -> str:
        """Return the end of the claims' names."""
        return "" if self.known_n else "-add-remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTree:
    """The boxes, and all that is made from their noisy counts and sums."""

    axes: Sequence[Axis]
    boxes: Boxes
    clusters: Clusters
    origin: Account
    intervals: Sequence[Interval]

    @property
    def extras(self) -> dict[str, pl.DataFrame]:
        """Return the tables that stand beside the rows."""
        return {
            "clusters": cluster_table(self.axes, self.boxes, self.clusters),
            "accuracy": as_frame(self.intervals),
        }


def _publish(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    asked = asked_tree(table, parameters)
    refuse_too_little(asked, table.n)
    cells = np.column_stack([axis.cells(table) for axis in asked.axes])
    tree = published_tree(HeldRecords(cells), asked, source, progress)
    axes, boxes, clusters = tree.axes, tree.boxes, tree.clusters
    columns: dict[str, Column] = as_columns(
        axes,
        boxes,
        clusters,
        tree.origin,
        spread=parameters["output"] == "spread",
        rng=source.placement(),
    )
    nearest = nearest_clusters(boxes, clusters, cells)
    means = centroids(axes, clusters)
    aligned = {axis.name: means[nearest, j] for j, axis in enumerate(axes) if axis.measured}
    return Outcome(
        columns=columns,
        guarantee=tree_guarantee(table, asked),
        aligned=aligned,
        extras=tree.extras,
    )


def asked_tree(table: Table, parameters: Mapping[str, Any]) -> Asked:
    """Lay out axes and budgets, or explain what public knowledge is missing or out of range."""
    attributes = chosen(table, parameters)
    if not attributes:
        raise SchemaError(
            "all attributes are identifiers, so there is nothing to publish. "
            "Give another role to the attributes that matter."
        )
    axes = [axis_of(table, attribute) for attribute in attributes]
    _refuse_too_many_special(axes)
    known_n = parameters["unit"] == "replace"
    whole = Budget.of(parameters["epsilon"])
    budgets = _budgets(whole, axes, known_n=known_n)
    suffix = "" if known_n else "-add-remove"
    structure = sensitivity("private-tree", f"structure{suffix}")
    _refuse_too_much(whole, budgets["structure"], largest_epsilon(structure))
    if not known_n and whole.epsilon < LEAST_WITHOUT_N:
        raise PlanError(
            f"epsilon = {whole.value:g} is too small to publish the number of records with any "
            f"meaning. Give an epsilon of at least {float(LEAST_WITHOUT_N):g}, or unit = "
            f'"replace" if the number is public.'
        )
    return Asked(
        attributes=attributes,
        axes=axes,
        whole=whole,
        budgets=budgets,
        structure=structure,
        known_n=known_n,
    )


def published_tree(
    records: Records, asked: Asked, source: NoiseSource, progress: Progress | None
) -> PublishedTree:
    """Spend the budget: distributions of columns if they are needed, cuts, boxes, and n."""
    paid: list[Accounted] = []
    intervals: list[Interval] = []
    axes, budgets, suffix = asked.axes, asked.budgets, asked.suffix
    if "columns" in budgets:
        many = len(axes) >= MANY_COLUMNS
        first = [j for j, axis in enumerate(axes) if many or axis.grid is None]
        axes, paid, intervals = with_marginals(
            records, axes, first, suffix, budget=budgets["columns"], source=source
        )
    if progress is not None:
        progress("private-tree: cutting the domain", 0, 3)
    test = split_test(sensitivity=asked.structure, budget=budgets["structure"], source=source)
    boxes = records.boxes([axis.side for axis in axes], test)
    if progress is not None:
        progress("private-tree: measuring the boxes", 1, 3)
    leaves, noisy = measured(records, boxes, axes, suffix, budget=budgets["leaves"], source=source)
    paid += [test, noisy]
    intervals += box_means(axes, leaves, records.n if asked.known_n else None)
    n = records.n
    if not asked.known_n:
        size = add_laplace(
            np.array([records.n]),
            grid=Grid(low=0.0, high=1.0, steps=1),
            sensitivity=sensitivity("private-tree", "size"),
            budget=budgets["size"],
            source=source,
        )
        paid.append(size)
        intervals.append(size_interval(size))
        n = max(1, int(size.steps[0]))
    if progress is not None:
        progress("private-tree: placing records", 2, 3)
    return PublishedTree(
        axes=axes,
        boxes=boxes,
        clusters=clusters_of(leaves, n),
        origin=together(paid, claim="private-tree"),
        intervals=intervals,
    )


def tree_guarantee(table: Table, asked: Asked) -> Guarantee:
    """Return what a private tree promises, wherever the records are."""
    guarantee = _guarantee(table, asked)
    reason = from_the_data(asked.attributes)
    return guarantee.downgraded(reason) if reason else guarantee


def _budgets(whole: Budget, axes: Sequence[Axis], *, known_n: bool) -> dict[str, Budget]:
    shares = {"structure": STRUCTURE_SHARE, "leaves": LEAVES_SHARE}
    if len(axes) >= MANY_COLUMNS:
        shares["columns"] = MARGINAL_SHARE
    elif not all(axis.measured for axis in axes):
        shares["columns"] = CATEGORY_SHARE
    if not known_n:
        shares["size"] = SIZE_SHARE
    return dict(zip(shares, whole.split(list(shares.values())), strict=True))


def _refuse_too_many_special(axes: Sequence[Axis]) -> None:
    roots = math.prod(len(axis.special) + 1 for axis in axes)
    if len(axes) < MANY_COLUMNS and roots > MOST_ROOTS:
        raise SchemaError(
            f"the special values of these columns combine to {roots} boxes, each with noise of its "
            f"own, so nothing was published. List fewer special values, or publish fewer columns."
        )


def _refuse_too_much(whole: Budget, structure: Budget, most: Fraction) -> None:
    if structure.epsilon > most:
        covered = math.floor(10 * most * whole.epsilon / structure.epsilon) / 10
        raise PlanError(
            f"epsilon = {whole.value:g} is too large for the proof of the private tree, so nothing "
            f"was published. Give an epsilon of at most {covered:g}; there is little noise left "
            f"to save."
        )


def refuse_too_little(asked: Asked, n: int) -> None:
    """Say what is achievable with n records, in public numbers, if n is public."""
    if not asked.known_n:
        return
    axes, whole = asked.axes, asked.whole
    needed = _least_signal(axes)
    # What is recommended must not be refused again: two digits, rounded up, and a hair of slack.
    if n * whole.value * (1 + 1e-9) >= needed:
        return
    fewer = [c for c in range(1, len(axes)) if _least_signal(axes[:c]) <= n * whole.value]
    columns = f"Publish the first {fewer[-1]} of them alone (--columns), " if fewer else "Publish "
    raise PlanError(
        f"epsilon = {whole.value:g} is too small for this many records and {len(axes)} columns: "
        f"the noise would drown them all. {columns}{'or ' if fewer else ''}these columns of at "
        f"least {_two_digits(needed / whole.value):g} records, or give an epsilon of at least "
        f"{_two_digits(needed / n):g}."
    )


def _least_signal(axes: Sequence[Axis]) -> float:
    """Return the smallest n times epsilon at which a count of all records exceeds its noise."""
    sides = sum(axis.measured for axis in axes)
    shares = {name: part.value for name, part in _budgets(Budget.of(1), axes, known_n=True).items()}
    noise = 2.0 / shares["leaves"] * math.sqrt((sides + 2) * (sides + 3) / 3.0)
    if len(axes) >= MANY_COLUMNS and sides:
        noise = max(noise, marginal_noise(shares["columns"] / len(axes)))
    return LEAST_SIGNAL * noise


def _two_digits(needed: float) -> float:
    digits = 1 - math.floor(math.log10(needed))
    return math.ceil(needed * 10.0**digits) / 10.0**digits


def _guarantee(table: Table, asked: Asked) -> Guarantee:
    axes, attributes, known_n = asked.axes, asked.attributes, asked.known_n
    grids = {axis.name: axis.grid for axis in axes if axis.grid is not None}
    facts = list(assumptions(attributes, grids))
    if not known_n:
        facts.remove("The number of records is public.")
    facts += [
        f"The possible values of {axis.name} and their taxonomy are known without these data."
        for axis in axes
        if axis.grid is None
    ]
    facts += [
        f"The special values of {axis.name}, {', '.join(f'{value:g}' for value in axis.special)}, "
        f"are known without these data."
        for axis in axes
        if axis.special
    ]
    return Guarantee(
        kind=GuaranteeKind.PURE_DP,
        unit=PrivacyUnit.REPLACE_RECORD if known_n else PrivacyUnit.ADD_REMOVE_RECORD,
        epsilon=asked.whole.epsilon,
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

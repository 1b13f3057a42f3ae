"""Publish the mean and the central cross moments of each cluster, with noise (paper 003).

Clusters are formed on all attributes (Algorithms 1 and 2) or on groups of them (Algorithm 3),
and records are sampled from the noisy moments.  Values are divided by their public ranges first:
the joint noise of Algorithm 1 adds up Λ, Λ² and Λ³ and would depend on the unit otherwise.

Unlike paper 003, which claims differential privacy: the clusters are chosen from the records, so
the noise protects only against neighbours that lead to the same clusters
(docs/proofs/moments.md), and rows are not aligned with the original records.  Eigenvalues and
eigenvectors are by default those of the noisy covariance, which cost nothing more; noise on the
eigenvectors themselves depends on the data and is no better than ``individual-dp``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.aggregate.moments import decomposed, moment_indices
from covey.errors import PlanError, SchemaError
from covey.partition import PARTITIONERS, partition_records
from covey.privacy import Budget, GuaranteeKind, PrivacyUnit
from covey.release import Column, GroupedColumn, NoisyColumn
from covey.release.sample import sample_records
from covey.systems.base import Outcome, Progress, System
from covey.systems.columns import chosen, on_grids
from covey.systems.cross_moment_eigen import noisy_spectra
from covey.systems.cross_moment_guarantee import cross_moment_guarantee
from covey.systems.cross_moment_methods import (
    EIGEN_INDIVIDUAL,
    INDIVIDUAL_RANKING,
    MOMENTS,
    Design,
    design_of,
)
from covey.systems.cross_moment_noise import Moments, Spending, noisy_moments
from covey.systems.cross_moment_parameters import PARAMETERS
from covey.systems.groups import Group, grouped, shares
from covey.table import Scale, Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition import Partition
    from covey.perturb import Grid, NoiseSource
    from covey.table import Attribute, Table

SYSTEM = "cross-moment"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clustered:
    """One group of attributes, its clusters, and their moments."""

    group: Group
    grids: Mapping[str, Grid]
    found: Partition
    moments: Moments

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the attributes."""
        return tuple(attribute.name for attribute in self.group)

    def raw(self, unit: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Return columns of the unit scale between their public bounds."""
        ranges = [self.grids[name] for name in self.names]
        return {
            name: grid.low + np.clip(column, 0.0, 1.0) * (grid.high - grid.low)
            for name, grid, column in zip(self.names, ranges, unit.T, strict=True)
        }


def _publish(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    design = design_of(parameters)
    printed = bool(parameters["paper"])
    described = _with_bounds_from_the_data(table, parameters) if printed else table
    groups = _groups(described, parameters, design)
    attributes = [attribute for group in groups for attribute in group]
    grids = on_grids(attributes, SYSTEM)
    budgets = _budgets(groups, parameters, design)
    clustered = []
    for done, (group, budget) in enumerate(zip(groups, budgets, strict=True)):
        if progress is not None:
            progress(f"{SYSTEM}: forming clusters", done, len(groups))
        spending = Spending(
            design=design,
            k=parameters["k"],
            budget=budget,
            source=source,
            all_coskewness=parameters["output"] == MOMENTS,
            printed=printed,
        )
        clustered.append(_clustered(described, group, grids, spending))
    columns, aligned = _as_records(clustered, source)
    extras = {}
    if parameters["output"] == MOMENTS:
        extras["moments"] = moment_table(clustered, design)
    return Outcome(
        columns=columns,
        guarantee=cross_moment_guarantee(table, groups, grids, parameters, design),
        aligned=aligned,
        resolved=design.resolved,
        extras=extras,
    )


def _clustered(
    table: Table, group: Group, grids: Mapping[str, Grid], spending: Spending
) -> _Clustered:
    """Form the clusters of a group of attributes and add noise to their moments."""
    design = spending.design
    found = partition_records(
        unit_scaled(table, group), PARTITIONERS[design.partition], k=spending.k
    )
    names = [attribute.name for attribute in group]
    integers = [grids[name].integers(table.values(name)) for name in names]
    own_noise = spending.printed or design.basis == EIGEN_INDIVIDUAL
    noisy = noisy_moments
    if design.eigen and own_noise and not design.noiseless:
        noisy = noisy_spectra
    moments = noisy(
        np.column_stack(integers), [grids[name].steps for name in names], found, spending
    )
    return _Clustered(group=group, grids=grids, found=found, moments=moments)


def unit_scaled(table: Table, group: Sequence[Attribute]) -> NDArray[np.float64]:
    """Clamp attributes to their public bounds and divide by their width."""
    columns = []
    for attribute in group:
        low, high = attribute.public_bounds
        columns.append((np.clip(table.values(attribute.name), low, high) - low) / (high - low))
    return np.ascontiguousarray(np.column_stack(columns))


def _with_bounds_from_the_data(table: Table, parameters: Mapping[str, Any]) -> Table:
    """As evaluated in [003, section 5.4]: domains from 0 to 1.5 times the largest value."""
    schema = table.schema
    for attribute in chosen(table, parameters):
        if attribute.scale is not Scale.NUMERIC:
            raise SchemaError(
                f"attribute {attribute.name!r} is not numeric, and the paper's evaluation is "
                f"repeated for numbers only. Leave it out with --columns, or set paper = false."
            )
        high = 1.5 * float(table.values(attribute.name).max())
        bounds = {"bounds": (0.0, high if high > 0 else 1.0), "bounds_source": Source.DATA}
        schema = schema.updated(attribute.name, **bounds)
    return replace(table, schema=schema)


def _groups(table: Table, parameters: Mapping[str, Any], design: Design) -> tuple[Group, ...]:
    alone = design.partition == INDIVIDUAL_RANKING
    if alone and parameters["groups"] is None:
        return tuple((attribute,) for attribute in chosen(table, parameters))
    groups = grouped(table, parameters)
    for group in groups:
        if alone and len(group) > 1:
            raise PlanError(
                f"the group of {group[0].name!r} has several columns, and individual ranking "
                f'takes one at a time. Separate them by semicolons, or use partition = "mdav".'
            )
        if design.eigen and len(group) == 1:
            raise PlanError(
                f"column {group[0].name!r} is a group by itself, and one column has no "
                f'eigenvectors. Put it into another group, or use basis = "coefficients".'
            )
    return groups


def _budgets(
    groups: Sequence[Group], parameters: Mapping[str, Any], design: Design
) -> tuple[Budget, ...]:
    """Divide epsilon over the groups of attributes (Algorithm 3), exactly."""
    whole = Budget.of(1 if design.noiseless else parameters["epsilon"])
    parts = shares(whole, groups, parameters["split"])
    return tuple(
        Budget(sum((parts[attribute.name].epsilon for attribute in group), Fraction(0)))
        for group in groups
    )


def _as_records(
    clustered: Sequence[_Clustered], source: NoiseSource
) -> tuple[dict[str, Column], dict[str, NDArray[np.float64]]]:
    """Sample records; which of its cluster's samples a record gets means nothing."""
    generator = source.placement()
    columns: dict[str, Column] = {}
    aligned: dict[str, NDArray[np.float64]] = {}
    for part in clustered:
        moments, labels = part.moments, part.found.labels
        if moments.covariances is None:
            unit = moments.means[labels]
        else:
            unit = np.empty((labels.size, len(part.group)))
            unit[np.argsort(labels, kind="stable")] = sample_records(
                moments.means,
                moments.covariances,
                moments.sizes,
                generator,
                coskewness=moments.marginal_coskewness,
            )
        aligned |= part.raw(unit)
        columns |= {name: _column(aligned[name], moments) for name in part.names}
    return columns, aligned


def moment_table(clustered: Sequence[_Clustered], design: Design) -> pl.DataFrame:
    """Write one row for each cluster; a group's columns are empty in the rows of the others.

    Rows are sorted by their values, because the order in which clusters are formed is no part of
    what noise was added to.
    """
    parts = [pl.DataFrame(_named_moments(part, design)) for part in clustered]
    table = pl.concat(parts, how="diagonal")
    return table.sort(table.columns, nulls_last=True)


def _named_moments(part: _Clustered, design: Design) -> dict[str, NDArray[Any]]:
    """Return the moments of a group in raw units, eigenvalues on the unit scale."""
    names, moments = part.names, part.moments
    widths = [part.grids[name].high - part.grids[name].low for name in names]
    out: dict[str, NDArray[Any]] = {f"records[{','.join(names)}]": moments.sizes}
    out |= {f"mean[{name}]": column for name, column in part.raw(moments.means).items()}
    if moments.covariances is not None and design.eigen:
        values, vectors = decomposed(moments.covariances)
        for number in range(len(names)):
            out[f"eigenvalue_{number + 1}[{','.join(names)}]"] = values[:, number]
            for i, name in enumerate(names):
                out[f"eigenvector_{number + 1}[{name}]"] = vectors[:, i, number]
    elif moments.covariances is not None:
        for i, j in moment_indices(len(names), 2, cross=design.cross):
            title = f"variance[{names[i]}]" if i == j else f"covariance[{names[i]},{names[j]}]"
            out[title] = moments.covariances[:, i, j] * widths[i] * widths[j]
    for index, column in moments.coskewness.items():
        title = f"coskewness[{','.join(names[i] for i in index)}]"
        out[title] = column * np.prod([widths[i] for i in index])
    return out


def _column(values: NDArray[np.float64], moments: Moments) -> Column:
    if moments.origin is None:
        return GroupedColumn(values=values)
    return NoisyColumn(values=values, origin=moments.origin)


CROSS_MOMENT = System(
    name=SYSTEM,
    summary="Noisy mean, covariance and coskewness of each cluster; records sampled from them.",
    paper="003, algorithms 1 to 3",
    kind=GuaranteeKind.PARTITION_CONDITIONAL,
    unit=PrivacyUnit.SAME_PARTITION,
    parameters=PARAMETERS,
    run=_publish,
)

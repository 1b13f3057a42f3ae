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
from covey.core import Budget, GuaranteeKind, PrivacyUnit
from covey.errors import PlanError, SchemaError
from covey.partition import PARTITIONERS, partition_records
from covey.postprocess.sampling import sample_records
from covey.systems.base import Outcome, PlainSystem, Progress
from covey.systems.columns import choose_columns, on_grids
from covey.systems.papers.p000.centroid_noise import scaled_to_bounds
from covey.systems.papers.p000.groups import Group, grouped, shares
from covey.systems.papers.p003.eigen import noisy_spectra
from covey.systems.papers.p003.guarantee import cross_moment_guarantee
from covey.systems.papers.p003.methods import (
    EIGEN_INDIVIDUAL,
    INDIVIDUAL_RANKING,
    MOMENTS,
    Design,
    design_of,
)
from covey.systems.papers.p003.noise import Moments, Spending, noisy_moments
from covey.systems.papers.p003.settings import CrossMomentSettings
from covey.table import Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource
    from covey.partition import Partition
    from covey.table import Schema, Table
    from covey.table.grid import Grid

_SYSTEM = "cross-moment"


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


def run(
    table: Table, settings: CrossMomentSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Cluster, add noise to the moments of each cluster, and sample records from them."""
    design, printed = design_of(settings), settings.paper
    described = _with_bounds_from_the_data(table, settings.columns) if printed else table
    groups = _groups(described.schema, settings, design)
    attributes = [attribute for group in groups for attribute in group]
    grids = on_grids(attributes, _SYSTEM)
    budgets = _budgets(groups, settings, design)
    clustered = []
    for done, (group, budget) in enumerate(zip(groups, budgets, strict=True)):
        if progress is not None:
            progress(f"{_SYSTEM}: forming clusters", done, len(groups))
        spending = Spending(
            design=design,
            k=settings.k,
            budget=budget,
            source=source,
            all_coskewness=settings.output == MOMENTS,
            printed=printed,
        )
        clustered.append(_clustered(described, group, grids, spending))
    records = _as_records(clustered, source)
    extras = {}
    if settings.output == MOMENTS:
        extras["moments"] = moment_table(clustered, design)
    return Outcome(
        columns=records,
        guarantee=cross_moment_guarantee(table.schema, groups, grids, settings, design),
        aligned=records,
        resolved=design.resolved,
        extras=extras,
        clusters=_sampled_in(clustered),
    )


def _sampled_in(clustered: Sequence[_Clustered]) -> dict[str, NDArray[np.int64]] | None:
    """Return the cluster of each record, by column, if records were sampled."""
    if all(part.moments.covariances is None for part in clustered):
        return None
    return {name: part.found.labels for part in clustered for name in part.names}


def _clustered(
    table: Table, group: Group, grids: Mapping[str, Grid], spending: Spending
) -> _Clustered:
    """Form the clusters of a group of attributes and add noise to their moments."""
    design = spending.design
    values = {attribute.name: table.values(attribute.name) for attribute in group}
    # As evaluated in [003, section 5.1]: IR-MDAV is MDAV on one attribute.
    alone = spending.printed and design.partition == INDIVIDUAL_RANKING
    partitioner = PARTITIONERS["mdav" if alone else design.partition]
    found = partition_records(scaled_to_bounds(values, group), partitioner, k=spending.k)
    integers = [grids[name].integers(column) for name, column in values.items()]
    own_noise = spending.printed or design.basis == EIGEN_INDIVIDUAL
    noisy = noisy_moments
    if design.eigen and own_noise and not design.noiseless:
        noisy = noisy_spectra
    moments = noisy(
        np.column_stack(integers), [grids[name].steps for name in values], found, spending
    )
    return _Clustered(group=group, grids=grids, found=found, moments=moments)


def _with_bounds_from_the_data(table: Table, columns: Sequence[str] | None) -> Table:
    """As evaluated in [003, section 5.4]: domains from 0 to 1.5 times the largest value."""
    schema = table.schema
    for attribute in choose_columns(schema, columns):
        if attribute.scale is not Scale.NUMERIC:
            raise SchemaError(
                f"attribute {attribute.name!r} is not numeric, and the paper's evaluation is "
                f"repeated for numbers only. Leave it out with --columns, or set paper = false."
            )
        high = 1.5 * float(table.values(attribute.name).max())
        schema = schema.updated(attribute.name, bounds=(0.0, high if high > 0 else 1.0))
    return replace(table, schema=schema)


def _groups(schema: Schema, settings: CrossMomentSettings, design: Design) -> tuple[Group, ...]:
    alone = design.partition == INDIVIDUAL_RANKING
    if alone and settings.groups is None:
        return tuple((attribute,) for attribute in choose_columns(schema, settings.columns))
    groups = grouped(schema, settings.groups, columns=settings.columns)
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
    groups: Sequence[Group], settings: CrossMomentSettings, design: Design
) -> tuple[Budget, ...]:
    """Divide epsilon over the groups of attributes (Algorithm 3), exactly."""
    whole = Budget.of(1 if design.noiseless or settings.epsilon is None else settings.epsilon)
    parts = shares(whole, groups, settings.split)
    return tuple(
        Budget(sum((parts[attribute.name].epsilon for attribute in group), Fraction(0)))
        for group in groups
    )


def _as_records(
    clustered: Sequence[_Clustered], source: NoiseSource
) -> dict[str, NDArray[np.float64]]:
    """Sample records; which of its cluster's samples a record gets means nothing."""
    generator = source.placement()
    records: dict[str, NDArray[np.float64]] = {}
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
        records |= part.raw(unit)
    return records


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


CROSS_MOMENT = PlainSystem(
    name=_SYSTEM,
    summary="Noisy mean, covariance and coskewness of each cluster; records sampled from them.",
    paper="003, algorithms 1 to 3",
    kind=GuaranteeKind.PARTITION_CONDITIONAL,
    unit=PrivacyUnit.SAME_PARTITION,
    takes=CrossMomentSettings,
    run=run,
)

"""Microaggregate as usual, then add noise to each centroid (paper 000): conditional at best.

MDAV_DP clusters whole records (Algorithm 1), MDAV_IR_DP each attribute by itself (Algorithm 2),
OPT_DP each attribute with the partition that minimises the expected error (section 6).  Groups
of attributes in between are Algorithm 2 as printed.

Unlike paper 000, which claims differential privacy: the clusters are chosen from the records, so
the noise protects only against neighbours that lead to the same clusters
(docs/proofs/fixed-partition.md), and the guarantee says so.  Rows are not aligned with the
original records either.  `rank-blocks` and `insensitive` are the sound relatives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_means, cluster_sums
from covey.aggregate.medoid import cluster_medoids
from covey.partition import PARTITIONERS, Partition, partition_records
from covey.perturb import add_laplace
from covey.privacy import Budget, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release import Column, NoisyColumn, UntouchedColumn
from covey.systems.base import COLUMNS, EPSILON, K, Outcome, Parameter, Progress, System
from covey.systems.blocks import (
    BLOCKS,
    block_attributes,
    numbers_of_blocks,
    partition_block,
    partition_blocks,
    refuse_none_left,
)
from covey.systems.columns import chosen, on_grids
from covey.systems.groups import GROUPS, SPLIT, Group, grouped, shares
from covey.systems.record_perturbation_guarantee import OPTIMAL, perturbation_guarantee

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import Grid, NoiseSource, Perturbed
    from covey.table import Attribute, Table

JOINT, SEPARATE = "mdav-dp", "mdav-ir-dp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustered:
    """One attribute with its budget and the clusters of its group.

    ``medoids`` are the rows of the records that stand for the clusters, if not the means do.
    """

    attribute: Attribute
    budget: Budget
    partition: Partition
    medoids: NDArray[np.int64] | None


def expected_sse(table: Table, system: str, **parameters: Any) -> float:
    """Return the expected sum of squared errors, Eq. (2) of paper 000, before clamping.

    What the clusters lose plus the variance of the noise on each record.  For the curator: it is
    computed from the original records without noise.

    Parameters
    ----------
    table : Table
        The records.
    system : str
        ``mdav-dp``, ``mdav-ir-dp`` or ``opt-dp``.
    **parameters
        Those of the system.
    """
    settings = _SYSTEMS[system].settings(parameters)
    total = 0.0
    for found in _clustered(table, system, settings, _groups(table, system, settings)):
        labels, sizes = found.partition.labels, found.partition.sizes
        values = table.values(found.attribute.name)
        variance = 2.0 * (found.attribute.width / float(found.budget.epsilon)) ** 2
        if found.medoids is None:
            centroids = cluster_means(values, labels, sizes)
            noise = variance / sizes
        else:
            centroids = np.asarray(values[found.medoids])
            noise = np.asarray(variance * sizes)
        total += float(np.sum((values - centroids[labels]) ** 2) + noise.sum())
    return total


def _publish(
    table: Table,
    system: str,
    parameters: Mapping[str, Any],
    source: NoiseSource,
    progress: Progress | None,
) -> Outcome:
    groups = _groups(table, system, parameters)
    grids = on_grids([attribute for group in groups for attribute in group], system)
    columns: dict[str, Column] = {}
    aligned = {}
    for found in _clustered(table, system, parameters, groups, progress):
        name, grid = found.attribute.name, grids[found.attribute.name]
        labels, sizes = found.partition.labels, found.partition.sizes
        integers = grid.integers(table.values(name))
        if found.medoids is None:
            centroids = cluster_sums(integers, labels, sizes.size)
        else:
            centroids = integers[found.medoids]
        noisy, means = noisy_centroids(
            centroids,
            sizes,
            centroid=parameters["centroid"],
            grid=grid,
            budget=found.budget,
            source=source,
        )
        aligned[name] = means[labels]
        columns[name] = NoisyColumn(values=aligned[name], origin=noisy)
    guarantee = perturbation_guarantee(table, system, parameters, groups, grids)
    columns |= {name: UntouchedColumn() for name in guarantee.untouched}
    return Outcome(columns=columns, guarantee=guarantee, aligned=aligned)


def noisy_centroids(
    centroids: NDArray[np.int64],
    sizes: NDArray[np.int64],
    *,
    centroid: str,
    grid: Grid,
    budget: Budget,
    source: NoiseSource,
) -> tuple[Perturbed, NDArray[np.float64]]:
    """Add noise to the sums or the medoids of clusters; return it, and what each one publishes."""
    statistic = "sums" if centroid == "mean" else "medoids"
    noisy = add_laplace(
        centroids,
        grid=grid,
        sensitivity=sensitivity("fixed-partition", statistic, steps=grid.steps),
        budget=budget,
        source=source,
    )
    return noisy, noisy.means(sizes if centroid == "mean" else 1)


def _groups(table: Table, system: str, parameters: Mapping[str, Any]) -> tuple[Group, ...]:
    if system == JOINT:
        return joint_groups(table, parameters)
    return tuple((attribute,) for attribute in chosen(table, parameters))


def joint_groups(table: Table, parameters: Mapping[str, Any]) -> tuple[Group, ...]:
    """Return the groups of columns that are clustered together, inside blocks if there are any."""
    blocks = block_attributes(table, parameters)
    groups = grouped(table, parameters)
    if blocks:
        refuse_none_left([attribute for group in groups for attribute in group])
    return groups


def _clustered(
    table: Table,
    system: str,
    parameters: Mapping[str, Any],
    groups: Sequence[Group],
    progress: Progress | None = None,
) -> Iterator[Clustered]:
    """Form the clusters of each group, and yield its attributes one by one."""
    budgets = shares(Budget.of(parameters["epsilon"]), groups, parameters["split"])
    blocks = block_attributes(table, parameters)
    numbers = numbers_of_blocks(table, blocks, parameters["k"]) if blocks else None
    for done, group in enumerate(groups):
        if progress is not None:
            progress(f"{system}: forming clusters", done, len(groups))
        X = scaled_to_bounds({a.name: table.values(a.name) for a in group}, group)
        if system == OPTIMAL:
            # |C| times the variance 2(Δ/(ε|C|))² of the noise on a mean, the width Δ being 1.
            cost = 2.0 / float(budgets[group[0].name].epsilon) ** 2
            found = partition_records(X, PARTITIONERS["optimal-noise"], noise_cost=cost)
        elif numbers is None:
            found = partition_records(X, PARTITIONERS["mdav"], k=parameters["k"])
        else:
            form = partial(_clusters_of_block, X=X, k=parameters["k"])
            found = partition_blocks(numbers, form)
        medoid = parameters["centroid"] == "medoid"
        medoids = cluster_medoids(X, found.labels) if medoid else None
        for attribute in group:
            yield Clustered(
                attribute=attribute,
                budget=budgets[attribute.name],
                partition=found,
                medoids=medoids,
            )


def _clusters_of_block(rows: NDArray[np.int64], *, X: NDArray[np.float64], k: int) -> Partition:
    return partition_block(X[rows], PARTITIONERS["mdav"], k=k)


def scaled_to_bounds(
    values: Mapping[str, NDArray[np.float64]], group: Group
) -> NDArray[np.float64]:
    """Clamp to the public bounds and divide by their distance, so that all attributes weigh alike.

    Paper 000 asks for normalised values and does not say how; dividing by the domain, as in
    paper 004, reproduces its comparisons, and standardising does not.
    """
    columns = []
    for attribute in group:
        low, high = attribute.public_bounds
        columns.append((np.clip(values[attribute.name], low, high) - low) / (high - low))
    return np.ascontiguousarray(np.column_stack(columns))


def _system(name: str, *, summary: str, paper: str, parameters: tuple[Parameter, ...]) -> System:
    def publish(
        table: Table, settings: Mapping[str, Any], source: NoiseSource, progress: Progress | None
    ) -> Outcome:
        return _publish(table, name, settings, source, progress)

    return System(
        name=name,
        summary=summary,
        paper=paper,
        kind=GuaranteeKind.PARTITION_CONDITIONAL,
        unit=PrivacyUnit.SAME_PARTITION,
        parameters=(EPSILON, *parameters),
        run=publish,
    )


CENTROID = Parameter(
    name="centroid",
    meaning="what stands for a cluster: the mean, or the record nearest to the others",
    kind=str,
    default="mean",
    choices=("mean", "medoid"),
)
MDAV_DP = _system(
    JOINT,
    summary="Clusters of whole records by MDAV, or of groups of columns, noise on each centroid.",
    paper="000, algorithms 1 and 2",
    parameters=(K, GROUPS, SPLIT, CENTROID, COLUMNS, BLOCKS),
)
MDAV_IR_DP = _system(
    SEPARATE,
    summary="Clusters of each column by itself by MDAV, noise on each centroid.",
    paper="000, algorithm 2 and section 5",
    parameters=(K, SPLIT, CENTROID, COLUMNS),
)
OPT_DP = _system(
    OPTIMAL,
    summary="Clusters of each column that minimise the error with noise, noise on each centroid.",
    paper="000, section 6",
    parameters=(SPLIT, CENTROID, COLUMNS),
)
RECORD_PERTURBATION_SYSTEMS = (MDAV_DP, MDAV_IR_DP, OPT_DP)
_SYSTEMS = {system.name: system for system in RECORD_PERTURBATION_SYSTEMS}

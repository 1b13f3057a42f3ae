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
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_means, cluster_sums
from covey.aggregate.medoid import cluster_medoids
from covey.partition import PARTITIONERS, Partition, partition_records
from covey.perturb import add_laplace
from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release import Column, NoisyColumn
from covey.systems.base import COLUMNS, EPSILON, K, Outcome, Parameter, Progress, System
from covey.systems.columns import assumptions, chosen, dropped, from_the_data, on_grids
from covey.systems.groups import GROUPS, SPLIT, Group, grouped, shares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource
    from covey.table import Attribute, Table

JOINT, SEPARATE, OPTIMAL = "mdav-dp", "mdav-ir-dp", "opt-dp"


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
    attributes = [attribute for group in groups for attribute in group]
    grids = on_grids(attributes, system)
    columns: dict[str, Column] = {}
    aligned = {}
    for found in _clustered(table, system, parameters, groups, progress):
        name, grid = found.attribute.name, grids[found.attribute.name]
        labels, sizes = found.partition.labels, found.partition.sizes
        integers = grid.integers(table.values(name))
        if found.medoids is None:
            statistic, centroids = "sums", cluster_sums(integers, labels, sizes.size)
        else:
            statistic, centroids = "medoids", integers[found.medoids]
        noisy = add_laplace(
            centroids,
            grid=grid,
            sensitivity=sensitivity("fixed-partition", statistic, steps=grid.steps),
            budget=found.budget,
            source=source,
        )
        aligned[name] = noisy.means(sizes if found.medoids is None else 1)[labels]
        columns[name] = NoisyColumn(values=aligned[name], origin=noisy)
    guarantee = Guarantee(
        kind=GuaranteeKind.PARTITION_CONDITIONAL,
        unit=PrivacyUnit.SAME_PARTITION,
        epsilon=Budget.of(parameters["epsilon"]).epsilon,
        columns=tuple(columns),
        dropped=dropped(table, attributes),
        assumes=assumptions(attributes, grids),
        conditions=_conditions(groups, system, parameters["centroid"]),
        arithmetic=EXACT,
        claim="fixed-partition",
    )
    reason = from_the_data(attributes)
    if reason:
        guarantee = guarantee.downgraded(reason)
    return Outcome(columns=columns, guarantee=guarantee, aligned=aligned)


def _groups(table: Table, system: str, parameters: Mapping[str, Any]) -> tuple[Group, ...]:
    if system == JOINT:
        return grouped(table, parameters)
    return tuple((attribute,) for attribute in chosen(table, parameters))


def _clustered(
    table: Table,
    system: str,
    parameters: Mapping[str, Any],
    groups: Sequence[Group],
    progress: Progress | None = None,
) -> Iterator[Clustered]:
    """Form the clusters of each group, and yield its attributes one by one."""
    budgets = shares(Budget.of(parameters["epsilon"]), groups, parameters["split"])
    for done, group in enumerate(groups):
        if progress is not None:
            progress(f"{system}: forming clusters", done, len(groups))
        X = _scaled(table, group)
        if system == OPTIMAL:
            # |C| times the variance 2(Δ/(ε|C|))² of the noise on a mean, the width Δ being 1.
            cost = 2.0 / float(budgets[group[0].name].epsilon) ** 2
            found = partition_records(X, PARTITIONERS["optimal-noise"], noise_cost=cost)
        else:
            found = partition_records(X, PARTITIONERS["mdav"], k=parameters["k"])
        medoid = parameters["centroid"] == "medoid"
        medoids = cluster_medoids(X, found.labels) if medoid else None
        for attribute in group:
            yield Clustered(
                attribute=attribute,
                budget=budgets[attribute.name],
                partition=found,
                medoids=medoids,
            )


def _scaled(table: Table, group: Group) -> NDArray[np.float64]:
    """Clamp to the public bounds and divide by their distance, so that all attributes weigh alike.

    Paper 000 asks for normalised values and does not say how; dividing by the domain, as in
    paper 004, reproduces its comparisons, and standardising does not.
    """
    columns = []
    for attribute in group:
        low, high = attribute.public_bounds
        columns.append((np.clip(table.values(attribute.name), low, high) - low) / (high - low))
    return np.ascontiguousarray(np.column_stack(columns))


def _conditions(groups: Sequence[Group], system: str, centroid: str) -> tuple[str, ...]:
    how = "the optimal partition" if system == OPTIMAL else "MDAV"
    parts = "; ".join(", ".join(a.name for a in group) for group in groups)
    chosen = "; they were chosen from the records, and alone can give a record away"
    conditions = [
        (
            f"Partition source: the original records themselves, by {how} over {parts}. "
            f"Neighbours that lead to other clusters are not covered, and moving one record by a "
            f"hair can lead to other clusters."
        ),
        (
            f"The sizes of the clusters can be read off the release, because each centroid is "
            f"repeated for the records of its cluster{chosen if system == OPTIMAL else ''}."
        ),
    ]
    if len(groups) > 1:
        conditions.append(
            "Rows are combinations of centroids: they reveal, for each record, its cluster in "
            "every group of columns, and few records or only one may share a combination."
        )
    if centroid == "medoid":
        conditions.append(
            "A medoid can jump across the whole range when one record changes, so its noise is "
            "not divided by the size of the cluster."
        )
    return tuple(conditions)


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
    parameters=(K, GROUPS, SPLIT, CENTROID, COLUMNS),
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

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

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_means, cluster_sums
from covey.aggregate.medoid import cluster_medoids
from covey.core import GuaranteeKind, PrivacyUnit
from covey.partition import Partition
from covey.postprocess.rows import Untouched
from covey.systems.base import Outcome, PlainSystem, Progress, setting
from covey.systems.columns import on_grids
from covey.systems.papers.claims import sensitivity
from covey.systems.papers.noise import add_laplace
from covey.systems.papers.p000.groups import Group, shares
from covey.systems.papers.p000.guarantee import perturbation_guarantee

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Budget, NoiseSource
    from covey.table import Attribute, Table
    from covey.table.grid import Grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """How a system of paper 000 forms clusters, and how it spends its budget on them.

    Parameters
    ----------
    system : str
        Its name.
    groups : tuple of Group
        The attributes that are clustered together.
    budget : Budget
        For all centroids together.
    split : str or sequence of float
        How it is divided, as in `shares`.
    centroid : "mean" or "medoid"
        What stands for a cluster.
    form : callable
        ``form(X, share)`` forms the clusters of a group whose first attribute gets this share.
    blocks : tuple of Attribute
        What separates the records, published as it is.
    """

    system: str
    groups: tuple[Group, ...]
    budget: Budget
    split: str | tuple[float, ...]
    centroid: str
    form: Callable[[NDArray[np.float64], Budget], Partition]
    blocks: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustered:
    """One attribute with its budget and the clusters of its group.

    ``medoids`` are the rows of the records that stand for the clusters, if not the means do.
    """

    attribute: Attribute
    budget: Budget
    partition: Partition
    medoids: NDArray[np.int64] | None


def clustered(
    table: Table, clustering: Clustering, progress: Progress | None = None
) -> Iterator[Clustered]:
    """Form the clusters of each group, and yield its attributes one by one."""
    groups = clustering.groups
    budgets = shares(clustering.budget, groups, clustering.split)
    for done, group in enumerate(groups):
        if progress is not None:
            progress(f"{clustering.system}: forming clusters", done, len(groups))
        X = scaled_to_bounds({a.name: table.values(a.name) for a in group}, group)
        found = clustering.form(X, budgets[group[0].name])
        medoid = clustering.centroid == "medoid"
        medoids = cluster_medoids(X, found.labels) if medoid else None
        for attribute in group:
            yield Clustered(
                attribute=attribute,
                budget=budgets[attribute.name],
                partition=found,
                medoids=medoids,
            )


def publish_centroids(
    table: Table, clustering: Clustering, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Repeat the noisy centroid of each cluster for its records."""
    attributes = [attribute for group in clustering.groups for attribute in group]
    grids = on_grids(attributes, clustering.system)
    aligned = {}
    for found in clustered(table, clustering, progress):
        name, grid = found.attribute.name, grids[found.attribute.name]
        labels, sizes = found.partition.labels, found.partition.sizes
        integers = grid.integers(table.values(name))
        if found.medoids is None:
            centroids = cluster_sums(integers, labels, sizes.size)
        else:
            centroids = integers[found.medoids]
        means = noisy_centroids(
            centroids,
            sizes,
            centroid=clustering.centroid,
            grid=grid,
            budget=found.budget,
            source=source,
        )
        aligned[name] = means[labels]
    guarantee = perturbation_guarantee(
        table.schema,
        clustering.system,
        clustering.groups,
        grids,
        budget=clustering.budget,
        centroid=clustering.centroid,
        blocks=clustering.blocks,
    )
    return Outcome(
        columns={**aligned, **{name: Untouched() for name in guarantee.untouched}},
        guarantee=guarantee,
        aligned=aligned,
    )


def noisy_centroids(
    centroids: NDArray[np.int64],
    sizes: NDArray[np.int64],
    *,
    centroid: str,
    grid: Grid,
    budget: Budget,
    source: NoiseSource,
) -> NDArray[np.float64]:
    """Add noise to the sums or the medoids of clusters; return what each one publishes."""
    statistic = "sums" if centroid == "mean" else "medoids"
    noisy = add_laplace(
        centroids,
        grid=grid,
        sensitivity=sensitivity("fixed-partition", statistic, steps=grid.steps),
        budget=budget,
        source=source,
    )
    return noisy.means(sizes if centroid == "mean" else 1)


def expected_error(table: Table, clustering: Clustering) -> float:
    """Return the expected sum of squared errors, Eq. (2) of paper 000, before clamping.

    What the clusters lose plus the variance of the noise on each record.  For the curator: it is
    computed from the original records without noise.
    """
    total = 0.0
    for found in clustered(table, clustering):
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


def centroid_setting() -> Any:
    """Declare what stands for a cluster."""
    return setting(
        "what stands for a cluster: the mean, or the record nearest to the others",
        default="mean",
        choices=("mean", "medoid"),
    )


def perturbation_system(
    name: str,
    *,
    summary: str,
    paper: str,
    takes: type,
    clustering: Callable[[Table, Any], Clustering],
) -> PlainSystem:
    """Describe a system of paper 000 by how it forms clusters."""

    def run(table: Table, settings: Any, source: NoiseSource, progress: Progress | None) -> Outcome:
        return publish_centroids(table, clustering(table, settings), source, progress)

    return PlainSystem(
        name=name,
        summary=summary,
        paper=paper,
        kind=GuaranteeKind.PARTITION_CONDITIONAL,
        unit=PrivacyUnit.SAME_PARTITION,
        takes=takes,
        run=run,
    )

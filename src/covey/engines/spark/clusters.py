"""Publish clusters of whole records on Spark, inside public blocks.

Blocks know nothing of each other: workers cluster them with the same functions as the engine in
memory, and what they find is written down before it is looked at.  Noise is drawn on the driver,
once, for the clusters of all blocks in their sorted order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.aggregate.medoid import cluster_medoids
from covey.core import Budget
from covey.engines.shared.pieces import ROW, mean_column, value_of, with_means
from covey.engines.spark.blocks import given_blocks, in_blocks, with_categories
from covey.engines.spark.deviations import Compare, neighbours, of_records
from covey.engines.spark.frame import head_of, mapped, mapped_groups, quoted, zeros
from covey.engines.spark.session import explained
from covey.partition import PARTITIONERS
from covey.systems.anonymity.blocks import NUMBER, partition_block
from covey.systems.anonymity.microaggregate import (
    cluster_centroids,
    clustered_quasi_identifiers,
    clusters_of_block,
    concepts_of,
    k_anonymity_guarantee,
)
from covey.systems.base import as_mapping
from covey.systems.columns import on_grids
from covey.systems.papers.p000.centroid_noise import noisy_centroids, scaled_to_bounds
from covey.systems.papers.p000.groups import shares
from covey.systems.papers.p000.guarantee import perturbation_guarantee
from covey.systems.papers.p000.mdav_dp import MdavDpSettings, joint_groups
from covey.table import Attribute, Scale, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.core import Guarantee, NoiseSource
    from covey.engines.spark.frame import SparkTable
    from covey.systems import Progress
    from covey.systems.papers.p000.groups import Group
    from covey.table import Taxonomy
    from covey.table.grid import Grid

_SIZE = "(size)"


def microaggregated(
    table: SparkTable,
    settings: Any,
    source: NoiseSource,
    progress: Progress | None,
    *,
    method: str,
) -> tuple[Guarantee, DataFrame, Compare]:
    """Replace the quasi-identifiers of each block by the centroids of its clusters."""
    del source
    schema, k = table.schema, settings.k
    blocks = given_blocks(schema, settings.blocks, method)
    quasi = clustered_quasi_identifiers(schema, blocks)
    names = [attribute.name for attribute in quasi]
    guarantee = k_anonymity_guarantee(schema, tuple(names), k=k, joint=True, blocks=blocks)
    as_they_are = [*(attribute.name for attribute in blocks), *guarantee.untouched]
    table = with_categories(table, quasi)
    varying = [attribute.name for attribute in quasi if attribute.scale is not Scale.NOMINAL]
    measured = [*names, *(a.name for a in blocks if a.scale is not Scale.NOMINAL)]
    records = in_blocks(table, measured, as_they_are, blocks, k=k, varying=varying)
    if progress is not None:
        progress(f"{method}: forming clusters", 0, 1)
    own = {name: value for name, value in as_mapping(settings).items() if name != "blocks"}
    worker = partial(
        _with_centroids,
        attributes=quasi,
        method=method,
        concepts=concepts_of(table.head, quasi),
        parameters=own,
    )
    means = zeros(**{mean_column(name): pl.Float64 for name in names})
    types = head_of(records).drop(ROW, NUMBER).hstack(means)
    found = table.staging.kept(mapped_groups(records, NUMBER, worker, types))
    release = partial(_released, head=table.head, names=names, untouched=as_they_are)
    rows = mapped(found, release, next(release(iter([head_of(found)]))))
    return guarantee, rows, partial(of_records, found, _with_centroid, table.head)


def mdav_dp(
    table: SparkTable, settings: MdavDpSettings, source: NoiseSource, progress: Progress | None
) -> tuple[Guarantee, DataFrame, Compare]:
    """Add noise to the sums, or the medoids, of the clusters of all blocks."""
    system, head, k, centroid = "mdav-dp", table.head, settings.k, settings.centroid
    blocks = given_blocks(head.schema, settings.blocks, system)
    groups = joint_groups(head.schema, settings)
    attributes = [attribute for group in groups for attribute in group]
    names = [attribute.name for attribute in attributes]
    grids, budget = on_grids(attributes, system), Budget.of(settings.epsilon)
    budgets = shares(budget, groups, settings.split)
    guarantee = perturbation_guarantee(
        head.schema, system, groups, grids, budget=budget, centroid=centroid, blocks=blocks
    )
    untouched = list(guarantee.untouched)
    records = in_blocks(table, names, untouched, blocks, k=k)
    if progress is not None:
        progress(f"{system}: forming clusters", 0, 1)
    worker = partial(_with_clusters, groups=groups, grids=grids, k=k, centroid=centroid)
    integers = {_cluster(j): pl.Int64 for j in range(len(groups))}
    integers |= {_part(name): pl.Int64 for name in names}
    types = head_of(records).drop(ROW).hstack(zeros(**integers))
    found = table.staging.kept(mapped_groups(records, NUMBER, worker, types))
    published: dict[str, NoisyMeans] = {}
    for j, group in enumerate(groups):
        clusters = _clusters(found, j, group)
        sizes = clusters[_SIZE].to_numpy()
        starts = _starts(clusters[NUMBER].to_numpy())
        for name in (attribute.name for attribute in group):
            means = noisy_centroids(
                clusters[_part(name)].to_numpy(),
                sizes,
                centroid=centroid,
                grid=grids[name],
                budget=budgets[name],
                source=source,
            )
            published[name] = NoisyMeans(group=j, starts=starts, means=means)
    release = partial(_perturbed, head=head, published=published, untouched=untouched)
    rows = mapped(found, release, next(release(iter([head_of(found)]))))
    return guarantee, rows, partial(of_records, found, partial(_pair, published), head)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyMeans:
    """What the clusters of a group publish in one column.

    Parameters
    ----------
    group : int
        Which group of columns was clustered.
    starts : array of int64
        The number of the first cluster of each block.
    means : array of float64
        What each cluster publishes.
    """

    group: int
    starts: NDArray[np.int64] = field(repr=False)
    means: NDArray[np.float64] = field(repr=False)

    def of(self, frame: pl.DataFrame) -> NDArray[np.float64]:
        """Return what is published for each record."""
        first = self.starts[frame[NUMBER].to_numpy()]
        return np.asarray(self.means[first + frame[_cluster(self.group)].to_numpy()])


def _with_centroids(
    block: pl.DataFrame,
    *,
    attributes: Sequence[Attribute],
    method: str,
    concepts: Mapping[str, tuple[Taxonomy, NDArray[np.int64]]],
    parameters: Mapping[str, Any],
) -> pl.DataFrame:
    """Add to the records of one block the centroid of each one's cluster."""
    block = block.sort(ROW)
    values = [block[value_of(attribute.name)].to_numpy() for attribute in attributes]
    taxonomies = {name: taxonomy for name, (taxonomy, _) in concepts.items()}
    found = clusters_of_block(values, attributes, method, taxonomies, **parameters)
    means = [
        pl.Series(
            mean_column(attribute.name),
            cluster_centroids(attribute, column, found, concepts.get(attribute.name))[found.labels],
        )
        for attribute, column in zip(attributes, values, strict=True)
    ]
    return block.drop(ROW, NUMBER).with_columns(means)


def _with_clusters(
    block: pl.DataFrame,
    *,
    groups: Sequence[Group],
    grids: Mapping[str, Grid],
    k: int,
    centroid: str,
) -> pl.DataFrame:
    """Add to the records of one block the cluster of each, and its part of what gets noise.

    All parts of a cluster add up to its sum or, if the medoid stands for it, to the medoid: the
    other records have no part in that.
    """
    block = block.sort(ROW)
    values = {name: block[value_of(name)].to_numpy() for name in grids}
    clusters: list[pl.Series] = []
    parts: list[pl.Series] = []
    for j, group in enumerate(groups):
        X = scaled_to_bounds(values, group)
        found = partition_block(X, PARTITIONERS["mdav"], k=k)
        clusters.append(pl.Series(_cluster(j), found.labels))
        counts = np.ones(block.height, dtype=np.int64)
        if centroid == "medoid":
            counts[:] = 0
            counts[cluster_medoids(X, found.labels)] = 1
        for attribute in group:
            integers = grids[attribute.name].integers(values[attribute.name])
            parts.append(pl.Series(_part(attribute.name), integers * counts))
    return block.drop(ROW).with_columns(*clusters, *parts)


def _clusters(found: DataFrame, j: int, group: Group) -> pl.DataFrame:
    """Bring the clusters of a group to the driver: those of the first block first."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    keys = [NUMBER, _cluster(j)]
    sums = [F.sum(quoted(_part(a.name))).alias(_part(a.name)) for a in group]
    with explained():
        together = found.groupBy([quoted(key) for key in keys])
        clusters = together.agg(F.count(F.lit(1)).alias(_SIZE), *sums).toArrow()
    return pl.DataFrame(pl.from_arrow(clusters)).sort(keys)


def _starts(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    clusters = np.bincount(numbers)
    return np.asarray(np.cumsum(clusters) - clusters)


def _released(
    frames: Iterator[pl.DataFrame], *, head: Table, names: list[str], untouched: list[str]
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        yield with_means(head, frame, names, untouched)


def _perturbed(
    frames: Iterator[pl.DataFrame],
    *,
    head: Table,
    published: Mapping[str, NoisyMeans],
    untouched: list[str],
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        means = [
            pl.Series(mean_column(name), column.of(frame)) for name, column in published.items()
        ]
        yield with_means(head, frame.with_columns(means), list(published), untouched)


def _with_centroid(
    frame: pl.DataFrame, name: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return values and the centroids beside them; what separates blocks stands for itself."""
    if mean_column(name) in frame.columns:
        return neighbours(frame, name)
    values = frame[value_of(name)].to_numpy()
    return values, values


def _pair(
    published: Mapping[str, NoisyMeans], frame: pl.DataFrame, name: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return frame[value_of(name)].to_numpy(), published[name].of(frame)


def _part(name: str) -> str:
    return f"(part of {name})"


def _cluster(group: int) -> str:
    return f"(cluster {group})"

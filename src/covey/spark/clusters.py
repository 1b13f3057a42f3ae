"""Publish clusters of whole records on Spark, inside public blocks.

Blocks know nothing of each other: workers cluster them with the same functions as the engine in
memory, and what they find is written down before it is looked at.  Noise is drawn on the driver,
once, for the clusters of all blocks in their sorted order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.aggregate.medoid import cluster_medoids
from covey.partition import PARTITIONERS
from covey.privacy import Budget
from covey.release import NoisyColumn
from covey.release.release import released_rows
from covey.spark.blocks import given_blocks, in_blocks, with_categories
from covey.spark.deviations import neighbours, of_records
from covey.spark.frame import SparkOutcome, grouped, head_of, mapped, quoted, zeros
from covey.spark.session import explained
from covey.stream.pieces import ROW, mean_of, value_of, with_means
from covey.systems.blocks import NUMBER, partition_block
from covey.systems.columns import on_grids
from covey.systems.groups import shares
from covey.systems.kanonymity import (
    cluster_centroids,
    clustered_quasi_identifiers,
    clusters_of_block,
    k_anonymity_guarantee,
)
from covey.systems.record_perturbation import (
    JOINT,
    joint_groups,
    noisy_centroids,
    scaled_to_bounds,
)
from covey.systems.record_perturbation_guarantee import perturbation_guarantee
from covey.table import Attribute, Scale, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.perturb import Grid, NoiseSource, Perturbed
    from covey.privacy import Guarantee
    from covey.spark.frame import SparkTable
    from covey.systems import Progress
    from covey.systems.groups import Group

SIZE = "(size)"


def microaggregated(
    table: SparkTable,
    parameters: Mapping[str, Any],
    source: NoiseSource,
    progress: Progress | None,
    *,
    method: str,
) -> SparkOutcome:
    """Replace the quasi-identifiers of each block by the centroids of its clusters."""
    del source
    k, blocks = parameters["k"], given_blocks(table.head, parameters, method)
    quasi = clustered_quasi_identifiers(table.head, blocks)
    names = [attribute.name for attribute in quasi]
    guarantee = k_anonymity_guarantee(table.head, tuple(names), k=k, joint=True, blocks=blocks)
    as_they_are = [*(attribute.name for attribute in blocks), *guarantee.untouched]
    table = with_categories(table, quasi)
    varying = [attribute.name for attribute in quasi if attribute.scale is not Scale.NOMINAL]
    measured = [*names, *(a.name for a in blocks if a.scale is not Scale.NOMINAL)]
    records = in_blocks(table, measured, as_they_are, blocks, k=k, varying=varying)
    if progress is not None:
        progress(f"{method}: forming clusters", 0, 1)
    rest = {name: value for name, value in parameters.items() if name != "blocks"}
    worker = partial(_with_centroids, attributes=quasi, method=method, parameters=rest)
    means = zeros(**{mean_of(name): pl.Float64 for name in names})
    types = head_of(records).drop(ROW, NUMBER).hstack(means)
    found = table.staging.kept(grouped(records, NUMBER, worker, types))

    def rows(guarantee: Guarantee) -> DataFrame:
        worker = partial(
            _released, head=table.head, names=names, untouched=as_they_are, guarantee=guarantee
        )
        return mapped(found, worker, next(worker(iter([head_of(found)]))))

    compare = partial(of_records, found, _with_centroid, table.head)
    return SparkOutcome(rows=rows, guarantee=guarantee, deviations=compare)


def mdav_dp(
    table: SparkTable, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> SparkOutcome:
    """Add noise to the sums, or the medoids, of the clusters of all blocks."""
    head, k, centroid = table.head, parameters["k"], parameters["centroid"]
    blocks = given_blocks(head, parameters, JOINT)
    groups = joint_groups(head, parameters)
    names = [attribute.name for group in groups for attribute in group]
    grids = on_grids([attribute for group in groups for attribute in group], JOINT)
    budgets = shares(Budget.of(parameters["epsilon"]), groups, parameters["split"])
    guarantee = perturbation_guarantee(head, JOINT, parameters, groups, grids)
    untouched = list(guarantee.untouched)
    records = in_blocks(table, names, untouched, blocks, k=k)
    if progress is not None:
        progress(f"{JOINT}: forming clusters", 0, 1)
    worker = partial(_with_clusters, groups=groups, grids=grids, k=k, centroid=centroid)
    integers = {_cluster(j): pl.Int64 for j in range(len(groups))}
    integers |= {_part(name): pl.Int64 for name in names}
    types = head_of(records).drop(ROW).hstack(zeros(**integers))
    found = table.staging.kept(grouped(records, NUMBER, worker, types))
    published: dict[str, NoisyMeans] = {}
    for j, group in enumerate(groups):
        clusters = _clusters(found, j, group)
        sizes = clusters[SIZE].to_numpy()
        starts = _starts(clusters[NUMBER].to_numpy())
        for attribute in group:
            name = attribute.name
            origin, means = noisy_centroids(
                clusters[_part(name)].to_numpy(),
                sizes,
                centroid=centroid,
                grid=grids[name],
                budget=budgets[name],
                source=source,
            )
            published[name] = NoisyMeans(
                group=j, starts=starts, means=means, origin=replace(origin, steps=origin.steps[:0])
            )

    def rows(guarantee: Guarantee) -> DataFrame:
        worker = partial(
            _perturbed, head=head, published=published, untouched=untouched, guarantee=guarantee
        )
        return mapped(found, worker, next(worker(iter([head_of(found)]))))

    compare = partial(of_records, found, partial(_pair, published), head)
    return SparkOutcome(rows=rows, guarantee=guarantee, deviations=compare)


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
    origin : Perturbed
        The account of the noise.
    """

    group: int
    starts: NDArray[np.int64] = field(repr=False)
    means: NDArray[np.float64] = field(repr=False)
    origin: Perturbed = field(repr=False)

    def of(self, frame: pl.DataFrame) -> NDArray[np.float64]:
        """Return what is published for each record."""
        first = self.starts[frame[NUMBER].to_numpy()]
        return np.asarray(self.means[first + frame[_cluster(self.group)].to_numpy()])


def _with_centroids(
    block: pl.DataFrame,
    *,
    attributes: Sequence[Attribute],
    method: str,
    parameters: Mapping[str, Any],
) -> pl.DataFrame:
    """Add to the records of one block the centroid of each one's cluster."""
    block = block.sort(ROW)
    values = [block[value_of(attribute.name)].to_numpy() for attribute in attributes]
    found = clusters_of_block(values, attributes, method, **parameters)
    means = [
        pl.Series(
            mean_of(attribute.name), cluster_centroids(attribute, column, found)[found.labels]
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
        clusters = together.agg(F.count(F.lit(1)).alias(SIZE), *sums).toArrow()
    return pl.DataFrame(pl.from_arrow(clusters)).sort(keys)


def _starts(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    clusters = np.bincount(numbers)
    return np.asarray(np.cumsum(clusters) - clusters)


def _released(
    frames: Iterator[pl.DataFrame],
    *,
    head: Table,
    names: list[str],
    untouched: list[str],
    guarantee: Guarantee,
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        yield released_rows(*with_means(head, frame, names, untouched), guarantee)


def _perturbed(
    frames: Iterator[pl.DataFrame],
    *,
    head: Table,
    published: Mapping[str, NoisyMeans],
    untouched: list[str],
    guarantee: Guarantee,
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        means = {name: column.of(frame) for name, column in published.items()}
        beside = frame.with_columns(pl.Series(mean_of(name), means[name]) for name in means)
        piece, columns = with_means(head, beside, list(means), untouched)
        noisy = {
            name: NoisyColumn(values=means[name], origin=column.origin)
            for name, column in published.items()
        }
        yield released_rows(piece, {**columns, **noisy}, guarantee)


def _with_centroid(
    frame: pl.DataFrame, name: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return values and the centroids beside them; what separates blocks stands for itself."""
    if mean_of(name) in frame.columns:
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

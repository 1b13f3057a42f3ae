"""Publish clusters of records under a single public order on Spark.

Spark sorts into ranges by the distance from one corner, and sorted records are written down
before they are counted.  A cluster may begin in one partition and end in the next: sums and
counts are whole numbers, which add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.partition.insensitive import insensitive_sizes
from covey.privacy import Budget
from covey.release import NoisyColumn
from covey.release.release import released_rows
from covey.spark.deviations import of_records
from covey.spark.frame import SparkOutcome, added_up, mapped, quoted, zeros
from covey.spark.session import explained
from covey.spark.staging import PLACE, Ranks
from covey.stream.base import refuse_empty, refuse_other_orders
from covey.stream.pieces import KEY, in_public_order, released_order, value_of
from covey.systems.insensitive import (
    cluster_size,
    insensitive_guarantee,
    noisy_centroids,
    parts_of,
)
from covey.systems.intervals import mean_table
from covey.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.evaluate.deviations import Deviations
    from covey.perturb import NoiseSource
    from covey.privacy import Guarantee
    from covey.spark.frame import SparkTable
    from covey.systems import Progress
    from covey.systems.insensitive import Parts

CLUSTER, COLUMN, CONCEPT, SUM = "(cluster)", "(column)", "(concept)", "(sum)"


def insensitive(
    table: SparkTable, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> SparkOutcome:
    """Sort the records by their distance from one corner; clusters are runs of k of them."""
    refuse_other_orders(parameters, "spark")
    head = table.head
    parts = parts_of(head, parameters)
    whole = Budget.of(parameters["epsilon"])
    if progress is not None:
        progress("insensitive: sorting records", 0, 2)
    names = [*parts.grids, *parts.taxonomies]
    key_types = zeros(**{KEY: pl.Float64}, **{value_of(name): pl.Int64 for name in names})
    keyed = table.mapped(partial(_distances, parts=parts), key_types)
    keys = [quoted(key) for key in (KEY, *map(value_of, names))]
    ordered, ranks = table.staging.ranked(keyed, keys)
    with explained():
        n = ordered.count()
    refuse_empty(n)
    k = cluster_size(parameters["k"], n, len(parts.attributes), whole)
    sizes = insensitive_sizes(n, k)
    types = zeros(**{CLUSTER: pl.Int64, COLUMN: pl.Int64, CONCEPT: pl.Int64, SUM: pl.Int64})
    worker = partial(_cluster_parts, parts=parts, ranks=ranks, k=k, clusters=sizes.size)
    found = added_up(mapped(ordered, worker, types))
    sums, counts = _statistics(found, parts, sizes.size)
    centroids = noisy_centroids(head, parts, sizes, sums, counts, budget=whole, source=source)
    guarantee = insensitive_guarantee(head, parts, whole, k=k, order="single")

    def rows(guarantee: Guarantee) -> DataFrame:
        typed = released_rows(head, centroids, guarantee)
        order = released_order(typed)
        worker = partial(_repeated, typed=typed[order], ends=np.cumsum(sizes[order]))
        return table.generated(n, worker, typed.clear())

    def deviations(names: Sequence[str]) -> Deviations:
        # Sorted once more, with the values: a release that is not evaluated does without them.
        exact = zeros(**{_exact(name): pl.Float64 for name in names})
        keyed = table.mapped(partial(_distances, parts=parts, exact=names), key_types.hstack(exact))
        ordered, ranks = table.staging.ranked(keyed, keys)
        means = {name: c.values for name, c in centroids.items() if isinstance(c, NoisyColumn)}
        pair = partial(_pair, means=means, ranks=ranks, k=k)
        return of_records(ordered, pair, head, names)

    return SparkOutcome(
        rows=rows,
        guarantee=guarantee,
        in_order=True,
        resolved={"k": k},
        extras=lambda _: {"accuracy": mean_table(parts.attributes, centroids, n)},
        deviations=deviations,
    )


def _distances(
    tables: Iterator[Table], *, parts: Parts, exact: Sequence[str] = ()
) -> Iterator[pl.DataFrame]:
    for table in tables:
        values = [pl.Series(_exact(name), table.values(name)) for name in exact]
        yield in_public_order(table, parts).with_columns(values)


def _cluster_parts(
    frames: Iterator[pl.DataFrame], *, parts: Parts, ranks: Ranks, k: int, clusters: int
) -> Iterator[pl.DataFrame]:
    """Return the sum of each column, and the counts of concepts, over parts of clusters."""
    names = [*parts.grids, *parts.taxonomies]
    for frame in frames:
        labels = _labels(frame, ranks, k, clusters)
        for j, name in enumerate(names):
            values = frame[value_of(name)].to_numpy()
            long = pl.DataFrame(
                {
                    CLUSTER: labels,
                    COLUMN: np.full(labels.size, j),
                    CONCEPT: values if name in parts.taxonomies else np.zeros_like(labels),
                    SUM: np.ones_like(labels) if name in parts.taxonomies else values,
                }
            )
            yield long.group_by(CLUSTER, COLUMN, CONCEPT).agg(pl.sum(SUM))


def _statistics(
    found: pl.DataFrame, parts: Parts, clusters: int
) -> tuple[dict[str, NDArray[np.int64]], dict[str, NDArray[np.int64]]]:
    sums: dict[str, NDArray[np.int64]] = {}
    counts: dict[str, NDArray[np.int64]] = {}
    for j, name in enumerate((*parts.grids, *parts.taxonomies)):
        own = found.filter(pl.col(COLUMN) == j)
        width = len(parts.taxonomies[name].concepts) if name in parts.taxonomies else 1
        matrix = np.zeros((clusters, width), dtype=np.int64)
        matrix[own[CLUSTER].to_numpy(), own[CONCEPT].to_numpy()] = own[SUM].to_numpy()
        if name in parts.taxonomies:
            counts[name] = matrix
        else:
            sums[name] = matrix[:, 0]
    return sums, counts


def _labels(frame: pl.DataFrame, ranks: Ranks, k: int, clusters: int) -> NDArray[np.int64]:
    return np.minimum(ranks.of(frame[PLACE].to_numpy()) // k, clusters - 1)


def _pair(
    frame: pl.DataFrame,
    name: str,
    *,
    means: Mapping[str, NDArray[np.float64]],
    ranks: Ranks,
    k: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the values of records, and the centroids of their clusters."""
    found = means[name]
    return frame[_exact(name)].to_numpy(), found[_labels(frame, ranks, k, found.size)]


def _exact(name: str) -> str:
    return f"(exact {name})"


def _repeated(
    frames: Iterator[pl.DataFrame], *, typed: pl.DataFrame, ends: NDArray[np.int64]
) -> Iterator[pl.DataFrame]:
    """Yield each centroid once for each record of its cluster, sorted by released values."""
    for frame in frames:
        yield typed[np.searchsorted(ends, frame["id"].to_numpy(), side="right")]

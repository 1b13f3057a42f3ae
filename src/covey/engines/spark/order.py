"""How do records fall into clusters under one public order?  Spark sorts into ranges.

Sorted records are written down before they are counted.  A cluster may begin in one partition
and end in the next: sums and counts are whole numbers, which add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.engines.shared.pieces import KEY, in_public_order, value_of
from covey.engines.spark.deviations import exact_of, exact_values, known_beside
from covey.engines.spark.frame import CODE, COUNT, added_up, counts_of, mapped, quoted, zeros
from covey.engines.spark.staging import PLACE, Ranks
from covey.errors import PlanError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.engines.spark.frame import SparkTable
    from covey.partition.insensitive import PublicOrder
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """How the places of sorted records become clusters."""

    ranks: Ranks
    k: int
    clusters: int

    def labels(self, frame: pl.DataFrame) -> NDArray[np.int64]:
        """Return the clusters of some records; the last one takes the rest."""
        return np.minimum(self.ranks.of(frame[PLACE].to_numpy()) // self.k, self.clusters - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """Records in a public order, each with its integers and codes."""

    order: PublicOrder
    frame: DataFrame = field(repr=False)
    places: Places = field(repr=False)

    def sums(self, name: str) -> NDArray[np.int64]:
        """Add up the integers of a column in each cluster."""
        return self._counted(name, 0, self.places.clusters)

    def concepts(self, name: str) -> NDArray[np.int64]:
        """Count each concept of a column in each cluster: a row for each cluster."""
        width = len(self.order.taxonomies[name].concepts)
        return self._counted(name, width, self.places.clusters * width).reshape(-1, width)

    def _counted(self, name: str, width: int, size: int) -> NDArray[np.int64]:
        worker = partial(_cluster_parts, value=value_of(name), places=self.places, width=width)
        chosen = self.frame.select(quoted(PLACE), quoted(value_of(name)))
        types = zeros(**{CODE: pl.Int64, COUNT: pl.Int64})
        return counts_of(added_up(mapped(chosen, worker, types)), size)


def sorted_records(table: SparkTable, order: PublicOrder, originals: Sequence[str] = ()) -> Ordered:
    """Sort records by their distance from one corner, or along the curve.

    For the curator, the original values of some columns stand beside.
    """
    if order.kind == "corners":
        raise PlanError(
            "the engine 'spark' forms insensitive clusters under one order only, so nothing was "
            "published. Set order = \"single\" (-p order=single), or use the engine 'memory'."
        )
    names = [*order.grids, *order.taxonomies]
    keys = zeros(**{KEY: pl.Float64}, **{value_of(name): pl.Int64 for name in names})
    types = keys.hstack(zeros(**{exact_of(name): pl.Float64 for name in originals}))
    worker = partial(_in_order, order=order, originals=originals)
    keyed = table.mapped(worker, types, names=names, beside=known_beside(table, originals))
    frame, ranks = table.staging.ranked(keyed, [quoted(key) for key in keys.columns])
    places = Places(ranks=ranks, k=order.k, clusters=order.sizes.size)
    return Ordered(order=order, frame=frame, places=places)


def _in_order(
    tables: Iterator[Table], *, order: PublicOrder, originals: Sequence[str]
) -> Iterator[pl.DataFrame]:
    for table in tables:
        values = [pl.Series(exact_of(name), exact_values(table, name)) for name in originals]
        yield in_public_order(table, order).with_columns(values)


def _cluster_parts(
    frames: Iterator[pl.DataFrame], *, value: str, places: Places, width: int
) -> Iterator[pl.DataFrame]:
    """Return the sums of a column, or the counts of its concepts, over parts of clusters."""
    for frame in frames:
        labels, values = places.labels(frame), frame[value].to_numpy()
        codes = labels * width + values if width else labels
        long = pl.DataFrame({CODE: codes, COUNT: np.ones_like(values) if width else values})
        yield long.group_by(CODE).agg(pl.sum(COUNT))

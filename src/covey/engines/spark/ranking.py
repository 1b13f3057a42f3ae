"""Publish means of blocks of ranks on Spark: individual ranking.

Spark sorts into ranges by the same keys, ties included, as the other engines, and sorted records
are written down before they are counted.  A block may begin in one partition and end in the
next: what partitions cannot finish is finished on the driver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.aggregate import cluster_means
from covey.engines.shared.pieces import (
    ROW,
    mean_column,
    ranked_values,
    refuse_empty,
    value_of,
    with_means,
)
from covey.engines.spark.deviations import Compare, neighbours, of_records
from covey.engines.spark.frame import head_of, mapped, quoted, zeros
from covey.engines.spark.session import explained
from covey.engines.spark.staging import PLACE, Ranks, fixed_splits
from covey.errors import InternalError
from covey.partition import check_k, rank_block_sizes
from covey.partition.embed import constant_attribute
from covey.systems.anonymity.microaggregate import (
    k_anonymity_guarantee,
    sortable_quasi_identifiers,
)
from covey.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.aggregate.deviations import Deviations
    from covey.core import Guarantee, NoiseSource
    from covey.engines.spark.frame import SparkTable
    from covey.systems import Progress
    from covey.systems.anonymity.individual_ranking import IndividualRankingSettings

CLUSTER = "(cluster)"


def individual_ranking(
    table: SparkTable,
    settings: IndividualRankingSettings,
    source: NoiseSource,
    progress: Progress | None,
) -> tuple[Guarantee, DataFrame, Compare]:
    """Sort the records by one quasi-identifier after the other, and replace blocks by means."""
    del source
    head, staging, k = table.head, table.staging, settings.k
    quasi = [a.name for a in sortable_quasi_identifiers(head.schema, "individual-ranking")]
    guarantee = k_anonymity_guarantee(head.schema, tuple(quasi), k=k, joint=len(quasi) == 1)
    untouched = list(guarantee.untouched)
    records = _numbered(table, quasi, untouched)
    n = _checked(records, quasi)
    sizes = rank_block_sizes(n, check_k(k, n))
    for done, name in enumerate(quasi):
        if progress is not None:
            progress("individual-ranking: sorting columns", done, len(quasi))
        # Records that tie in this column fall by their others, then by their row.
        others = [value_of(other) for other in quasi if other != name]
        keys = [quoted(key) for key in (value_of(name), *others, ROW)]
        ordered, ranks = staging.ranked(records, keys)
        finish = partial(_with_means, ordered, name, ranks, sizes)
        records = finish()

    def deviations(names: Sequence[str]) -> Deviations:
        # Finished anew: at a later reading Spark may divide the last files differently.
        with fixed_splits(staging.spark):
            return of_records(finish(), neighbours, head, names)

    worker = partial(_released, head=head, quasi=quasi, untouched=untouched)
    rows = mapped(records, worker, next(worker(iter([head_of(records)]))))
    return guarantee, rows, deviations


def _numbered(table: SparkTable, quasi: list[str], untouched: list[str]) -> DataFrame:
    """Write down what the clusters and the release need of each record, and its row."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    numbers = zeros(**{value_of(name): pl.Float64 for name in quasi})
    types = table.head.frame.select(untouched).hstack(numbers)
    worker = partial(_values, quasi=quasi, untouched=untouched)
    records = table.mapped(worker, types).withColumn(ROW, F.monotonically_increasing_id())
    return table.staging.kept(records)


def _values(
    tables: Iterator[Table], *, quasi: list[str], untouched: list[str]
) -> Iterator[pl.DataFrame]:
    for table in tables:
        yield ranked_values(table, quasi, untouched)


def _checked(records: DataFrame, quasi: list[str]) -> int:
    """Return the number of records, after refusing none of them and columns that are constant."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    columns = {name: quoted(value_of(name)) for name in quasi}
    ends = [(F.min(column) == F.max(column)).alias(name) for name, column in columns.items()]
    with explained():
        found = records.agg(F.count(F.lit(1)).alias(ROW), *ends).first()
    assert found is not None  # noqa: S101 — an aggregate has one row
    refuse_empty(int(found[ROW]))
    for name in quasi:
        if found[name]:
            raise constant_attribute(name)
    return int(found[ROW])


def _with_means(ordered: DataFrame, name: str, ranks: Ranks, sizes: NDArray[np.int64]) -> DataFrame:
    """Add to sorted records the mean of their block of ranks.

    Blocks that lie in one partition are finished there.  Of the others, at most two for each
    partition, the driver brings the values together.
    """
    value, mean, ends = value_of(name), mean_column(name), np.cumsum(sizes)
    cut = partial(_broken_blocks, value=value, ranks=ranks, ends=ends)
    types = zeros(**{CLUSTER: pl.Int64, value: pl.Float64})
    with explained():
        values = ordered.select(quoted(PLACE), quoted(value))
        broken = pl.DataFrame(pl.from_arrow(mapped(values, cut, types).toArrow()))
    means = _means(broken[CLUSTER].to_numpy(), broken[value].to_numpy())
    known = dict(zip(broken[CLUSTER].to_list(), means.tolist(), strict=True))
    finish = partial(_finished_blocks, value=value, mean=mean, ranks=ranks, ends=ends, known=known)
    types = head_of(ordered).drop(PLACE).with_columns(pl.lit(0.0).alias(mean))
    return mapped(ordered, finish, types)


def _broken_blocks(
    frames: Iterator[pl.DataFrame], *, value: str, ranks: Ranks, ends: NDArray[np.int64]
) -> Iterator[pl.DataFrame]:
    for frame, labels, broken in _by_block(frames, ranks, ends):
        if broken:
            yield pl.DataFrame({CLUSTER: labels, value: frame[value]})


def _finished_blocks(
    frames: Iterator[pl.DataFrame],
    *,
    value: str,
    mean: str,
    ranks: Ranks,
    ends: NDArray[np.int64],
    known: Mapping[int, float],
) -> Iterator[pl.DataFrame]:
    for frame, labels, broken in _by_block(frames, ranks, ends):
        if not broken:
            means = _means(labels, frame[value].to_numpy())
        elif all(label in known for label in labels.tolist()):
            means = np.array([known[label] for label in labels.tolist()])
        else:
            raise InternalError("Spark divided the same files differently at the second reading.")
        yield frame.drop(PLACE).with_columns(pl.Series(mean, means))


def _by_block(
    frames: Iterator[pl.DataFrame], ranks: Ranks, ends: NDArray[np.int64]
) -> Iterator[tuple[pl.DataFrame, NDArray[np.int64], bool]]:
    """Yield records with their blocks: whole blocks as they fill, and the broken ones last.

    A block of which some records are in other partitions is broken.
    """
    sizes = np.diff(ends, prepend=0)
    waiting: list[pl.DataFrame] = []
    for frame in frames:
        together = pl.concat([*waiting, frame])
        labels = np.searchsorted(ends, ranks.of(together[PLACE].to_numpy()), side="right")
        blocks, inverse, here = np.unique(labels, return_inverse=True, return_counts=True)
        whole = (here == sizes[blocks])[inverse]
        yield together.filter(whole), labels[whole], False
        waiting = [together.filter(~whole)]
    for frame in waiting:
        yield frame, np.searchsorted(ends, ranks.of(frame[PLACE].to_numpy()), side="right"), True


def _means(labels: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each record the mean of its block."""
    _, block, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    return cluster_means(values, block, sizes)[block]


def _released(
    frames: Iterator[pl.DataFrame], *, head: Table, quasi: list[str], untouched: list[str]
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        yield with_means(head, frame, quasi, untouched)

"""Publish means of blocks of ranks on Spark: individual ranking.

Spark sorts into ranges by the same keys, ties included, as the other engines, and sorted records
are written down before they are counted.  A block may begin in one partition and end in the
next: what partitions cannot finish is finished on the driver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.errors import InternalError, SchemaError
from covey.partition import check_k, rank_block_sizes
from covey.release import Column, GroupedColumn, UntouchedColumn
from covey.release.release import released_rows
from covey.spark.frame import SparkOutcome, head_of, mapped, quoted, zeros
from covey.spark.session import explained
from covey.spark.staging import PLACE, Ranks
from covey.stream.base import refuse_empty
from covey.systems.kanonymity import k_anonymity_guarantee, sortable_quasi_identifiers
from covey.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.perturb import NoiseSource
    from covey.privacy import Guarantee
    from covey.spark.frame import SparkTable
    from covey.systems import Progress

ROW, CLUSTER = "(row)", "(cluster)"


def individual_ranking(
    table: SparkTable, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> SparkOutcome:
    """Sort the records by one quasi-identifier after the other, and replace blocks by means."""
    del source
    head, staging = table.head, table.staging
    quasi = [a.name for a in sortable_quasi_identifiers(head, "individual-ranking")]
    guarantee = k_anonymity_guarantee(head, tuple(quasi), k=parameters["k"], joint=len(quasi) == 1)
    untouched = list(guarantee.untouched)
    records = _numbered(table, quasi, untouched)
    n = _checked(records, quasi)
    sizes = rank_block_sizes(n, check_k(parameters["k"], n))
    for done, name in enumerate(quasi):
        if progress is not None:
            progress("individual-ranking: sorting columns", done, len(quasi))
        # Records that tie in this column fall by their others, then by their row.
        others = [_value(other) for other in quasi if other != name]
        keys = [quoted(key) for key in (_value(name), *others, ROW)]
        ordered, ranks = staging.ranked(records, keys)
        records = _with_means(ordered, name, ranks, sizes)

    def rows(guarantee: Guarantee) -> DataFrame:
        typed = _centroid_rows(head_of(records), head, quasi, untouched, guarantee)
        worker = partial(
            _each_centroid_rows, head=head, quasi=quasi, untouched=untouched, guarantee=guarantee
        )
        return mapped(records, worker, typed)

    return SparkOutcome(rows=rows, guarantee=guarantee)


def _numbered(table: SparkTable, quasi: list[str], untouched: list[str]) -> DataFrame:
    """Write down what the clusters and the release need of each record, and its row."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    numbers = zeros(**{_value(name): pl.Float64 for name in quasi})
    types = table.head.frame.select(untouched).hstack(numbers)
    worker = partial(_values, quasi=quasi, untouched=untouched)
    records = table.mapped(worker, types).withColumn(ROW, F.monotonically_increasing_id())
    return table.staging.kept(records)


def _values(
    tables: Iterator[Table], *, quasi: list[str], untouched: list[str]
) -> Iterator[pl.DataFrame]:
    for table in tables:
        numbers = [pl.Series(_value(name), table.values(name)) for name in quasi]
        yield pl.DataFrame([*(table.frame[name] for name in untouched), *numbers])


def _checked(records: DataFrame, quasi: list[str]) -> int:
    """Return the number of records, after refusing none of them and columns that are constant."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    ends = [
        (F.min(quoted(_value(name))) == F.max(quoted(_value(name)))).alias(name) for name in quasi
    ]
    with explained():
        found = records.agg(F.count(F.lit(1)).alias(ROW), *ends).first()
    assert found is not None  # noqa: S101 — an aggregate has one row
    refuse_empty(int(found[ROW]))
    for name in quasi:
        if found[name]:
            raise SchemaError(
                f"attribute {name!r} is constant, so it cannot tell records apart. Set its role "
                f'to "non-confidential" to publish it as it is, or to "identifier" to drop it.'
            )
    return int(found[ROW])


def _with_means(ordered: DataFrame, name: str, ranks: Ranks, sizes: NDArray[np.int64]) -> DataFrame:
    """Add to sorted records the mean of their block of ranks.

    Blocks that lie in one partition are finished there.  Of the others, at most two for each
    partition, the driver adds the parts up.
    """
    ends = np.cumsum(sizes)
    cut = partial(_broken_blocks, value=_value(name), ranks=ranks, ends=ends)
    types = zeros(**{CLUSTER: pl.Int64, _value(name): pl.Float64})
    with explained():
        values = ordered.select(quoted(PLACE), quoted(_value(name)))
        broken = pl.DataFrame(pl.from_arrow(mapped(values, cut, types).toArrow()))
    means = _means(broken[CLUSTER].to_numpy(), broken[_value(name)].to_numpy())
    finish = partial(
        _finished_blocks, value=_value(name), mean=_mean(name), ranks=ranks, ends=ends, known=means
    )
    types = head_of(ordered).drop(PLACE).with_columns(pl.lit(0.0).alias(_mean(name)))
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
            means = _block_means(labels, frame[value].to_numpy())
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


def _means(labels: NDArray[np.int64], values: NDArray[np.float64]) -> dict[int, float]:
    found = _block_means(labels, values)
    return dict(zip(labels.tolist(), found.tolist(), strict=True))


def _block_means(labels: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each record the mean of its block, around the block's smallest value."""
    if not labels.size:
        return np.empty(0)
    order = np.lexsort((values, labels))
    ordered, numbers = values[order], labels[order]
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    sizes = np.diff(starts, append=numbers.size)
    block = np.repeat(np.arange(starts.size), sizes)
    sums = np.bincount(block, weights=ordered - ordered[starts][block])
    means = np.empty(values.size)
    means[order] = (ordered[starts] + sums / sizes)[block]
    return means


def _each_centroid_rows(
    frames: Iterator[pl.DataFrame],
    *,
    head: Table,
    quasi: list[str],
    untouched: list[str],
    guarantee: Guarantee,
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        yield _centroid_rows(frame, head, quasi, untouched, guarantee)


def _centroid_rows(
    frame: pl.DataFrame, head: Table, quasi: list[str], untouched: list[str], guarantee: Guarantee
) -> pl.DataFrame:
    types = head.frame.schema
    empty = [pl.lit(None, dtype=types[name]).alias(name) for name in quasi]
    columns: dict[str, Column] = {
        name: GroupedColumn(values=frame[_mean(name)].to_numpy()) for name in quasi
    }
    columns |= {name: UntouchedColumn() for name in untouched}
    return released_rows(replace(head, frame=frame.select(*untouched, *empty)), columns, guarantee)


def _value(name: str) -> str:
    return f"({name})"


def _mean(name: str) -> str:
    return f"(mean of {name})"

"""How do all records of a block come to one worker?

A block is all records of equal values in public columns.  It is clustered by one worker, which
must have room for it, because records are compared with all others of their block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.engines.shared.pieces import ROW, ranked_values, refuse_empty, value_of
from covey.engines.spark.frame import head_of, mapped, quoted, zeros
from covey.engines.spark.session import explained
from covey.errors import PlanError
from covey.partition import check_k
from covey.partition.embed import constant_attribute
from covey.systems.anonymity.blocks import (
    NUMBER,
    block_attributes,
    block_keys,
    block_numbers,
    refuse_small_blocks,
    sorted_blocks,
)
from covey.table import Attribute, Scale, Schema, Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from covey.engines.spark.frame import SparkTable

_SIZE, _COLUMN, TEXT = "(size)", "(column)", "(text)"


def given_blocks(
    schema: Schema, blocks: Sequence[str] | None, system: str
) -> tuple[Attribute, ...]:
    """Return the columns that separate the records, without which Spark cannot cluster them."""
    if blocks is None:
        raise PlanError(
            f"system {system!r} compares all records with each other, which are too many for one "
            f"of Spark's workers, so nothing was published. Name public columns to separate them "
            f"by first (-p blocks=…), or use the engine 'memory'."
        )
    return block_attributes(schema, blocks)


def with_categories(table: SparkTable, attributes: Sequence[Attribute]) -> SparkTable:
    """Look up the categories that the schema does not list, as a table in memory would."""
    unknown = [
        attribute
        for attribute in attributes
        if attribute.scale is Scale.NOMINAL
        and attribute.categories is None
        and attribute.taxonomy is None
    ]
    if not unknown:
        return table
    worker = partial(_texts, names=[attribute.name for attribute in unknown])
    with explained():
        distinct = table.mapped(worker, zeros(**{_COLUMN: pl.Int64, TEXT: pl.String})).distinct()
        found = pl.DataFrame(pl.from_arrow(distinct.toArrow()))
    schema = table.schema
    for j, attribute in enumerate(unknown):
        texts = set(found.filter(pl.col(_COLUMN) == j)[TEXT])
        if attribute.impute is not None:
            texts.add(str(attribute.impute))
        schema = schema.updated(attribute.name, categories=tuple(sorted(texts)) or None)
    return replace(table, head=replace(table.head, schema=schema))


def _texts(tables: Iterator[Table], *, names: list[str]) -> Iterator[pl.DataFrame]:
    for table in tables:
        for j, name in enumerate(names):
            texts = table.frame[name].cast(pl.String).drop_nulls().unique()
            yield pl.DataFrame({_COLUMN: np.full(texts.len(), j), TEXT: texts})


def in_blocks(
    table: SparkTable,
    names: list[str],
    as_they_are: list[str],
    blocks: Sequence[Attribute],
    *,
    k: int,
    varying: Sequence[str] = (),
) -> DataFrame:
    """Write down what the clusters and the release need of each record, and number its block."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    keys = [_key(attribute.name) for attribute in blocks]
    numbers = zeros(**{value_of(name): pl.Float64 for name in names})
    types = table.head.frame.select(as_they_are).hstack(numbers)
    worker = partial(_values, names=names, as_they_are=as_they_are, blocks=blocks)
    keyed = table.mapped(worker, types.hstack(zeros(**dict.fromkeys(keys, pl.String))))
    # Records that agree in all columns are told apart by their row, which must not move.
    records = table.staging.kept(keyed.withColumn(ROW, F.monotonically_increasing_id()))
    ends = [
        end(quoted(value_of(name))).alias(f"{end.__name__} {name}")
        for name in varying
        for end in (F.min, F.max)
    ]
    with explained():
        counted = records.groupBy([quoted(key) for key in keys]).agg(
            F.count(F.lit(1)).alias(_SIZE), *ends
        )
        sizes = pl.DataFrame(pl.from_arrow(counted.toArrow()))
    refuse_empty(sizes.height)
    check_k(k, int(sizes[_SIZE].sum()))
    refuse_small_blocks(sizes[_SIZE].to_numpy(), blocks, k)
    for name in varying:
        if sizes[f"min {name}"].min() == sizes[f"max {name}"].max():
            raise constant_attribute(name)
    worker = partial(_numbered, keys=keys, blocks=sorted_blocks(sizes.select(keys)))
    types = head_of(records).drop(keys).hstack(zeros(**{NUMBER: pl.Int64}))
    return mapped(records, worker, types)


def _values(
    tables: Iterator[Table],
    *,
    names: list[str],
    as_they_are: list[str],
    blocks: Sequence[Attribute],
) -> Iterator[pl.DataFrame]:
    for table in tables:
        keys = block_keys(table, blocks).rename(_key)
        yield ranked_values(table, names, as_they_are).hstack(keys)


def _numbered(
    frames: Iterator[pl.DataFrame], *, keys: list[str], blocks: pl.DataFrame
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        numbers = block_numbers(frame.select(keys), blocks)
        yield frame.drop(keys).with_columns(pl.Series(NUMBER, numbers))


def _key(name: str) -> str:
    return f"(block of {name})"

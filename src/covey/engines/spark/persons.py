"""Which records of a person are used on Spark?  Workers say where they stand, Spark ranks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from covey.engines.shared.persons import STANDING, WHOSE, Contributed, placed_frames
from covey.engines.spark.frame import SparkTable, quoted, zeros
from covey.engines.spark.session import explained

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from covey.core import Persons
    from covey.table import Table

RANK = "(rank)"


def of_persons(table: SparkTable, persons: Persons, key: bytes) -> tuple[SparkTable, Contributed]:
    """Write the records down that are used of each person, and count the others."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    checked = table.written(persons.column)
    names = [each.name for each in table.schema if not each.is_hidden]
    types = table.head.frame.select(names).hstack(zeros(**{WHOSE: pl.String, STANDING: pl.Int64}))
    worker = partial(_placed, key=key)
    placed = checked.mapped(worker, types, names=[*names, persons.column])
    waiting = table.staging.kept(placed)
    order = Window.partitionBy(quoted(WHOSE)).orderBy(quoted(STANDING))
    ranked = waiting.withColumn(RANK, F.row_number().over(order))
    used = ranked.where(F.col(quoted(RANK)) <= persons.most)
    kept = table.staging.kept(used.select([quoted(name) for name in names]))
    return replace(table, frame=kept, checked=True), _told(waiting, persons.most)


def _placed(tables: Iterator[Table], *, key: bytes) -> Iterable[pl.DataFrame]:
    return placed_frames(tables, key)


def _told(waiting: DataFrame, most: int) -> Contributed:
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    with explained():
        counts = waiting.groupBy(quoted(WHOSE)).agg(F.count("*").alias("n"))
        beyond = F.greatest(F.col("n") - most, F.lit(0))
        found = counts.agg(
            F.count("*"), F.sum("n"), F.sum((beyond > 0).cast("long")), F.sum(beyond), F.max("n")
        ).first()
    assert found is not None  # noqa: S101 — an aggregate has one row
    persons, records, persons_cut, records_cut, largest = (int(each or 0) for each in found)
    return Contributed(
        persons=persons,
        records=records,
        persons_cut=persons_cut,
        records_cut=records_cut,
        most=largest,
    )

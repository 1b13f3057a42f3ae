"""How does a Spark DataFrame become tables, and what workers find numbers on the driver?"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.engines.spark.session import explained
from covey.engines.spark.staging import Staging
from covey.errors import DataError, SchemaError
from covey.table import Schema, Table
from covey.table.calendar import Moment
from covey.table.table import build_table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame, SparkSession

Worker = Callable[[Iterator[pl.DataFrame]], Iterable[pl.DataFrame]]
"""Runs in a worker: gets the frames of a partition, gives others."""

TableWorker = Callable[[Iterator[Table]], Iterable[pl.DataFrame]]
"""The same, from the tables of a partition."""

CODE, COUNT = "(code)", "(count)"


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkTable:
    """Records in a Spark DataFrame.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The records.
    head : Table
        The same table without its records: schema and types.
    staging : Staging
        Where rows wait.
    checked : bool
        Whether the records were checked against the schema, and incomplete ones dropped.
    """

    frame: DataFrame = field(repr=False)
    head: Table = field(repr=False)
    staging: Staging = field(repr=False)
    checked: bool = False

    @property
    def schema(self) -> Schema:
        """Return the description of the columns."""
        return self.head.schema

    def mapped(
        self,
        worker: TableWorker,
        types: pl.DataFrame,
        *,
        names: Sequence[str] | None = None,
        beside: Sequence[str] = (),
    ) -> DataFrame:
        """Give the tables of each partition to a function, and return what it makes of them.

        Parameters
        ----------
        worker : callable
            The function.
        types : polars.DataFrame
            An empty frame of what it makes.
        names : sequence of str, optional
            The columns that it needs, if the records are checked; all unless given.
        beside : sequence of str
            Helping columns that it needs too; its tables have them beside those of the schema.
        """
        if not self.checked:
            return mapped_tables(self.frame, self.schema, worker, types)
        own = _restricted(self.schema, _published(self.schema) if names is None else names)
        head = replace(self.head, schema=own)
        chosen = self.frame.select([quoted(name) for name in (*own.names, *beside)])
        return mapped(chosen, partial(_as_checked, worker=worker, head=head), types)

    def written(self, also: str = "") -> SparkTable:
        """Check all records and write them down: what is asked later is about the same ones.

        Identifiers are left out, but for one that names a column ``also`` needed.
        """
        names = _published(self.schema)
        names += [also] if also in self.schema.names and also not in names else []
        worker = partial(_as_tables, worker=_frames, schema=_restricted(self.schema, names))
        chosen = self.frame.select([quoted(name) for name in names])
        kept = self.staging.kept(mapped(chosen, worker, self.head.frame.select(names)))
        return replace(self, frame=kept, checked=True)


def as_spark_table(frame: DataFrame, schema: Schema | None, staging: Staging) -> SparkTable:
    """Check the columns of a DataFrame against a schema."""
    return SparkTable(frame=frame, head=checked_head(frame, schema), staging=staging)


def checked_head(frame: DataFrame, schema: Schema | None) -> Table:
    """Return the table of a DataFrame without its records, if it has the columns of a schema."""
    if schema is None:
        raise SchemaError(
            "the engine 'spark' needs a schema, because a draft would have to look at all records. "
            "Draft one from a sample with `covey schema`, and correct it by hand."
        )
    _refuse_moments(schema)
    try:
        empty = head_of(frame)
    except Exception:  # noqa: BLE001 — Spark has types that Arrow or polars lack
        raise DataError(
            "the DataFrame has a column of a type that covey does not know, so nothing was "
            "published. Drop that column, or turn it into a number or a text."
        ) from None
    return build_table(empty, schema, kind="parquet", piece=True)


def _refuse_moments(schema: Schema) -> None:
    """Refuse points in time for which Spark has no type that keeps them as they are."""
    for attribute in (each for each in schema if not each.is_hidden):
        lost = attribute.kind is Moment.TIME or attribute.zone is not None
        if lost and attribute.format is None:
            what = "times of day" if attribute.kind is Moment.TIME else "a time zone of a column"
            raise SchemaError(
                f"the engine 'spark' knows no {what}, so column {attribute.name!r} would not come "
                f"out as it came in and nothing was published. Write it as texts and say how, for "
                f"example format = {'%H:%M:%S' if attribute.zone is None else '%FT%T%z'!r}, or use "
                f"the engine 'stream'."
            )


def mapped_tables(
    frame: DataFrame,
    schema: Schema,
    worker: TableWorker,
    types: pl.DataFrame,
) -> DataFrame:
    """Let workers turn the tables of each partition into frames of these types."""
    names = _published(schema)
    tables = partial(_as_tables, worker=worker, schema=_restricted(schema, names))
    return mapped(frame.select([quoted(name) for name in names]), tables, types)


def mapped(frame: DataFrame, worker: Worker, types: pl.DataFrame) -> DataFrame:
    """Let workers turn the frames of each partition into others of these types."""
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = _spark_types(types)
    function = partial(_in_arrow, worker=worker, names=frame.columns, schema=schema)
    with _without_pandas():
        return _plainly_named(frame).mapInArrow(function, from_arrow_schema(schema))


def mapped_groups(
    frame: DataFrame,
    key: str,
    worker: Callable[[pl.DataFrame], pl.DataFrame],
    types: pl.DataFrame,
) -> DataFrame:
    """Let a worker turn all rows of equal key together into others of these types."""
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = _spark_types(types)
    names = frame.columns
    with _without_pandas():
        plain = _plainly_named(frame)
        # A function without type hints, from which Spark would guess what it is to be given.
        return plain.groupBy(plain.columns[names.index(key)]).applyInArrow(
            lambda rows: _group_in_arrow(rows, worker, names, schema), from_arrow_schema(schema)
        )


def added_up(frame: DataFrame) -> pl.DataFrame:
    """Add the last column up over equal values of the others, and bring the sums to the driver."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    *keys, last = frame.columns
    with explained():
        summed = frame.groupBy([quoted(key) for key in keys]).agg(F.sum(quoted(last)).alias(last))
        return pl.DataFrame(pl.from_arrow(summed.toArrow()))


def counts_of(found: pl.DataFrame, size: int) -> NDArray[np.int64]:
    """Return the sums of codes 0, 1, … as an array."""
    counts = np.zeros(size, dtype=np.int64)
    counts[found[CODE].to_numpy()] = found[COUNT].to_numpy()
    return counts


def quoted(name: str) -> str:
    """Return the name of a column as Spark reads it, whatever stands in it."""
    return "`" + name.replace("`", "``") + "`"


def head_of(frame: DataFrame) -> pl.DataFrame:
    """Return the types of a DataFrame as an empty frame."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return pl.DataFrame(pl.from_arrow(to_arrow_schema(frame.schema).empty_table()))


def brought(spark: SparkSession, frame: pl.DataFrame) -> DataFrame:
    """Bring a small frame from the driver to Spark, in its order."""
    with _without_pandas():
        return spark.createDataFrame(frame.to_arrow()).coalesce(1)


def zeros(**types: Any) -> pl.DataFrame:
    """Return an empty frame that tells the types of rows."""
    return pl.DataFrame(schema=types)


def _published(schema: Schema) -> list[str]:
    return [attribute.name for attribute in schema if not attribute.is_hidden]


def _restricted(schema: Schema, names: Sequence[str]) -> Schema:
    return replace(schema, attributes=tuple(schema[name] for name in names))


def _as_tables(
    frames: Iterator[pl.DataFrame], worker: TableWorker, schema: Schema
) -> Iterable[pl.DataFrame]:
    return worker(build_table(frame, schema, kind="parquet", piece=True) for frame in frames)


def _as_checked(
    frames: Iterator[pl.DataFrame], worker: TableWorker, head: Table
) -> Iterable[pl.DataFrame]:
    return worker(replace(head, frame=frame) for frame in frames)


def _frames(tables: Iterator[Table]) -> Iterator[pl.DataFrame]:
    return (table.frame for table in tables)


def _in_arrow(
    batches: Iterator[Any], *, worker: Worker, names: list[str], schema: Any
) -> Iterator[Any]:
    for frame in worker(_as_frame(batch, names) for batch in batches):
        yield from frame.to_arrow().cast(schema).to_batches()


def _group_in_arrow(
    rows: Any, worker: Callable[[pl.DataFrame], pl.DataFrame], names: list[str], schema: Any
) -> Any:
    return worker(_as_frame(rows, names)).to_arrow().cast(schema)


def _as_frame(rows: Any, names: list[str]) -> pl.DataFrame:
    frame = pl.DataFrame(pl.from_arrow(rows))
    frame.columns = names
    return frame


def _plainly_named(frame: DataFrame) -> DataFrame:
    """Give the columns plain names, because Spark takes a dot in a name for something else."""
    return frame.toDF(*(f"c{j}" for j in range(len(frame.columns))))


@contextmanager
def _without_pandas() -> Iterator[None]:
    """Ignore that Spark warns of new versions of pandas, which has no part in this."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        yield


def _spark_types(types: pl.DataFrame) -> Any:
    """Return the Arrow types of rows, as Spark wants them: 32-bit offsets in texts."""
    import pyarrow as pa

    plain = {pa.large_string(): pa.string(), pa.string_view(): pa.string()}
    return pa.schema(
        [(part.name, plain.get(part.type, part.type)) for part in types.to_arrow().schema]
    )

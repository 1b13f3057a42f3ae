"""How do described rows become a DataFrame that is written down?

Neither their order nor their division into files comes from the records: rows are made in an
order of their own, or sorted by their released values, which parts them anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.engines.shared.engine import Made
from covey.engines.shared.pieces import released_order
from covey.engines.shared.ruled import refuse_rules
from covey.engines.shared.typed import typed_rows
from covey.engines.spark.frame import Worker, brought, mapped, quoted
from covey.engines.spark.pairing import paired, pairing_keys
from covey.engines.spark.session import explained
from covey.postprocess.rows import Counted, Paired, Perturbed, Placed, Repeated

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.engines.spark.staging import Staging
    from covey.postprocess.rows import Rows
    from covey.table import Head

ONE_FILE = 2**30
"""Up to so many bytes of Parquet are saved as one file; more stay in parts."""

MOST_ROWS = 2**23
"""Rows that one task makes at most, so that a lost one is soon made again."""

LEAST_ROWS = 50_000
"""Rows that one task makes at least, if there are so many."""


@dataclass(frozen=True, slots=True)
class StagedRows:
    """Released rows that Spark has written down; they live as long as this."""

    staging: Staging = field(repr=False)
    folder: Path
    n: int

    @property
    def files(self) -> tuple[Path, ...]:
        """Return the Parquet files that hold the rows, in their order."""
        return tuple(self.staging.parts(self.folder))

    @property
    def parts(self) -> tuple[Path, ...]:
        """Return the files, if they are more than one machine should write again."""
        files = self.files
        return files if sum(file.stat().st_size for file in files) > ONE_FILE else ()

    def scan(self) -> pl.LazyFrame:
        """Return the rows, to be looked at some at a time on this machine."""
        return pl.scan_parquet(list(self.files), glob=False)


def written_rows(rows: DataFrame, staging: Staging, *, ordered: bool) -> Made:
    """Write rows down, sorted by their released values unless they may keep their order."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    if not ordered:
        rows = rows.orderBy([F.asc_nulls_last(quoted(name)) for name in rows.columns])
    folder = staging.written(rows)
    kept = staging.read(folder)
    with explained():
        n = kept.count()
    return Made(data=kept, rows=StagedRows(staging, folder, n))


def made_rows(
    rows: Rows, head: Head | None, rng: np.random.Generator, staging: Staging
) -> tuple[DataFrame, bool]:
    """Make described rows, and say whether they come in an order that tells nothing."""
    if isinstance(rows, Counted):
        return brought(staging.spark, pl.DataFrame(dict(rows.columns))), True
    if isinstance(rows, Perturbed):
        return rows.held.frame, False
    assert head is not None  # noqa: S101 — tables have one
    # Workers need no public columns, which may be as long as the table.
    head = replace(head, public={})
    if isinstance(rows, Repeated):
        return _repeated(rows, head, staging), True
    if isinstance(rows, Paired):
        return _paired(rows, head, rng, staging), True
    return _placed(rows, head, rng, staging), False


def _repeated(rows: Repeated, head: Head, staging: Staging) -> DataFrame:
    """Repeat each distinct row, sorted by released values."""
    typed = typed_rows(head, rows.columns)
    order = released_order(typed)
    worker = partial(_gathered, typed=typed[order], ends=np.cumsum(rows.counts[order]))
    return _generated(staging, int(rows.counts.sum()), worker, typed.clear())


def _gathered(
    frames: Iterator[pl.DataFrame], *, typed: pl.DataFrame, ends: NDArray[np.int64]
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        yield typed[np.searchsorted(ends, frame["id"].to_numpy(), side="right")]


@dataclass(frozen=True, slots=True)
class _Column:
    """A published column: its values in their order, where each ends, and its pairing."""

    values: pl.Series
    ends: NDArray[np.int64]
    keys: NDArray[np.uint64]


def _paired(rows: Paired, head: Head, rng: np.random.Generator, staging: Staging) -> DataFrame:
    """Shuffle columns against the first, in which rows are sorted.

    The others are paired with it at random, whatever the records are, so that the order of rows
    tells nothing.
    """
    refuse_rules(head.schema, tuple(rows.columns))
    values = {name: typed_rows(head, {name: pair[0]})[name] for name, pair in rows.columns.items()}
    names = [name for name in head.schema.names if name in values]
    columns = [
        _Column(values[name], np.cumsum(rows.columns[name][1]), pairing_keys(rng)) for name in names
    ]
    types = pl.DataFrame([column.values.clear() for column in columns])
    return _generated(staging, rows.n, partial(_shuffled, columns=columns, n=rows.n), types)


def _shuffled(
    frames: Iterator[pl.DataFrame], *, columns: Sequence[_Column], n: int
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        rows = frame["id"].to_numpy()
        found = []
        for j, column in enumerate(columns):
            places = rows if j == 0 else paired(rows, n, column.keys)
            found.append(column.values[np.searchsorted(column.ends, places, side="right")])
        yield pl.DataFrame(found)


def _placed(rows: Placed, head: Head, rng: np.random.Generator, staging: Staging) -> DataFrame:
    """Draw some rows at a time; the same piece falls the same every time."""
    types = typed_rows(head, rows.place(0, rows.n, np.random.default_rng(0))).clear()
    pieces = max(1, -(-rows.n // LEAST_ROWS))
    worker = partial(_pieces, rows=rows, head=head, seed=int(rng.integers(2**62)), pieces=pieces)
    return _generated(staging, pieces, worker, types, least=1)


def _pieces(
    frames: Iterator[pl.DataFrame], *, rows: Placed, head: Head, seed: int, pieces: int
) -> Iterator[pl.DataFrame]:
    for piece in (int(number) for frame in frames for number in frame["id"]):
        yield typed_rows(head, rows.place(piece, pieces, np.random.default_rng([seed, piece])))


def _generated(
    staging: Staging, count: int, worker: Worker, types: pl.DataFrame, *, least: int = LEAST_ROWS
) -> DataFrame:
    """Give the numbers 0 … count − 1, in order, to a function that makes rows of them.

    A partition has at least so many numbers, and at most `MOST_ROWS`.
    """
    spark = staging.spark
    wanted = max(spark.sparkContext.defaultParallelism * 2, -(-count // MOST_ROWS))
    return mapped(spark.range(0, count, 1, max(1, min(wanted, count // least))), worker, types)

"""How far are released values from those of their records, added up in the workers?

For the curator's evaluation only: what is computed here leaves the workers as sums over all
records, and is never written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.aggregate.deviations import Deviations
from covey.engines.shared.pieces import mean_column, value_of
from covey.engines.spark.frame import COUNT, mapped, zeros
from covey.engines.spark.session import explained
from covey.table import Table, from_values

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.engines.spark.frame import SparkTable

    Floats = NDArray[np.float64]

Compare = Callable[[Sequence[str]], Deviations]
"""Compares some columns of all records with what was released for them."""

Pair = Callable[[pl.DataFrame, str], tuple["Floats", "Floats"]]
SQUARED, ABSOLUTE = "(squared)", "(absolute)"


@dataclass(frozen=True, slots=True)
class RecordLinks:
    """What became of records that nobody holds: `deviations` of some columns, added up."""

    deviations: Compare = field(repr=False)


def exact_of(name: str) -> str:
    """Return the helping column with original values, in files of which no row is released."""
    return f"(exact {name})"


def exact_values(table: Table, name: str) -> Floats:
    """Return original values: those that stand beside records that were sampled, or their own."""
    if exact_of(name) in table.frame.columns:
        return table.frame[exact_of(name)].to_numpy()
    return table.values(name)


def known_beside(table: SparkTable, names: Sequence[str]) -> list[str]:
    """Return which columns of original values stand beside the records."""
    return [exact_of(name) for name in names if exact_of(name) in table.frame.columns]


def deviation_types() -> pl.DataFrame:
    """Return the types of what `in_a_row` yields."""
    return zeros(**{COUNT: pl.Int64, SQUARED: pl.Binary, ABSOLUTE: pl.Binary})


def in_a_row(parts: Iterable[Deviations], columns: int) -> Iterator[pl.DataFrame]:
    """Yield the deviations of all records of a worker as one row."""
    found = reduce(Deviations.merged, parts, Deviations.none(columns))
    row = {
        COUNT: [found.n],
        SQUARED: [found.squared.tobytes()],
        ABSOLUTE: [found.absolute.tobytes()],
    }
    yield pl.DataFrame(row, schema=deviation_types().schema)


def brought_together(frame: DataFrame, columns: int) -> Deviations:
    """Add up on the driver what each worker found."""
    with explained():
        rows = pl.DataFrame(pl.from_arrow(frame.toArrow())).sort(COUNT, SQUARED, ABSOLUTE)
    parts = (
        Deviations(n=n, squared=np.frombuffer(squared), absolute=np.frombuffer(absolute))
        for n, squared, absolute in rows.iter_rows()
    )
    return reduce(Deviations.merged, parts, Deviations.none(columns))


def compared(
    head: Table, names: Sequence[str], pairs: Sequence[tuple[Floats, Floats]]
) -> Deviations:
    """Compare values with those that were released for them, in the types of their columns."""
    released = [as_released(head, name, pairs[j][1]) for j, name in enumerate(names)]
    return Deviations.of(
        np.column_stack([original for original, _ in pairs]), np.column_stack(released)
    )


def as_released(head: Table, name: str, values: Floats) -> Floats:
    """Return the numbers that values become in the type of their column."""
    typed = from_values(head, name, values).to_frame()
    return replace(head, frame=typed).values(name)


def of_records(records: DataFrame, pair: Pair, head: Table, names: Sequence[str]) -> Deviations:
    """Compare records that were written down with what was released for them.

    Parameters
    ----------
    records : pyspark.sql.DataFrame
        The records, with whatever tells what was released.
    pair : callable
        From some of them and the name of a column to its original and its released values.
    head : Table
        Tells the types.
    names : sequence of str
        The columns.
    """
    worker = partial(_of_records, pair=pair, head=head, names=names)
    return brought_together(mapped(records, worker, deviation_types()), len(names))


def neighbours(frame: pl.DataFrame, name: str) -> tuple[Floats, Floats]:
    """Return values and the means that stand beside them."""
    return frame[value_of(name)].to_numpy(), frame[mean_column(name)].to_numpy()


def _of_records(
    frames: Iterator[pl.DataFrame], *, pair: Pair, head: Table, names: Sequence[str]
) -> Iterator[pl.DataFrame]:
    parts = (compared(head, names, [pair(frame, name) for name in names]) for frame in frames)
    yield from in_a_row(parts, len(names))

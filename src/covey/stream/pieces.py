"""What do the engines ask of one piece of the records, and what becomes of the answers?

A piece is a table of some records: a batch of a file, or of the rows that a worker holds.
Counts are whole numbers and add up, whatever the pieces are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.partition.insensitive import distance_from_bottom
from covey.release import Column, GroupedColumn, UntouchedColumn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from covey.perturb import Grid
    from covey.release.streamed import Piece
    from covey.systems.insensitive import Parts
    from covey.table import Table

ROW, KEY = "(row)", "(key)"
"""Helping columns; in brackets, so that no attribute is called so."""


def value_of(name: str) -> str:
    """Return the helping column with the numbers of an attribute."""
    return f"({name})"


def mean_of(name: str) -> str:
    """Return the helping column with the means of an attribute."""
    return f"(mean of {name})"


def value_counts(
    pieces: Iterable[Iterable[NDArray[Any]]], sizes: Sequence[int]
) -> list[NDArray[np.int64]]:
    """Count the integers 0, 1, … of each column over all pieces.

    Parameters
    ----------
    pieces : iterable
        The columns of one piece after the other.
    sizes : sequence of int
        How many different integers each column can have.
    """
    totals = [np.zeros(size, dtype=np.int64) for size in sizes]
    for columns in pieces:
        for total, column in zip(totals, columns, strict=True):
            found = np.bincount(column)
            total[: found.size] += found
    return totals


def grid_counts(tables: Iterable[Table], grids: Mapping[str, Grid]) -> dict[str, NDArray[np.int64]]:
    """Count the records at each integer of each column's public grid."""
    pieces = (
        [grid.integers(table.values(name)) for name, grid in grids.items()] for table in tables
    )
    totals = value_counts(pieces, [grid.steps + 1 for grid in grids.values()])
    return dict(zip(grids, totals, strict=True))


def ranked_values(table: Table, quasi: Sequence[str], untouched: Sequence[str]) -> pl.DataFrame:
    """Return what individual ranking needs of each record: numbers, and what stays as it is."""
    numbers = [pl.Series(value_of(name), table.values(name)) for name in quasi]
    return pl.DataFrame([*(table.frame[name] for name in untouched), *numbers])


def with_means(
    head: Table, frame: pl.DataFrame, quasi: Sequence[str], untouched: Sequence[str]
) -> Piece:
    """Release the means beside some records in the place of their values."""
    types = head.frame.schema
    empty = [pl.lit(None, dtype=types[name]).alias(name) for name in quasi]
    columns: dict[str, Column] = {
        name: GroupedColumn(values=frame[mean_of(name)].to_numpy()) for name in quasi
    }
    columns |= {name: UntouchedColumn() for name in untouched}
    return replace(head, frame=frame.select(*untouched, *empty)), columns


def in_public_order(table: Table, parts: Parts) -> pl.DataFrame:
    """Return the place of each record in the single public order, and its integers and codes.

    Records are to be sorted by all columns of it, from the first to the last.
    """
    numbers = {name: grid.integers(table.values(name)) for name, grid in parts.grids.items()}
    codes = {
        name: np.asarray(taxonomy.codes(table.texts(name), attribute=name), dtype=np.int64)
        for name, taxonomy in parts.taxonomies.items()
    }
    steps = np.array([float(grid.steps) for grid in parts.grids.values()])
    keys = distance_from_bottom(
        _matrix(numbers, table, np.float64),
        np.zeros(steps.size),
        steps,
        codes=_matrix(codes, table, np.int64) if codes else None,
        taxonomies=tuple(parts.taxonomies.values()),
    )
    columns = {value_of(name): column for name, column in (numbers | codes).items()}
    return pl.DataFrame({KEY: keys, **columns})


def released_order(rows: pl.DataFrame) -> NDArray[np.int64]:
    """Return the numbers of rows in the order of their released values."""
    return rows.with_row_index(ROW).sort(rows.columns, nulls_last=True)[ROW].to_numpy()


def _matrix(columns: Mapping[str, NDArray[Any]], table: Table, dtype: type) -> NDArray[Any]:
    if not columns:
        return np.empty((table.n, 0), dtype=dtype)
    return np.column_stack([column.astype(dtype) for column in columns.values()])

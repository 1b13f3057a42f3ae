"""What do the engines ask of one piece of the records, and what becomes of the answers?

A piece is a table of some records: a batch of a file, or of the rows that a worker holds.
Counts are whole numbers and add up, whatever the pieces are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.engines.shared.cells import concept_codes, curve_cells
from covey.engines.shared.typed import sorted_rows, typed_rows
from covey.errors import DataError
from covey.partition.insensitive import distance_from_corner
from covey.postprocess.rows import Untouched

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from covey.partition.insensitive import PublicOrder
    from covey.table import Table

ROW, KEY = "(row)", "(key)"
"""Helping columns; in brackets, so that no attribute is called so."""


def value_of(name: str) -> str:
    """Return the helping column with the numbers of an attribute."""
    return f"({name})"


def mean_column(name: str) -> str:
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


def ranked_values(table: Table, quasi: Sequence[str], untouched: Sequence[str]) -> pl.DataFrame:
    """Return what individual ranking needs of each record: numbers, and what stays as it is."""
    numbers = [pl.Series(value_of(name), table.values(name)) for name in quasi]
    return pl.DataFrame([*(table.frame[name] for name in untouched), *numbers])


def with_means(
    head: Table, frame: pl.DataFrame, quasi: Sequence[str], untouched: Sequence[str]
) -> pl.DataFrame:
    """Release the means beside some records in the place of their values."""
    types = head.frame.schema
    empty = [pl.lit(None, dtype=types[name]).alias(name) for name in quasi]
    piece = replace(head, frame=frame.select(*untouched, *empty))
    means = {name: frame[mean_column(name)].to_numpy() for name in quasi}
    return typed_rows(piece, {**means, **{name: Untouched() for name in untouched}})


def in_public_order(table: Table, order: PublicOrder) -> pl.DataFrame:
    """Return the place of each record in a total public order, and its integers and codes.

    Records are to be sorted by all columns of it, from the first to the last.
    """
    if order.kind == "hilbert":
        from covey.kernels.hilbert import hilbert_index

        cells = curve_cells(table, order)
        columns = dict(zip(order.grids, cells.T, strict=True))
        keys = hilbert_index(cells, order.bits).astype(np.float64)
    else:
        numbers = {name: grid.integers(table.values(name)) for name, grid in order.grids.items()}
        codes = {name: concept_codes(table, order, name) for name in order.taxonomies}
        steps = np.array([float(grid.steps) for grid in order.grids.values()])
        keys = distance_from_corner(
            _matrix(numbers, table, np.float64),
            np.zeros(steps.size),
            steps,
            codes=_matrix(codes, table, np.int64) if codes else None,
            taxonomies=tuple(order.taxonomies.values()),
        )
        columns = numbers | codes
    return pl.DataFrame(
        {KEY: keys, **{value_of(n): c.astype(np.int64) for n, c in columns.items()}}
    )


def refuse_empty(n: int) -> None:
    """Refuse a table without records."""
    if n == 0:
        raise DataError(
            "the table holds no complete record, so there is nothing to publish. "
            "Check the file, and the `missing` policies in the schema."
        )


def released_order(rows: pl.DataFrame) -> NDArray[np.int64]:
    """Return the numbers of rows in the order of their released values."""
    return sorted_rows(rows.with_row_index(ROW), rows.columns)[ROW].to_numpy()


def _matrix(columns: Mapping[str, NDArray[Any]], table: Table, dtype: type) -> NDArray[Any]:
    if not columns:
        return np.empty((table.n, 0), dtype=dtype)
    return np.column_stack([column.astype(dtype) for column in columns.values()])

"""How are tables written down as rows?  One row to a cell, one column to an attribute.

An attribute that is not part of a table is null in its rows: added up over all of its values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.postprocess.interactions import Names

ALL_RECORDS = "(all)"
"""The table of no attribute: the number of records."""

OF_TABLE, CELL_COUNT, CELL_LOWER, CELL_UPPER = "table", "count", "lower", "upper"
RESERVED = (OF_TABLE, CELL_COUNT, CELL_LOWER, CELL_UPPER)
"""Columns that every such frame has; attributes must not be called so."""


def table_name(names: Names) -> str:
    """Return what a table is called: the product of its columns."""
    return "*".join(names) or ALL_RECORDS


def tidy(
    labels: Mapping[str, Sequence[str]],
    tables: Mapping[Names, Mapping[str, NDArray[Any]]],
    *,
    key: str = OF_TABLE,
    called: Mapping[Names, str] | None = None,
) -> dict[str, pl.Series]:
    """Return the columns of a frame with one row for each cell of some tables.

    Parameters
    ----------
    labels : mapping
        The names of the cells of each attribute.
    tables : mapping
        By its attributes, what stands in the cells of a table: arrays with one axis to each.
    key : str
        The column that names the table.
    called : mapping, optional
        What some tables are called, if not by the product of their columns in this order.
    """
    sizes = [next(iter(values.values())).size for values in tables.values()]
    texts_of = [(called or {}).get(names, table_name(names)) for names in tables]
    columns = {key: pl.Series(key, np.repeat(texts_of, sizes).tolist(), dtype=pl.String)}
    for name, texts in labels.items():
        parts = []
        for names, size in zip(tables, sizes, strict=True):
            if name in names:
                shape = [len(labels[each]) for each in names]
                codes = np.indices(shape)[names.index(name)].ravel()
                parts.append(pl.Series(name, texts, dtype=pl.String)[codes])
            else:
                parts.append(pl.Series(name, [None], dtype=pl.String).new_from_index(0, size))
        columns[name] = pl.concat(parts)
    for name in next(iter(tables.values())):
        values = np.concatenate([t[name].ravel() for t in tables.values()])
        columns[name] = pl.Series(name, values, nan_to_null=True)  # the mean of nobody is no number
    return columns

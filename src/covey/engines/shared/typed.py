"""How do released numbers and texts become columns of the table's types?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.engines.shared.ruled import obeying
from covey.postprocess.rows import Untouched
from covey.table import Table, from_texts, from_values

if TYPE_CHECKING:
    from covey.table import Head


def typed_rows(head: Head | Table, columns: Mapping[str, Any]) -> pl.DataFrame:
    """Return released columns in the order and the types of the table.

    What a system with a differential promise releases obeys the rules of the schema.  Records that
    were grouped (a `Table` is given) do not: what a rule makes of a row can depend on columns that
    were published as they were, and would tell the rows of a group apart.
    """
    names = [name for name in head.schema.names if name in columns]
    frame = pl.DataFrame([_series(head, name, columns[name]) for name in names])
    return frame if isinstance(head, Table) else obeying(head, frame)


def sorted_rows(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return rows in the order of some columns, missing values last."""
    # Said of all columns, whether they have nulls or not, polars takes four times as long.
    last = [frame[name].null_count() > 0 for name in names]
    return frame.sort(names, nulls_last=last)


def _series(head: Head | Table, name: str, values: Any) -> pl.Series:
    if isinstance(values, Untouched):
        return head.frame[name]  # type: ignore[union-attr]  # a plain system sees the table
    if isinstance(values, np.ndarray) and values.dtype != object:
        return from_values(head, name, values)
    return from_texts(head, name, list(values))

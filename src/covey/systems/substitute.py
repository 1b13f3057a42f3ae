"""Which public record stands for a record that is not kept?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.errors import SchemaError
from covey.table import Attribute, Scale, Table, from_values
from covey.table.attribute import MISSING_CATEGORY
from covey.table.dtypes import cast_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray


def only(table: Table, attributes: Sequence[Attribute]) -> Table:
    """Return the table with some of its columns, so that nothing else can be looked at."""
    names = [attribute.name for attribute in attributes]
    schema = replace(table.schema, attributes=tuple(attributes))
    return replace(table, schema=schema, frame=table.frame.select(names))


def substituted(table: Table, mask: NDArray[np.bool_]) -> Table:
    """Return the table with the default record in place of each record that is not kept."""
    kept = pl.Series(mask)
    columns = [
        table.frame[attribute.name].zip_with(
            kept, _column(table, attribute).new_from_index(0, table.n)
        )
        for attribute in table.schema
    ]
    return replace(table, frame=pl.DataFrame(columns))


def dropping(table: Table, mask: NDArray[np.bool_]) -> Table:
    """Return the table without the records that are not kept; perhaps none is left."""
    return replace(table, frame=table.frame.filter(pl.Series(mask)))


def default_value(table: Table, attribute: Attribute) -> float | str:
    """Return the default of an attribute, from its schema and the type of its column alone.

    The value that the schema imputes, if there is one; otherwise the middle of the public
    bounds, or the first category that the column can hold (of a taxonomy: its first leaf).
    """
    if attribute.impute is not None:
        return attribute.impute
    if attribute.scale is Scale.NOMINAL:
        dtype = table.frame[attribute.name].dtype
        fitting = [text for text in _categories(table, attribute) if _fits(text, dtype)]
        if fitting:
            return fitting[0]
        raise SchemaError(
            f"attribute {attribute.name!r} lists neither categories nor a taxonomy with a value "
            f"that its column can hold, so a default value would come from the data. Give "
            f'`categories = [...]` or `taxonomy = "file.csv"`, from public knowledge.'
        )
    low, high = attribute.public_bounds
    if attribute.categories is not None:
        return attribute.categories[int(high) // 2]
    middle = low + (high - low) / 2.0
    return float(np.rint(middle)) if attribute.integer else middle


def default_number(table: Table, attribute: Attribute) -> float:
    """Return the default of a numeric attribute, or the code of an ordinal one's."""
    value = default_value(table, attribute)
    return float(table.domain(attribute.name).index(value) if isinstance(value, str) else value)


def _categories(table: Table, attribute: Attribute) -> list[str]:
    if attribute.categories is not None:
        return list(attribute.categories)
    if attribute.taxonomy is None:
        return []
    taxonomy = table.taxonomy(attribute.name)
    leaves = [taxonomy.concepts[leaf] for leaf in taxonomy.leaves]
    return [leaf for leaf in leaves if leaf != MISSING_CATEGORY]


def _fits(text: str, dtype: pl.DataType) -> bool:
    return cast_texts(pl.Series([text]), dtype).null_count() == 0


def _column(table: Table, attribute: Attribute) -> pl.Series:
    name, dtype = attribute.name, table.frame[attribute.name].dtype
    if attribute.scale is Scale.NOMINAL:
        return cast_texts(pl.Series(name, [str(default_value(table, attribute))]), dtype)
    return from_values(table, name, np.array([default_number(table, attribute)])).cast(dtype)

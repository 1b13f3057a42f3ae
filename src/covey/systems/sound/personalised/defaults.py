"""Which public record stands for a record that does not take part?"""

from __future__ import annotations

import numpy as np
import polars as pl

from covey.errors import SchemaError
from covey.table import Attribute, Head, Scale
from covey.table.attribute import MISSING_CATEGORY
from covey.table.calendar import place_of
from covey.table.dtypes import cast_texts


def default_value(head: Head, attribute: Attribute) -> float | str:
    """Return the default of an attribute, from its schema and the type of its column alone.

    The value that the schema imputes, if there is one; otherwise the middle of the public
    bounds, or the first category that the column can hold (of a taxonomy: its first leaf).
    """
    if attribute.impute is not None and attribute.kind is not None:
        return place_of(attribute, attribute.impute)
    if attribute.impute is not None:
        return attribute.impute if isinstance(attribute.impute, str) else float(attribute.impute)
    if attribute.scale is Scale.NOMINAL:
        dtype = head.dtype(attribute.name)
        fitting = [text for text in _categories(head, attribute) if _fits(text, dtype)]
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
    return float(attribute.rounded(np.array([middle]))[0])


def default_number(head: Head, attribute: Attribute) -> float:
    """Return the default of a numeric attribute, or the code of an ordinal one's."""
    value = default_value(head, attribute)
    return float(head.domain(attribute.name).index(value) if isinstance(value, str) else value)


def _categories(head: Head, attribute: Attribute) -> list[str]:
    if attribute.categories is not None:
        return list(attribute.categories)
    if attribute.taxonomy is None:
        return []
    taxonomy = head.taxonomy(attribute.name)
    leaves = [taxonomy.concepts[leaf] for leaf in taxonomy.leaves]
    return [leaf for leaf in leaves if leaf != MISSING_CATEGORY]


def _fits(text: str, dtype: pl.DataType) -> bool:
    return cast_texts(pl.Series([text]), dtype).null_count() == 0

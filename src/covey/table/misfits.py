"""What in the data does not fit their description: gaps, values outside, records left out?

For whoever publishes, before anything is spent, and for nobody else: these are counts of records.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from covey.errors import CoveyError, DataError
from covey.table.attribute import Attribute
from covey.table.listed import codes_removed
from covey.table.table import build_table

if TYPE_CHECKING:
    from covey.table.schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMisfit:
    """How one column fits its description.

    Parameters
    ----------
    gaps : int
        Records without a value, codes for missing included.
    outside : int
        Numbers outside the public bounds: they are moved to the nearer one.
    refused : str
        Why no release could be made with this column, in words; empty if one could.
    """

    gaps: int = 0
    outside: int = 0
    refused: str = ""


def find_misfit(column: pl.Series, attribute: Attribute, schema: Schema) -> ColumnMisfit:
    """Compare one column with its description; ``schema`` tells where taxonomies are."""
    if attribute.is_hidden:
        return ColumnMisfit()
    kept = codes_removed(column, attribute)
    lacking = kept.is_null() | kept.is_nan() if kept.dtype.is_float() else kept.is_null()
    gaps = int(lacking.fill_null(value=True).sum())
    # Without rules: they speak of several columns.
    alone = replace(schema, attributes=(attribute,), rules=())
    try:
        table = build_table(column.to_frame(), alone, kind="csv", piece=True)
    except CoveyError as error:
        return ColumnMisfit(gaps=gaps, refused=str(error))
    return ColumnMisfit(gaps=gaps, outside=table.outside_bounds().get(attribute.name, 0))


def find_misfits(frame: pl.DataFrame, schema: Schema) -> dict[str, ColumnMisfit]:
    """Compare all columns with their description."""
    return {each.name: find_misfit(frame[each.name], each, schema) for each in schema}


def count_left_out(frame: pl.DataFrame, schema: Schema, published: Collection[str]) -> int:
    """Count the records that a release of these columns would leave out for their gaps."""
    dropping = [each for each in schema.dropping_for(published) if each.drops]
    if not dropping:
        return 0
    some = replace(schema, attributes=tuple(dropping), rules=())
    kept = frame.select(each.name for each in dropping)
    try:
        return build_table(kept, some, kind="csv", piece=True).dropped
    except DataError:
        return frame.height

"""What schema would a person start from, and which parts of it must she still confirm?"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.errors import DataError
from covey.table.attribute import Attribute, Missing, Role, Scale
from covey.table.draft_moments import draft_moments
from covey.table.dtypes import is_unusual
from covey.table.schema import Schema
from covey.table.step import decimals_in, on_steps, step_of_decimals

if TYPE_CHECKING:
    from covey.table.sources import RawTable

_IDENTIFIER = re.compile(
    r"(^|[_\s.-])(id|uuid|name|email|phone|ssn|passport)($|[_\s.-])", re.IGNORECASE
)
MOST_CATEGORIES = 50
"""A text column with more distinct values than this is drafted as an identifier."""


def draft_schema(frame: pl.DataFrame) -> Schema:
    """Draft a schema from a frame, marking everything that was read off the data."""
    if not frame.columns:
        raise DataError(
            "the table has no columns, so there is nothing to describe. Check the file."
        )
    if not frame.height:
        raise DataError(
            "the table is empty: it has columns and no records, so nothing about them can be "
            "drafted. Check the file."
        )
    return Schema(tuple(_draft(frame[name]) for name in frame.columns))


def draft_raw(found: RawTable) -> Schema:
    """Draft a schema of a table as it was found."""
    return replace(draft_schema(found.frame), reading=found.reading)


def _draft(column: pl.Series) -> Attribute:
    if column.dtype.is_numeric():
        return _draft_numeric(column)
    moments = None if _IDENTIFIER.search(column.name) else draft_moments(column)
    if moments is not None:
        return moments
    if is_unusual(column.dtype) or _IDENTIFIER.search(column.name):
        return Attribute(column.name, role=Role.IDENTIFIER, scale=Scale.NOMINAL)
    if column.n_unique() > MOST_CATEGORIES:
        return Attribute(
            column.name, role=Role.IDENTIFIER, scale=Scale.NOMINAL, drafted=("role", "scale")
        )
    categories = tuple(column.cast(pl.String).drop_nulls().unique().sort().to_list())
    return Attribute(
        column.name,
        scale=Scale.NOMINAL,
        categories=categories or None,
        missing=Missing.CATEGORY if column.null_count() else Missing.REFUSE,
        # Few values, so no identifier; and texts, because one value at least is no number.
        drafted=("categories", "missing", "role", "scale"),
    )


def _draft_numeric(column: pl.Series) -> Attribute:
    finite = column.cast(pl.Float64)
    finite = finite.filter(finite.is_finite().fill_null(value=False))
    low, high = finite.min(), finite.max()
    bounds = None
    if isinstance(low, float) and isinstance(high, float) and low < high:
        bounds = (low, high)
    integer, step = _steps(column)
    if bounds is not None and step is not None:
        low, high = on_steps(np.array(bounds), 0.0, step).tolist()
        bounds = (low, high)
    if _IDENTIFIER.search(column.name):
        return Attribute(
            column.name, role=Role.IDENTIFIER, integer=integer, drafted=("integer", "scale")
        )
    return Attribute(
        column.name,
        bounds=bounds,
        integer=integer,
        step=step,
        missing=Missing.DROP if len(finite) < len(column) else None,
        drafted=("bounds", "integer", "missing", "scale", *(("step",) if step else ())),
    )


def _steps(column: pl.Series) -> tuple[bool, float | None]:
    """Return whether all numbers are whole, and the step that their decimals mean.

    One gap makes floats of whole numbers in most programs, so the type alone does not tell.
    """
    if not column.dtype.is_float():
        return column.dtype.is_integer(), None
    known = column.filter(column.is_finite().fill_null(value=False)).to_numpy()
    decimals = decimals_in(known) if known.size else None
    whole = decimals == 0 and bool((known == np.rint(known)).all())
    return whole, step_of_decimals(column.name, decimals) if decimals else None

"""How do texts of a file become numbers, truth values and missing values?

A column has the first type that holds all its texts: whole numbers, numbers, truth values, texts.
Nothing is guessed from a few lines, and 01067 stays a text.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

import polars as pl

from covey.table.attribute import Attribute, Scale

if TYPE_CHECKING:
    from covey.table.dialect import Dialect

_PADDED = r"^[+-]?0[0-9]"
_MOST_DIGITS = r"^[+-]?[0-9]{19,}$"
"""Longer whole numbers do not fit into 64 bits, and as floats they would lose digits."""


def number_pattern(decimal: str, thousands: str) -> str:
    """Return the regular expression of a number as it is written in a file.

    Examples
    --------
    >>> bool(re.fullmatch(number_pattern(",", "."), "1.234,5"))
    True
    """
    point, whole = re.escape(decimal), "[0-9]+"
    if thousands:
        whole = f"(?:[0-9]{{1,3}}(?:{re.escape(thousands)}[0-9]{{3}})+|[0-9]+)"
    return rf"[+-]?(?:{whole}(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?"


def without_codes(texts: pl.Series, codes: Collection[str] = ()) -> pl.Series:
    """Return texts with empty ones, blanks and codes for missing as missing values."""
    bare = texts.str.strip_chars()
    lacking = bare.is_in(["", *(code.strip() for code in codes)])
    return texts.set(lacking.fill_null(value=True), None)


def possible_types(attribute: Attribute | None) -> list[pl.DataType]:
    """Return the types that a column of texts may turn out to hold, the narrowest first.

    What a schema calls a name stays a text, even if it looks like a number: 01001.
    """
    if attribute is None:
        return [pl.Int64(), pl.Float64(), pl.Boolean()]
    if attribute.kind is not None:
        return []  # points in time are read by their own format
    if set(attribute.categories or ()) == {"true", "false"}:
        return [pl.Boolean()]
    if attribute.is_named:
        return []
    return [pl.Int64(), pl.Float64(), pl.Boolean()]


def holds(texts: pl.Series, dtype: pl.DataType, reading: Dialect, *, numeric: bool) -> bool:
    """Return whether all texts are values of a type.

    Parameters
    ----------
    texts : Series
        Without codes for missing values.
    dtype : DataType
        The type.
    reading : Dialect
        How numbers are written.
    numeric : bool
        Whether the column is known to hold numbers, so that leading zeros mean nothing.
    """
    if not numeric and dtype.is_numeric():
        bare = texts.str.strip_chars()
        if bare.str.contains(_PADDED).any() or bare.str.contains(_MOST_DIGITS).any():
            return False
    return as_type(texts, dtype, reading).null_count() == texts.null_count()


def as_type(texts: pl.Series, dtype: pl.DataType, reading: Dialect) -> pl.Series:
    """Return texts as values of a type; those that are none become missing values."""
    if dtype == pl.String():
        return texts
    bare = texts.str.strip_chars()
    if dtype == pl.Boolean():
        words = {"true": True, "false": False}
        return bare.str.to_lowercase().replace_strict(words, default=None, return_dtype=pl.Boolean)
    decimal, thousands = reading.decimal or ".", reading.thousands or ""
    if thousands or decimal != ".":
        written = bare.str.contains(f"^{number_pattern(decimal, thousands)}$")
        special = bare.str.to_lowercase().is_in(["nan", "inf", "-inf"])
        bare = bare.set(~(written | special), None)
        if thousands:
            bare = bare.str.replace_all(thousands, "", literal=True)
        bare = bare.str.replace(decimal, ".", literal=True)
    return bare.cast(dtype, strict=False)


def as_values(texts: pl.Series, reading: Dialect, attribute: Attribute | None = None) -> pl.Series:
    """Return a column of texts in the narrowest type that holds all of them."""
    codes = () if attribute is None else attribute.missing_codes
    texts = without_codes(texts, codes)
    numeric = attribute is not None and attribute.scale is not Scale.NOMINAL
    for dtype in possible_types(attribute):
        if texts.null_count() < len(texts) and holds(texts, dtype, reading, numeric=numeric):
            return as_type(texts, dtype, reading)
    if texts.null_count() == len(texts) and numeric and possible_types(attribute):
        return texts.cast(pl.Float64)
    return texts

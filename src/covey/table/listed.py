"""Which values count as missing, and what becomes of those outside a public list?

Both are maps of single values that depend on the schema alone, so a promise about records holds
for what comes out of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from covey.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Collection

    from covey.table.attribute import Attribute


def checked_codes(name: str, codes: Any) -> tuple[str, ...]:
    """Return codes for missing values as texts, or refuse what is no list of them."""
    if isinstance(codes, str) or not isinstance(codes, (list, tuple)):
        raise SchemaError(
            f"attribute {name!r} has missing_codes = {codes!r}, which is no list. "
            f'Write one: `missing_codes = ["NA", "-9"]`.'
        )
    for code in codes:
        if isinstance(code, bool) or not isinstance(code, (str, int, float)):
            raise SchemaError(
                f"attribute {name!r} has a code for missing that is neither a text nor a number, "
                f'so no value can equal it. Write texts: `missing_codes = ["NA", "-9"]`.'
            )
    texts = tuple(f"{code:g}" if isinstance(code, float) else str(code).strip() for code in codes)
    if len(set(texts)) < len(texts):
        raise SchemaError(
            f"the codes for missing of attribute {name!r} repeat themselves. List each once."
        )
    return texts


def check_unknown(attribute: Attribute) -> None:
    """Refuse a place for unknown values that is none."""
    if attribute.unknown is None:
        return
    if attribute.categories is None and attribute.taxonomy is None:
        raise SchemaError(
            f"attribute {attribute.name!r} says what unknown values count as and lists no known "
            f"ones, so none is unknown. Add `categories = [...]`, or remove `unknown`."
        )
    if attribute.categories is not None and attribute.unknown not in attribute.categories:
        raise SchemaError(
            f"attribute {attribute.name!r} counts unknown values as {attribute.unknown!r}, which "
            f"is none of its categories, so it could not be published. Add it to the list."
        )


def codes_removed(column: pl.Series, attribute: Attribute) -> pl.Series:
    """Return a column with its codes for missing as missing values.

    Texts of which numbers are left become numbers, where the schema says that they are.
    """
    codes = attribute.missing_codes
    if not codes or attribute.is_hidden:
        return column
    if column.dtype.is_numeric():
        numbers = pl.Series(codes, dtype=pl.String).cast(pl.Float64, strict=False).drop_nulls()
        return column.set(column.cast(pl.Float64).is_in(numbers.to_list()), None)
    if not _is_text(column.dtype):
        return column
    texts = column.cast(pl.String)
    texts = texts.set(texts.str.strip_chars().is_in([*codes, ""]), None)
    if (attribute.scale == "numeric" or attribute.is_numeric_ordinal) and attribute.kind is None:
        numbers = texts.str.strip_chars().cast(pl.Float64, strict=False)
        return numbers if numbers.null_count() == texts.null_count() else texts
    return texts


def unknown_placed(column: pl.Series, attribute: Attribute, known: Collection[str]) -> pl.Series:
    """Return a column whose values outside a public list are the public one for unknown."""
    if attribute.unknown is None:
        return column
    texts = column.cast(pl.String)
    return texts.set(~texts.is_in(list(known)) & texts.is_not_null(), attribute.unknown)


def _is_text(dtype: pl.DataType) -> bool:
    return dtype == pl.String or isinstance(dtype, (pl.Categorical, pl.Enum))

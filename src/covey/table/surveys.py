"""How are files of SPSS, Stata and SAS read, with their labels and codes for missing?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from covey.errors import DataError
from covey.table.bounded import reading_errors
from covey.table.dialect import Dialect
from covey.table.sources import SURVEYS, RawTable, ending_of, need

if TYPE_CHECKING:
    from covey.table.schema import Schema


def read_survey(path: Path, stated: Dialect, schema: Schema | None) -> RawTable:
    """Read a file of a statistics package.

    Values that the file declares as missing are missing.  A column all of whose values have
    labels holds these labels, unless ``labels = false`` asks for the codes.
    """
    del schema
    pyreadstat = need("pyreadstat", "survey", f"the file {str(path)!r}")
    reader = getattr(pyreadstat, SURVEYS[ending_of(path.name) or ""])
    try:
        with reading_errors(str(path)):
            columns, meta = reader(
                str(path), output_format="dict", encoding=stated.encoding or None
            )
            lacking = _declared_missing(reader, path, stated)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeError, ValueError):
        raise DataError(
            f"the file {str(path)!r} cannot be read: it is damaged, or its letters are in another "
            f"encoding than it says. Export it again, or state --encoding."
        ) from None
    frame = pl.DataFrame({name: _column(name, values) for name, values in columns.items()})
    wanted = stated.labels is not False
    labels: dict[str, tuple[str, ...]] = {}
    for name, texts in (meta.variable_value_labels or {}).items() if wanted else ():
        column = frame[name]
        labelled = _labelled(column, texts)
        if labelled is not None:
            frame = frame.with_columns(labelled)
            numeric = column.dtype.is_numeric()
            labels[name] = _labels_of_values(texts, lacking.get(name, ()), numeric=numeric)
    ordered = {
        name
        for name, measure in (getattr(meta, "variable_measure", None) or {}).items()
        if measure == "ordinal" and name in labels
    }
    return RawTable(
        frame=frame,
        kind="csv",
        reading=replace(Dialect(), labels=wanted, encoding=stated.encoding),
        labels=labels,
        ordered=frozenset(ordered),
        descriptions={
            name: text.strip()
            for name, text in (meta.column_names_to_labels or {}).items()
            if text and text.strip() and text.strip() != name
        },
    )


def _declared_missing(
    reader: Any, path: Path, stated: Dialect
) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return the ranges of codes for missing, which SPSS files alone declare."""
    if not reader.__name__.startswith(("read_sav", "read_por")):
        return {}
    kept = {} if reader.__name__ == "read_por" else {"user_missing": True}
    meta = reader(str(path), metadataonly=True, encoding=stated.encoding or None, **kept)[1]
    return meta.missing_ranges or {}


def _labels_of_values(
    texts: Mapping[Any, str], lacking: Sequence[Mapping[str, Any]], *, numeric: bool
) -> tuple[str, ...]:
    """Return the labels in the order of their codes, without those of missing values.

    Stata's missing values .a to .z have labels, too: they are letters among numbers.
    """
    codes = sorted(code for code in texts if _is_number(code) == numeric)
    ranges = [(each["lo"], each["hi"]) for each in lacking if _is_number(each["lo"]) == numeric]
    kept = (code for code in codes if not any(low <= code <= high for low, high in ranges))
    return tuple(dict.fromkeys(str(texts[code]) for code in kept))


def _column(name: str, values: Any) -> pl.Series:
    column = pl.Series(name, list(values), strict=False)
    if column.dtype.is_float():
        column = column.fill_nan(None)
        known = column.drop_nulls()
        if len(known) and (known == known.round(0)).all() and known.abs().max() < 2**53:  # type: ignore[operator]
            return column.cast(pl.Int64)
    if column.dtype == pl.String:
        return column.set(column.str.strip_chars() == "", None)
    return column


def _labelled(column: pl.Series, labels: Mapping[Any, str]) -> pl.Series | None:
    """Return the labels of all values, or None if some value has none."""
    if len(set(labels.values())) < len(labels):
        return None  # two codes with one label would become one
    if column.dtype.is_numeric():
        codes = {float(code): str(text) for code, text in labels.items() if _is_number(code)}
        values = column.cast(pl.Float64)
    else:
        codes = {str(code): str(text) for code, text in labels.items()}  # type: ignore[misc]
        values = column.cast(pl.String)
    known = values.drop_nulls()
    if not codes or not known.is_in(list(codes)).all():
        return None
    return values.replace_strict(codes, default=None, return_dtype=pl.String)


def _is_number(code: Any) -> bool:
    return isinstance(code, (int, float)) and not isinstance(code, bool)

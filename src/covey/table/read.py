"""How does a file or a dataframe of any kind become a table, and a release become one again?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from covey.errors import DataError, SchemaError
from covey.table.attribute import MISSING_CATEGORY, Missing, Scale
from covey.table.delimited import refuse_repeated_columns
from covey.table.dialect import Dialect
from covey.table.draft import draft_raw
from covey.table.dtypes import as_stored
from covey.table.numerals import as_values
from covey.table.sources import RawTable, find_table
from covey.table.table import Kind, Table, build_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from covey.table.head import Head
    from covey.table.schema import Schema


def read_table(source: Any, schema: Schema | None = None, **reading: Any) -> Table:
    """Read records from a path, a dataframe or an array.

    Parameters
    ----------
    source : path, pandas, polars or pyarrow dataframe, or numpy array
        A path is a file of text (.csv, .tsv, .csv.gz), Parquet, Arrow, Excel, SPSS, Stata or SAS,
        a folder of Parquet or CSV files, an address such as ``s3://…``, a query such as
        ``duckdb://FILE?SELECT …``, or ``-`` for standard input.  A numpy array has one row for
        each record and numbers only; its columns are named by the schema, or ``x0, x1, …``.
    schema : Schema, optional
        Without one, a schema is drafted; its bounds are then marked as taken from the data
        and no differential privacy can rest on them.
    **reading
        How a file is written, where it is not to be detected: ``encoding``, ``separator``,
        ``quote``, ``decimal``, ``thousands``, ``header``, ``skip``, ``sheet``, ``labels``.

    Returns
    -------
    Table
        The records, after the schema's missing-value policies.
    """
    stated = Dialect.of(reading)
    found, kind, dtypes = read_raw(source, schema, stated)
    if schema is None:
        schema = draft_raw(found)
        found = replace(found, frame=_without_words(found, schema))
    elif stated.stated():
        schema = replace(schema, reading=schema.reading.overridden(stated))
    table = build_table(found.frame, schema, kind=kind, native_dtypes=dtypes)
    return table if found.reading.is_plain else replace(table, read_as=found.reading.told())


def _without_words(found: RawTable, schema: Schema) -> pl.DataFrame:
    """Read columns again that a draft takes for numbers with words for "no value" among them."""
    texts = [each for each in schema if each.missing_codes and each.scale is Scale.NUMERIC]
    return found.frame.with_columns(
        as_values(found.frame[each.name], found.reading, each)
        for each in texts
        if found.frame[each.name].dtype == pl.String
    )


def read_frame(
    source: Any, schema: Schema | None = None, stated: Dialect | None = None
) -> tuple[pl.DataFrame, Kind, Mapping[Any, Any] | None]:
    """Read a source into a polars frame, and remember what it was."""
    found, kind, dtypes = read_raw(source, schema, stated)
    return found.frame, kind, dtypes


def read_raw(
    source: Any, schema: Schema | None = None, stated: Dialect | None = None
) -> tuple[RawTable, Kind, Mapping[Any, Any] | None]:
    """Read a source, and remember what it was and how it was read."""
    if isinstance(source, (str, Path)):
        reading = (Dialect() if schema is None else schema.reading).overridden(stated)
        found = find_table(source, reading, schema)
        return replace(found, frame=as_stored(found.frame)), found.kind, None
    frame, kind, dtypes = _held_frame(source, schema)
    return RawTable(frame=as_stored(frame), kind=kind), kind, dtypes


def _held_frame(
    source: Any, schema: Schema | None
) -> tuple[pl.DataFrame, Kind, Mapping[Any, Any] | None]:
    if isinstance(source, np.ndarray):
        return _from_array(source, None if schema is None else schema.names), "numpy", None
    if hasattr(source, "read_all"):
        source = source.read_all()  # a reader of Arrow batches
    try:
        native: Any = nw.from_native(source)
    except nw.exceptions.DuplicateError:
        names = source.column_names if hasattr(source, "column_names") else source.columns
        refuse_repeated_columns(names)
        raise
    except (TypeError, ValueError):
        raise DataError(
            f"a table cannot be read from a {type(source).__name__}. Give a path, or a pandas, "
            f"polars or pyarrow dataframe, or another that narwhals knows, or a numpy array."
        ) from None
    try:
        if isinstance(native, nw.LazyFrame):
            native = native.collect(backend="polars")
        frame = native.to_polars()
    except Exception:  # noqa: BLE001
        # The backend's own message may quote values, so it is not passed on.
        raise DataError(
            "a column of the dataframe mixes types, or what it is computed from fails, so it "
            "cannot be read. Give each column one type."
        ) from None
    if native.implementation.is_pandas():
        return frame, "pandas", dict(source.dtypes)
    if native.implementation.is_pyarrow():
        return frame, "pyarrow", dict(zip(source.column_names, source.schema.types, strict=True))
    return frame, "polars", None


def to_kind(frame: pl.DataFrame, head: Head) -> Any:
    """Give a frame back as the kind that the records came as; its types are the schema's."""
    if head.kind in ("pandas", "numpy"):
        frame = frame.with_columns(_with_gaps(frame[name], head) for name in frame.columns)
    if head.kind == "pandas":
        data = frame.to_pandas().rename(columns=head.labels)
        for name, dtype in frame.schema.items():
            if dtype == pl.Boolean and _allows_gaps(head, name):
                data[head.labels[name]] = data[head.labels[name]].astype(object)
        for name in head.categorical & set(frame.columns):
            import pandas as pd

            label = head.labels[name]
            listed = [text for text in head.domain(name) if text != MISSING_CATEGORY]
            data[label] = data[label].astype(object).astype(pd.CategoricalDtype(listed))
        return data
    if head.kind == "pyarrow":
        import pyarrow as pa

        texts = {name: pa.string() for name, dtype in frame.schema.items() if dtype == pl.String}
        kinds = {
            name: pa.dictionary(pa.int32(), pa.string()) if name in head.categorical else kind
            for name, kind in texts.items()
        }
        arrow = frame.to_arrow()
        return arrow.cast(
            pa.schema([(each.name, kinds.get(each.name, each.type)) for each in arrow.schema])
        )
    return frame.to_numpy() if head.kind == "numpy" else frame


def _with_gaps(column: pl.Series, head: Head) -> pl.Series:
    """Return whole numbers as floats where the schema allows gaps, whether there is one or not.

    Neither library has gaps in whole numbers, so the type would tell about the records.
    """
    gaps = column.dtype.is_integer() and _allows_gaps(head, column.name)
    return column.cast(pl.Float64) if gaps else column


def _allows_gaps(head: Head, name: str) -> bool:
    """Return whether a column may lack values; a table of counts has columns of its own."""
    return name in head.schema.names and head.schema[name].missing is Missing.CATEGORY


def to_native(frame: pl.DataFrame, table: Table) -> Any:
    """Give a frame back as the kind that the table came as, with its column types."""
    if table.kind == "pandas":
        return _to_pandas(frame, table.native_dtypes or {})
    if table.kind == "pyarrow":
        return _to_arrow(frame, table.native_dtypes or {})
    if table.kind == "numpy":
        return frame.to_numpy()
    return frame


def _to_pandas(frame: pl.DataFrame, dtypes: Mapping[Any, Any]) -> Any:
    # pandas allows labels that are no texts, polars does not.
    labels = {str(label): label for label in dtypes}
    data = frame.to_pandas().rename(columns=labels)
    for label in data.columns:
        dtype, values = dtypes[label], data[label]
        if hasattr(dtype, "categories"):
            # A value that is no category would silently become a missing one.
            new = [value for value in values.dropna().unique() if value not in dtype.categories]
            dtype = type(dtype)([*dtype.categories, *new], ordered=dtype.ordered)
        # By way of objects: types with the same categories in another order count as equal.
        data[label] = values.astype(object).astype(dtype)
    return data


def _to_arrow(frame: pl.DataFrame, dtypes: Mapping[Any, Any]) -> Any:
    import pyarrow as pa

    def column(name: str) -> Any:
        if pa.types.is_dictionary(dtypes[name]):
            return pa.array(frame[name].cast(pl.String).to_list(), dtypes[name])
        return frame[name].to_arrow().cast(dtypes[name])

    return pa.table({name: column(name) for name in frame.columns})


def _from_array(array: np.ndarray[Any, Any], names: Iterable[str] | None) -> pl.DataFrame:
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2 or array.dtype.kind not in "fiub":  # noqa: PLR2004
        raise DataError(
            "the array is not a table of numbers. Give a two-dimensional numeric array: "
            "one row for each record, one column for each attribute."
        )
    columns = list(names) if names is not None else [f"x{j}" for j in range(array.shape[1])]
    if len(columns) != array.shape[1]:
        raise SchemaError(
            "the schema does not describe as many attributes as the array has columns, so they "
            "cannot be matched. Describe each column once, in order."
        )
    return pl.DataFrame({name: array[:, j] for j, name in enumerate(columns)})

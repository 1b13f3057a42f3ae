"""Which records do we hold, and how do they turn into numbers and back?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl

from covey.errors import DataError, InternalError, SchemaError
from covey.table.attribute import MISSING_CATEGORY, Attribute, Missing, Scale
from covey.table.calendar import from_places, place_of, places, unreadable
from covey.table.calendar_facts import is_in_time
from covey.table.dtypes import cast_texts, is_unusual, range_of
from covey.table.head import Head
from covey.table.listed import codes_removed, unknown_placed
from covey.table.schema import Schema
from covey.table.taxonomy import Taxonomy

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

_NAMED = 20
Kind = Literal["csv", "parquet", "polars", "pandas", "pyarrow", "numpy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Records with a schema, after the missing-value policy was applied.

    Parameters
    ----------
    schema : Schema
        Describes each column.
    frame : polars.DataFrame
        The records in the types and the order of columns that they came in.
    kind : Kind
        What the records came as; a release gives back the same kind.
    native_dtypes : mapping, optional
        Column types of a pandas frame, which polars cannot tell apart.
    dropped : int
        Records removed because of missing values.  For the curator only.
    whole : polars.DataFrame, optional
        All records as they were read, if some were removed.
    read_as : str
        How an unusual file was read, in words.  For the curator only.
    """

    schema: Schema
    frame: pl.DataFrame = field(repr=False)
    kind: Kind
    native_dtypes: Mapping[str, Any] | None = field(default=None, repr=False)
    dropped: int = field(default=0, repr=False)
    whole: pl.DataFrame | None = field(default=None, repr=False)
    read_as: str = field(default="", repr=False)

    @property
    def n(self) -> int:
        """Return the number of records."""
        return self.frame.height

    def dtype(self, name: str) -> pl.DataType:
        """Return the type of a column."""
        return self.frame.schema[name]

    def head(
        self, *, known_n: bool, public: Mapping[str, NDArray[np.float64]] | None = None
    ) -> Head:
        """Return what is public about the table."""
        return Head(
            schema=self.schema,
            n=self.n if known_n else None,
            kind=self.kind,
            labels={str(label): label for label in self.native_dtypes or ()},
            categorical=frozenset(
                str(label)
                for label, dtype in (self.native_dtypes or {}).items()
                # pandas calls its own so, and pyarrow those of dictionaries.
                if hasattr(dtype, "categories") or hasattr(dtype, "index_type")
            ),
            public=public or {},
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Return how the file was read and what the schema left open, for whoever publishes."""
        told = (f"This is how the file was read: {self.read_as}.",) if self.read_as else ()
        return (*told, *self.schema.notes)

    def matrix(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Return numeric values and ordinal codes of some columns, one row for each record."""
        columns = [self.values(name) for name in names]
        return np.column_stack(columns) if columns else np.empty((self.n, 0))

    def values(self, name: str) -> NDArray[np.float64]:
        """Return the values of a numeric column, or the codes of an ordinal or nominal one."""
        attribute = self.schema[name]
        if attribute.scale is Scale.NUMERIC or attribute.is_numeric_ordinal:
            return numbers_of(attribute, self.frame[name])
        codes = self.codes(name).astype(np.float64)
        if attribute.keeps_missing:
            codes[codes == len(attribute.categories or ())] = np.nan
        return codes

    def texts(self, name: str) -> list[str]:
        """Return the values of a column as texts, a missing one as `MISSING_CATEGORY`."""
        return self.frame[name].cast(pl.String).fill_null(MISSING_CATEGORY).to_list()

    def codes(self, name: str) -> NDArray[np.int64]:
        """Return the position of each value in the attribute's domain."""
        position = {value: code for code, value in enumerate(self.domain(name))}
        return np.array([position[text] for text in self.texts(name)], dtype=np.int64)

    def domain(self, name: str) -> tuple[str, ...]:
        """Return the possible values of an ordinal or nominal attribute, in code order.

        "Missing" belongs to the domain if the schema treats it as a category, whether or not
        a value is missing: that would be a fact about the data.
        """
        attribute = self.schema[name]
        if attribute.taxonomy is not None:
            return self.taxonomy(name).concepts
        if attribute.categories is not None:
            listed = attribute.categories
        else:
            present = self.frame[name].cast(pl.String).drop_nulls().unique().sort()
            listed = tuple(present.to_list())
        return (*listed, MISSING_CATEGORY) if attribute.missing is Missing.CATEGORY else listed

    def taxonomy(self, name: str) -> Taxonomy:
        """Return the taxonomy of an attribute; a flat one over its domain if it has none."""
        attribute = self.schema[name]
        if attribute.taxonomy is None:
            return Taxonomy.flat(name, self.domain(name))
        found = Taxonomy.load(self.schema.folder / attribute.taxonomy, name=name)
        lacks = attribute.missing is Missing.CATEGORY and MISSING_CATEGORY not in found.concepts
        return found.with_value(MISSING_CATEGORY) if lacks else found

    def complete_in(self, names: Collection[str]) -> Table:
        """Return the records that lack nothing in these columns, where the schema says drop."""
        schema = self.schema.dropping_for(names)
        if schema == self.schema:
            return self
        if self.whole is None:
            return replace(self, schema=schema)
        found = build_table(self.whole, schema, kind=self.kind, native_dtypes=self.native_dtypes)
        return replace(found, read_as=self.read_as)

    def outside_bounds(self) -> dict[str, int]:
        """Count the values outside the public bounds of each column.  For the curator only."""
        counts = {}
        for attribute in self.schema:
            if attribute.bounds is not None and attribute.scale is Scale.NUMERIC:
                values, (low, high) = self.values(attribute.name), attribute.public_bounds
                ordinary = ~np.isin(values, attribute.special_values)
                counts[attribute.name] = int(np.sum(ordinary & ((values < low) | (values > high))))
        return counts


def numbers_of(attribute: Attribute, column: pl.Series) -> NDArray[np.float64]:
    """Return the numbers of a column, or the steps of its points in time; NaN where missing."""
    if attribute.kind is not None:
        return places(column, attribute)
    return column.cast(pl.Float64).to_numpy().astype(np.float64)


def build_table(
    frame: pl.DataFrame,
    schema: Schema,
    *,
    kind: Kind,
    native_dtypes: Mapping[str, Any] | None = None,
    piece: bool = False,
) -> Table:
    """Check a frame against its schema and apply the missing-value policies.

    This is the last place that may complain about the data: once a `Table` exists,
    nothing may fail depending on its values.  A ``piece`` of a larger table may be empty.
    """
    _check_columns(frame, schema)
    if frame.height == 0 and not piece:
        raise DataError(
            "the table is empty: it has columns and no records, so there is nothing to publish. "
            "Check the file."
        )
    schema = replace(schema, attributes=tuple(schema[name] for name in frame.columns))
    frame = frame.with_columns(codes_removed(frame[each.name], each) for each in schema)
    for attribute in schema:
        _check_values(frame, attribute)
    whole = frame
    frame = _apply_missing(frame, schema)
    if frame.height == 0 and not piece:
        raise DataError(
            "the table holds no complete record, so there is nothing to publish. "
            "Check the file, and the `missing` policies in the schema."
        )
    table = Table(
        schema=schema,
        frame=frame,
        kind=kind,
        native_dtypes=native_dtypes,
        dropped=whole.height - frame.height,
        whole=whole if whole.height > frame.height and not piece else None,
    )
    table = replace(table, frame=frame.with_columns(_known_values(table, each) for each in schema))
    for attribute in schema:
        _check_domain(table, attribute)
    return table


def _known_values(table: Table, attribute: Attribute) -> pl.Series:
    column = table.frame[attribute.name]
    if attribute.unknown is None or attribute.is_hidden:
        return column
    known = table.domain(attribute.name)
    if attribute.unknown not in known:
        raise SchemaError(
            f"attribute {attribute.name!r} counts unknown values as {attribute.unknown!r}, which "
            f"its taxonomy does not have, so it could not be published. Add it there."
        )
    return unknown_placed(column, attribute, known)


def _check_columns(frame: pl.DataFrame, schema: Schema) -> None:
    if not set(schema.names) & set(frame.columns):
        # Without a header its first line would be a record, so it is not shown.
        raise SchemaError(
            "none of the columns that the schema describes is in the data, so nothing was read. "
            "Correct the schema, or say --no-header (header = false) if the first line of the file "
            "is a record."
        )
    for name in schema.names:
        if name not in frame.columns:
            raise SchemaError(
                f"the schema describes a column {name!r} that the data do not have. "
                f"Columns of the data: {_few(frame.columns)}. Correct the schema."
            )
    for name in frame.columns:
        if name not in schema.names:
            raise SchemaError(
                f"column {name!r} of the data is not described in the schema, so covey cannot "
                f'tell whether it may be published. Add it; role = "identifier" drops it.'
            )


def _few(names: Sequence[str]) -> str:
    """Name some columns: a wide table has too many for a message."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _check_values(frame: pl.DataFrame, attribute: Attribute) -> None:
    name, column = attribute.name, frame[attribute.name]
    if attribute.is_hidden:
        return
    if attribute.kind is not None:
        _check_moments(column, attribute)
        return
    numeric = attribute.scale is Scale.NUMERIC
    if numeric and not column.dtype.is_numeric():
        raise DataError(
            f"column {name!r} is described as numeric and holds other things than numbers, "
            f"so it cannot be averaged. Correct the column, or its `scale` in the schema."
        )
    if (numeric or attribute.is_numeric_ordinal) and column.dtype.is_float():
        if column.is_infinite().any():
            raise DataError(
                f"column {name!r} holds infinite values, so no mean exists. "
                f"Make them missing values, or set them to a bound."
            )
    elif is_unusual(column.dtype):
        raise DataError(
            f"column {name!r} holds dates, lists or raw bytes, which covey cannot publish. "
            f'Describe dates and times by `kind = "date"`, "datetime" or "time"; turn others into '
            f'a number or a text, or set role = "identifier" to drop the column.'
        )
    if attribute.integer and column.dtype.is_float():
        known = column.drop_nulls().drop_nans()
        if (known != known.round(0)).any():
            raise DataError(
                f"column {name!r} is described by whole numbers (`integer = true`) and has a value "
                f"that is none, so its released type would depend on that record. Write "
                f"`integer = false` in the schema, or round the column."
            )
    _refuse_missing(column, attribute)


def _check_moments(column: pl.Series, attribute: Attribute) -> None:
    name = attribute.name
    problem = is_in_time(column, attribute)
    if problem:
        raise DataError(
            f"column {name!r} is described as a {attribute.kind} and {problem}. "
            f"Nothing was published."
        )
    if unreadable(column, attribute):
        written = attribute.format or "ISO 8601, such as 2019-12-31 or 2019-12-31T23:59:00"
        raise DataError(
            f"column {name!r} has a text that is no {attribute.kind} written as {written}, so it "
            f"has no place among the others. Correct the data, or `kind` and `format` in the "
            f"schema."
        )
    _refuse_missing(column, attribute)


def _refuse_missing(column: pl.Series, attribute: Attribute) -> None:
    name = attribute.name
    if attribute.missing is Missing.REFUSE and _missing_mask(column).any():
        raise DataError(
            f"column {name!r} has missing values and its schema does not say what to do with "
            f'them. Set missing = "category" to publish them as missing, missing = "drop", or '
            f'missing = "impute" with `impute = …`, a public value.'
        )


def _missing_mask(column: pl.Series) -> pl.Series:
    if column.dtype.is_float():
        return column.is_null() | column.is_nan().fill_null(value=True)
    return column.is_null()


def _apply_missing(frame: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    keep = pl.Series([True]).new_from_index(0, frame.height)
    for attribute in schema:
        if attribute.is_hidden:
            continue
        column = frame[attribute.name]
        lacking = _missing_mask(column)
        if attribute.missing is Missing.DROP:
            keep = keep & ~lacking
        elif attribute.missing is Missing.IMPUTE:
            filler = _imputed(attribute, column.dtype).new_from_index(0, frame.height)
            frame = frame.with_columns(column.zip_with(~lacking, filler))
        elif column.dtype.is_float():
            frame = frame.with_columns(column.fill_nan(None))
    return frame.filter(keep)


def _imputed(attribute: Attribute, dtype: pl.DataType) -> pl.Series:
    value = attribute.impute
    if attribute.kind is not None:
        return from_places(np.array([place_of(attribute, value)]), attribute, dtype)
    if isinstance(value, str) or not dtype.is_numeric():
        filler = cast_texts(pl.Series([str(value)]), dtype)
    else:
        filler = pl.Series([value]).cast(dtype, strict=False)
    # Compared without a look at the records: whether one is missing must not matter.
    if filler.null_count() or (dtype.is_integer() and float(filler[0]) != float(value or 0)):
        raise SchemaError(
            f"the imputed value of attribute {attribute.name!r} does not fit the type of its "
            f"column, so it cannot stand there. Write a value such as the column holds."
        )
    return filler


def _check_domain(table: Table, attribute: Attribute) -> None:
    name = attribute.name
    if attribute.scale is Scale.NUMERIC or attribute.is_hidden:
        return
    if attribute.is_numeric_ordinal:
        if not table.frame[name].dtype.is_numeric():
            raise SchemaError(
                f"ordinal attribute {name!r} lists no categories and its values are no numbers, "
                f"so their order is unknown. Add `categories = [...]`, lowest first."
            )
        return
    if attribute.taxonomy is None and attribute.categories is None:
        return
    present = set(table.frame[name].cast(pl.String).drop_nulls().unique())
    known = {"taxonomy": set(table.domain(name))}
    if attribute.categories is not None:
        known["list of categories"] = {*attribute.categories, MISSING_CATEGORY}
    where = next((place for place, values in known.items() if not present <= values), None)
    if attribute.taxonomy is None and where is not None:
        where = "list of categories"
    if where is not None:
        raise SchemaError(
            f"column {name!r} has a value that is missing in its {where}, so it has no place "
            f"among the others. Add it there, or correct the data: compare the distinct values "
            f"of the column with the {where}."
        )


def from_codes(table: Table | Head, name: str, codes: NDArray[np.int64]) -> pl.Series:
    """Turn codes of an ordinal or nominal attribute back into its values."""
    domain = table.domain(name)
    if codes.size and (codes.min() < 0 or codes.max() >= len(domain)):
        raise InternalError(f"codes of attribute {name!r} lie outside its domain.")
    return _typed(table, name, domain).gather(codes)


def from_texts(table: Table | Head, name: str, texts: Sequence[str]) -> pl.Series:
    """Turn texts, such as concepts of a taxonomy, back into a column."""
    # The root of a list of categories is no value, and no type could hold it beside numbers.
    flat = table.schema[name].taxonomy is None
    concepts = table.domain(name) if flat else table.taxonomy(name).concepts
    position = {concept: code for code, concept in enumerate(concepts)}
    return _typed(table, name, concepts).gather([position[text] for text in texts])


def from_values(table: Table | Head, name: str, values: NDArray[np.float64]) -> pl.Series:
    """Turn numbers back into a column of the type that the table had."""
    attribute, dtype = table.schema[name], table.dtype(name)
    if attribute.scale is not Scale.NUMERIC and not attribute.is_numeric_ordinal:
        top = len(table.domain(name)) - 1
        if attribute.keeps_missing:
            codes = np.clip(np.rint(values), 0, top - 1)
            values = np.where(np.isnan(values), top, codes)
        return from_codes(table, name, np.clip(np.rint(values), 0, top).astype(np.int64))
    values = attribute.rounded(values)
    if attribute.kind is not None:
        return from_places(values, attribute, dtype)
    if dtype.is_integer():
        values = np.rint(values)
    column = pl.Series(name, np.clip(values, *range_of(dtype)), dtype=pl.Float64)
    return column.fill_nan(None).cast(dtype)


def _typed(table: Table | Head, name: str, possible: Sequence[str]) -> pl.Series:
    """Return possible values in the type of the column, or as texts if it cannot hold them all.

    It looks at what is possible, not at what occurs, so the type tells nothing.
    """
    texts = pl.Series(name, possible, dtype=pl.String)
    texts = texts.set(texts == MISSING_CATEGORY, None)
    typed = cast_texts(texts, table.dtype(name))
    return typed if typed.null_count() == texts.null_count() else texts

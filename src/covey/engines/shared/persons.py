"""Which records of a person are used, if she has more than so many?  The same on every engine.

The records of one person are ordered by a keyed hash of her identifier and their values, and the
first ones are kept: nothing about anybody else matters (docs/proofs/persons.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.errors import DataError
from covey.table import Role, Scale
from covey.table.dtypes import is_unusual
from covey.table.table import build_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Persons
    from covey.table import Attribute, Schema, Table

WHOSE, STANDING = "(person)", "(place)"
"""Helping columns: an identifier as a text, and where a record stands among its person's."""

_LARGEST = 2.0**53
"""Larger floats cannot tell two neighbouring identifiers apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributed:
    """How many records were used.  For the curator only, never part of a release."""

    persons: int
    records: int
    persons_cut: int
    records_cut: int
    most: int

    def told(self, allowed: int) -> str:
        """Say it for whoever publishes, and nobody else."""
        if self.records_cut:
            return (
                f"{self.records_cut:,} of {self.records:,} records were left out, because "
                f"{self.persons_cut:,} of {self.persons:,} persons have more than {allowed}; one "
                f"has {self.most:,}."
            )
        if self.most < allowed:
            return (
                f"nobody has as many as {allowed} records: the largest number is {self.most}, so "
                f"there is more noise than these data need. To take that number instead would "
                f"tell about them; it has to come from a rule."
            )
        return f"no record was left out: nobody has more than {allowed}."


def with_person_column(table: Table, schema: Schema) -> Table:
    """Return records under a schema that says whose they are, none left out for a gap there."""
    if table.whole is None:
        return replace(table, schema=replace(schema, attributes=_ordered(schema, table)))
    found = build_table(table.whole, schema, kind=table.kind, native_dtypes=table.native_dtypes)
    return replace(found, read_as=table.read_as)


def _ordered(schema: Schema, table: Table) -> tuple[Attribute, ...]:
    return tuple(schema[name] for name in table.schema.names)


def whose(table: Table) -> pl.Series:
    """Return who each record belongs to, as a text; refuse records that are nobody's."""
    attribute = table.schema.with_role(Role.PERSON)[0]
    column = table.frame[attribute.name]
    if column.dtype.is_float():
        column = _whole(column)
    elif is_unusual(column.dtype):
        raise DataError(
            f"column {attribute.name!r} says whose a record is and holds dates, lists or raw "
            f"bytes, so two of them cannot be compared. Nothing was published, and nothing was "
            f"spent. Write identifiers as texts or whole numbers."
        )
    texts = column.cast(pl.String).str.normalize("NFC").str.strip_chars()
    lacking = texts.is_null() | texts.is_in(["", *attribute.missing_codes])
    if lacking.fill_null(value=True).any():
        raise DataError(
            f"column {attribute.name!r} says whose a record is and has missing values, so it is "
            f"not known whose these records are, and they could be one person's. Nothing was "
            f"published, and nothing was spent. Take such records out of the data by a public "
            f"rule, or give each an identifier."
        )
    return texts.alias(WHOSE)


def _whole(column: pl.Series) -> pl.Series:
    """Return floats as the whole numbers that they stand for, as they do beside a gap."""
    known = column.drop_nulls().drop_nans()
    if ((known != known.round(0)) | (known.abs() >= _LARGEST)).any():
        raise DataError(
            f"column {column.name!r} says whose a record is and holds floats that are no whole "
            f"numbers, or too large to be told apart, so two persons could be taken for one. "
            f"Nothing was published, and nothing was spent. Write identifiers as texts."
        )
    return column.fill_nan(None).cast(pl.Int64)


def standings(table: Table, whose_record: pl.Series, key: bytes) -> pl.Series:
    """Return where each record stands among those of its person: a keyed hash of all it says."""
    words = [_words(table, name) for name in sorted(_told(table))]
    rows = np.ascontiguousarray(np.column_stack(words)) if words else np.empty((table.n, 0))
    width = rows.shape[1] * 8
    content = rows.tobytes()
    found = np.empty(table.n, dtype=np.int64)
    start = hashlib.blake2b(digest_size=8, key=key)
    for i, name in enumerate(whose_record.to_list()):
        digest = start.copy()
        digest.update(content[i * width : (i + 1) * width])
        digest.update(name.encode())
        found[i] = int.from_bytes(digest.digest(), "little", signed=True)
    return pl.Series(STANDING, found)


def _told(table: Table) -> list[str]:
    return [attribute.name for attribute in table.schema if not attribute.is_hidden]


def _words(table: Table, name: str) -> NDArray[np.uint64]:
    """Return a column as 64-bit words that do not depend on how its values are stored."""
    attribute = table.schema[name]
    if attribute.scale is Scale.NUMERIC or attribute.is_numeric_ordinal:
        values = table.values(name) + 0.0  # minus zero is zero
        values[np.isnan(values)] = np.nan
        return values.view(np.uint64)
    texts = pl.Series(table.texts(name), dtype=pl.String)
    distinct = texts.unique()
    digests = [
        int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        for text in distinct.to_list()
    ]
    coded = texts.replace_strict(distinct, pl.Series(digests, dtype=pl.UInt64))
    return coded.to_numpy().astype(np.uint64)


def cut_table(table: Table, persons: Persons, key: bytes) -> tuple[Table, Contributed]:
    """Return the records that are used, in the order that they came in."""
    names = whose(table)
    counts = names.to_frame().select(pl.len().over(WHOSE))["len"]
    many = counts > persons.most
    beyond = replace(table, frame=table.frame.filter(many))
    placed = pl.DataFrame(
        [names.filter(many), standings(beyond, names.filter(many), key)]
    ).with_columns(pl.col(STANDING).rank("ordinal").over(WHOSE))
    kept = (~many).to_numpy().copy()
    kept[np.flatnonzero(many.to_numpy())] = (placed[STANDING] <= persons.most).to_numpy()
    told = Contributed(
        persons=names.n_unique(),
        records=table.n,
        persons_cut=names.filter(many).n_unique(),
        records_cut=int((~kept).sum()),
        most=int(counts.max() or 0),  # type: ignore[arg-type]  # a whole number
    )
    return replace(table, frame=table.frame.filter(pl.Series(kept)), whole=None), told


def placed_frames(tables: Iterable[Table], key: bytes) -> Iterator[pl.DataFrame]:
    """Yield what may be published of records, with whose they are and where they stand."""
    for table in tables:
        names = whose(table)
        yield table.frame.select(_told(table)).with_columns(names, standings(table, names, key))


class FirstOfEach:
    """Keeps the first records of each person from frames that are sorted by person and place."""

    def __init__(self, most: int) -> None:
        self._most, self._last, self._run = most, "", 0
        self._persons = self._records = self._persons_cut = self._kept = self._largest = 0

    def kept(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the records of one frame that are used, without the helping columns."""
        if frame.height == 0:
            return frame.drop(WHOSE, STANDING)
        names = frame[WHOSE]
        place = frame.select(pl.int_range(pl.len()).over(WHOSE))["literal"].to_numpy().copy()
        runs = names.rle().struct.unnest()
        lengths = runs["len"].to_numpy().astype(np.int64)
        if names[0] == self._last:
            # The person's records began in the frame before.
            place[: lengths[0]] += self._run
            lengths[0] += self._run
            self._persons -= 1
            self._persons_cut -= self._run > self._most
        self._persons += lengths.size
        self._persons_cut += int((lengths > self._most).sum())
        self._records += frame.height
        self._largest = max(self._largest, int(lengths.max()))
        self._last, self._run = names[-1], int(lengths[-1])
        used = frame.filter(pl.Series(place < self._most)).drop(WHOSE, STANDING)
        self._kept += used.height
        return used

    @property
    def told(self) -> Contributed:
        """Return how many were used so far."""
        return Contributed(
            persons=self._persons,
            records=self._records,
            persons_cut=self._persons_cut,
            records_cut=self._records - self._kept,
            most=self._largest,
        )

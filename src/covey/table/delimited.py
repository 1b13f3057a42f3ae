"""How is a CSV file read in its dialect, whole or piece by piece, without filling gaps in silence?

pyarrow parses: it refuses lines with too few or too many fields, knows all three line ends, and
reads any encoding.  What it says about a faulty file may quote a record, so the fault is looked
for again here and told in words, with its line.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from covey.errors import DataError
from covey.table.numerals import as_values
from covey.table.sniff import SNIFFED, field_reader, is_utf8, not_in_encoding, sniff, split_lines

if TYPE_CHECKING:
    from covey.table.bounded import BoundedBytes, Source
    from covey.table.dialect import Dialect
    from covey.table.schema import Schema

_BLOCK = 2**22
_LARGEST_FIELD = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Delimited:
    """A CSV file, its dialect and its columns.

    Parameters
    ----------
    source : Source
        The file.
    reading : Dialect
        How it is written; nothing is left to be detected.
    names : tuple of str
        What its columns are called.
    begin : int
        Lines before the first record.
    """

    source: Source
    reading: Dialect
    names: tuple[str, ...]
    begin: int

    def batches(
        self, columns: Sequence[str] | None = None, *, size: int = _BLOCK
    ) -> Iterator[pl.DataFrame]:
        """Read columns as texts, all unless some are named, about so many bytes at a time."""
        wanted = self.names if columns is None else tuple(columns)
        with self.source.opened() as content:
            self._watch(content)
            yield from self._explained(content, self._arrow_batches(content, wanted, size))

    def texts(self) -> pl.DataFrame:
        """Read all columns as texts."""
        empty = pl.DataFrame(schema=dict.fromkeys(self.names, pl.String))
        return pl.concat([empty, *self.batches()])

    def _watch(self, content: BoundedBytes) -> None:
        single = codecs.lookup(self.reading.encoding or "utf-8").name
        content.nul_allowed = single.startswith(("utf-16", "utf-32", "utf_16", "utf_32"))
        content.quote = (self.reading.quote or "").encode()

    def _arrow_batches(
        self, content: BoundedBytes, wanted: Sequence[str], size: int
    ) -> Iterator[pl.DataFrame]:
        import pyarrow as pa
        from pyarrow import csv as arrow

        places = [f"c{j}" for j in range(len(self.names))]
        encoding = self.reading.encoding or "utf-8"
        reader = arrow.open_csv(
            content,
            arrow.ReadOptions(
                column_names=places,
                skip_rows=self.begin,
                block_size=size,
                encoding="utf8" if is_utf8(encoding) else encoding,
            ),
            arrow.ParseOptions(
                delimiter=self.reading.separator,
                quote_char=self.reading.quote or False,
                newlines_in_values=True,
                # An empty line is a missing value where there is nothing else in a line.
                ignore_empty_lines=len(places) > 1,
            ),
            arrow.ConvertOptions(
                column_types=dict.fromkeys(places, pa.string()),
                include_columns=[places[self.names.index(name)] for name in wanted],
                strings_can_be_null=False,
            ),
        )
        for batch in reader:
            frame = pl.DataFrame(pl.from_arrow(batch))
            frame.columns = list(wanted)
            yield frame

    def _explained(
        self, content: BoundedBytes, frames: Iterator[pl.DataFrame]
    ) -> Iterator[pl.DataFrame]:
        import pyarrow as pa

        last: pl.DataFrame | None = None
        try:
            for frame in frames:
                last = frame.tail(1)
                yield frame
        except (pa.ArrowException, UnicodeError):
            raise self._fault() from None
        if content.quotes % 2 and last is not None and self._runs_on(last):
            raise self._open_quote()

    def _runs_on(self, last: pl.DataFrame) -> bool:
        return any("\n" in (text or "") or "\r" in (text or "") for text in last.row(0))

    def _open_quote(self) -> DataError:
        return DataError(
            f"the file {self.source.name!r} ends inside quotes, so its last record swallows others "
            f"or is cut off, and nothing was read. Export it again, or state quote = none if "
            f"{self.reading.quote} is an ordinary sign there."
        )

    def _fault(self) -> DataError:
        """Find what is wrong, line by line."""
        before = csv.field_size_limit(_LARGEST_FIELD)
        try:
            with self.source.opened() as content:
                reader = field_reader(
                    _lines(content, self.reading.encoding or "utf-8"),
                    self.reading.separator or ",",
                    self.reading.quote or "",
                )
                at = 1
                for row in reader:
                    if at > self.begin and row and len(row) != len(self.names):
                        return self._ragged(at, few=len(row) < len(self.names))
                    at = reader.line_num + 1
        except UnicodeError:
            return not_in_encoding(self.source.name, self.reading.encoding or "utf-8")
        except csv.Error:
            return self._open_quote()
        finally:
            csv.field_size_limit(before)
        return DataError(
            f"the file {self.source.name!r} is not a regular CSV table: a record is very long, or "
            f"its quotes do not match. Nothing was read. Export it again."
        )

    def _ragged(self, line: int, *, few: bool) -> DataError:
        return DataError(
            f"line {line} of the file {self.source.name!r} has too {'few' if few else 'many'} "
            f"fields: the {'first line' if self.reading.header else 'first record'} has "
            f"{len(self.names)}, so values would stand in the wrong columns and nothing was read. "
            f"It was read with {self.reading.told()}. Correct the line (quotes around texts that "
            f"hold a separator), or say how the file is written: --separator, --quote, --skip."
        )


def open_delimited(source: Source, stated: Dialect, names: Collection[str] = ()) -> Delimited:
    """Detect the dialect and the columns of a file."""
    sample = source.sample(SNIFFED)
    reading = sniff(sample, source.name, stated, names)
    row, begin = _first_row(sample, reading)
    if not reading.header:
        begin = reading.skip or 0
    return Delimited(
        source=source,
        reading=reading,
        names=column_names(row) if reading.header else column_names([""] * len(row)),
        begin=begin,
    )


def read_delimited(source: Source, stated: Dialect, schema: Schema | None) -> tuple[Any, Dialect]:
    """Read a file whole, each column in the narrowest type that holds it."""
    names = () if schema is None else schema.names
    file = open_delimited(source, stated, names)
    known = {attribute.name: attribute for attribute in schema or ()}
    texts = file.texts()
    columns = [as_values(texts[name], file.reading, known.get(name)) for name in file.names]
    return pl.DataFrame(columns), file.reading


def column_names(header: Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns; one without a name is called by its place."""
    names = tuple(name.strip() or f"column_{place}" for place, name in enumerate(header, start=1))
    refuse_repeated_columns(names)
    return names


def refuse_repeated_columns(names: Iterable[str]) -> None:
    """Refuse names that several columns have."""
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise DataError(
            f"the column name {repeated[0]!r} occurs more than once, so a value cannot be told "
            f"from another. Rename the columns, or say --no-header if the first line is a record."
        )


def _first_row(sample: bytes, reading: Dialect) -> tuple[list[str], int]:
    """Return the fields of the first line that is not blank, and the lines up to its end."""
    encoding = "utf-8-sig" if is_utf8(reading.encoding or "utf-8") else reading.encoding
    text = codecs.getincrementaldecoder(encoding or "utf-8")().decode(sample)
    skip = reading.skip or 0
    lines = split_lines(text)[skip:]
    reader = field_reader(lines, reading.separator or ",", reading.quote or "")
    try:
        for row in reader:
            if any(field.strip() for field in row):
                return row, skip + reader.line_num
    except csv.Error:
        raise DataError(
            "the file begins with a field of more than 100,000 characters, so it is no table, or "
            "its quotes do not match, and nothing was read. Check the export."
        ) from None
    return [], skip


def _lines(content: BoundedBytes, encoding: str) -> Iterator[str]:
    return iter(
        io.TextIOWrapper(
            io.BufferedReader(content), "utf-8-sig" if is_utf8(encoding) else encoding, newline=None
        )
    )

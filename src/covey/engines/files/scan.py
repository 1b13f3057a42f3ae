"""How is a table read that does not fit into memory?  As a sequence of tables.

Each piece is a `Table` of its own: checked, typed and cleaned by the same code as a whole one,
so everything that looks at one record at a time works on pieces as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from covey.engines.files.limit import Memory
from covey.engines.files.parquet import parquet_frames
from covey.errors import DataError, SchemaError
from covey.table import Kind, Missing, Scale, Schema, Table
from covey.table.bounded import STANDARD_INPUT, open_source, refuse_endless
from covey.table.delimited import Delimited, open_delimited
from covey.table.numerals import as_type, holds, possible_types, without_codes
from covey.table.table import build_table

_ENDINGS: dict[str, Kind] = {
    ".parquet": "parquet",
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt"), "csv"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A table in files, read piece by piece as often as needed.

    Parameters
    ----------
    files : tuple of Path
        All of one kind, read one after the other.
    kind : "csv" or "parquet"
        What they are.
    head : Table
        The same table without its records: schema and types.
    memory : Memory
        What may be used.
    texts : tuple of Delimited
        CSV files with the one dialect that all of them are read in.
    """

    files: tuple[Path, ...]
    kind: Kind
    head: Table = field(repr=False)
    memory: Memory
    texts: tuple[Delimited, ...] = ()

    @property
    def schema(self) -> Schema:
        """Return the description of the columns, in the order of the files."""
        return self.head.schema

    def pieces(self, names: Sequence[str] | None = None, *, public: str = "") -> Iterator[Table]:
        """Read all records once, after the schema's missing-value policies.

        Parameters
        ----------
        names : sequence of str, optional
            The columns that are needed; all but identifiers unless given.  The first reading
            must not leave any out, so that bad values are found before anything is spent.
        public : str
            A public column that is needed too, even if it is an identifier.
        """
        kept = tuple(
            attribute
            for attribute in self.schema
            if attribute.name == public
            or (
                not attribute.is_hidden
                and (names is None or attribute.name in names or attribute.missing is Missing.DROP)
            )
        )
        schema = replace(self.schema, attributes=kept)
        columns = [attribute.name for attribute in kept]
        for frame in _explained(self._frames(columns), self.files):
            yield build_table(frame, schema, kind=self.kind, piece=True)

    def _frames(self, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        types, rows = self.head.frame.schema, self.memory.rows(len(columns))
        if self.kind == "csv":
            known = {each.name: each for each in self.schema}
            for part in self.texts:
                for frame in _text_frames(part, columns, rows):
                    yield pl.DataFrame(
                        as_type(
                            without_codes(frame[name], known[name].missing_codes),
                            types[name],
                            part.reading,
                        )
                        for name in columns
                    )
        else:
            wanted = {name: types[name] for name in columns}
            for file in self.files:
                yield from parquet_frames(file, wanted, rows=rows, memory=self.memory)


def open_stream(source: str | Path, schema: Schema | None, memory: Memory) -> Stream:
    """Find the files and their columns, and check both against the schema.

    Parameters
    ----------
    source : path
        A ``.parquet`` or ``.csv`` file, or a folder of files of one of these kinds.
    schema : Schema
        What is public about the columns.  None is drafted: that would need all records.
    memory : Memory
        What may be used.
    """
    if not isinstance(source, (str, Path)):
        raise DataError(
            f"engine = 'stream' reads files, and a {type(source).__name__} is in memory already. "
            f"Give a path, or use the engine 'memory'."
        )
    if schema is None:
        raise SchemaError(
            "engine = 'stream' needs a schema, because a draft would have to look at all records. "
            "Draft one from a sample with `covey schema`, and correct it by hand."
        )
    files, kind = _files(Path(source))
    texts = () if kind == "parquet" else _opened(files, schema)
    types = _csv_types(texts, schema, memory) if texts else _parquet_types(files)
    head = build_table(pl.DataFrame(schema=types), schema, kind=kind, piece=True)
    return Stream(files=files, kind=kind, head=head, memory=memory, texts=texts)


def batches(scan: pl.LazyFrame, files: Sequence[Path], *, rows: int) -> Iterator[pl.DataFrame]:
    """Collect a scan in batches of some rows, and explain what goes wrong on the way."""
    found = scan.collect_batches(chunk_size=rows, engine="streaming", lazy=True)
    return _explained(found, files)


def _explained(frames: Iterator[pl.DataFrame], files: Sequence[Path]) -> Iterator[pl.DataFrame]:
    """Read frames, and explain what goes wrong on the way."""
    try:
        yield from frames
    except (pl.exceptions.PolarsError, OSError, ValueError, NotImplementedError):
        # The reader's own message may quote a record, so it is not passed on.
        lost = next((file for file in files if not file.exists()), None)
        if lost is not None:
            raise DataError(
                f"the file {str(lost)!r} went away while it was read, so nothing was published. "
                f"Start again when it stays in its place."
            ) from None
        raise DataError(
            f"the file {str(files[0])!r}, or one beside it, cannot be read to its end: it is "
            f"damaged, or a line has another number of fields or another type than the first "
            f"ones. Nothing was published. Repair or export it again."
        ) from None


def _files(path: Path) -> tuple[tuple[Path, ...], Kind]:
    if str(path) == STANDARD_INPUT or ":/" in str(path):
        raise DataError(
            "engine = 'stream' reads files of this machine several times, which standard input, "
            "queries and addresses do not allow, so nothing was read. Save the table as a file, or "
            "use --engine memory."
        )
    if path.is_dir():
        found = sorted(file for file in path.iterdir() if file.suffix.lower() in _ENDINGS)
    else:
        found = [path] if path.exists() else []
        for file in found:
            refuse_endless(file)
    if not found:
        raise DataError(
            f"there is no file {str(path)!r}, and no folder of files of that name, so nothing was "
            f"read. Check the path."
        )
    kinds = {_ENDINGS.get(file.suffix.lower()) for file in found}
    kind = kinds.pop()
    if kinds or kind is None:
        raise DataError(
            f"{str(path)!r} is not made of .parquet files alone or of .csv files alone, which is "
            f"what engine = 'stream' reads. Decompress .gz files first."
        )
    return tuple(found), kind


def _parquet_types(files: Sequence[Path]) -> dict[str, pl.DataType]:
    """Read the types from the ends of the files, which must agree."""
    types: dict[str, pl.DataType] = {}
    for file in files:
        try:
            own = pl.read_parquet_schema(file)
        except (pl.exceptions.PolarsError, OSError):
            raise DataError(
                f"the file {str(file)!r} is not a readable Parquet file. Check that it is complete."
            ) from None
        _refuse_other_columns(file, files[0], own, types or own)
        types = types or dict(own)
    return types


def _refuse_other_columns(
    file: Path, first: Path, own: dict[str, pl.DataType], types: dict[str, pl.DataType]
) -> None:
    for name in (*types, *own):
        if name in own and name in types:
            continue
        here, there = (file, first) if name not in own else (first, file)
        raise DataError(
            f"column {name!r} is missing in {str(here)!r} and present in {str(there)!r}, so they "
            f"are not parts of one table. Nothing was published. Give files with the same columns."
        )
    for name, dtype in own.items():
        if dtype != types[name]:
            raise DataError(
                f"column {name!r} has the type {dtype} in {str(file)!r} and {types[name]} in "
                f"{str(first)!r}, so its values cannot be compared. Nothing was published. Write "
                f"both with the same type."
            )


def _opened(files: Sequence[Path], schema: Schema) -> tuple[Delimited, ...]:
    """Detect the dialect of the first file where the schema leaves it open; the others share it."""
    first = open_delimited(open_source(files[0]), schema.reading, schema.names)
    opened = [first, *(open_delimited(open_source(file), first.reading) for file in files[1:])]
    texts: dict[str, pl.DataType] = dict.fromkeys(first.names, pl.String())
    for file, each in zip(files, opened, strict=True):
        _refuse_other_columns(file, files[0], dict.fromkeys(each.names, pl.String()), texts)
    return tuple(opened)


def _csv_types(
    files: Sequence[Delimited], schema: Schema, memory: Memory
) -> dict[str, pl.DataType]:
    """Read all values as texts once, and see what each column holds: one more pass for CSV.

    A type guessed from the first lines would fail, or lose digits, at a later one.
    """
    names = files[0].names
    known = {attribute.name: attribute for attribute in schema if attribute.name in names}
    found = {name: possible_types(known.get(name)) for name in names}
    for file in files:
        for frame in _text_frames(file, names, memory.rows(2 * len(names))):
            for name, open_types in found.items():
                attribute = known.get(name)
                texts = without_codes(frame[name], attribute.missing_codes if attribute else ())
                numeric = attribute is not None and attribute.scale is not Scale.NOMINAL
                while open_types and not holds(texts, open_types[0], file.reading, numeric=numeric):
                    open_types.pop(0)
    return {name: types[0] if types else pl.String() for name, types in found.items()}


def _text_frames(file: Delimited, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
    for frame in file.batches(columns):
        yield from frame.iter_slices(rows)

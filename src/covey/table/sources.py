"""Which files, folders, addresses and queries hold a table, and who reads each of them?

Every reader is somebody else's, well kept; heavy ones are extras, and what lacks is said.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import polars as pl

from covey.errors import DataError
from covey.table.bounded import (
    STANDARD_INPUT,
    Source,
    open_source,
    reading_errors,
    refuse_endless,
    refuse_large,
)
from covey.table.delimited import open_delimited, read_delimited
from covey.table.dialect import Dialect
from covey.table.numerals import as_values
from covey.table.sniff import SNIFFED

if TYPE_CHECKING:
    from covey.table.schema import Schema
    from covey.table.table import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTable:
    """A table as it was found, before a schema says what it means.

    Parameters
    ----------
    frame : DataFrame
        Its records.
    kind : Kind
        How a release of it is written.
    reading : Dialect
        How a text file or a workbook was read.
    labels : mapping
        Labels of coded columns in the order of their codes, as the file's own dictionary says.
    ordered : frozenset of str
        Columns that the dictionary calls ordinal.
    descriptions : mapping
        What the dictionary says that columns mean.
    """

    frame: pl.DataFrame = field(repr=False)
    kind: Kind = "csv"
    reading: Dialect = field(default_factory=Dialect)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    ordered: frozenset[str] = frozenset()
    descriptions: Mapping[str, str] = field(default_factory=dict, repr=False)


TEXTS = (".csv", ".tsv", ".tab", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
WORKBOOKS = (".xlsx", ".xls", ".xlsb", ".ods")
SURVEYS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
"""Files of SPSS, Stata and SAS, with the functions of pyreadstat that read them."""

ARROWS = (".feather", ".arrow", ".ipc")
ENDINGS = (*TEXTS, ".parquet", *ARROWS, *WORKBOOKS, *SURVEYS)
CLOUDS = ("s3", "gs", "gcs", "az", "abfs", "abfss", "hdfs", "file")
_QUERIES = ("duckdb", "sqlite", "postgresql", "postgres")


def find_table(path: str | Path, stated: Dialect, schema: Schema | None = None) -> RawTable:
    """Read a table from a file, a folder, standard input, a cloud's address or a query."""
    address = str(path)
    if not address.strip():
        raise DataError("the path of the data is empty, so nothing was read. Give a file.")
    scheme = address.partition("://")[0].lower() if "://" in address else ""
    if scheme in _QUERIES:
        from covey.table.queries import read_query

        return RawTable(frame=read_query(address), kind="csv")
    if scheme in CLOUDS:
        return _from_cloud(address, stated, schema)
    if scheme:
        raise DataError(
            f"covey does not know the scheme of {scheme + '://…'!r}, so nothing was read. It knows "
            f"{', '.join(f'{each}://' for each in (*CLOUDS, *_QUERIES))}, and files."
        )
    if address == STANDARD_INPUT:
        return _from_input(stated, schema)
    place = Path(address)
    if place.is_dir():
        return _from_folder(place, stated, schema)
    refuse_endless(place)
    ending = ending_of(place.name)
    if ending is None:
        raise DataError(
            f"the file {address!r} is of an unknown kind. Covey reads .csv, .csv.gz and .parquet, "
            f"and {', '.join(each for each in ENDINGS if each not in ('.csv', '.parquet'))}. "
            f"Rename it if it is one of these."
        )
    _refuse_idle(ending, stated)
    return _reader(ending)(place, stated, schema)


def _refuse_idle(ending: str, stated: Dialect) -> None:
    """Refuse what was said about the reading of another kind of file: it would mean nothing."""
    idle = [
        *(["sheet"] if stated.sheet is not None and ending not in WORKBOOKS else []),
        *(["labels"] if stated.labels is not None and ending not in SURVEYS else []),
    ]
    if idle:
        raise DataError(
            f"a {ending} file has no {idle[0]}, so {idle[0]} = … would mean nothing and nothing "
            f"was read. Leave it out (--{idle[0]})."
        )


def ending_of(name: str) -> str | None:
    """Return the known ending of a file's name, the longest one."""
    fitting = [ending for ending in ENDINGS if name.lower().endswith(ending)]
    return max(fitting, key=len, default=None)


def need(package: str, extra: str, what: str) -> Any:
    """Import a reader that is not part of every installation."""
    try:
        return importlib.import_module(package)
    except ImportError:
        raise DataError(
            f"{what} cannot be read, because the package {package} is not installed. "
            f"Install it: pip install 'covey[{extra}]'."
        ) from None


Reader = Callable[[Path, Dialect, "Schema | None"], RawTable]


def _reader(ending: str) -> Reader:
    if ending in TEXTS:
        return _read_text
    if ending in WORKBOOKS:
        return _read_workbook
    if ending in SURVEYS:
        from covey.table.surveys import read_survey

        return read_survey
    return _read_arrow if ending in ARROWS else _read_parquet


def _read_text(path: Path, stated: Dialect, schema: Schema | None) -> RawTable:
    refuse_large(path)
    frame, reading = read_delimited(open_source(path), stated, schema)
    return RawTable(frame=frame, kind="csv", reading=reading)


def _read_parquet(path: Path | Source, stated: Dialect, schema: Schema | None) -> RawTable:
    del stated, schema  # the file says itself what its columns are
    return RawTable(frame=_binary(pl.read_parquet, path, "Parquet"), kind="parquet")


def _read_arrow(path: Path | Source, stated: Dialect, schema: Schema | None) -> RawTable:
    del stated, schema
    return RawTable(frame=_binary(pl.read_ipc, path, "Arrow or Feather"), kind="parquet")


def _binary(read: Callable[[Any], pl.DataFrame], path: Any, kind: str) -> pl.DataFrame:
    name = path.name if isinstance(path, Source) else str(path)
    try:
        with reading_errors(name):
            if isinstance(path, Source):
                with path.opened() as content:
                    return read(content.read())
            return read(path)
    except pl.exceptions.PolarsError:
        raise DataError(
            f"the file {name!r} is not a readable {kind} file. Check that it is complete."
        ) from None


def _read_workbook(path: Path, stated: Dialect, schema: Schema | None) -> RawTable:
    fastexcel = need("fastexcel", "excel", f"the workbook {str(path)!r}")
    try:
        with reading_errors(str(path)):
            workbook = fastexcel.read_excel(str(path))
            sheet = _sheet(workbook.sheet_names, stated.sheet, path)
            header = 0 if stated.header in (None, True) else None
            loaded = workbook.load_sheet(sheet, header_row=header, skip_rows=stated.skip or None)
            frame = loaded.to_polars()
    except fastexcel.FastExcelError:
        raise DataError(
            f"the workbook {str(path)!r} cannot be read: it is damaged, protected by a password, "
            f"or no workbook. Save it again as .xlsx, or export the sheet as CSV."
        ) from None
    known = {attribute.name: attribute for attribute in schema or ()}
    columns = [
        as_values(column, Dialect(decimal="."), known.get(column.name))
        if column.dtype == pl.String
        else column
        for column in frame
    ]
    return RawTable(frame=pl.DataFrame(columns), reading=Dialect(sheet=sheet, header=header == 0))


def _sheet(names: list[str], wanted: str | None, path: Path) -> str:
    if wanted is None:
        return names[0]
    if wanted not in names:
        raise DataError(
            f"the workbook {str(path)!r} has no sheet {wanted!r}, so nothing was read. "
            f"Its sheets: {', '.join(names[:20])}."
        )
    return wanted


def _from_input(stated: Dialect, schema: Schema | None) -> RawTable:
    """Read what is piped in: its first bytes tell what it is."""
    source = open_source(STANDARD_INPUT)
    start = source.sample(SNIFFED)
    if start.startswith(b"PAR1"):
        return _read_parquet(source, stated, schema)
    if start.startswith(b"ARROW1"):
        return _read_arrow(source, stated, schema)
    frame, reading = read_delimited(source, stated, schema)
    return RawTable(frame=frame, kind="csv", reading=reading)


def _from_folder(folder: Path, stated: Dialect, schema: Schema | None) -> RawTable:
    """Read all files of a folder as parts of one table."""
    files = sorted(
        file
        for file in folder.rglob("*")
        if ending_of(file.name) and not any(p[0] in "._" for p in file.relative_to(folder).parts)
    )
    endings = {ending_of(file.name) for file in files}
    if not files or len(endings) > 1 or not endings <= {".parquet", ".csv", ".csv.gz", ".tsv"}:
        raise DataError(
            f"there is no file {str(folder)!r}: it is a folder, and not one of .parquet files "
            f"alone or of .csv files alone, so nothing was read. Check the path."
        )
    said = [_said_by_folders(file.relative_to(folder)) for file in files]
    if endings == {".parquet"}:
        parts = [_read_parquet(file, stated, schema).frame for file in files]
        reading, kind = Dialect(), "parquet"
    else:
        opened = [open_delimited(open_source(file), stated) for file in files]
        reading, kind = opened[0].reading, "csv"
        parts = [open_delimited(each.source, reading).texts() for each in opened]
    parts = [part.with_columns(**each) for part, each in zip(parts, said, strict=True)]
    for file, part in zip(files, parts, strict=True):
        if set(part.columns) != set(parts[0].columns):
            raise DataError(
                f"the files {str(files[0])!r} and {str(file)!r} do not have the same columns, so "
                f"they are not parts of one table. Give files with the same columns."
            )
    try:
        frame = pl.concat([part.select(parts[0].columns) for part in parts])
    except pl.exceptions.PolarsError:
        raise DataError(
            f"the files of the folder {str(folder)!r} have columns of different types, so they "
            f"are not parts of one table. Write them with the same types."
        ) from None
    known = {attribute.name: attribute for attribute in schema or ()}
    texts = frame.columns if kind == "csv" else list(said[0])
    frame = frame.with_columns(as_values(frame[n], reading, known.get(n)) for n in texts)
    return RawTable(frame=frame, kind="parquet" if kind == "parquet" else "csv", reading=reading)


def _said_by_folders(path: Path) -> dict[str, pl.Expr]:
    """Return the columns that the names of folders tell, as Hive and Spark write: ``year=2023``."""
    pairs = (part.partition("=") for part in path.parts[:-1])
    return {name: pl.lit(unquote(value)) for name, sign, value in pairs if sign}


def _from_cloud(address: str, stated: Dialect, schema: Schema | None) -> RawTable:
    """Hand an address to the frames' own readers, which know the usual credentials."""
    from pyarrow import fs

    ending = ending_of(address.partition("?")[0])
    try:
        if ending in TEXTS:
            system, place = fs.FileSystem.from_uri(address)
            system.open_input_file(place).close()
            source = Source(address, lambda: system.open_input_file(place))
            frame, reading = read_delimited(source, stated, schema)
            return RawTable(frame=frame, kind="csv", reading=reading)
        if ending in ARROWS:
            return RawTable(frame=pl.scan_ipc(address).collect(), kind="parquet")
        return RawTable(frame=pl.scan_parquet(address).collect(), kind="parquet")
    except DataError:
        raise
    except Exception:  # noqa: BLE001 — every cloud has errors of its own, which may tell secrets
        raise DataError(
            f"{address.partition('?')[0]!r} cannot be read: it is not there, you may not read it, "
            f"or its readers are not installed. Check the address and your credentials; .csv, "
            f".parquet and .arrow are read from there."
        ) from None

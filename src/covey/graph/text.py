"""How does a text file of node names become columns of names?"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from covey.errors import DataError
from covey.table.bounded import open_source, refuse_large
from covey.table.sniff import refuse_markup, refuse_other_kinds

_SEPARATORS = ("\t", ",", ";", " ")
_INTEGER = re.compile("0|-?[1-9][0-9]{0,17}")
_HEADERS = {
    *("source", "target", "src", "dst", "from", "to", "fromnodeid", "tonodeid", "from_node"),
    *("to_node", "node", "id", "name", "node1", "node2", "node_1", "node_2", "id_1", "id_2"),
}


def read_columns(path: Path) -> pl.DataFrame:
    """Read a file line by line into columns, without comments and blanks around them.

    Lines that begin with # or % are comments.  The first other line says what separates fields:
    tabs, commas, semicolons or runs of blanks, the first of these that it has.  Columns are texts,
    but all are integers where nothing else stands in the whole file.
    """
    raw = _raw(path)
    integers = _read_integers(raw)
    if integers is not None:
        return integers
    refuse_other_kinds(raw, str(path))
    refuse_markup(raw[:4096].decode(errors="replace"), str(path))
    frame = _read_texts(path, raw)
    _refuse_words_beside(frame, path)
    return frame


def _read_integers(raw: bytes) -> pl.DataFrame | None:
    """Read a file of integers that are written as Python writes them, and of nothing else.

    Most files of edges are such, and texts would take five times as long.
    """
    while raw.startswith((b"#", b"%")):
        raw = raw[raw.find(b"\n") + 1 :] if b"\n" in raw else b""
    raw = raw.replace(b"\r\n", b"\n").rstrip() + b"\n"
    first = raw[: raw.find(b"\n") + 1]
    between = first.translate(None, b"0123456789")
    separator = between[:1].decode("ascii", "replace")
    if separator not in _SEPARATORS or between != separator.encode() * (len(between) - 1) + b"\n":
        return None
    others = raw.translate(None, b"0123456789")
    if others != between * (len(others) // len(between)):
        return None
    try:
        types = {f"column_{i + 1}": pl.Int64 for i in range(len(between))}
        frame = pl.read_csv(raw, has_header=False, separator=separator, schema=types)
    except pl.exceptions.PolarsError:
        return None
    if frame.height == 0 or any(column.null_count() for column in frame):
        return None
    # Zeros in front would make it longer than its numbers are.
    digits = sum(_digits(column.to_numpy()) for column in frame)
    return frame if digits == len(raw) - len(others) else None


def _digits(numbers: NDArray[np.int64]) -> int:
    """Count the digits of numbers that are not negative; more than 18 are not counted."""
    most = min(len(str(numbers.max())), 18)
    return numbers.size + sum(int(np.count_nonzero(numbers >= 10**i)) for i in range(1, most))


def _read_texts(path: Path, raw: bytes) -> pl.DataFrame:
    lines = _lines(path, raw)
    if not lines:
        raise DataError(
            f"the file {str(path)!r} has no line besides comments, so there is no graph in it. "
            f"Check the export."
        )
    first = lines[: lines.find(b"\n") + 1] or lines
    separator = next((s for s in _SEPARATORS if s.encode() in first.strip()), "\t")
    try:
        frame = pl.read_csv(
            _single_blanks(lines) if separator == " " else lines,
            has_header=False,
            separator=separator,
            # Names with blanks need another separator than blanks, not quotes.
            quote_char='"' if separator in ",;" else None,
            infer_schema_length=0,
        )
    except pl.exceptions.PolarsError:
        # The reader's own message may quote a record, so it is not passed on.
        raise DataError(
            f"the lines of the file {str(path)!r} do not have equally many fields, so it cannot "
            f"be told which are the ends of an edge. Write each edge alike, on a line of its own."
        ) from None
    frame = frame.select(pl.all().str.strip_chars())
    # A separator at the end of each line makes a column of nothing.
    return frame.select(c for i, c in enumerate(frame) if i == 0 or c.null_count() < len(c))


def _refuse_words_beside(frame: pl.DataFrame, path: Path) -> None:
    """Refuse a table of records, and names with blanks: beside the two ends stand numbers only."""
    for column in frame[1:, 2:]:  # the first line may name the columns
        if column.cast(pl.Float64, strict=False).null_count() > column.null_count():
            raise DataError(
                f"the file {str(path)!r} has words beside the two ends of its edges, so it is a "
                f"table, or its names hold blanks, and nothing was read. Write an edge on each "
                f"line: two names without blanks (or separated by tabs or commas), and at most "
                f"weights or times behind them."
            )


def is_header(frame: pl.DataFrame) -> bool:
    """Tell whether the first line names the columns and not nodes.

    It does if its fields are no integers while all that follow are, or if they are usual words
    for the ends of an edge and occur nowhere else.
    """
    if all(dtype == pl.Int64 for dtype in frame.dtypes):
        return False
    first, rest = [str(field) for field in frame.row(0)], frame[1:].get_columns()
    usual = all(word.lower() in _HEADERS for word in first)
    if usual and not any(column.is_in(first).any() for column in rest):
        return True
    named = not any(_INTEGER.fullmatch(word) for word in first)
    return named and len(frame) > 1 and all(holds_integers(column) for column in rest)


def holds_integers(texts: pl.Series) -> bool:
    """Tell whether all texts are integers as Python writes them; "007" and "7.0" are names."""
    if texts.dtype == pl.Int64:
        return True
    return texts.null_count() == 0 and bool(texts.str.contains(f"^(?:{_INTEGER.pattern})$").all())


def _raw(path: Path) -> bytes:
    """Read a file, decompressed and without a mark of its encoding."""
    source = open_source(path)
    refuse_large(path)
    with source.opened() as content:
        return content.readall().removeprefix(b"\xef\xbb\xbf")


def _lines(path: Path, raw: bytes) -> bytes:
    """Return a text without comments and empty lines."""
    if b"\0" in raw or not _is_utf8(raw):
        raise DataError(
            f"the file {str(path)!r} is not UTF-8 text, so it is no list of edges. "
            f"Convert it, or give a Parquet file that ends in .parquet."
        )
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"#" in raw or b"%" in raw:
        raw = re.sub(rb"\n[ \t]*[#%][^\n]*", b"", b"\n" + raw)
    raw = raw.strip()
    if any(blank in raw for blank in (b"\n\n", b"\n ", b"\n\t")):
        raw = re.sub(rb"\n[ \t\n]*\n", b"\n", raw)
    return raw


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _single_blanks(lines: bytes) -> bytes:
    lines = lines.replace(b"\t", b" ")
    while b"  " in lines:
        lines = lines.replace(b"  ", b" ")
    return lines.replace(b"\n ", b"\n").replace(b" \n", b"\n")

"""How is a CSV file written: which encoding, separator, quote, decimal sign, and is there a header?

Detected from the first 2000 lines, or 256 KiB.  What somebody states is never doubted, unless it
would make one column of a file that has several.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from covey.errors import DataError
from covey.table.dialect import SEPARATORS, THOUSANDS, Dialect
from covey.table.numerals import number_pattern

SNIFFED = 2**18
"""Bytes that are looked at."""

_LINES = 2000

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHERS: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "an Excel workbook or a zip archive", "Name it .xlsx, or unpack it"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook or Word document", "Name it .xls, or export it"),
    (b"PAR1", "a Parquet file", "Name it .parquet"),
    (b"ARROW1", "an Arrow file", "Name it .arrow"),
    (b"%PDF", "a PDF document", "Ask for the table itself"),
    (b"SQLite format 3\0", "an SQLite database", "Give a query: sqlite://FILE?select * from TABLE"),
    (b"$FL2", "an SPSS file", "Name it .sav"),
    (b"<stata_dta>", "a Stata file", "Name it .dta"),
    (b"BZh", "a file packed by bzip2", "Unpack it"),
    (b"\x28\xb5\x2f\xfd", "a file packed by zstandard", "Unpack it"),
    (b"\xfd7zXZ\0", "a file packed by xz", "Unpack it"),
)
_MARKUP = re.compile(r"\s*(<!doctype|<html|<\?xml|<table|<body|<head)", re.IGNORECASE)
_JSON = re.compile(r'\s*(\{\s*("|\})|\[\s*(\{|\[|"|-?[0-9]+\s*[,\]]))')
_SEP_LINE = re.compile(r"sep=(.)\r?\n?$", re.IGNORECASE)
_YEAR = re.compile(r"(1[89]|20|21)[0-9]{2}")


def sniff(content: bytes, name: str, stated: Dialect, names: Collection[str] = ()) -> Dialect:
    """Detect how a file is written from its first bytes.

    Parameters
    ----------
    content : bytes
        At most `SNIFFED` of them; fewer if that is the whole file.
    name : str
        What the file is called in sentences.
    stated : Dialect
        What is known already.
    names : collection of str
        What the columns are called, if a schema tells: then these words are no record.
    """
    refuse_other_kinds(content, name)
    encoding = stated.encoding or _encoding(content, name)
    text = _decoded(content, encoding, name)
    refuse_markup(text, name)
    lines = split_lines(text)
    skip = stated.skip
    separator = stated.separator
    directive = _SEP_LINE.match(lines[0]) if lines and skip is None else None
    if directive:
        # Excel writes such a line, and reads it.
        separator = separator or directive[1]
    skip = int(bool(directive)) if skip is None else skip
    lines = lines[skip : skip + _LINES]
    if not any(line.strip() for line in lines):
        raise DataError(f"the file {name!r} is empty: it has no header line. Check the export.")
    if len(content) >= SNIFFED and 1 < len(lines) < _LINES:
        lines = lines[:-1]  # it is cut off
    quote = _quote(lines) if stated.quote is None else stated.quote
    separator = _separator(lines, quote, separator, name)
    rows = split_rows(lines, separator, quote)
    found = replace(
        stated, encoding=encoding, separator=separator, quote=quote, skip=skip, header=stated.header
    )
    decimal, thousands = _number_signs(rows[1:] or rows, separator, stated)
    found = replace(found, decimal=decimal, thousands=thousands)
    if found.header is None:
        found = replace(found, header=_has_header(rows, found, names))
    return found


def split_lines(text: str) -> list[str]:
    """Split at the three line ends of files; ``str.splitlines`` knows others, which are letters."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [f"{line}\n" for line in (lines if lines[-1] else lines[:-1])]


def field_reader(lines: Iterable[str], separator: str, quote: str) -> Any:
    """Return Python's own reader of CSV lines."""
    if not quote:
        return csv.reader(lines, delimiter=separator, quotechar=None, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=separator, quotechar=quote)


def split_rows(lines: Sequence[str], separator: str, quote: str) -> list[list[str]]:
    """Return the fields of lines, without blank ones."""
    try:
        return [row for row in field_reader(lines, separator, quote) if row]
    except csv.Error:
        return [[line] for line in lines]  # also where a field is longer than Python's reader reads


def refuse_other_kinds(content: bytes, name: str) -> None:
    """Refuse files that are known by their first bytes and hold no text."""
    for magic, kind, advice in _OTHERS:
        if content.startswith(magic):
            raise _other_kind(name, kind, advice)


def refuse_markup(text: str, name: str) -> None:
    """Refuse web pages, XML and JSON."""
    if _MARKUP.match(text):
        raise _other_kind(name, "a web page or XML", "Export the table as CSV")
    if _JSON.match(text):
        raise _other_kind(name, "JSON", "Export the table as CSV or Parquet")


def _other_kind(name: str, kind: str, advice: str) -> DataError:
    return DataError(
        f"the file {name!r} is named like a text file and is {kind}, so its lines are no records. "
        f"{advice}, and try again."
    )


def _encoding(content: bytes, name: str) -> str:
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return encoding
    even, odd = content[0:4096:2].count(0), content[1:4096:2].count(0)
    half = len(content[:4096]) // 2
    if half and max(even, odd) > 0.4 * half and min(even, odd) < 0.1 * half:
        return "utf-16-le" if odd > even else "utf-16-be"
    if b"\0" in content:
        raise DataError(
            f"the file {name!r} holds NUL bytes, which no text does: it is damaged, or no text "
            f"file. If it is UTF-16, say so: --encoding utf-16. Otherwise export it again."
        )
    return "utf-8"


def _decoded(content: bytes, encoding: str, name: str) -> str:
    decoder = codecs.getincrementaldecoder("utf-8-sig" if is_utf8(encoding) else encoding)()
    try:
        return decoder.decode(content, final=len(content) < SNIFFED)
    except (UnicodeDecodeError, UnicodeError):
        raise not_in_encoding(name, encoding) from None


def is_utf8(encoding: str) -> bool:
    """Return whether this is a name of UTF-8."""
    return codecs.lookup(encoding).name in ("utf-8", "utf-8-sig")


def not_in_encoding(name: str, encoding: str) -> DataError:
    """Explain that letters cannot be read, and how to say which they are."""
    if is_utf8(encoding):
        return DataError(
            f"the file {name!r} is not UTF-8 text, so its letters are ambiguous and nothing was "
            f"read. Say what it is: --encoding cp1252 if Windows or Excel in Western Europe wrote "
            f"it, cp1250 in Central Europe, latin-1 if an old Unix did (encoding = … in Python and "
            f"in the schema's [reading]); then look at a name with an accent in what is shown."
        )
    return DataError(
        f"the file {name!r} is not {encoding} text, so its letters cannot be read. State another "
        f"encoding, or none to have it detected."
    )


def _quote(lines: Sequence[str]) -> str:
    if any('"' in line for line in lines):
        return '"'
    single = re.compile(r"(?:^|[,;\t|])'[^'\n]*'(?=$|[,;\t|\r\n])")
    quoted = sum(len(single.findall(line)) for line in lines)
    signs = sum(line.count("'") for line in lines)
    return "'" if quoted and 2 * quoted == signs else '"'


def _separator(lines: Sequence[str], quote: str, stated: str | None, name: str) -> str:
    widths = {
        sign: [len(row) for row in split_rows(lines, sign, quote)]
        for sign in {*SEPARATORS, *([stated] if stated else [])}
    }
    regular = [
        sign
        for sign in SEPARATORS
        # Two words are a name more often than two fields.
        if widths[sign][0] > (2 if sign == " " else 1) and len(set(widths[sign])) == 1
    ]
    if stated is not None:
        if regular and set(widths[stated]) == {1}:
            raise DataError(
                f"the file {name!r} has one column if it is read with "
                f"{SEPARATORS.get(stated, repr(stated))}, and several with "
                f"{SEPARATORS[regular[0]]}: whole records would count as values, so nothing was "
                f"read. State separator = {regular[0]!r}, or none to have it detected."
            )
        return stated
    if regular:
        return regular[0]
    # Some lines are wrong: the reader names them, if it is told what most of them agree on.
    agreeing = {sign: _agreement(widths[sign]) for sign in SEPARATORS}
    best = max(SEPARATORS, key=lambda sign: agreeing[sign])
    if best != " " and agreeing[best] > 0:
        return best
    _refuse_fixed_places(lines, name)
    return ","


def _refuse_fixed_places(lines: Sequence[str], name: str) -> None:
    """Refuse a file whose fields stand in fixed places: it would be one column of whole records."""
    widths = {len(line.split()) for line in lines if line.strip()}
    if len(widths) == 1 and max(widths) > 2 and len(lines) > 2:  # noqa: PLR2004
        raise DataError(
            f"the file {name!r} has no separator between its fields: they seem to stand in fixed "
            f"places, filled up with blanks, so whole records would count as values and nothing "
            f"was read. Export it as CSV."
        )


def _agreement(widths: list[int]) -> float:
    width, times = Counter(widths).most_common(1)[0]
    header = max(widths[0], 1)
    return 0.0 if max(width, header) == 1 else times / len(widths) + (header == width)


def _number_signs(rows: list[list[str]], separator: str, stated: Dialect) -> tuple[str, str]:
    """Choose the decimal sign and the sign between thousands that make most columns numbers."""
    # 1,234 is one thousand where a comma would otherwise separate fields, and 1.234 elsewhere.
    likely = [(".", ""), (",", ""), (".", ",")]
    likely = [*likely, (",", ".")] if separator != "," else [likely[0], likely[2], likely[1]]
    likely += [(decimal, sign) for decimal in ".," for sign in THOUSANDS if sign not in ".,"]
    fitting = [
        (decimal, sign)
        for decimal, sign in likely
        if stated.decimal in (None, decimal) and stated.thousands in (None, sign)
    ]
    if not fitting:
        return stated.decimal or ".", stated.thousands or ""
    columns = _columns_with_digits(rows)

    def numbers(signs: tuple[str, str]) -> int:
        pattern = re.compile(number_pattern(*signs))
        return sum(all(map(pattern.fullmatch, column)) for column in columns)

    return max(fitting, key=numbers)


def _columns_with_digits(rows: list[list[str]]) -> list[list[str]]:
    columns = []
    for j in range(len(rows[0])):
        texts = [row[j].strip() for row in rows if len(row) > j]
        columns.append([text for text in texts if any(map(str.isdigit, text))])
    return [column for column in columns if column]


def _has_header(rows: list[list[str]], reading: Dialect, names: Collection[str]) -> bool:
    """Return whether the first line names columns rather than being a record."""
    first, others = [text.strip() for text in rows[0]], rows[1:]
    number = re.compile(number_pattern(reading.decimal or ".", reading.thousands or ""))
    numbers = [text for text in first if number.fullmatch(text)]
    words = [text for text in first if text and text not in numbers]
    named = bool(names) and set(names) <= {*first}
    if named or (numbers == [str(j) for j in range(len(numbers))] and not words):
        return True  # as described, or as frames count their columns
    if not others:
        return not numbers
    if numbers and not (words and all(_YEAR.fullmatch(text) for text in numbers)):
        return False
    # A name does not occur below itself; a value does, sooner or later.
    again = sum(
        bool(text) and any(len(row) > j and row[j].strip() == text for row in others)
        for j, text in enumerate(first)
    )
    return 2 * again < len(first)

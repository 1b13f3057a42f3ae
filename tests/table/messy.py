"""Small files of the kinds that people have: each is read right, or refused with the right reason.

A case makes its file in a folder and says what comes out: the columns with their values, or a
pattern that the refusal matches.
"""

from __future__ import annotations

import gzip
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

Columns = dict[str, list[Any]]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A file and what becomes of it."""

    name: str
    make: Callable[[Path], str | Path]
    values: Columns | None = None
    refusal: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    needs: str | None = None


def text(content: str | bytes, name: str = "people.csv", encoding: str = "utf-8") -> Any:
    """Return a maker of a text file."""

    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return make


def packed(content: bytes, name: str = "people.csv.gz") -> Any:
    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(gzip.compress(content))
        return path

    return make


PLAIN = {"age": [34, 51, 29], "town": ["Ahof", "Bdorf", "Bdorf"]}
GERMAN = {"Alter": [34, 51], "Einkommen": [1234.5, 200.0], "Ort": ["Köln", "Bonn"]}
GERMAN_TEXT = "Alter;Einkommen;Ort\n34;1.234,50;Köln\n51;200,00;Bonn\n"


def lines(separator: str = ",", end: str = "\n", *, last: bool = True) -> str:
    rows = [["age", "town"], *([str(a), t] for a, t in zip(*PLAIN.values(), strict=True))]
    joined = end.join(separator.join(row) for row in rows)
    return joined + end if last else joined


def workbook(columns: Columns, **more: Columns) -> Any:
    def make(folder: Path) -> Path:
        import xlsxwriter

        path = folder / "people.xlsx"
        with xlsxwriter.Workbook(path) as book:
            for sheet, content in {"people": columns, **more}.items():
                pl.DataFrame(content, strict=False).write_excel(book, sheet)
        return path

    return make


def survey(ending: str, **how: Any) -> Any:
    def make(folder: Path) -> Path:
        import pandas as pd
        import pyreadstat

        path = folder / f"people{ending}"
        frame = pd.DataFrame({"age": [34.0, 51.0, 29.0], "sex": [1.0, 2.0, 2.0]})
        getattr(pyreadstat, f"write_{ending[1:]}")(frame, str(path), **how)
        return path

    return make


def parquet_folder(folder: Path) -> Path:
    place = folder / "parts"
    place.mkdir()
    frame = pl.DataFrame(PLAIN)
    frame.head(1).write_parquet(place / "1.parquet")
    frame.tail(2).write_parquet(place / "2.parquet")
    return place


def hive_folder(folder: Path) -> Path:
    place = folder / "parts" / "year=1"
    place.mkdir(parents=True)
    pl.DataFrame(PLAIN).write_parquet(place / "1.parquet")
    (folder / "parts" / "_SUCCESS").touch()
    return folder / "parts"


def csv_folder(folder: Path) -> Path:
    place = folder / "parts"
    place.mkdir()
    (place / "1.csv").write_text("age;town\n34;Ahof\n")
    (place / "2.csv").write_text("age;town\n51;Bdorf\n29;Bdorf\n")
    return place


def mixed_folder(folder: Path) -> Path:
    csv_folder(folder)
    pl.DataFrame(PLAIN).write_parquet(folder / "parts" / "3.parquet")
    return folder / "parts"


def unlike_folder(folder: Path) -> Path:
    csv_folder(folder)
    (folder / "parts" / "3.csv").write_text("age;city\n51;Bdorf\n")
    return folder / "parts"


def sqlite_file(folder: Path) -> Path:
    path = folder / "people.db"
    with sqlite3.connect(path) as base:
        base.execute("create table people (age integer, town text)")
        base.executemany("insert into people values (?, ?)", zip(*PLAIN.values(), strict=True))
    base.close()
    return path


def duckdb_file(folder: Path) -> Path:
    import duckdb

    path = folder / "people.duckdb"
    with duckdb.connect(str(path)) as base:
        base.execute("create table people (age integer, town varchar)")
        base.executemany("insert into people values (?, ?)", [*zip(*PLAIN.values(), strict=True)])
    return path


def asked(scheme: str, make: Callable[[Path], Path], query: str) -> Any:
    return lambda folder: f"{scheme}://{make(folder)}?{query}"


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "people.csv")
    return folder / "people.csv"


def endless_link(folder: Path) -> Path:
    (folder / "people.csv").symlink_to("/dev/zero")
    return folder / "people.csv"


def looping_link(folder: Path) -> Path:
    (folder / "people.csv").symlink_to(folder / "people.csv")
    return folder / "people.csv"


CASES = [
    # Line ends, blank lines, marks.
    Case(name="plain", make=text(lines()), values=PLAIN),
    Case(name="no end of the last line", make=text(lines(last=False)), values=PLAIN),
    Case(name="Windows line ends", make=text(lines(end="\r\n")), values=PLAIN),
    Case(name="old Macintosh line ends", make=text(lines(end="\r")), values=PLAIN),
    Case(name="blank lines", make=text(lines() + "\n\n"), values=PLAIN),
    Case(name="blank lines before the names", make=text("\n\n" + lines()), values=PLAIN),
    Case(name="a byte order mark", make=text(lines(), encoding="utf-8-sig"), values=PLAIN),
    Case(
        name="a mark before quoted names",
        make=text('"age","town"\n34,Ahof\n51,Bdorf\n29,Bdorf\n', encoding="utf-8-sig"),
        values=PLAIN,
    ),
    # Encodings.
    Case(name="UTF-16", make=text(GERMAN_TEXT, encoding="utf-16"), values=GERMAN),
    Case(name="UTF-16 without a mark", make=text(lines(), encoding="utf-16-le"), values=PLAIN),
    Case(name="UTF-16, big end first", make=text(lines(), encoding="utf-16-be"), values=PLAIN),
    Case(
        name="cp1252, not stated",
        make=text(GERMAN_TEXT, encoding="cp1252"),
        refusal=r"not UTF-8 text.*--encoding cp1252",
    ),
    Case(
        name="cp1252, stated",
        make=text(GERMAN_TEXT, encoding="cp1252"),
        values=GERMAN,
        options={"encoding": "cp1252"},
    ),
    Case(
        name="latin-1, stated",
        make=text(GERMAN_TEXT, encoding="latin-1"),
        values=GERMAN,
        options={"encoding": "latin-1"},
    ),
    Case(
        name="an odd byte far below",
        make=text(b"age\n" + b"5\n" * 140_000 + b"7777777\xe4\n"),
        refusal=r"not UTF-8 text",
    ),
    Case(
        name="an encoding that there is not",
        make=text(lines()),
        refusal=r"encoding = 'klingon'",
        options={"encoding": "klingon"},
    ),
    Case(
        name="the wrong encoding stated",
        make=text(GERMAN_TEXT, encoding="cp1252"),
        refusal=r"is not UTF-8 text",
        options={"encoding": "utf-8"},
    ),
    Case(name="NUL bytes", make=text(b"age,town\n5,a\0b\n"), refusal=r"holds NUL bytes"),
    Case(
        name="a NUL byte far below",
        make=text(b"age,town\n" + b"5,a\n" * 70_000 + b"5,a\0b\n"),
        refusal=r"holds NUL bytes",
    ),
    # Separators and quotes.
    Case(name="semicolons", make=text(lines(";")), values=PLAIN),
    Case(name="tabs in a .csv", make=text(lines("\t")), values=PLAIN),
    Case(name="TSV", make=text(lines("\t"), "people.tsv"), values=PLAIN),
    Case(name="vertical bars in a .txt", make=text(lines("|"), "people.txt"), values=PLAIN),
    Case(
        name="semicolons and commas in texts",
        make=text("age;note\n5;a, b\n7;c\n9;d, e, f\n"),
        values={"age": [5, 7, 9], "note": ["a, b", "c", "d, e, f"]},
    ),
    Case(
        name="quoted separators, quotes and line ends",
        make=text('age,note\n5,"a, ""b"""\n7,"c\nd"\n'),
        values={"age": [5, 7], "note": ['a, "b"', "c\nd"]},
    ),
    Case(
        name="single quotes",
        make=text("age,note\n5,'a, b'\n7,'c'\n"),
        values={"age": [5, 7], "note": ["a, b", "c"]},
    ),
    Case(
        name="an apostrophe is no quote",
        make=text("age,name of town\n5,L'Aquila\n7,Bonn\n"),
        values={"age": [5, 7], "name of town": ["L'Aquila", "Bonn"]},
    ),
    Case(
        name="inches, with quotes switched off",
        make=text('size,age\n5" pipe,7\nrod,8\n'),
        values={"size": ['5" pipe', "rod"], "age": [7, 8]},
        options={"quote": "none"},
    ),
    Case(
        name="Excel's own line about the separator",
        make=text("sep=;\r\nage;town\r\n34;Ahof\r\n51;Bdorf\r\n29;Bdorf\r\n"),
        values=PLAIN,
    ),
    Case(
        name="a separator that makes one column",
        make=text(lines(";")),
        refusal=r"one column .* whole records would count as values",
        options={"separator": ","},
    ),
    Case(
        name="a separator of two signs",
        make=text(lines("::")),
        refusal=r"separator = '::'",
        options={"separator": "::"},
    ),
    Case(
        name="blanks",
        make=text("age town size\n34 Ahof 5\n51 Bdorf 6\n"),
        values={"age": [34, 51], "town": ["Ahof", "Bdorf"], "size": [5, 6]},
    ),
    Case(
        name="fixed places",
        make=text("age   town   size\n 34   Ahof      5\n 51   Bdorf    17\n"),
        refusal=r"in fixed places",
    ),
    Case(
        name="names of two words are one column",
        make=text("full name\nAnna Arndt\nBert Beier\n"),
        values={"full name": ["Anna Arndt", "Bert Beier"]},
    ),
    Case(name="one column", make=text("age\n5\n7\n"), values={"age": [5, 7]}),
    Case(name="one column with a gap", make=text("age\n5\n\n7\n"), values={"age": [5, None, 7]}),
    Case(
        name="lines before the table",
        make=text("Survey of 2020\nall rights reserved\nage;town\n5;a\n7;b\n"),
        values={"age": [5, 7], "town": ["a", "b"]},
        options={"skip": 2},
    ),
    # Numbers.
    Case(name="decimal commas and points between thousands", make=text(GERMAN_TEXT), values=GERMAN),
    Case(
        name="decimal points and commas between thousands",
        make=text('age,income\n34,"1,234.50"\n51,"12,200.00"\n'),
        values={"age": [34, 51], "income": [1234.5, 12200.0]},
    ),
    Case(
        name="Swiss thousands",
        make=text("age;income\n34;1'234.50\n51;12'200.00\n"),
        values={"age": [34, 51], "income": [1234.5, 12200.0]},
    ),
    Case(
        name="blanks between thousands",
        make=text("age;income\n34;1\u00a0234,5\n51;12\u00a0200,25\n"),
        values={"age": [34, 51], "income": [1234.5, 12200.25]},
    ),
    Case(
        name="three digits behind a comma are thousands where quoted in a comma file",
        make=text('age,income\n34,"1,234"\n51,"12,200"\n'),
        values={"age": [34, 51], "income": [1234, 12200]},
    ),
    Case(
        name="three digits behind a comma are decimals if somebody says so",
        make=text('age,length\n34,"1,234"\n51,"2,200"\n'),
        values={"age": [34, 51], "length": [1.234, 2.2]},
        options={"decimal": ",", "thousands": "none"},
    ),
    Case(
        name="decimal points beside semicolons",
        make=text("age;length\n34;1.5\n51;2.25\n"),
        values={"age": [34, 51], "length": [1.5, 2.25]},
    ),
    Case(
        name="signs and blanks around numbers",
        make=text("change,size\n+5, 7 \n-3,8\n"),
        values={"change": [5, -3], "size": [7, 8]},
    ),
    Case(
        name="leading zeros stay texts",
        make=text("zip,age\n01067,5\n50667,7\n"),
        values={"zip": ["01067", "50667"], "age": [5, 7]},
    ),
    Case(
        name="zero point five is a number",
        make=text("share\n0.5\n0\n-0.25\n"),
        values={"share": [0.5, 0.0, -0.25]},
    ),
    Case(
        name="numbers too long for 64 bits stay texts",
        make=text("card,age\n12345678901234567890,5\n12345678901234567891,7\n"),
        values={"card": ["12345678901234567890", "12345678901234567891"], "age": [5, 7]},
    ),
    Case(
        name="truth values",
        make=text("ill,age\nTRUE,5\nFALSE,7\n"),
        values={"ill": [True, False], "age": [5, 7]},
    ),
    Case(
        name="empty fields and blanks are missing",
        make=text('age,town\n5,a\n,b\n7,""\n9,  \n'),
        values={"age": [5, None, 7, 9], "town": ["a", "b", None, None]},
    ),
    # Names.
    Case(
        name="no line with names",
        make=text("34,Ahof\n51,Bdorf\n29,Bdorf\n"),
        values={"column_1": [34, 51, 29], "column_2": ["Ahof", "Bdorf", "Bdorf"]},
    ),
    Case(
        name="no line with names, texts alone",
        make=text("m,Bdorf\nf,Ahof\nm,Bdorf\nf,Ahof\n"),
        values={"column_1": ["m", "f", "m", "f"], "column_2": ["Bdorf", "Ahof", "Bdorf", "Ahof"]},
    ),
    Case(
        name="no line with names, stated",
        make=text("Anna,Ahof\nBert,Bdorf\n"),
        values={"column_1": ["Anna", "Bert"], "column_2": ["Ahof", "Bdorf"]},
        options={"header": False},
    ),
    Case(
        name="years as names",
        make=text("town,2019,2020\nAhof,5,7\nBdorf,8,9\n"),
        values={"town": ["Ahof", "Bdorf"], "2019": [5, 8], "2020": [7, 9]},
    ),
    Case(
        name="counted names",
        make=text("0,1\n5.5,7\n8.5,9\n"),
        values={"0": [5.5, 8.5], "1": [7, 9]},
    ),
    Case(
        name="a column without a name",
        make=text(",age\n1,5\n2,7\n"),
        values={"column_1": [1, 2], "age": [5, 7]},
    ),
    Case(name="a repeated name", make=text("a,b,a\n1,2,3\n"), refusal=r"'a' occurs more than once"),
    Case(name="no byte", make=text(b""), refusal=r"is empty: it has no header line"),
    Case(name="blank lines alone", make=text("\n\n \n"), refusal=r"is empty: it has no header"),
    # Lines that do not fit.
    Case(
        name="too few fields",
        make=text("a,b,c\n1,2,3\n7777777,5\n7,8,9\n"),
        refusal=r"line 3 .*too few fields",
    ),
    Case(
        name="too many fields",
        make=text("a;b;c\n1;2;3\n4;5;6\n7777777;8;9;10\n"),
        refusal=r"line 4 .*too many fields",
    ),
    Case(
        name="too few fields below a quoted line end",
        make=text('a,b\n1,"x\ny"\n7777777\n'),
        refusal=r"line 4 .*too few fields",
    ),
    Case(
        name="too few fields far below",
        make=text("a,b\n" + "1,2\n" * 70_000 + "7777777\n"),
        refusal=r"line 70002 .*too few fields",
    ),
    Case(
        name="cut off inside quotes",
        make=text('a,b\n1,"x"\n2,"7777777\n3,"z"\n'),
        refusal=r"ends inside quotes",
    ),
    # Other things called .csv.
    Case(name="HTML", make=text("<!DOCTYPE html><html>"), refusal=r"a web page or XML"),
    Case(name="XML", make=text('<?xml version="1.0"?><a/>'), refusal=r"a web page or XML"),
    Case(name="JSON", make=text('[{"age": 5}, {"age": 7}]'), refusal=r"is JSON"),
    Case(name="JSON lines", make=text('{"age": 5}\n{"age": 7}\n'), refusal=r"is JSON"),
    Case(name="a workbook called .csv", make=text(b"PK\x03\x04rest"), refusal=r"Excel workbook"),
    Case(name="Parquet called .csv", make=text(b"PAR1rest"), refusal=r"a Parquet file"),
    Case(name="a PDF called .csv", make=text(b"%PDF-1.7 rest"), refusal=r"a PDF document"),
    Case(name="another ending", make=text(lines(), "people.docx"), refusal=r"unknown kind"),
    # Packed files, pipes, devices, folders.
    Case(name="packed", make=packed(lines().encode()), values=PLAIN),
    Case(name="packed without saying so", make=packed(lines().encode(), "p.csv"), values=PLAIN),
    Case(
        name="packed and damaged",
        make=text(gzip.compress(lines().encode())[:-12], "people.csv.gz"),
        refusal=r"cannot be read \(damaged\)",
    ),
    Case(name="a pipe", make=pipe, refusal=r"is a pipe"),
    Case(name="a link to an endless device", make=endless_link, refusal=r"is no file with a table"),
    Case(name="a link to itself", make=looping_link, refusal=r"cannot be read|no file"),
    Case(name="no file", make=lambda folder: folder / "people.csv", refusal=r"there is no file"),
    Case(name="a folder of Parquet files", make=parquet_folder, values=PLAIN),
    Case(name="folders that tell a column", make=hive_folder, values={**PLAIN, "year": [1, 1, 1]}),
    Case(name="a folder of CSV files", make=csv_folder, values=PLAIN),
    Case(name="a folder of both", make=mixed_folder, refusal=r"it is a folder, and not one of"),
    Case(name="a folder of unlike files", make=unlike_folder, refusal=r"not have the same columns"),
    Case(name="an empty folder", make=lambda folder: folder, refusal=r"it is a folder"),
    # Other formats.
    Case(
        name="a workbook",
        make=workbook(PLAIN),
        values=PLAIN,
        needs="fastexcel",
    ),
    Case(
        name="a sheet of a workbook",
        make=workbook({"x": [1]}, more=PLAIN),
        values=PLAIN,
        options={"sheet": "more"},
        needs="fastexcel",
    ),
    Case(
        name="a sheet that there is not",
        make=workbook(PLAIN),
        refusal=r"no sheet 'more'.*Its sheets: people",
        options={"sheet": "more"},
        needs="fastexcel",
    ),
    Case(
        name="a damaged workbook",
        make=text(b"PK\x03\x04rest", "people.xlsx"),
        refusal=r"the workbook .* cannot be read",
        needs="fastexcel",
    ),
    Case(
        name="SPSS with labels",
        make=survey(".sav", variable_value_labels={"sex": {1.0: "male", 2.0: "female"}}),
        values={"age": [34, 51, 29], "sex": ["male", "female", "female"]},
        needs="pyreadstat",
    ),
    Case(
        name="SPSS with codes",
        make=survey(".sav", variable_value_labels={"sex": {1.0: "male", 2.0: "female"}}),
        values={"age": [34, 51, 29], "sex": [1, 2, 2]},
        options={"labels": False},
        needs="pyreadstat",
    ),
    Case(
        name="SPSS with a code for missing",
        make=survey(".sav", missing_ranges={"age": [51]}),
        values={"age": [34, None, 29], "sex": [1, 2, 2]},
        needs="pyreadstat",
    ),
    Case(
        name="labels for some values are none",
        make=survey(".sav", variable_value_labels={"age": {99.0: "refused"}}),
        values={"age": [34, 51, 29], "sex": [1, 2, 2]},
        needs="pyreadstat",
    ),
    Case(
        name="Stata with labels",
        make=survey(".dta", variable_value_labels={"sex": {1: "male", 2: "female"}}),
        values={"age": [34, 51, 29], "sex": ["male", "female", "female"]},
        needs="pyreadstat",
    ),
    Case(
        name="a transport file of SAS",
        make=survey(".xport"),
        refusal=r"unknown kind",
        needs="pyreadstat",
    ),
    Case(
        name="a damaged SPSS file",
        make=text(b"$FL2 rest", "people.sav"),
        refusal=r"cannot be read: it is damaged",
        needs="pyreadstat",
    ),
    Case(
        name="Arrow",
        make=lambda folder: pl.DataFrame(PLAIN).write_ipc(folder / "p.arrow") or folder / "p.arrow",
        values=PLAIN,
    ),
    Case(
        name="damaged Arrow",
        make=text(b"ARROW1", "p.feather"),
        refusal=r"not a readable Arrow|cannot be read \(damaged\)",
    ),
    Case(
        name="an SQLite query",
        make=asked("sqlite", sqlite_file, "SELECT * FROM people"),
        values=PLAIN,
    ),
    Case(
        name="an SQLite query that is none",
        make=asked("sqlite", sqlite_file, "SELECT * FROM nobody"),
        refusal=r"did not answer the query",
    ),
    Case(
        name="an SQLite file without a query",
        make=lambda folder: f"sqlite://{sqlite_file(folder)}",
        refusal=r"says no query",
    ),
    Case(
        name="an SQLite query that changes something",
        make=asked("sqlite", sqlite_file, "DELETE FROM people"),
        refusal=r"did not answer the query",
    ),
    Case(
        name="a DuckDB query",
        make=asked("duckdb", duckdb_file, "SELECT * FROM people"),
        values=PLAIN,
        needs="duckdb",
    ),
    Case(
        name="a DuckDB query that changes something",
        make=asked("duckdb", duckdb_file, "DELETE FROM people"),
        refusal=r"did not answer the query",
        needs="duckdb",
    ),
    Case(
        name="an address of a CSV file",
        make=lambda folder: text(lines(";"))(folder).as_uri(),
        values=PLAIN,
    ),
    Case(
        name="an address of nothing",
        make=lambda folder: (folder / "people.csv").as_uri(),
        refusal=r"cannot be read: it is not there",
    ),
    Case(
        name="an unknown scheme",
        make=lambda folder: f"gopher://{folder}",
        refusal=r"does not know the scheme",
    ),
]

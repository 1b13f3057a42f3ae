"""What is in a file, and which description would one start from?

A large file is read piece by piece: its content is hashed, its records are counted, and of every
column just the few values are kept that decide about the draft.  Whatever is odd about a file is
left to the reader of whole tables, which says in words what is wrong.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

import covey
from covey.studio.found import Source
from covey.systems import Progress
from covey.table import Schema, draft_schema, read_frame
from covey.table.draft import MOST_CATEGORIES
from covey.table.dtypes import is_unusual

PREVIEW = 8
"""So many records are shown."""

GUESSED = 10_000
"""Types of a CSV file are guessed from so many lines; if one is wrong later, from all lines."""

PIECE = 2**18
"""Records that are read at a time."""

CHUNK = 2**20
"""Bytes that are hashed at a time."""


def look(
    progress: Progress,
    say: object,
    *,
    path: str,
    name: str,
    kind: str,
    schema: Schema | None = None,
) -> tuple[Source, Schema | None]:
    """Read a file for the first time; the content is all that the digest depends on."""
    del say
    file = Path(path)
    content = _content(file, progress)
    if kind == "graph":
        return _graph(file, name, content.digest, progress), None
    glance = None if schema is not None else _glance(file, content, progress)
    if glance is None:
        progress("reading the file", 0, 0)
        frame, _, _ = read_frame(file, schema)
        glance = Glance(rows=frame.height, head=frame.head(PREVIEW), few=frame)
    drafted = draft_schema(glance.few) if schema is None else schema
    source = Source(
        name=name,
        path=path,
        kind="table",
        digest=content.digest,
        rows=glance.rows,
        columns=tuple(glance.head.columns),
        preview=tuple(tuple(map(_text, row)) for row in glance.head.iter_rows()),
        facts=(("Records", f"{glance.rows:,}"), ("Columns", f"{glance.head.width:,}")),
        example=schema is not None,
    )
    return source, drafted


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """What is kept of a table.

    Parameters
    ----------
    rows : int
        How many records there are.
    head : DataFrame
        The first of them.
    few : DataFrame
        Few values of each column, whose draft is that of all of them.
    """

    rows: int
    head: pl.DataFrame
    few: pl.DataFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    digest: str
    lines: int
    text: bool


def _content(path: Path, progress: Progress) -> _Content:
    """Hash a file, count its lines, and see whether it is UTF-8 text."""
    digest, lines, done = hashlib.sha256(), 0, 0
    size = path.stat().st_size
    decoder: codecs.IncrementalDecoder | None = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            lines += chunk.count(b"\n")
            done += len(chunk)
            try:
                if decoder is not None:
                    decoder.decode(chunk, final=done >= size)
            except UnicodeDecodeError:
                decoder = None
            progress("checking the file", done, size)
    return _Content(digest=digest.hexdigest()[:16], lines=lines, text=decoder is not None)


def _graph(path: Path, name: str, digest: str, progress: Progress) -> Source:
    progress("reading the edges", 0, 0)
    graph = covey.read_graph(path)
    return Source(
        name=name,
        path=str(path),
        kind="graph",
        digest=digest,
        rows=graph.n_nodes,
        columns=("node", "node"),
        preview=tuple((str(graph.ids[u]), str(graph.ids[v])) for u, v in graph.edges()[:PREVIEW]),
        facts=(("Nodes", f"{graph.n_nodes:,}"), ("Edges", f"{graph.n_edges:,}")),
        notes=graph.notes,
    )


def _glance(path: Path, content: _Content, progress: Progress) -> Glance | None:
    """Look at a table piece by piece, or return None if it must be read as a whole."""
    if path.suffix == ".csv" and not content.text:
        return None
    for scan in _scans(path):
        try:
            found = _collected(scan, content.lines, progress)
        except (pl.exceptions.PolarsError, OSError):
            continue
        if found is not None:
            return found
    return None


def _scans(path: Path) -> Iterator[pl.LazyFrame]:
    """Yield the ways to read a file: types guessed from its first lines, then from all."""
    if path.suffix == ".parquet":
        yield pl.scan_parquet(path, glob=False, hive_partitioning=False)
    if path.suffix == ".csv" and path.stat().st_size:
        for length in (GUESSED, None):
            scan = pl.scan_csv(path, infer_schema_length=length, glob=False)
            try:
                ready = scan.collect_schema().names() == _header(path)
                empty = length is not None and _has_empty_column(scan, length)
            except (pl.exceptions.PolarsError, OSError, csv.Error):
                continue
            if ready and not empty:
                yield scan


def _header(path: Path) -> list[str]:
    """Return the names as they stand there; polars renames what is repeated."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return next(csv.reader([file.readline()]), [])


def _has_empty_column(scan: pl.LazyFrame, length: int) -> bool:
    """Return whether the first lines say nothing about a column, and more lines follow."""
    head = scan.head(length).collect()
    return head.height == length and any(each.null_count() == length for each in head)


def _collected(scan: pl.LazyFrame, lines: int, progress: Progress) -> Glance | None:
    rows = 0
    head: pl.DataFrame | None = None
    kept: dict[str, pl.Series] = {}
    for piece in scan.collect_batches(chunk_size=PIECE, engine="streaming", lazy=True):
        head = piece.head(PREVIEW) if head is None else head.vstack(piece.head(PREVIEW - len(head)))
        rows += piece.height
        for column in piece:
            before = kept.get(column.name)
            if before is None or len(before) <= MOST_CATEGORIES:
                kept[column.name] = decisive(column if before is None else before.append(column))
        progress("reading the file", rows, max(lines, rows))
    if head is None or not rows:
        return None
    most = max(len(column) for column in kept.values())
    few = pl.DataFrame([_filled(column, most) for column in kept.values()])
    return Glance(rows=rows, head=head, few=few)


def decisive(column: pl.Series) -> pl.Series:
    """Return few values of a column that decide about its draft like all of them.

    The draft of numbers asks for the smallest, the largest, and whether any is missing; that of
    categories for all of them, unless there are too many.
    """
    if column.dtype.is_numeric():
        finite = column.cast(pl.Float64).is_finite().fill_null(value=False)
        known = column.filter(finite)
        return pl.concat([known.bottom_k(1), known.top_k(1), column.filter(~finite).head(1)])
    if is_unusual(column.dtype):
        return column.head(1)
    return column.unique().head(MOST_CATEGORIES + 1)


def _filled(column: pl.Series, length: int) -> pl.Series:
    """Repeat the first value, so that all columns are of one length."""
    return column.gather([*range(len(column)), *([0] * (length - len(column)))])


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)

"""What is in an uploaded file, and which description would one start from?

A large file is read batch by batch: its content is hashed, its records are counted, and of every
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
from covey.studio.results import DataFile
from covey.systems import Progress
from covey.table import Schema, draft_schema, read_frame
from covey.table.draft import MOST_CATEGORIES
from covey.table.draft_moments import decisive_moments
from covey.table.dtypes import is_unusual
from covey.table.step import DRAFTED_DECIMALS, has_decimals

PREVIEW = 8
"""So many records are shown."""

GUESSED = 10_000
"""Types of a CSV file are guessed from so many lines; if one is wrong later, from all lines."""

BATCH = 2**18
"""Records that are read at a time."""

HASH_CHUNK = 2**20
"""Bytes that are hashed at a time."""


def read_upload(
    progress: Progress,
    say: object,
    *,
    path: str,
    name: str,
    kind: str,
    schema: Schema | None = None,
) -> tuple[DataFile, Schema | None]:
    """Read a file for the first time; the content is all that the digest depends on."""
    del say
    place = Path(path)
    content = _read_content(place, progress)
    if kind == "graph":
        return _graph(place, name, content.digest, progress), None
    excerpt = None if schema is not None else _read_in_batches(place, content, progress)
    if excerpt is None:
        progress("reading the file", 0, 0)
        frame, _, _ = read_frame(place, schema)
        excerpt = Excerpt(rows=frame.height, head=frame.head(PREVIEW), few=frame)
    drafted = draft_schema(excerpt.few) if schema is None else schema
    file = DataFile(
        name=name,
        path=path,
        kind="table",
        digest=content.digest,
        rows=excerpt.rows,
        columns=tuple(excerpt.head.columns),
        preview=tuple(tuple(map(_text, row)) for row in excerpt.head.iter_rows()),
        facts=(("Records", f"{excerpt.rows:,}"), ("Columns", f"{excerpt.head.width:,}")),
        example=schema is not None,
    )
    return file, drafted


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
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


def _read_content(path: Path, progress: Progress) -> _Content:
    """Hash a file, count its lines, and see whether it is UTF-8 text."""
    digest, lines, done = hashlib.sha256(), 0, 0
    size = path.stat().st_size
    decoder: codecs.IncrementalDecoder | None = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        while chunk := file.read(HASH_CHUNK):
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


def _graph(path: Path, name: str, digest: str, progress: Progress) -> DataFile:
    progress("reading the edges", 0, 0)
    graph = covey.read_graph(path)
    return DataFile(
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


def _read_in_batches(path: Path, content: _Content, progress: Progress) -> Excerpt | None:
    """Read a table batch by batch, or return None if it must be read as a whole."""
    if path.suffix == ".csv" and not content.text:
        return None
    for scan in _scans(path):
        try:
            excerpt = _collect(scan, content.lines, progress)
        except (pl.exceptions.PolarsError, OSError):
            continue
        if excerpt is not None:
            return excerpt
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


def _collect(scan: pl.LazyFrame, lines: int, progress: Progress) -> Excerpt | None:
    rows = 0
    head: pl.DataFrame | None = None
    kept: dict[str, pl.Series] = {}
    for batch in scan.collect_batches(chunk_size=BATCH, engine="streaming", lazy=True):
        head = batch.head(PREVIEW) if head is None else head.vstack(batch.head(PREVIEW - len(head)))
        rows += batch.height
        for column in batch:
            before = kept.get(column.name)
            if before is None or len(before) <= MOST_CATEGORIES or before.dtype == pl.String:
                kept[column.name] = decisive_values(
                    column if before is None else before.append(column)
                )
        progress("reading the file", rows, max(lines, rows))
    if head is None or not rows:
        return None
    most = max(len(column) for column in kept.values())
    few = pl.DataFrame([_repeat_first(column, most) for column in kept.values()])
    return Excerpt(rows=rows, head=head, few=few)


def decisive_values(column: pl.Series) -> pl.Series:
    """Return few values of a column that decide about its draft like all of them.

    The draft of numbers asks for the smallest, the largest, one with the most decimals, and
    whether any is missing; that of points in time for much the same; that of categories for all
    of them, unless there are too many.
    """
    if column.dtype.is_numeric():
        finite = column.cast(pl.Float64).is_finite().fill_null(value=False)
        known = column.filter(finite)
        ends = [known.bottom_k(1), known.top_k(1), column.filter(~finite).head(1)]
        return pl.concat([*ends, _with_most_decimals(known)])
    moments = decisive_moments(column)
    if is_unusual(column.dtype):
        return moments if len(moments) else column.head(1)
    # What is no point in time comes first, so that it is not lost among many that are.
    several = column.unique(maintain_order=True).head(MOST_CATEGORIES + 1)
    return pl.concat([moments, several])


def _with_most_decimals(known: pl.Series) -> pl.Series:
    """Return one of the numbers that have more decimals than all others."""
    if not known.dtype.is_float() or not len(known):
        return known.head(0)
    numbers = known.to_numpy()
    for decimals in range(DRAFTED_DECIMALS, -1, -1):
        more = numbers[~has_decimals(numbers, decimals)]
        if more.size:
            return pl.Series(known.name, more[:1], dtype=known.dtype)
    return known.head(0)


def _repeat_first(column: pl.Series, length: int) -> pl.Series:
    """Repeat the first value, so that all columns are of one length."""
    return column.gather([*range(len(column)), *([0] * (length - len(column)))])


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)

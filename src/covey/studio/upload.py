"""What is in an uploaded file, and which description would one start from?

It is read by the reader of the command line, so both detect the same dialect, draft the same
schema for the same reasons, and refuse in the same words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import covey
from covey.studio.results import DataFile
from covey.systems import Progress
from covey.table import Schema
from covey.table.dialect import Dialect
from covey.table.draft import draft_raw
from covey.table.read import read_raw

PREVIEW = 8
"""So many records are shown."""

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
    reading: Mapping[str, Any] | None = None,
) -> tuple[DataFile, Schema | None]:
    """Read a file for the first time; the content is all that the digest depends on."""
    del say
    place = Path(path)
    digest = _digest(place, progress)
    if kind == "graph":
        return _graph(place, name, digest, progress), None
    progress("reading the file", 0, 0)
    found = read_raw(place, schema, Dialect.of(reading or {}))[0]
    drafted = draft_raw(found) if schema is None else schema
    frame = found.frame
    facts = [("Records", f"{frame.height:,}"), ("Columns", f"{frame.width:,}")]
    if not found.reading.is_plain:
        facts.append(("Read as", found.reading.told()))
    file = DataFile(
        name=name,
        path=path,
        kind="table",
        digest=digest,
        rows=frame.height,
        columns=tuple(frame.columns),
        preview=tuple(tuple(map(_text, row)) for row in frame.head(PREVIEW).iter_rows()),
        facts=tuple(facts),
        example=schema is not None,
    )
    return file, drafted


def _digest(path: Path, progress: Progress) -> str:
    """Hash the content of a file."""
    digest, done = hashlib.sha256(), 0
    size = path.stat().st_size
    with path.open("rb") as file:
        while chunk := file.read(HASH_CHUNK):
            digest.update(chunk)
            done += len(chunk)
            progress("checking the file", done, size)
    return digest.hexdigest()[:16]


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


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)

"""What does the page remember?  Descriptions of columns, and which data were seen compared.

A smallest income is somebody's income, so it must not outlive the page: only columns of which
nothing waits for a confirmation are remembered.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from covey.errors import CoveyError
from covey.table import Schema
from covey.table.code_books import with_columns
from covey.table.dialect import Dialect


def remember(folder: Path, schema: Schema) -> None:
    """Keep what is said of these columns; one that cannot be written is not kept, and no matter."""
    known = [each for each in schema if not schema.drafted(each.name) and each.taxonomy is None]
    if not known:
        return
    kept = replace(schema, attributes=tuple(known), rules=(), reading=Dialect())
    place = _place(folder, schema)
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept.save(place)
    except (OSError, CoveyError):
        return


def recall(folder: Path, drafted: Schema) -> Schema | None:
    """Return a draft with what was said of the same columns before, or None if nothing was."""
    place = _place(folder, drafted)
    if not place.exists():
        return None
    try:
        known = Schema.load(place)
        return with_columns(drafted, replace(known, rules=drafted.rules))[0]
    except CoveyError:
        return None


def share_seen(place: Path, seen: frozenset[str]) -> frozenset[str]:
    """Return of which data a comparison with the originals was seen, in any tab, and keep it."""
    known = frozenset(place.read_text("utf-8").split()) if place.exists() else frozenset()
    both = known | seen
    if both != known:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.write_text("".join(f"{each}\n" for each in sorted(both)), encoding="utf-8")
    return both


def _place(folder: Path, schema: Schema) -> Path:
    columns = hashlib.sha256(repr(sorted(schema.names)).encode()).hexdigest()[:24]
    return folder / f"{columns}.toml"

"""What do the columns look like, and how do they fit?  Of a column that is as before, once.

Runs in the worker process.  What it finds is for the steward alone, and no plan depends on it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.studio.results import DataFile, Losses, Profiles
from covey.table import Attribute, Schema
from covey.table.misfits import ColumnMisfit, count_left_out, find_misfit
from covey.table.profile import ColumnProfile, profile_columns
from covey.table.read import read_raw

if TYPE_CHECKING:
    import polars as pl

    import covey
    from covey.systems import Progress

LARGEST_KEPT = 256 * 2**20
"""Bytes of records that are kept between two looks."""

_frames: dict[Hashable, pl.DataFrame] = {}
_looks: dict[Hashable, tuple[ColumnProfile, ColumnMisfit]] = {}


def profile_data(
    progress: Progress, say: object, *, key: str, file: DataFile, schema: Schema
) -> Profiles:
    """Find out what each column looks like, and how it fits its description."""
    del say
    frame = _read(file, schema)
    columns, misfits = {}, {}
    for place, attribute in enumerate(schema):
        progress("looking at the columns", place, len(schema.names))
        plain = unmarked(attribute)
        known = (file.path, repr(schema.reading), schema.folder, plain)
        if known not in _looks:
            alone = Schema((plain,), schema.folder, reading=schema.reading)
            profile = profile_columns(frame, alone)[0]
            _looks[known] = profile, find_misfit(frame[attribute.name], plain, schema)
        columns[attribute.name], misfits[attribute.name] = _looks[known]
    return Profiles(key=key, columns=columns, misfits=misfits)


def unmarked(attribute: Attribute) -> Attribute:
    """Return a description without what does not change how records fit: who says so, and why."""
    unsaid: dict[str, Any] = dict.fromkeys(("drafted", "confirmed", "imported"), ())
    unsaid |= dict.fromkeys(("confirmed_by", "imported_from", "unit", "description"), "")
    return replace(attribute, **unsaid)


def count_losses(
    progress: Progress, say: object, *, key: str, file: DataFile, plan: covey.Plan
) -> Losses:
    """Count the records that the plan would leave out or move, for the steward alone."""
    from covey.studio.plain import plain

    schema, named = plan.schema, plan.parameters.get("columns")
    assert schema is not None  # noqa: S101 — it is a table
    published = [a.name for a in schema if not a.is_hidden]
    if named:
        published = [name for name in published if name in named]
    progress("counting what would be left out", 0, 0)
    misfits = profile_data(progress, say, key=key, file=file, schema=schema).misfits
    frame = _read(file, schema)
    return Losses(
        key=key,
        records=frame.height,
        left_out=count_left_out(frame, schema, published),
        outside={name: misfits[name].outside for name in published if misfits[name].outside},
        refused={name: plain(misfits[name].refused) for name in published if misfits[name].refused},
    )


def _read(file: DataFile, schema: Schema) -> pl.DataFrame:
    """Read the records, or take them from the last look: of small tables they are kept."""
    how = tuple((each.name, each.is_named, each.missing_codes, each.kind) for each in schema)
    key = (file.path, repr(schema.reading), how)
    if key in _frames:
        return _frames[key]
    frame = read_raw(Path(file.path), schema)[0].frame
    _frames.clear()
    if frame.estimated_size() <= LARGEST_KEPT:
        _frames[key] = frame
    return frame

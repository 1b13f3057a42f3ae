"""What does a release say about a table, or a mean, by itself?  Read from its own frames.

A frame of tables has one row to a cell: ``table`` is the product of its columns, each attribute
has a column that is null where it is not part of the table, and ``count``, ``lower`` and ``upper``
are the published number and the ends of its interval.  Tables of few columns may instead name them
(``column_1``, ``cell_1``, ``column_2``, ``cell_2``, …, ``estimate``, ``low``, ``high``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from covey.errors import ReleaseError, suggest

TABLES_FRAME, MEANS_FRAME = "tables", "means"
"""What the frames are called among the extras of a release."""

CELL_TYPES: dict[str, pl.DataType] = dict.fromkeys(("count", "lower", "upper"), pl.Int64())
MEAN_TYPES: dict[str, pl.DataType] = dict.fromkeys(("mean", "lower", "upper"), pl.Float64())


def table_of(extras: Mapping[str, pl.DataFrame], names: Sequence[str]) -> pl.DataFrame:
    """Return the table of some columns, in any order: its cells, counts and intervals."""
    frame = extras.get(TABLES_FRAME)
    if frame is None:
        raise ReleaseError(
            "this release holds no tables, so none can be shown. Publish tables, with "
            '`covey.publish(data, "tables", tables=[…], epsilon=…)` or `covey tabulate`.'
        )
    wanted = f"the table {'*'.join(names)!r}"
    return _found(one_row_to_a_cell(frame), "table", names, list(CELL_TYPES), wanted)


def one_row_to_a_cell(frame: pl.DataFrame) -> pl.DataFrame:
    """Return tables that name their columns with a column for each attribute."""
    if "table" in frame.columns:
        return frame
    places = [name for name in frame.columns if name.startswith("column_")]
    # Of a table of one column the second is empty, and read back from a file it is missing.
    frame = frame.with_columns(pl.col(places).replace("", None))
    every = pl.concat([frame[place].alias("name") for place in places])
    parts = [
        pl.coalesce(
            pl.when(pl.col(place) == name).then(place.replace("column", "cell")) for place in places
        ).alias(name)
        for name in every.drop_nulls().unique(maintain_order=True)
    ]
    table = pl.concat_str(*places, separator="*", ignore_nulls=True).alias("table")
    values = {"estimate": "count", "low": "lower", "high": "upper"}
    return frame.select(table, *parts, *(pl.col(old).alias(new) for old, new in values.items()))


def means_by_group(
    extras: Mapping[str, pl.DataFrame], column: str, by: Sequence[str]
) -> pl.DataFrame:
    """Return the mean of a number in each group of some columns, with its interval."""
    frame = extras.get(MEANS_FRAME)
    if frame is None:
        raise ReleaseError(
            "this release holds no means, so none can be shown. Publish a table of a numeric "
            'column, with `covey.publish(data, "tables", tables=[…], epsilon=…)`.'
        )
    known = frame["column"].unique().to_list()
    if column not in known:
        raise ReleaseError(
            f"this release holds no mean of {column!r}: it is in none of its tables, or no "
            f"number. {suggest(column, known)}"
        )
    within = frame.filter(pl.col("column") == column).drop("column")
    wanted = f"the mean of {column!r} by {'*'.join(by) or 'nothing'!r}"
    return _found(within, "by", by, list(MEAN_TYPES), wanted)


def _found(
    frame: pl.DataFrame, key: str, names: Sequence[str], values: Sequence[str], wanted: str
) -> pl.DataFrame:
    tables = frame[key].unique(maintain_order=True).to_list()
    for table in tables:
        rows = frame.filter(pl.col(key) == table)
        others = [name for name in frame.columns if name not in (key, *values)]
        if {name for name in others if not rows[name].is_null().all()} == set(names):
            kept = rows.select([*names, *(value for value in values if value in rows.columns)])
            # In the order of the columns that was asked for, and of cells that was published.
            return kept.sort([_places(rows, name) for name in names]) if names else kept
    raise ReleaseError(
        f"this release does not hold {wanted}, so it cannot be shown. It holds: "
        f"{', '.join(tables)}."
    )


def _places(rows: pl.DataFrame, name: str) -> pl.Expr:
    cells = rows[name].unique(maintain_order=True)
    return pl.col(name).replace_strict(cells, pl.Series(range(cells.len())), return_dtype=pl.Int64)


def read_frames(folder: Path) -> dict[str, pl.DataFrame]:
    """Read the frames of tables and means that a release folder holds, in their types."""
    found = {}
    for name, types in ((TABLES_FRAME, CELL_TYPES), (MEANS_FRAME, MEAN_TYPES)):
        file = folder / f"{name}.csv"
        if file.is_file():
            frame = pl.read_csv(file, infer_schema_length=0, glob=False)
            kinds = {**dict.fromkeys(("estimate", "low", "high"), pl.Float64()), **types}
            found[name] = frame.cast({n: t for n, t in kinds.items() if n in frame.columns})
    return found

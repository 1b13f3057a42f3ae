"""What leaves the house when the rows do not fit into memory?

Rows are made once and kept on disk in a private folder until the release is saved: making them
again would draw their noise again, and whoever saw both could average it away.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import polars as pl

from covey.release.folder import (
    Format,
    Maker,
    checked_format,
    write_documents,
    write_folder,
    write_papers,
)
from covey.release.release import released_rows
from covey.table.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from covey.plan import Plan
    from covey.privacy import Guarantee, Ledger
    from covey.release.column import Column
    from covey.table import Table

Piece = tuple["Table", "Mapping[str, Column]"]
"""Some rows: a table that tells their types and untouched values, and the released columns."""


class Kept(Protocol):
    """A private folder that is removed with the last reference to this."""

    @property
    def folder(self) -> Path:
        """Return where it is."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedRelease:
    """Data on disk with a guarantee, the plan that made them, and the bill.

    Parameters
    ----------
    data : polars.LazyFrame
        The rows; they live as long as this release.
    n : int
        How many there are.
    guarantee, plan, ledger, format, extras, documents
        As in `Release`.
    spool : Kept
        Where the rows are.
    parts : tuple of Path
        Parquet files that hold the rows already, if they shall be saved as a folder of parts.
    """

    data: pl.LazyFrame = field(repr=False)
    n: int
    guarantee: Guarantee
    plan: Plan
    ledger: Ledger = field(repr=False)
    spool: Kept = field(repr=False)
    format: Format = "csv"
    extras: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    documents: Mapping[str, Maker] = field(default_factory=dict, repr=False, compare=False)
    parts: tuple[Path, ...] = field(default=(), repr=False)

    @property
    def accuracy(self) -> pl.DataFrame | None:
        """Return the interval of each published mean and count, or None if there is none."""
        return self.extras.get("accuracy")

    def scan(self) -> pl.LazyFrame:
        """Return the released rows, to be looked at some at a time."""
        return self.data

    def save(
        self,
        folder: str | Path,
        *,
        force: bool = False,
        format: Format | None = None,  # noqa: A002
    ) -> Path:
        """Write the release folder as `Release.save` does, without holding the rows in memory."""
        written_as = checked_format(format) or self.format

        def fill(staged: Path) -> None:
            if written_as == "csv":
                self.data.sink_csv(staged / "data.csv")
            elif self.parts:
                copy_parts(self.parts, self.data.collect_schema().names(), staged / "data.parquet")
            else:
                self.data.sink_parquet(staged / "data.parquet")
            plan = write_papers(self, staged)
            published = replace(self, plan=plan, format=written_as)
            write_documents(published, self.documents, staged)

        return write_folder(Path(folder), fill, force=force)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Released rows on disk that nobody has seen yet."""

    spool: Spool
    n: int


def keep_rows(
    pieces: Iterable[Piece], guarantee: Guarantee, *, memory: int, in_order: bool
) -> Rows:
    """Write the rows of a release down, sorted by their values unless they may be row-aligned.

    Parameters
    ----------
    pieces : iterable of Piece
        Drawn one after the other, once.
    guarantee : Guarantee
        What they will be published under; each piece is held against it.
    memory : int
        How many bytes of rows may be held at a time.
    in_order : bool
        Whether the pieces come sorted already.
    """
    spool, n, names = Spool(memory), 0, list[str]()
    for table, columns in pieces:
        frame = released_rows(table, columns, guarantee)
        spool.write(frame)
        n, names = n + frame.height, frame.columns
    if not in_order and not guarantee.kind.may_be_row_aligned:
        unsorted, spool = spool, Spool(memory)
        for frame in unsorted.sorted_by(names):
            spool.write(frame)
    spool.flush()
    return Rows(spool=spool, n=n)


def assemble_stream(
    rows: Rows,
    *,
    guarantee: Guarantee,
    plan: Plan,
    charge: Callable[[], Ledger],
    format: Format,  # noqa: A002
    extras: Mapping[str, pl.DataFrame],
) -> StreamedRelease:
    """Make the release of rows that are complete on disk; only now is the budget charged."""
    return StreamedRelease(
        data=pl.scan_ipc(rows.spool.parts, glob=False),
        n=rows.n,
        guarantee=guarantee,
        plan=plan,
        ledger=charge(),
        spool=rows.spool,
        format=format,
        extras=extras,
    )


def copy_parts(parts: Iterable[Path], names: list[str], folder: Path) -> None:
    """Make a folder of Parquet files that hold released rows already, in their order.

    Files are linked or copied as they are, except those with columns that are not released:
    these are written again without them, one file after the other.
    """
    folder.mkdir()
    for number, part in enumerate(parts):
        place = folder / f"part-{number:05}.parquet"
        if list(pl.read_parquet_schema(part)) != names:
            pl.scan_parquet(part, glob=False).select(names).sink_parquet(place)
            continue
        try:
            os.link(part, place)
        except OSError:
            # Another file system, or one without links.
            shutil.copyfile(part, place)

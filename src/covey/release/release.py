"""What leaves the house?  Released values leave through here alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from covey.core import Guarantee
from covey.ledger import Ledger
from covey.notebook import notebook_html
from covey.release.checksums import write_checksums
from covey.release.folder import (
    Format,
    checked_format,
    write_documents,
    write_papers,
)
from covey.release.published_tables import means_by_group, table_of
from covey.release.recovery import recover_folder
from covey.release.staged import StagedFolder, stage_folder, writing_to
from covey.table import Table
from covey.table.calendar import as_iso

if TYPE_CHECKING:
    from covey.engines.shared.engine import Kept
    from covey.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Data with a guarantee, the plan that made them, and the bill.

    Parameters
    ----------
    data : dataframe or array
        Of the same kind as the input: from a streamed table a lazy frame, from one on Spark a
        Spark DataFrame.  The rows live as long as this release.
    guarantee : Guarantee
        What the release promises.
    plan : Plan
        What was run.
    ledger : Ledger
        What it cost.
    rows : Kept
        The rows, wherever the engine keeps them.
    format : "csv" or "parquet"
        How `save` writes the data, unless told otherwise.
    extras : mapping
        Further tables made from the same noisy values, each written as a CSV file.
    """

    data: Any = field(repr=False)
    guarantee: Guarantee
    plan: Plan
    ledger: Ledger = field(repr=False)
    rows: Kept = field(repr=False)
    format: Format = "csv"
    extras: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)

    @property
    def accuracy(self) -> pl.DataFrame | None:
        """Return the interval of each published mean and count, or None if there is none."""
        return self.extras.get("accuracy")

    def table(self, *columns: str) -> pl.DataFrame:
        """Return a published table of some columns: its cells, counts and intervals at 95 %.

        Without columns: the number of records.
        """
        return table_of(self.extras, columns)

    def mean(self, column: str, by: str | Sequence[str] = ()) -> pl.DataFrame:
        """Return the published mean of a number, in each group of ``by``, with its interval."""
        return means_by_group(self.extras, column, (by,) if isinstance(by, str) else by)

    @property
    def n(self) -> int:
        """Return the number of released rows."""
        return self.rows.n

    @property
    def frame(self) -> pl.DataFrame:
        """Return the rows as a polars frame, whatever kind they are given back as."""
        return self.rows.scan().collect()

    def to_frame(self) -> pl.DataFrame:
        """Return the released rows, or cells, as a polars frame: `frame`."""
        return self.frame

    def _repr_html_(self) -> str:
        """Show what was released in a notebook: how much, from which plan, with which promise."""
        settings = [(name, told) for name, told in self.plan.parameters.items() if told is not None]
        lines = (f"{self.n:,} rows", str(self.guarantee))
        return notebook_html(f"Release: {self.plan.system}", lines, ("setting", "value"), settings)

    def scan(self) -> pl.LazyFrame:
        """Return the released rows, to be looked at some at a time."""
        return self.rows.scan()

    def save(
        self,
        folder: str | Path,
        *,
        force: bool = False,
        format: Format | None = None,  # noqa: A002
        parts: bool | None = None,
    ) -> Path:
        """Write the release folder: data, guarantee, plan, ledger, and what people read about it.

        The folder appears complete or not at all.  Only if a document about the release cannot
        be made, the folder appears without it and a warning says so: the budget is spent, and a
        picture that cannot be drawn must not lose the release.

        Parameters
        ----------
        folder : path
            Must not exist, unless it is empty or ``force`` is given and it is a release.
        force : bool
            Replace an older release.
        format : "csv" or "parquet", optional
            Like the input unless given.
        parts : bool, optional
            Whether Parquet data that an engine wrote in parts stay so: ``data.parquet`` is then
            a folder of files, which nobody had to write again.  The engine decides unless given.
        """
        recover_folder(folder)
        with stage_folder(Path(folder), force=force) as staged:
            self.save_staged(staged, format=format, parts=parts)
        return Path(folder)

    def save_staged(
        self,
        staged: StagedFolder,
        *,
        format: Format | None = None,  # noqa: A002
        parts: bool | None = None,
    ) -> None:
        """Write into a private folder that was made before, and let the release appear."""
        written_as, content = checked_format(format) or self.format, staged.content
        with writing_to(staged.folder):
            self._write_rows(content, written_as, parts=parts)
            plan = write_papers(self, content)
            write_documents(replace(self, plan=plan, format=written_as), content)
            write_checksums(content)
            staged.appear()

    def _write_rows(self, folder: Path, written_as: Format, *, parts: bool | None) -> None:
        frame = getattr(self.rows, "frame", None)
        scan = self.rows.scan()
        if written_as == "csv":
            place = folder / "data.csv"
            texts = as_iso(scan)
            texts.sink_csv(place) if frame is None else texts.collect().write_csv(place)
            return
        place = folder / "data.parquet"
        files = self.rows.parts if parts is None or parts else ()
        if parts and not files:
            files = tuple(getattr(self.rows, "files", ()))
        if files:
            copy_parts(files, place)
        elif frame is None:
            scan.sink_parquet(place)
        else:
            frame.write_parquet(place)


def as_table(table: Table, release: Release) -> Table:
    """Return the released records as a table with the original's schema, to compare the two."""
    return replace(table, frame=release.frame)


def copy_parts(parts: Iterable[Path], folder: Path) -> None:
    """Make a folder of Parquet files that hold released rows already, in their order."""
    folder.mkdir()
    for number, part in enumerate(parts):
        place = folder / f"part-{number:05}.parquet"
        try:
            os.link(part, place)
        except OSError:
            # Another file system, or one without links.
            shutil.copyfile(part, place)

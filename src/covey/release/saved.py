"""What does a release folder say, without its rows being held in memory?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from covey.core import Guarantee
from covey.errors import ReleaseError
from covey.ledger import load_ledger
from covey.plan import Plan
from covey.release.published_tables import CELL_TYPES, means_by_group, read_frames, table_of
from covey.systems import SYSTEMS

if TYPE_CHECKING:
    from covey.ledger import Ledger
    from covey.table import Attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRelease:
    """A release folder, opened for the curator's evaluation.

    Parameters
    ----------
    guarantee, plan, ledger
        As in `Release`.
    file : path
        Where the rows are: a file, or a folder of Parquet files.
    """

    guarantee: Guarantee
    plan: Plan
    ledger: Ledger = field(repr=False)
    file: Path

    @property
    def parts(self) -> list[Path]:
        """Return the files of the rows, in their order."""
        if not self.file.is_dir():
            return [self.file]
        # By number: the names of more than a hundred thousand parts are not in their order.
        found = self.file.glob("part-*.parquet")
        return sorted(found, key=lambda part: (len(part.name), part.name))

    @property
    def extras(self) -> dict[str, pl.DataFrame]:
        """Return the published tables and means, if there are any."""
        return read_frames(self.file.parent)

    def table(self, *columns: str) -> pl.DataFrame:
        """Return a published table, as `Release.table` does."""
        return table_of(self.extras, columns)

    def mean(self, column: str, by: str | Sequence[str] = ()) -> pl.DataFrame:
        """Return the published mean of a number, as `Release.mean` does."""
        return means_by_group(self.extras, column, (by,) if isinstance(by, str) else by)

    def scan(self) -> pl.LazyFrame:
        """Return the released rows, to be looked at some at a time."""
        if self.file.suffix == ".parquet":
            return pl.scan_parquet(self.parts, glob=False)
        scanned = pl.scan_csv(self.file, infer_schema_length=0, glob=False)
        names = set(scanned.collect_schema().names())
        system = SYSTEMS.get(self.plan.system)
        if system is not None and system.releases == "cells":
            return scanned.cast({name: kind for name, kind in CELL_TYPES.items() if name in names})
        kinds = {attribute.name: _dtype(attribute) for attribute in self.plan.schema or ()}
        return scanned.cast({name: kind for name, kind in kinds.items() if name in names})


def open_release(folder: str | Path) -> SavedRelease:
    """Open what `covey publish` wrote.

    Parameters
    ----------
    folder : path
        The release folder.
    """
    folder = Path(folder)
    plan, file = Plan.load(folder / "plan.toml"), _data_file(folder)
    try:
        guarantee = Guarantee.from_dict(json.loads((folder / "guarantee.json").read_text("utf-8")))
        ledger = load_ledger(folder / "ledger.json")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ReleaseError(
            f"the folder {str(folder)!r} is not a release that this covey understands: its "
            f"guarantee.json is missing or damaged. Publish again."
        ) from error
    return SavedRelease(guarantee=guarantee, plan=plan, ledger=ledger, file=file)


def _dtype(attribute: Attribute) -> pl.DataType:
    return pl.String() if attribute.is_named else pl.Float64()


def _data_file(folder: Path) -> Path:
    files = [path for path in (folder / "data.csv", folder / "data.parquet") if path.exists()]
    if len(files) != 1:
        raise ReleaseError(
            f"the folder {str(folder)!r} is not a release: it must hold data.csv or data.parquet. "
            f"Give the folder that `covey publish` wrote."
        )
    return files[0]

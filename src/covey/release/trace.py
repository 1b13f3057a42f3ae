"""What became of each record?  For the curator alone, never part of a release."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from covey.errors import ReleaseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from covey.engines.shared.persons import Contributed
    from covey.ledger import Ledger

DO_NOT_PUBLISH = "do not publish: it links released values to the original records"
MARKED = "covey.trace"
"""The key under which a kept trace says in its file what it is."""


class Billed(Protocol):
    """A release, at hand or saved, whose bill tells it from all others."""

    @property
    def ledger(self) -> Ledger:
        """Return what it cost."""
        ...


@dataclass(frozen=True, slots=True)
class Trace:
    """What each original record became, row by row, where that can be told.

    Parameters
    ----------
    aligned : polars.DataFrame, optional
        Released values in the order of the original records.
    deviations : callable, optional
        The same on an engine that holds no rows: how far released values are from those of
        their records, added up.
    contributed : Contributed, optional
        Where persons are protected: how many of their records were used.
    clusters : mapping, optional
        By column, the cluster of each record, where records were sampled inside clusters.
    """

    aligned: pl.DataFrame | None = field(default=None, repr=False)
    deviations: Any = field(default=None, repr=False)
    contributed: Contributed | None = field(default=None, repr=False)
    clusters: Mapping[str, NDArray[np.int64]] | None = field(default=None, repr=False)

    def __reduce__(self) -> Any:
        """Refuse to be written or sent: it links released rows to records."""
        raise TypeError("a trace links released rows to records; it is not for files or processes.")

    def keep(self, path: str | Path, release: Billed, *, force: bool = False) -> Path:
        """Write the trace to a private file, for a later evaluation of the saved release.

        The file is for its owner alone (mode 600) and says that it must not be published.

        Parameters
        ----------
        path : path
            Not inside a release folder.
        release : Release
            What the trace belongs to.
        force : bool
            Replace an older file.
        """
        path = Path(path)
        refuse_trace_place(path, force=force)
        if self.aligned is None:
            raise ReleaseError(
                "it is not known what became of each record of this release, so there is no trace "
                "to keep. Evaluate the release as a whole; scores of single records do not exist."
            )
        marks = {MARKED: json.dumps({"mark": DO_NOT_PUBLISH, "release": _bill(release)})}
        partial = path.with_name(f".{path.name}.partial")
        try:
            partial.unlink(missing_ok=True)
            # Never readable by others, not for a moment.
            number = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(number, "wb") as file:
                self.aligned.write_parquet(file, metadata=marks)
            partial.replace(path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise ReleaseError(
                f"the trace {str(path)!r} cannot be written ({error.strerror}), so there is none. "
                f"Choose a place where you may write."
            ) from error
        return path

    @classmethod
    def kept(cls, path: str | Path, release: Billed) -> Trace:
        """Read a trace back that was kept for this very release."""
        path = Path(path)
        try:
            marks = json.loads(pl.read_parquet_metadata(path)[MARKED])
            frame = pl.read_parquet(path)
            bill = marks["release"]
        except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
            raise ReleaseError(
                f"the file {str(path)!r} is missing, or no trace that covey has kept, so records "
                f"cannot be compared. Give the file that `covey publish --keep-trace` wrote."
            ) from None
        if bill != _bill(release):
            raise ReleaseError(
                f"the trace {str(path)!r} was kept for another release, so it does not tell what "
                f"became of the records of this one. Give the trace of this release."
            )
        return cls(frame)


def refuse_trace_place(path: Path, *, force: bool, folder: Path | None = None) -> None:
    """Refuse to keep a trace where it would be published, or in the place of another file.

    Parameters
    ----------
    path : path
        Where the trace shall be.
    force : bool
        Whether an older file may be replaced.
    folder : path, optional
        A release folder that does not exist yet.
    """
    places = path.resolve().parents
    published = any((place / "guarantee.json").exists() for place in places)
    if published or (folder is not None and folder.resolve() in (path.resolve(), *places)):
        raise ReleaseError(
            f"the trace {str(path)!r} would lie in a release folder, which is published, and it "
            f"links released values to records, so nothing was written. Choose a private place."
        )
    if path.is_dir() or (path.exists() and not force):
        raise ReleaseError(
            f"the output {str(path)!r} exists already, so nothing was written. Choose another "
            f"file, or replace an old trace with --force (force=True)."
        )
    if not path.resolve().parent.is_dir():
        raise ReleaseError(
            f"the trace {str(path)!r} lies in a folder that does not exist, so nothing was "
            f"written. Make the folder, readable by yourself alone, or choose another."
        )


def _bill(release: Billed) -> list[str]:
    entry = release.ledger.entries[-1]
    return [entry.when, entry.plan, entry.id]

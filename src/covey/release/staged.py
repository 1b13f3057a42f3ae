"""How does a release folder appear, complete and paid for, or not at all?

Reserve, write, commit.  A release is written into a private folder beside its place, which notes
where the release will be and which ledger pays; the entry of the ledger notes the private folder.
When everything is on the disk the folder is sealed, takes its place in one step, and only then
the entry is made final.  So a killed process leaves one of three states, and `recovery` knows
what each of them means: not sealed, nobody has seen it; sealed, it is complete and waits; sealed
and gone, it has taken its place.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

import polars as pl

from covey.durable import make_folder, sync_file, sync_folder, sync_tree
from covey.engines.shared.in_use import adopt_folder, hold_folder, remove_marked
from covey.errors import ReleaseError
from covey.release.folder import refuse_existing

STAGED_PREFIX = ".covey-release-"
_TRIES = 5


class StagedState(StrEnum):
    """How far a release has come."""

    WRITING = "writing"
    SEALED = "sealed"
    APPEARED = "appeared"


@dataclass(slots=True, kw_only=True)
class StagedFolder:
    """A release folder that nobody sees yet, and the private folder around it.

    Parameters
    ----------
    folder : Path
        Where the release will be.
    place : Path
        The private folder, beside it.
    force : bool
        Whether an older release may be replaced.
    ledger : Path, optional
        What pays for it.
    """

    folder: Path
    place: Path
    force: bool
    ledger: Path | None = None
    keep: bool = False
    _held: int | None = None
    _parents: list[Path] = field(default_factory=list)

    @property
    def content(self) -> Path:
        """Return where the files of the release are written."""
        return self.place / "release"

    @property
    def state(self) -> StagedState:
        """Return how far the release has come, as the disk says."""
        if not self._seal.exists():
            return StagedState.WRITING
        return StagedState.SEALED if self.content.exists() else StagedState.APPEARED

    def appear(self) -> None:
        """Seal the release when all of it is on the disk, and let it take its place."""
        sync_tree(self.content)
        self._seal.touch()
        sync_file(self._seal)
        sync_folder(self.place)
        self.take_place()

    def take_place(self) -> None:
        """Rename a sealed release to its place; an older one goes, or stays if that fails."""
        old = self.place / "old"
        if self.folder.exists():
            self.folder.rename(old)
        try:
            self.content.rename(self.folder)
        except BaseException:
            # Ctrl-C too must not take the old release away.
            if old.exists() and not self.folder.exists():
                old.rename(self.folder)
            raise
        sync_folder(self.folder.parent)

    def unseal(self) -> None:
        """Give a release up that has not taken its place."""
        self._seal.unlink(missing_ok=True)
        sync_folder(self.place)

    def clear(self) -> None:
        """Remove the private folder, and what was made for it alone."""
        with suppress(OSError):
            # A half that is left must be taken neither for a release nor for unknown: the seal
            # goes first, and the mark that says whose it is last.
            if self.state is StagedState.SEALED:
                self.unseal()
            remove_marked(self.place)
        self._let_go()
        for parent in self._parents:
            with suppress(OSError):
                parent.rmdir()

    def __enter__(self) -> Self:
        """Begin to write."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Clear up, unless a later process shall."""
        if self.keep:
            self._let_go()
        else:
            self.clear()

    @property
    def _seal(self) -> Path:
        return self.place / "complete"

    def _let_go(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None


def stage_folder(folder: Path, *, force: bool, ledger: Path | None = None) -> StagedFolder:
    """Make the private folder in which a release is written; refuse a place that is taken."""
    refuse_existing(folder, force=force)
    with writing_to(folder, "" if ledger is None else " The ledger was not charged."):
        parents = make_folder(folder.parent)
        place, held = _held_place(folder.parent)
        real = None if ledger is None else ledger.resolve()
        note = {
            "folder": folder.name,
            "force": force,
            "ledger": None if real is None else str(real),
        }
        (place / "note.json").write_text(json.dumps(note), encoding="utf-8")
        (place / "release").mkdir()
        sync_tree(place)
        sync_folder(folder.parent)
    return StagedFolder(
        folder=folder, place=place, force=force, ledger=real, _held=held, _parents=parents
    )


def adopt_staged(place: Path) -> StagedFolder:
    """Take over what a killed process left; OSError if it is in use or not ours to judge."""
    held = adopt_folder(place)
    try:
        note = json.loads((place / "note.json").read_text("utf-8"))
        name, ledger = str(note["folder"]), note["ledger"]
        # A release takes its place beside the private folder, and nowhere else.
        folder = place.parent / Path(name).name
        return StagedFolder(
            folder=folder,
            place=place,
            force=note["force"] is True,
            ledger=None if ledger is None else Path(ledger),
            _held=held,
        )
    except (OSError, ValueError, KeyError, TypeError):
        # Killed before the note was written: nothing was reserved yet.
        return StagedFolder(folder=place, place=place, force=False, _held=held)


@contextmanager
def writing_to(folder: Path, more: str = "") -> Iterator[None]:
    """Explain what went wrong while a release folder was written."""
    try:
        yield
    except (OSError, pl.exceptions.ComputeError) as error:
        reason = getattr(error, "strerror", None) or "the disk may be full"
        raise ReleaseError(
            f"the release folder {str(folder)!r} cannot be written ({reason}), so "
            f"there is none. Choose a place with room where you may write.{more}"
        ) from error


def _held_place(parent: Path) -> tuple[Path, int | None]:
    """Make a private folder and mark it; who clears up might take it for abandoned before that."""
    for _ in range(_TRIES):
        place = Path(tempfile.mkdtemp(dir=parent, prefix=STAGED_PREFIX))
        try:
            return place, hold_folder(place)
        except (FileNotFoundError, BlockingIOError):
            continue
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
    raise FileNotFoundError(parent)

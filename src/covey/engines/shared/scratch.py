"""Where do confidential rows wait, and who clears up after a process that was killed?

A scratch folder is readable by its user alone and goes with the object that it was made for, or
with the next process that needs one, if its own was killed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path

from covey.engines.shared.in_use import adopt_folder, hold_folder
from covey.errors import ReleaseError

PREFIX = "covey-"


def scratch_folder(owner: object, parent: Path | None = None) -> Path:
    """Make a private folder that is removed with the last reference to its owner.

    Parameters
    ----------
    owner : object
        What needs the folder.
    parent : path, optional
        Where to make it; the folder for temporary files unless given.
    """
    made = None
    try:
        # Hidden at first, so that nobody takes it for abandoned before it is marked.
        made = Path(tempfile.mkdtemp(prefix=f".{PREFIX}", dir=parent))
        held = hold_folder(made)
        folder = made.rename(made.with_name(made.name[1:]))
    except OSError as error:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
        raise no_room(parent or Path(tempfile.gettempdir()), error) from error
    weakref.finalize(owner, _remove, folder, held)
    return folder


def clear_abandoned(parent: Path | None = None) -> None:
    """Remove the scratch folders of this user whose processes on this machine are gone.

    Folders without a mark of this machine are left alone: whether they are in use is unknown.
    """
    for folder in (parent or Path(tempfile.gettempdir())).glob(f"{PREFIX}*"):
        try:
            held = adopt_folder(folder)
        except OSError:
            continue
        _remove(folder, held)


def no_room(place: Path, error: Exception) -> ReleaseError:
    """Explain that the disk is full or cannot be written."""
    reason = getattr(error, "strerror", None) or "the disk may be full"
    return ReleaseError(
        f"rows that do not fit into memory cannot be kept in {str(place)!r} ({reason}), so "
        f"nothing was published and nothing was spent. Make room there, or choose another place: "
        f"with the environment variable TMPDIR, and for Spark with staging=…"
    )


def _remove(folder: Path, held: int | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if held is not None:
        os.close(held)

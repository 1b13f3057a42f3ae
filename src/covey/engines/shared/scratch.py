"""Where do confidential rows wait, and who clears up after a process that was killed?

A scratch folder is readable by its user alone and goes with the object that it was made for.  It
holds a mark, a file that the process keeps locked as long as it lives: the lock goes with the
process however that ends, so a folder whose mark is not locked has lost its owner.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import sys
import tempfile
import weakref
from pathlib import Path

from covey.errors import ReleaseError

if sys.platform != "win32":
    import fcntl

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
        held = _marked(made)
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
            held = _adopted(folder)
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


def _mark() -> str:
    """Name the machine: on a shared disk, locks of other machines may not be seen."""
    return f"in-use-on-{platform.node()}"


def _marked(folder: Path) -> int | None:
    """Lock a new mark, and return the file that holds the lock."""
    if sys.platform == "win32":
        return None
    mark = folder / _mark()
    held = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        # This file system has no locks.  Without a mark the folder is never taken for abandoned.
        os.close(held)
        mark.unlink()
        return None
    return held


def _adopted(folder: Path) -> int:
    """Lock the mark of an abandoned folder; fail if it is in use, or not ours to judge."""
    if sys.platform == "win32":
        raise PermissionError(folder)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(folder)
    held = os.open(folder / _mark(), os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise
    return held


def _remove(folder: Path, held: int | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if held is not None:
        os.close(held)

"""Is a private folder still in use, or was the process killed that made it?

The folder holds a mark, a file that the process keeps locked as long as it lives: the lock goes
with the process however that ends, so a folder whose mark is not locked has lost its owner.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import sys
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_MARK = "in-use-on-"
_BOOT = Path("/proc/sys/kernel/random/boot_id")


def hold_folder(folder: Path) -> int | None:
    """Mark a new folder as in use, and return the file that holds the lock."""
    if sys.platform == "win32":
        return None
    mark = folder / f"{_MARK}{platform.node()}"
    held = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise
    except OSError:
        # This file system has no locks.  Without a mark the folder is never taken for abandoned.
        os.close(held)
        mark.unlink()
        return None
    os.write(held, _boot().encode())
    return held


def adopt_folder(folder: Path) -> int:
    """Lock the mark of an abandoned folder; fail if it is in use, or not ours to judge."""
    if sys.platform == "win32":
        raise PermissionError(folder)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(folder)
    held = os.open(_mark_of_this_machine(folder), os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.fstat(held).st_nlink:
            raise FileNotFoundError(folder)  # somebody else has cleared it in the meantime
    except OSError:
        os.close(held)
        raise
    return held


def is_in_use(folder: Path) -> bool:
    """Return whether a living process of this machine holds a folder."""
    try:
        held = adopt_folder(folder)
    except BlockingIOError:
        return True
    except OSError:
        return False
    os.close(held)
    return False


def remove_marked(folder: Path) -> None:
    """Remove a folder and all in it, the mark last, so that another process can go on with it."""
    marks = []
    for each in folder.iterdir():
        if each.name.startswith(_MARK):
            marks.append(each)
        elif each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()
    for mark in marks:
        mark.unlink()
    folder.rmdir()


def _mark_of_this_machine(folder: Path) -> Path:
    """Find the mark; on a shared disk, locks of other machines may not be seen.

    A container has a name of its own, and the kernel's boot id of the machine that it runs on.
    """
    for mark in folder.glob(f"{_MARK}*"):
        same_boot = _boot() and not mark.is_symlink() and mark.read_text("utf-8") == _boot()
        if mark.name == f"{_MARK}{platform.node()}" or same_boot:
            return mark
    raise FileNotFoundError(folder)


def _boot() -> str:
    try:
        return _BOOT.read_text("utf-8").strip()
    except OSError:
        return ""

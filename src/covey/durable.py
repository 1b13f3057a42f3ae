"""What is still there after the power fails?

A file is on the disk when it was synced, its name when its folder was: so a folder is synced from
the inside out before it is renamed, and the folder around it afterwards (fsync, rename, fsync).
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path


def sync_tree(folder: Path) -> None:
    """Bring everything in a folder to the disk, files before the folders that name them."""
    for parent, _, files in os.walk(folder, topdown=False):
        for name in files:
            sync_file(Path(parent) / name)
        sync_folder(Path(parent))


def sync_file(path: Path) -> None:
    """Bring the content of a file to the disk, whoever wrote it."""
    # Windows syncs only what was opened for writing.
    number = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def sync_folder(path: Path) -> None:
    """Bring the names in a folder to the disk; Windows does so by itself and lets nobody ask."""
    if sys.platform == "win32":
        return
    number = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    except OSError as error:
        # Some file systems, of networks above all, sync no folders.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise
    finally:
        os.close(number)


def make_folder(path: Path) -> list[Path]:
    """Make a folder and those around it that are missing; return the new ones, inmost first."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each.parent)
    return missing

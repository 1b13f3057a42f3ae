"""Where are compiled kernels kept, if neither the installation nor the home folder can be written?

numba keeps them beside the sources or in the user's home, and fails where neither can be written:
in containers, and for users without a home.  Then a private folder among the temporary files
serves.  Its content is run as code, so nobody else may have made it.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

CACHE_VARIABLE = "NUMBA_CACHE_DIR"


def choose_cache() -> None:
    """Name a folder to numba where it would find none; before numba is imported."""
    beside = Path(__file__).parent / "__pycache__"
    if CACHE_VARIABLE in os.environ or _is_writable(beside) or _is_writable(_home()):
        return
    os.environ[CACHE_VARIABLE] = str(_private_folder())


def _home() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()


def _is_writable(folder: Path) -> bool:
    """Return whether files can be made there; the nearest folder that exists decides."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return os.access(folder, os.W_OK | os.X_OK)


def _private_folder() -> Path:
    """Return a folder that this user alone can read and write, the same one every time."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"covey-kernels-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="covey-kernels-"))
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == user
    if own and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return folder
    return Path(tempfile.mkdtemp(prefix="covey-kernels-"))

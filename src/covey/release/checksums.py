"""Is every file of a release folder the one that was published?  SHA-256, as ``sha256sum`` reads.

The sums are written last, into the folder itself: they show what was damaged or changed by
accident, and hold against malice only if a copy of them is kept elsewhere.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

CHECKSUMS = "checksums.sha256"


def write_checksums(folder: Path) -> None:
    """Write the sums of all files that are in a folder; ``sha256sum -c`` checks them."""
    lines = [f"{_sum(folder / name)}  {name}\n" for name in _names(folder)]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8", newline="")


def compare_checksums(folder: Path) -> list[str]:
    """Say in a sentence for each file what is wrong with it; nothing if all is well."""
    try:
        text = (folder / CHECKSUMS).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return [f"There is no {CHECKSUMS}, so files cannot be compared with what was published."]
    noted = {
        name: digest for digest, _, name in (line.partition("  ") for line in text.split("\n"))
    }
    noted.pop("", None)
    there = _names(folder)
    found = [f"{name} is missing." for name in noted if name not in there]
    found += [f"{name} is not a file of the release." for name in there if name not in noted]
    changed = [name for name in there if name in noted and _sum(folder / name) != noted[name]]
    return found + [f"{name} is not the file that was published." for name in changed]


def _names(folder: Path) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != CHECKSUMS)
    return sorted(path.relative_to(folder).as_posix() for path in files)


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

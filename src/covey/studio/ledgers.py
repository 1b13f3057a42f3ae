"""Which ledger do these data belong to, and what became of a publication that was stopped?

A ledger is about people, and a file is not: a new line at its end, another order of its rows or
another format make other bytes.  So the steward names the data set, and the page proposes the
ledger whose releases had the same columns.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from covey.core import Budget
from covey.errors import CoveyError
from covey.ledger import (
    EntryState,
    Ledger,
    cancel,
    change_limit,
    create_ledger,
    load_ledger,
)
from covey.ledger.entry import UNKNOWN
from covey.studio.results import DataFile

OTHERS = "If these are other people, give another name."


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerChoice:
    """The name of the ledger that a release will be charged to, and why this one."""

    name: str
    why: str


def ledger_file(folder: Path, name: str) -> Path:
    """Return the file of the ledger that a person calls so.

    Examples
    --------
    >>> ledger_file(Path("ledgers"), "patients/2024").as_posix()
    'ledgers/patients_2024.json'
    """
    kept = re.sub(r"[^\w.\- ]", "_", name)[:80].strip(". ")
    return folder / f"{kept or 'data'}.json"


def choose_ledger(folder: Path, file: DataFile, typed: str) -> LedgerChoice:
    """Return the ledger that was named, or propose one, and say why."""
    known = _known(folder)
    if typed:
        named = known.get(ledger_file(folder, typed).stem)
        return LedgerChoice(name=typed, why=_about(named, file))
    if file.digest in known:
        return LedgerChoice(name=file.digest, why=f"This very file was charged to it. {OTHERS}")
    stem = ledger_file(folder, file.name.partition(".")[0]).stem
    same = [name for name, ledger in known.items() if _has_columns(ledger, file)]
    if same:
        best = max(same, key=lambda name: (name == stem, known[name].entries[-1].when, name))
        return LedgerChoice(name=best, why=_about(known[best], file))
    names = f" Ledgers here: {', '.join(sorted(known))}." if known else ""
    free = next(name for name in _numbered(stem) if name not in known or not known[name].entries)
    return LedgerChoice(
        name=free,
        why=f"No release so far had these columns, so a new ledger will be started.{names}",
    )


def open_ledger(path: Path, limit: str) -> None:
    """Start a ledger with a limit; one that nothing was charged to yet takes the new limit."""
    there = load_ledger(path) if path.exists() else None
    if there is not None and there.entries:
        return
    wanted = Budget.of(limit).epsilon
    if there is None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        create_ledger(path, wanted)
    elif there.limit != wanted:
        change_limit(path, wanted)


def settle_stopped(path: Path, folder: Path) -> bool:
    """Clear up after a publication that was stopped; return whether its release is complete.

    A folder whose reservation is open lies where nobody has seen it: it is removed, and the
    reservation is given up.
    """
    named = [each for each in load_ledger(path).entries if each.folder == str(folder.resolve())]
    for entry in named:
        if entry.state is EntryState.OPEN:
            shutil.rmtree(folder, ignore_errors=True)
            cancel(path, entry.id)
            if entry.staged:
                shutil.rmtree(entry.staged, ignore_errors=True)
    return any(entry.state is EntryState.PAID for entry in named)


def _about(ledger: Ledger | None, file: DataFile) -> str:
    if ledger is None:
        return "There is no ledger of this name yet: a new one will be started."
    if not ledger.entries:
        return "Nothing has been charged to it yet."
    if not _has_columns(ledger, file):
        return f"Its releases so far had other columns than these data. {OTHERS}"
    what = "Releases of a graph" if file.kind == "graph" else "Releases with the same columns"
    return f"{what} were charged to it before. {OTHERS}"


def _has_columns(ledger: Ledger, file: DataFile) -> bool:
    wanted = frozenset() if file.kind == "graph" else frozenset(file.columns)
    noted = (entry for entry in ledger.entries if entry.kind != UNKNOWN)
    return any(frozenset(entry.columns) == wanted for entry in noted)


def _known(folder: Path) -> dict[str, Ledger]:
    """Return the ledgers of a folder by name; what cannot be read is nobody's proposal."""
    known = {}
    for path in sorted(folder.glob("*.json")):
        try:
            there = path.stat()
            known[path.stem] = _read(path, there.st_mtime_ns, there.st_size)
        except (OSError, CoveyError):
            continue
    return known


@lru_cache(maxsize=256)
def _read(path: Path, changed: int, size: int) -> Ledger:
    """Read a ledger once for each time that it was changed: the page asks often."""
    del changed, size
    return load_ledger(path)


def _numbered(stem: str) -> list[str]:
    return [stem, *(f"{stem} {number}" for number in range(2, 1000))]

"""How is a ledger file changed by one process at a time, completely or not at all?

A name may be a symbolic link: the file behind it is locked and replaced, so that all names go on
to mean the same ledger.  A file with several names of its own (hard links) would part from them
when it is replaced, and is refused.  A copy cannot be told from the original, but both note an
id and a generation, and so does every release folder: `covey.release.paid` compares them.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from filelock import FileLock, Timeout

from covey.durable import make_folder, sync_folder
from covey.errors import LedgerError
from covey.ledger.entry import ENTRY_KEYS, Entry, EntryState
from covey.ledger.ledger import LEDGER_KEYS, LEDGER_VERSION, Ledger
from covey.written import parse_json, read_written, unknown_key

LOCK_SECONDS = 60


def load_ledger(path: str | Path) -> Ledger:
    """Read a ledger file."""
    path = Path(path)
    try:
        content = parse_json(read_written(path))
        if content["version"] < 1 or not isinstance(content.get("entries", []), list):
            content = {}  # damaged, as below
        if content["version"] > LEDGER_VERSION:
            raise LedgerError(
                f"the ledger {str(path)!r} was written by a newer covey, so its entries might be "
                f"misread. Update covey."
            )
        for each in (content, *content["entries"]):
            known = LEDGER_KEYS if each is content else ENTRY_KEYS
            if (wrong := unknown_key(each, known)) is not None:
                raise LedgerError(
                    f"the ledger {str(path)!r} {wrong} It would be lost when the ledger is written "
                    f"again, so nothing was published. Correct it, or update covey."
                )
        return Ledger.from_dict(content)
    except OSError as error:
        raise LedgerError(
            f"the ledger {str(path)!r} cannot be read ({error.strerror}), so what was spent is "
            f"unknown and nothing was published. Create one: covey ledger {path.name} --create 3."
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
        raise LedgerError(
            f"the ledger {str(path)!r} is damaged, so what was spent is unknown and nothing was "
            f"published. Restore it from a backup; do not start a new one for the same data."
        ) from error


def create_ledger(path: str | Path, limit: Fraction, *, renews: str = "") -> Ledger:
    """Start a ledger file with a limit, refusing to replace one."""
    real = _real(path)
    with _locked(real):
        if real.exists():
            raise LedgerError(
                f"the ledger {str(path)!r} exists already; replacing it would forget what was "
                f"spent. Choose another name for other data."
            )
        return _write(real, Ledger(limit=Fraction(limit), renews=renews))


def spend(path: str | Path, entry: Entry) -> Ledger:
    """Enter an expense into a ledger file, atomically, or refuse and change nothing.

    The file is locked from reading to writing, so two processes cannot both spend the last
    of the budget; it is replaced in one step, so a crash leaves the old one or the new one.
    The new entry is the last one of the ledger that is returned.
    """

    def charged(ledger: Ledger) -> Ledger:
        return ledger.charged(
            replace(entry, id=secrets.token_hex(6), generation=ledger.generation + 1)
        )

    return _change(path, charged)


def reserve(path: str | Path, entry: Entry) -> str:
    """Enter an expense that counts from now on and is not published yet; return its id.

    `commit` makes it final.  `cancel` gives it up, if nobody has seen the release.  If the
    process dies before either, it stays open and goes on to count.
    """
    return spend(path, replace(entry, state=EntryState.OPEN)).entries[-1].id


def commit(path: str | Path, identity: str) -> Ledger:
    """Make a reservation final: its release is there to be seen."""
    return _change(path, lambda ledger: ledger.settled(identity, EntryState.PAID))


def cancel(path: str | Path, identity: str) -> Ledger:
    """Give a reservation up: nobody has seen its release, and nobody will."""
    return _change(path, lambda ledger: ledger.settled(identity, EntryState.CANCELLED))


def change_limit(path: str | Path, limit: Fraction, *, below_spent: bool = False) -> Ledger:
    """Raise or lower the limit, and keep the old one on record."""
    return _change(path, lambda ledger: ledger.limited(limit, below_spent=below_spent))


def raise_limit(path: str | Path, limit: Fraction, *, by: str, reason: str) -> Ledger:
    """Raise the limit, and keep on record who did and why."""
    return _change(path, lambda ledger: ledger.raised(limit, by=by, reason=reason))


def clear_leftovers(path: str | Path) -> None:
    """Remove what a killed process left beside a ledger while it wrote the next generation."""
    real = _real(path)
    if real.parent.is_dir() and _leftovers(real):
        with _locked(real):
            pass


def _change(path: str | Path, change: Callable[[Ledger], Ledger]) -> Ledger:
    real = _real(path)
    if real.name == "ledger.json" and (real.parent / "guarantee.json").is_file():
        raise LedgerError(
            f"{str(path)!r} is what a release folder says about its ledger, so nothing can be "
            f"charged to it. Give the ledger itself."
        )
    with _locked(real):
        return _write(real, change(load_ledger(real)))


def _real(path: str | Path) -> Path:
    """Return the file behind a name, so that a link is followed and not replaced by a copy."""
    try:
        return Path(path).resolve()
    except (OSError, RuntimeError) as error:
        raise LedgerError(
            f"the ledger {str(path)!r} is a link that leads nowhere, so what was spent is unknown "
            f"and nothing was published. Give the file itself."
        ) from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock file beside a ledger."""
    lock = FileLock(f"{path}.lock", timeout=LOCK_SECONDS)
    try:
        make_folder(path.parent)
        lock.acquire()
    except Timeout as error:
        raise LedgerError(
            f"the ledger {str(path)!r} is in use by another process, so nothing was published. "
            f"Try again when that release is done."
        ) from error
    except OSError as error:
        raise LedgerError(
            f"the ledger {str(path)!r} cannot be locked ({error.strerror}), so nothing was "
            f"published. Put it where you may write."
        ) from error
    try:
        # Whoever writes holds the lock, so what is there now was left by a killed process.
        for leftover in _leftovers(path):
            leftover.unlink(missing_ok=True)
        yield
    finally:
        lock.release()


def _leftovers(path: Path) -> list[Path]:
    """Return the files in which a next generation was being written."""
    name = re.compile(rf"\.{re.escape(path.name)}-[a-z0-9_]{{8}}")
    return [each for each in path.parent.iterdir() if name.fullmatch(each.name)]


def _write(path: Path, ledger: Ledger) -> Ledger:
    """Replace the file by its next generation, and return that."""
    ledger = replace(ledger, id=ledger.id or secrets.token_hex(8), generation=ledger.generation + 1)
    try:
        if path.exists() and path.stat().st_nlink > 1:
            raise LedgerError(
                f"the ledger {str(path)!r} has other names (hard links), which would go on with a "
                f"copy of it and pay again, so nothing was charged and nothing published. Remove "
                f"the other names, or make them symbolic links."
            )
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(ledger.to_dict(), file, indent=2)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                # A ledger that a group shares must stay shared.
                shutil.copymode(path, name)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise LedgerError(
            f"the ledger {str(path)!r} cannot be written ({error.strerror}), so nothing was "
            f"charged and nothing published. Put it where you may write."
        ) from error
    try:
        sync_folder(path.parent)
    except OSError as error:
        raise LedgerError(
            f"the ledger {str(path)!r} was written, and the disk does not confirm it "
            f"({error.strerror}), so nothing was published. See what is charged: "
            f"covey ledger {path}"
        ) from error
    return ledger

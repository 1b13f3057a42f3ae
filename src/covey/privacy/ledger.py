"""How much has been spent on these data, over all releases and processes?

A ledger written by an old version keeps its meaning forever: new fields may be added,
none may change.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from covey.errors import BudgetError, LedgerError

VERSION = 1
LOCK_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One expense: which system spent how much, when, for which plan."""

    when: str
    system: str
    epsilon: str
    unit: str
    plan: str

    @classmethod
    def now(cls, *, system: str, epsilon: Fraction, unit: str, plan: str) -> Entry:
        """Return an expense of this moment."""
        when = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(when=when, system=system, epsilon=str(epsilon), unit=unit, plan=plan)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Everything spent so far, and the limit if there is one.

    Parameters
    ----------
    limit : Fraction, optional
        The most that all entries together may spend.
    entries : tuple of Entry
        Oldest first.
    """

    limit: Fraction | None = None
    entries: tuple[Entry, ...] = ()

    @property
    def spent(self) -> Fraction:
        """Return the sum of all expenses (sequential composition)."""
        return sum((Fraction(entry.epsilon) for entry in self.entries), Fraction(0))

    @property
    def left(self) -> Fraction | None:
        """Return what may still be spent, or None without a limit."""
        return None if self.limit is None else self.limit - self.spent

    def require(self, epsilon: Fraction) -> None:
        """Refuse an expense that would exceed the limit."""
        if self.left is not None and epsilon > self.left:
            raise BudgetError(
                f"the ledger has epsilon = {float(self.left):g} left of {_text(self.limit)} and "
                f"this release needs {float(epsilon):g}, so nothing was published. Ask for a "
                f"smaller epsilon, or let the person responsible for the data raise the limit."
            )

    def charged(self, entry: Entry) -> Ledger:
        """Return the ledger with one more expense, or refuse."""
        self.require(Fraction(entry.epsilon))
        return replace(self, entries=(*self.entries, entry))

    def to_dict(self) -> dict[str, Any]:
        """Return the ledger as plain JSON values; amounts are exact fractions as text."""
        return {
            "version": VERSION,
            "limit": None if self.limit is None else str(self.limit),
            "spent": str(self.spent),
            "left": None if self.left is None else str(self.left),
            "entries": [asdict(entry) for entry in self.entries],
        }


def load_ledger(path: str | Path) -> Ledger:
    """Read a ledger file."""
    path = Path(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["version"] > VERSION:
            raise LedgerError(
                f"the ledger {str(path)!r} was written by a newer covey, so its entries might be "
                f"misread. Update covey."
            )
        limit = None if content["limit"] is None else Fraction(content["limit"])
        fields = ("when", "system", "epsilon", "unit", "plan")
        entries = tuple(
            Entry(**{field: item[field] for field in fields}) for item in content["entries"]
        )
        ledger = Ledger(limit=limit, entries=entries)
        _refuse_negative(ledger)
    except OSError as error:
        raise LedgerError(
            f"the ledger {str(path)!r} cannot be read ({error.strerror}), so what was spent is "
            f"unknown and nothing was published. Create one: covey ledger {path.name} --create 3"
        ) from error
    except (ValueError, KeyError, TypeError, ArithmeticError) as error:
        raise LedgerError(
            f"the ledger {str(path)!r} is damaged, so what was spent is unknown and nothing was "
            f"published. Restore it from a backup; do not start a new one for the same data."
        ) from error
    return ledger


def _refuse_negative(ledger: Ledger) -> None:
    amounts = [Fraction(entry.epsilon) for entry in ledger.entries]
    if any(amount <= 0 for amount in amounts) or (ledger.limit is not None and ledger.limit < 0):
        raise ValueError


def create_ledger(path: str | Path, limit: Fraction) -> Ledger:
    """Start a ledger file with a limit, refusing to replace one."""
    path = Path(path)
    ledger = Ledger(limit=limit)
    with _locked(path):
        if path.exists():
            raise LedgerError(
                f"the ledger {str(path)!r} exists already; replacing it would forget what was "
                f"spent. Choose another name for other data."
            )
        _write(path, ledger)
    return ledger


def spend(path: str | Path, entry: Entry) -> Ledger:
    """Enter an expense into a ledger file, atomically, or refuse and change nothing.

    The file is locked from reading to writing, so two processes cannot both spend the last
    of the budget; it is replaced in one step, so a crash leaves the old one or the new one.
    """
    path = Path(path)
    with _locked(path):
        ledger = load_ledger(path).charged(entry)
        _write(path, ledger)
    return ledger


class _locked:  # noqa: N801 — reads as a word in a with statement
    """Hold the lock file beside a ledger."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = FileLock(str(path) + ".lock", timeout=LOCK_SECONDS)

    def __enter__(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout as error:
            raise LedgerError(
                f"the ledger {str(self._path)!r} is in use by another process, so nothing was "
                f"published. Try again when that release is done."
            ) from error
        except OSError as error:
            raise LedgerError(
                f"the ledger {str(self._path)!r} cannot be locked ({error.strerror}), so nothing "
                f"was published. Put it where you may write."
            ) from error

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _write(path: Path, ledger: Ledger) -> None:
    try:
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


def _text(value: Fraction | None) -> str:
    return "no limit" if value is None else f"{float(value):g}"

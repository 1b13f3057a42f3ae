"""Which entry of which ledger paid for a release folder?

A folder notes the id of its ledger, the generation in which it was charged, and the id of its
own entry.  A ledger that has the id but not the entry is another copy of the one that paid.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from covey.errors import CoveyError
from covey.ledger import Entry, EntryState, Ledger, load_ledger
from covey.ledger.entry import UNKNOWN
from covey.release.saved import open_release

if TYPE_CHECKING:
    from covey.core import Guarantee


class Payment(StrEnum):
    """What a ledger says about a release folder."""

    PAID = "paid"
    OPEN = "reserved"
    CANCELLED = "cancelled"
    ELSEWHERE = "not in this ledger"
    COPY = "entry of another copy"
    CHANGED = "differs from its entry"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFolder:
    """A release folder held against a ledger.

    Parameters
    ----------
    folder : str
        As it was given.
    payment : Payment
        What the ledger says.
    entry : str
        The id of the entry that the folder names.
    words : str
        What that means, and what to do.
    """

    folder: str
    payment: Payment
    entry: str
    words: str


class _Released(Protocol):
    @property
    def guarantee(self) -> Guarantee: ...

    @property
    def ledger(self) -> Ledger: ...


def charged_entry(release: _Released) -> Entry | None:
    """Return the expense of this release, the last one in its ledger; None if there is none.

    Old versions did not enter releases without epsilon.
    """
    last = release.ledger.entries[-1] if release.ledger.entries else None
    old = last is not None and last.kind == UNKNOWN and release.guarantee.epsilon is None
    return None if old else last


def check_folders(ledger: Ledger, folders: Iterable[str | Path]) -> list[CheckedFolder]:
    """Hold release folders against a ledger: was each paid for, here, and by itself?"""
    checked: list[CheckedFolder] = []
    seen: dict[str, str] = {}
    for folder in folders:
        saved = open_release(folder)
        own = charged_entry(saved)
        payment, words = _payment(ledger, saved, own)
        first = seen.setdefault(words, str(folder)) if payment is Payment.PAID else str(folder)
        if first != str(folder):
            words += f" It paid for {first}, too: one of them must be a copy of the other."
        identity = "" if own is None else own.id
        checked.append(
            CheckedFolder(folder=str(folder), payment=payment, entry=identity, words=words)
        )
    return checked


def is_paid_by(folder: Path, identity: str) -> bool:
    """Return whether a complete release folder names this entry as its own."""
    try:
        entries = load_ledger(folder / "ledger.json").entries
    except CoveyError:
        return False
    return bool(entries) and entries[-1].id == identity


def same_plan(folder: Path, fingerprint: str) -> list[str]:
    """Return the names of release folders beside this one that the same plan made."""
    found = []
    for bill in sorted(folder.resolve().parent.glob("*/ledger.json")):
        try:
            entries = load_ledger(bill).entries
        except CoveyError:
            continue
        if bill.parent != folder.resolve() and entries and entries[-1].plan == fingerprint:
            found.append(bill.parent.name)
    return found


def _payment(ledger: Ledger, saved: _Released, own: Entry | None) -> tuple[Payment, str]:
    found = None if own is None else _find(ledger, saved, own)
    if own is None or found is None:
        return _missing(ledger, saved, own)
    if not _agrees(found, saved.guarantee):
        return Payment.CHANGED, "Its guarantee is not the one that was paid for. Do not trust it."
    payment, words = _SETTLED[found.state]
    return payment, words.format(entry=own.id or own.when)


def _find(ledger: Ledger, saved: _Released, own: Entry) -> Entry | None:
    if own.id:
        return ledger.find(own.id) if saved.ledger.id == ledger.id else None
    # Old versions gave no ids; newer folders without one were made without a ledger.
    return next((each for each in ledger.entries if own.kind == UNKNOWN and each == own), None)


def _missing(ledger: Ledger, saved: _Released, own: Entry | None) -> tuple[Payment, str]:
    if own is None or not own.id:
        return Payment.ELSEWHERE, "It was made without a ledger, or by an old covey with another."
    if saved.ledger.id != ledger.id:
        return Payment.ELSEWHERE, f"The ledger with the id {saved.ledger.id} paid for it."
    return Payment.COPY, (
        f"This ledger has its id and not its entry: a copy of this file paid, in generation "
        f"{own.generation}, and this one is in generation {ledger.generation}. Find that copy: "
        f"what both have spent must be added up."
    )


_SETTLED = {
    EntryState.PAID: (Payment.PAID, "Entry {entry} paid for it."),
    EntryState.OPEN: (
        Payment.OPEN,
        "The ledger counts it and was not told that it is complete. Say so: --commit {entry}",
    ),
    EntryState.CANCELLED: (
        Payment.CANCELLED,
        "Its reservation {entry} was given up, and yet it is there. Destroy it, or count it.",
    ),
}


def _agrees(entry: Entry, guarantee: Guarantee) -> bool:
    stated = None if entry.stated is None else float(entry.stated)
    promised = None if guarantee.epsilon is None else float(guarantee.epsilon)
    kinds = entry.kind in (UNKNOWN, guarantee.kind)
    return (
        kinds
        and (entry.unit, entry.person) == (guarantee.unit, guarantee.person)
        and stated == promised
    )

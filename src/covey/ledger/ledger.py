"""How much has been spent on these people, how much is left, and in which unit?

A ledger written by an old version keeps its meaning forever: new fields may be added with a new
version, none may change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import polars as pl

from covey.core.budget import read_exact
from covey.core.loss import epsilon_at, largest_rho
from covey.errors import BudgetError, LedgerError
from covey.kinds import amount
from covey.ledger.entry import Entry, EntryState, in_unit
from covey.ledger.words import conversions
from covey.notebook import notebook_html

LEDGER_VERSION = 3
YEAR, YEAR_DIGITS = "year", 4


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitChange:
    """When somebody changed the limit, from what to what; who raised it, and why, if that was said.

    A release folder tells neither name nor reason: they are for whoever keeps the ledger.
    """

    when: str
    old: str | None
    new: str
    by: str = ""
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain JSON values."""
        return {name: value for name, value in asdict(self).items() if value != ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Everything spent so far, and the limit if there is one.

    Parameters
    ----------
    limit : Fraction, optional
        The most that all entries with a bound may spend together.
    entries : tuple of Entry
        Oldest first.
    changes : tuple of LimitChange
        What the limit was before.
    id : str
        Random, given with the file; a copy of the file has the same.
    generation : int
        How often the file was written.
    renews : "" or "year"
        Whether the limit is one for each calendar year (UTC): a public rule, which bounds no sum
        over years.
    """

    limit: Fraction | None = None
    entries: tuple[Entry, ...] = ()
    changes: tuple[LimitChange, ...] = ()
    id: str = ""
    generation: int = 0
    renews: str = ""

    def __post_init__(self) -> None:
        """Refuse a period that there is not."""
        if self.renews not in ("", YEAR):
            raise LedgerError(
                f"a limit renews each {YEAR!r} or never, and {self.renews!r} was given, so no "
                f"ledger was made. Give `--renews {YEAR}`, or leave it out."
            )

    def at(self, when: str = "") -> Ledger:
        """Return what the limit is about at a moment, now unless given: all, or one year's."""
        if not self.renews:
            return self
        year = (when or datetime.now(UTC).isoformat())[:YEAR_DIGITS]
        there = tuple(each for each in self.entries if each.when.startswith(year))
        return replace(self, entries=there, renews="")

    @property
    def bounded(self) -> tuple[Entry, ...]:
        """Return the releases that have a bound; these are what the limit is about."""
        return tuple(each for each in self.entries if each.counts and each.bound is not None)

    @property
    def unbounded(self) -> tuple[Entry, ...]:
        """Return the releases that nothing bounds: with one of them, all together have no bound."""
        return tuple(each for each in self.entries if each.counts and each.bound is None)

    @property
    def open(self) -> tuple[Entry, ...]:
        """Return what was reserved and neither published nor given up."""
        return tuple(each for each in self.entries if each.state is EntryState.OPEN)

    @property
    def units(self) -> tuple[str, ...]:
        """Return the units that expenses are counted in: those that count in no other one here."""
        there = dict.fromkeys(entry.protects for entry in self.bounded)
        return tuple(
            unit
            for unit in there
            if not any(other != unit and in_unit(unit, other) for other in there)
        )

    @property
    def spent(self) -> Fraction:
        """Return the sum of all expenses that have a bound (sequential composition).

        With several units it bounds inputs that differ in one step of each at once.
        """
        return composed([(each, self._times(each)) for each in self.bounded], self.delta)

    @property
    def delta(self) -> Fraction | None:
        """Return the delta of all expenses together: the smallest that one was made for, if any."""
        return min((Fraction(each.delta) for each in self.bounded if each.delta), default=None)

    def left_rho(self, delta: Fraction) -> Fraction | None:
        """Return the rho that may still be spent, if epsilon is to hold for this delta."""
        if self.limit is None:
            return None
        if self.renews:
            return self.at().left_rho(delta)
        delta = min(filter(None, (self.delta, delta)))
        # An epsilon is rounded up to ten digits, so that little of the limit is left for that.
        limit = self.limit * (1 - Fraction(1, 10**9))
        pure, squares, rho = losses([(each, self._times(each)) for each in self.bounded])
        apart = largest_rho(limit - pure, delta) - rho if limit > pure else Fraction(0)
        together = largest_rho(limit, delta) - rho - squares if limit else Fraction(0)
        return max(Fraction(0), apart, together)

    @property
    def left(self) -> Fraction | None:
        """Return what may still be spent, or None without a limit."""
        return None if self.limit is None else self.limit - self.at().spent

    def total(self, unit: str) -> Fraction | None:
        """Return what bounds all releases together in a unit, or None if nothing does."""
        counted = []
        for entry in self.entries:
            if entry.counts:
                times = in_unit(entry.protects, unit)
                if entry.bound is None or times is None:
                    return None
                counted.append((entry, times))
        return composed(counted, self.delta)

    def cost(self, entry: Entry) -> Fraction:
        """Return by how much a release would add to what is spent."""
        return replace(self, entries=(*self.entries, entry)).spent - self.spent

    def require(self, entry: Entry) -> None:
        """Refuse an expense that would exceed the limit; what has no bound uses up none of it."""
        if self.renews:
            self.at(entry.when).require(entry)
            return
        left, cost = self.left, self.cost(entry)
        if self.limit is None or left is None or entry.bound is None or cost <= left:
            return
        after = replace(self, entries=(*self.entries, entry))
        counted = "".join(f" {sentence}" for sentence in conversions(after))
        raise BudgetError(
            f"the ledger has epsilon = {amount(max(left, Fraction(0)))} left of "
            f"{amount(self.limit)} and this release needs {amount(cost)}, so nothing was "
            f"published.{counted} Ask for a smaller epsilon, or let the person responsible for the "
            f"data raise the limit (covey ledger FILE --raise NEW)."
        )

    def charged(self, entry: Entry) -> Ledger:
        """Return the ledger with one more expense, or refuse."""
        self.require(entry)
        return replace(self, entries=(*self.entries, entry))

    def settled(self, identity: str, state: EntryState) -> Ledger:
        """Return the ledger with an open reservation paid or cancelled."""
        found = self.find(identity)
        if found is None or found.state not in (EntryState.OPEN, state):
            was = "is not in this ledger" if found is None else f"is {found.state} already"
            raise LedgerError(
                f"the reservation {identity!r} {was}, so it cannot be {state}. `covey ledger FILE` "
                f"lists the open ones; what was published cannot be taken back."
            )
        entries = (
            replace(each, state=state) if each.id == identity else each for each in self.entries
        )
        return replace(self, entries=tuple(entries))

    def limited(self, limit: Fraction, *, below_spent: bool = False) -> Ledger:
        """Return the ledger with another limit; the old one stays on record."""
        spent = self.at().spent
        if limit < spent and not below_spent:
            raise BudgetError(
                f"epsilon = {amount(spent)} is spent already, and a limit of {amount(limit)} "
                f"would not take that back, so the limit stays. Give a larger one, or say that "
                f"nothing more may be spent: --below-spent."
            )
        return self._with_limit(limit)

    def raised(self, limit: Fraction, *, by: str, reason: str) -> Ledger:
        """Return the ledger with a higher limit, and on record who raised it and why."""
        by, reason = by.strip(), reason.strip()
        if not by or not reason:
            raise LedgerError(
                "nobody answers for the higher limit, so it stays as it is. Say who raises it and "
                "why: --by NAME --reason TEXT."
            )
        if self.limit is None or limit <= self.limit:
            there = "no limit" if self.limit is None else f"a limit of {amount(self.limit)}"
            raise BudgetError(
                f"the ledger has {there}, which {amount(limit)} would not raise, so it stays as it "
                f"is. Give a larger one."
            )
        return self._with_limit(limit, by=by, reason=reason)

    def _with_limit(self, limit: Fraction, **said: str) -> Ledger:
        when = datetime.now(UTC).isoformat(timespec="seconds")
        old = None if self.limit is None else str(self.limit)
        change = LimitChange(when=when, old=old, new=str(limit), **said)
        return replace(self, limit=limit, changes=(*self.changes, change))

    def find(self, identity: str) -> Entry | None:
        """Return the entry of that id."""
        return next((each for each in self.entries if identity and each.id == identity), None)

    def bill(self, identity: str) -> Ledger:
        """Return what a release folder says about its ledger: all up to its own entry, the last.

        A folder is seen only when it is paid for; where other folders lie is nobody's business.
        """
        place = next(i for i, each in enumerate(self.entries) if each.id == identity)
        own = replace(self.entries[place], state=EntryState.PAID)
        told = (*self.entries[:place], own)
        entries = tuple(replace(each, folder="", staged="") for each in told)
        changes = tuple(replace(each, by="", reason="") for each in self.changes)
        return replace(self, entries=entries, changes=changes, generation=own.generation)

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each expense, oldest first."""
        kinds = dict.fromkeys(("when", "system", "epsilon", "unit", "kind", "state"), pl.String())
        rows = [
            (each.when, each.system, each.epsilon, each.unit, each.kind, str(each.state))
            for each in self.entries
        ]
        return pl.DataFrame(rows, schema=kinds, orient="row")

    def _repr_html_(self) -> str:
        """Show what was spent in a notebook."""
        spent = [f"{unit}: {float(self.total(unit) or 0):g}" for unit in self.units]
        limit = "no limit" if self.limit is None else f"limit {float(self.limit):g}"
        frame = self.to_frame()
        lines = [f"Spent {'; '.join(spent) or 'nothing'}; {limit}."]
        return notebook_html(
            f"Ledger of {len(self.entries)} entries", lines, frame.columns, frame.rows()
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the ledger as plain JSON values; amounts are exact fractions as text."""
        units = dict.fromkeys(entry.protects for entry in self.bounded)
        return {
            "version": LEDGER_VERSION,
            "id": self.id,
            "generation": self.generation,
            "limit": _text(self.limit),
            "renews": self.renews,
            "spent": str(self.spent),
            "delta": _text(self.delta),
            "left": _text(self.left),
            "counted_in": list(self.units),
            "totals": {unit: _text(self.total(unit)) for unit in units},
            "without_bound": len(self.unbounded),
            "changes": [change.to_dict() for change in self.changes],
            "entries": [entry.to_dict() for entry in self.entries],
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Ledger:
        """Read a ledger; ValueError, KeyError and their like say that it is damaged."""
        limit = content["limit"]
        ledger = cls(
            limit=None if limit is None else read_exact(limit),
            entries=tuple(map(Entry.from_dict, content["entries"])),
            changes=tuple(
                LimitChange(
                    when=each["when"],
                    old=each["old"],
                    new=each["new"],
                    by=str(each.get("by", "")),
                    reason=str(each.get("reason", "")),
                )
                for each in content.get("changes", ())
            ),
            id=str(content.get("id", "")),
            generation=int(content.get("generation", 0)),
            renews=str(content.get("renews", "")),
        )
        if ledger.limit is not None and ledger.limit < 0:
            raise ValueError
        return ledger

    def _times(self, entry: Entry) -> int:
        """Return how many steps of a release one step of each unit makes, all at once."""
        return sum(in_unit(entry.protects, unit) or 0 for unit in self.units)


def losses(counted: Sequence[tuple[Entry, int]]) -> tuple[Fraction, Fraction, Fraction]:
    """Return the sums of all pure losses, of half their squares, and of all rhos.

    A loss for one step is epsilon times the number of steps, and rho times its square.
    """
    pure = [times * (each.bound or Fraction(0)) for each, times in counted if each.rho is None]
    rho = [times**2 * Fraction(each.rho) for each, times in counted if each.rho is not None]
    halves = sum((epsilon**2 / 2 for epsilon in pure), Fraction(0))
    return sum(pure, Fraction(0)), halves, sum(rho, Fraction(0))


def composed(counted: Sequence[tuple[Entry, int]], delta: Fraction | None) -> Fraction:
    """Return the epsilon of all expenses together, for delta if one of them is a rho.

    Pure losses are added to what all rhos imply, or taken for rhos themselves: both are true.
    """
    pure, halves, rho = losses(counted)
    if delta is None or rho == 0:
        return pure
    return min(pure + epsilon_at(rho, delta), epsilon_at(rho + halves, delta))


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


LEDGER_KEYS = tuple(Ledger().to_dict())
"""What a ledger file says, its entries apart."""

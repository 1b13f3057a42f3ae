"""How is a release paid for: at once, or by a reservation until its folder is there?

Whoever holds the rows has seen the release, so `covey.publish` charges at once.  Where the rows
go straight into a folder, the ledger is told first what will be spent (`Reservation`), and what
became of it afterwards: nobody has seen a folder that could not be written.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from covey.core import Guarantee
from covey.errors import CoveyError
from covey.ledger import Entry, Ledger, cancel, commit, load_ledger, reserve, spend
from covey.release.staged import StagedFolder, StagedState

if TYPE_CHECKING:
    from covey.plan import Plan


@dataclass(slots=True)
class Reservation:
    """What a release costs, kept back in its ledger until its folder is written.

    Parameters
    ----------
    path : Path
        The ledger file.
    staged : StagedFolder
        Where the release waits, and where it will be.
    id : str
        Of the entry, once there is one.
    """

    path: Path
    staged: StagedFolder
    id: str = ""

    def reserve(self, entry: Entry) -> Ledger:
        """Enter the expense; return what the folder is to say about it."""
        folder, place = self.staged.folder.resolve(), self.staged.place.resolve()
        self.id = reserve(self.path, replace(entry, folder=str(folder), staged=str(place)))
        return load_ledger(self.path).bill(self.id)

    def commit(self) -> None:
        """Make the expense final: the folder is there.

        If the ledger cannot be written now, the reservation goes on to count, so nothing is lost.
        """
        try:
            commit(self.path, self.id)
        except CoveyError as error:
            self.staged.keep = True
            warnings.warn(
                f"the release is written and counts, but its reservation stays open: {error} The "
                f"next command on it will close it: covey ledger {self.path}",
                stacklevel=3,
            )

    def give_up(self) -> str:
        """Cancel the expense of a release that nobody has seen; say what became of it.

        A folder that is complete all the same, because the interruption came after it, is paid.
        """
        if not self.id:
            return "The ledger was not charged."
        if self.staged.state is StagedState.APPEARED:
            self.commit()
            return "The release was complete before, and the ledger is charged."
        try:
            self.staged.unseal()
            cancel(self.path, self.id)
        except (CoveyError, OSError) as error:
            self.staged.keep = True
            return (
                f"Nobody has seen the release, but its reservation stays open in the ledger: "
                f"{error} The next command on it will cancel it: covey ledger {self.path}"
            )
        return "The ledger was not charged."


Account = str | Path | Reservation | None
"""What a release is charged to: a ledger file, a reservation in one, or nothing."""


def entry_of(guarantee: Guarantee, plan: Plan) -> Entry:
    """Return what a release with this guarantee costs, now."""
    return Entry.now(
        system=plan.system,
        epsilon=guarantee.epsilon,
        delta=None if guarantee.delta is None else str(guarantee.delta),
        rho=None if guarantee.rho is None else str(guarantee.rho),
        unit=str(guarantee.unit),
        person=guarantee.person,
        plan=plan.fingerprint,
        kind=str(guarantee.kind),
        covers=guarantee.columns,
        columns=() if plan.schema is None else plan.schema.names,
    )


def refuse_unaffordable(account: Account, guarantee: Guarantee, plan: Plan) -> None:
    """Refuse early, so that nobody waits for a release that the ledger will refuse."""
    if account is not None:
        load_ledger(_file(account)).require(entry_of(guarantee, plan))


def charge(account: Account, guarantee: Guarantee, plan: Plan) -> Ledger:
    """Enter the cost of a release into its ledger, before anyone can see it.

    A crash from here on loses budget, not privacy.
    """
    entry = entry_of(guarantee, plan)
    if account is None:
        return Ledger().charged(entry)
    if isinstance(account, Reservation):
        return account.reserve(entry)
    ledger = spend(account, entry)
    return ledger.bill(ledger.entries[-1].id)


def _file(account: str | Path | Reservation) -> str | Path:
    return account.path if isinstance(account, Reservation) else account

"""covey ledger: what was spent, for which releases, and what is open."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.show import console, show_json
from covey.errors import PlanError

if TYPE_CHECKING:
    from covey.ledger import Entry, Ledger
    from covey.release.paid import CheckedFolder

EXIT_UNPAID = 2


def ledger(
    file: Annotated[
        Path, typer.Argument(help="A ledger file, or a release's ledger.json.", readable=False)
    ],
    folders: Annotated[
        list[Path] | None,
        typer.Argument(help="Release folders: did this ledger pay for them?", readable=False),
    ] = None,
    *,
    create: Annotated[
        str | None, typer.Option(help="Start a new ledger with this limit on epsilon.")
    ] = None,
    renews: Annotated[
        str | None, typer.Option(help="With --create: year, if the limit is one for each.")
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(help="Try what a plan would cost; nothing is spent.", readable=False),
    ] = None,
    n: Annotated[
        int, typer.Option("--n", help="With --plan: how many records to lay it out for.")
    ] = 10_000,
    limit: Annotated[
        str | None, typer.Option(help="Raise or lower the limit; the old one stays on record.")
    ] = None,
    higher: Annotated[
        str | None,
        typer.Option("--raise", help="Raise the limit; --by and --reason stay on record."),
    ] = None,
    by: Annotated[str | None, typer.Option(help="With --raise: who raises it.")] = None,
    reason: Annotated[str | None, typer.Option(help="With --raise: why.")] = None,
    below_spent: Annotated[
        bool, typer.Option("--below-spent", help="With --limit: even below what was spent.")
    ] = False,
    commit: Annotated[
        str | None, typer.Option(help="An open reservation: its release is complete.")
    ] = None,
    cancel: Annotated[
        str | None, typer.Option(help="An open reservation: nobody has seen its release.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Show what has been spent, start a ledger, change its limit, or check release folders.

    For example:

      covey ledger people.ledger --create 3

      covey ledger people.ledger

      covey ledger people.ledger out/ again/

      covey ledger people.ledger --plan plan.toml

      covey ledger people.ledger --raise 5 --by "A. Curator" --reason "second wave"
    """
    from covey import ledger as room
    from covey.core import Budget
    from covey.release import check_folders
    from covey.release.recovery import recover_folder, recover_ledger

    recover_ledger(file)
    for folder in folders or ():
        recover_folder(folder)
    wanted = {"--create": create, "--limit": limit, "--raise": higher}
    wanted |= {
        "--commit": commit,
        "--cancel": cancel,
        "--plan": None if plan is None else str(plan),
    }
    given = [name for name, value in wanted.items() if value is not None]
    if len(given) > 1:
        raise PlanError(f"{' and '.join(given)} are two things to do. Give one at a time.")
    if create is not None:
        found = room.create_ledger(file, Budget.of(create).epsilon, renews=renews or "")
    elif plan is not None:
        _try_plan(room.load_ledger(file), plan, n, as_json=as_json)
        return
    elif limit is not None:
        found = room.change_limit(file, Budget.of(limit).epsilon, below_spent=below_spent)
    elif higher is not None:
        found = room.raise_limit(file, Budget.of(higher).epsilon, by=by or "", reason=reason or "")
    else:
        found = _settled(file, commit, cancel)
    if not folders:
        show_json(found.to_dict()) if as_json else _show(found)
        return
    checked = check_folders(found, folders)
    if as_json:
        fields = ("folder", "payment", "entry", "words")
        show_json([{field: str(getattr(each, field)) for field in fields} for each in checked])
    else:
        _show_checked(checked)
    if any(each.payment != "paid" for each in checked):
        raise typer.Exit(EXIT_UNPAID)


def _try_plan(found: Ledger, path: Path, n: int, *, as_json: bool) -> None:
    """Say what a plan would cost, or refuse as its release would be; the file stays as it is."""
    from covey.charge import entry_of
    from covey.kinds import amount
    from covey.plan import Plan
    from covey.run import foresee

    plan = Plan.load(path)
    guarantee = foresee(plan, n)
    if guarantee is None:
        raise PlanError(
            f"what system {plan.system!r} would cost is not known without the records, so nothing "
            f"was tried. Systems for tables with a differential promise can be tried."
        )
    entry = entry_of(guarantee, plan)
    found.require(entry)
    after = found.charged(entry)
    cost = None if entry.bound is None else after.at().spent - found.at().spent
    if as_json:
        show_json({"cost": None if cost is None else str(cost), "after": after.to_dict()})
        return
    if cost is None:
        console.print("Nothing would bound that release, and it would use nothing of the limit.")
        return
    rho = "" if entry.rho is None else f", which is rho = {float(Fraction(entry.rho)):.6g}"
    left = "" if after.left is None else f", and {amount(after.left)} would be left"
    console.print(
        f"That release would cost epsilon = {amount(cost)}{rho}{left}. Nothing was spent.",
        soft_wrap=True,
    )


def _settled(file: Path, paid: str | None, given_up: str | None) -> Ledger:
    """Settle an open reservation, if one is named, and return the ledger."""
    from covey import ledger as room

    if paid is not None:
        return room.commit(file, paid)
    if given_up is not None:
        _refuse_seen(room.load_ledger(file), given_up)
        return room.cancel(file, given_up)
    return room.load_ledger(file)


def _refuse_seen(found: Ledger, identity: str) -> None:
    """Refuse to take back what a complete folder shows."""
    from covey.release.paid import is_paid_by

    entry = found.find(identity)
    if entry is not None and entry.folder and is_paid_by(Path(entry.folder), identity):
        raise PlanError(
            f"the release of reservation {identity!r} is complete in {entry.folder!r}, so it "
            f"counts and cannot be cancelled."
        )


def _show(found: Ledger) -> None:
    from covey.kinds import amount
    from covey.ledger import explain_ledger

    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80))
    for title in ("when", "system", "epsilon", "unit", "guarantee"):
        grid.add_column(title)
    for entry in found.entries:
        if entry.counts:
            # To the minute in UTC; the file has it to the second.
            when = entry.when[:16].replace("T", " ")
            bound = "no bound" if entry.bound is None else amount(entry.bound)
            grid.add_row(*map(escape, (when, entry.system, bound, entry.protects, entry.kind)))
    console.print(grid if grid.rows else "No release has been charged yet.")
    for sentence in explain_ledger(found):
        console.print(escape(sentence), width=min(console.width, 80))
    for change in found.changes:
        old = "none" if change.old is None else change.old
        who = f" by {change.by}: {change.reason}" if change.by else ""
        said = f"The limit was changed on {change.when[:10]} from {old} to {change.new}{who}."
        console.print(escape(said), soft_wrap=True)
    for entry in found.open:
        # In one line, so that the folder and the command can be copied.
        console.print(escape(_open(entry)), soft_wrap=True)


def _open(entry: Entry) -> str:
    from covey.engines.shared.in_use import is_in_use

    begin = (
        f"Open: reservation {entry.id} of {entry.when[:16].replace('T', ' ')} for "
        f"{entry.folder or 'no folder'}. It counts."
    )
    if entry.staged and is_in_use(Path(entry.staged)):
        return f"{begin} It is being written now."
    return (
        f"{begin} Whether anyone has seen it cannot be told from here. If the release is complete "
        f"there, say --commit {entry.id}; if nobody can have seen it, --cancel {entry.id}."
    )


def _show_checked(checked: list[CheckedFolder]) -> None:
    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80))
    for title in ("folder", "payment", "what that means"):
        grid.add_column(title)
    for each in checked:
        grid.add_row(escape(each.folder), each.payment, escape(each.words))
    console.print(grid)

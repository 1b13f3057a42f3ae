"""covey audit: try to refute what a system claims."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.show import console, reporting, show_json
from covey.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.audit import CaseResult

EXIT_PROMISE_BROKEN = 1
EXIT_NO_POWER = 5
_COLOURS = {"refuted": "red", "not refuted": "green", "no power": "yellow"}


def audit(
    system: Annotated[str | None, typer.Argument(help="A system, see `covey systems`.")] = None,
    *,
    runs: Annotated[int, typer.Option(help="Runs on each of the two inputs.")] = 200_000,
    seed: Annotated[
        int | None, typer.Option("--seed", "--random-state", help="A seed, to repeat an audit.")
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Audit known cases of all kinds instead of a system.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Try to refute what a system claims, on neighbours made up for it.

    It needs no data.  "not refuted" does not mean true; "no power" means that nothing can be
    said.  The exit code is 1 if something that covey itself promises was refuted, 5 if nothing can
    be said about it, and 0 otherwise, also if the claim of a paper was refuted.

    Example:

      covey audit rank-blocks
    """
    import covey
    from covey.audit import AuditReport, audit_cases

    if table == (system is not None):
        raise PlanError(
            "nothing was audited: name one system (see `covey systems`), or ask for the table of "
            "known cases with --table."
        )
    with reporting(quiet=as_json) as progress:
        if system is not None:
            report = covey.audit(system, runs=runs, random_state=seed, progress=progress)
        else:
            from covey.audit.cases import ROWS

            cases = audit_cases(ROWS, runs=runs, random_state=seed, progress=progress)
            report = AuditReport(subject="table", guarantee="", cases=cases)
    if as_json:
        show_json(report.to_dict())
    else:
        _show(report.cases)
        worst = report.worst
        found = f"; sampling finds at least {worst.bound:.3f} with 99.9 % confidence"
        console.print(
            f"\n[bold]Worst pair:[/] {escape(worst.pair)} ({escape(worst.name)}).\n"
            f"The loss is {_loss(worst)}{found if worst.runs else ''}.",
            width=min(console.width, 80),
        )
        if system is not None:
            promised = "promised by covey" if _promised(report.cases) else "claimed by others"
            console.print(
                f"[bold]What is {promised}:[/] "
                f"[{_COLOURS[report.verdict]}]{report.verdict}[/]. "
                f"An audit never verifies a claim.",
                width=min(console.width, 80),
            )
    # The table shows mistakes beside sound mechanisms; a broken promise is one in either.
    if report.breaks_a_promise:
        raise typer.Exit(EXIT_PROMISE_BROKEN)
    if report.verdict == "no power":
        raise typer.Exit(EXIT_NO_POWER)


def _show(cases: Sequence[CaseResult]) -> None:
    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80), padding=(0, 1, 0, 0))
    grid.add_column("case", ratio=1)
    grid.add_column("how", no_wrap=True)
    for title in ("allowed", "exact", "at least", "power"):
        grid.add_column(title, justify="right", no_wrap=True)
    grid.add_column("verdict", no_wrap=True)
    for case in cases:
        tells = f": {case.tells}" if case.tells else ""
        grid.add_row(
            f"{escape(case.name)} [dim]({case.promise})[/]{escape(tells)}",
            case.how,
            f"{case.epsilon:g}",
            _exact(case),
            f"{case.bound:.3f}" if case.runs and case.measure == "epsilon" else "",
            "" if case.power is None else _told(case, case.power, 2),
            f"[{_COLOURS[case.verdict]}]{case.verdict}[/]",
        )
    console.print(grid)


def _exact(case: CaseResult) -> str:
    told = _told(case, case.exact, 3)
    return f"≥{told}" if case.at_least else told


def _told(case: CaseResult, loss: float, digits: int) -> str:
    return f"{loss:.1e}" if case.measure == "delta" else _number(loss, digits)


def _number(loss: float, digits: int) -> str:
    return "∞" if math.isinf(loss) else f"{loss:.{digits}f}"


def _loss(case: CaseResult) -> str:
    if math.isinf(case.exact):
        told = f": {case.tells} would tell for sure" if case.tells else ""
        return f"infinite{told}"
    return f"{'at least' if case.at_least else 'exactly'} {case.exact:.4g}"


def _promised(cases: Sequence[CaseResult]) -> bool:
    return any(case.promise == "covey" for case in cases)

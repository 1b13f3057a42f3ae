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
COLOURS = {"refuted": "red", "not refuted": "green", "no power": "yellow"}


def audit(
    system: Annotated[str | None, typer.Argument(help="A system, see `covey systems`.")] = None,
    *,
    runs: Annotated[int, typer.Option(help="Runs on each of the two inputs.")] = 200_000,
    seed: Annotated[
        int | None, typer.Option("--random-state", help="A seed, to repeat an audit.")
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Audit known cases of all kinds instead of a system.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Try to refute what a system claims, on neighbours made up for it.

    It needs no data.  "not refuted" does not mean true; "no power" means that nothing can be
    said.  The code is 1 if something that covey itself promises was refuted, and 0 if only the
    claims of a paper were.

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
        console.print(
            f"\n[bold]Worst pair:[/] {escape(worst.pair)} ({escape(worst.name)}).\n"
            f"The loss is {_loss(worst)}; sampling finds at least {worst.bound:.3f} "
            f"with 99.9 % confidence.",
            width=min(console.width, 80),
        )
        if system is not None:
            promised = "promised by covey" if _promised(report.cases) else "claimed by others"
            console.print(
                f"[bold]What is {promised}:[/] "
                f"[{COLOURS[report.verdict]}]{report.verdict}[/]. An audit never verifies a claim.",
                width=min(console.width, 80),
            )
    # The table shows mistakes beside sound mechanisms; a broken promise is one in either.
    if report.breaks_a_promise:
        raise typer.Exit(EXIT_PROMISE_BROKEN)


def _show(cases: Sequence[CaseResult]) -> None:
    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80), padding=(0, 1, 0, 0))
    grid.add_column("case", ratio=1)
    grid.add_column("how", no_wrap=True)
    for title in ("allowed", "exact", "at least", "power"):
        grid.add_column(title, justify="right", no_wrap=True)
    grid.add_column("verdict", no_wrap=True)
    for case in cases:
        grid.add_row(
            f"{escape(case.name)} [dim]({case.promise})[/]",
            case.how,
            f"{case.epsilon:g}",
            _exact(case),
            f"{case.bound:.3f}",
            "" if case.power is None else f"{case.power:.2f}",
            f"[{COLOURS[case.verdict]}]{case.verdict}[/]",
        )
    console.print(grid)


def _exact(case: CaseResult) -> str:
    if math.isnan(case.exact):
        return "?"
    shown = "∞" if math.isinf(case.exact) else f"{case.exact:.3f}"
    return f"≥{shown}" if case.at_least else shown


def _loss(case: CaseResult) -> str:
    if math.isnan(case.exact):
        return "not computed exactly"
    if math.isinf(case.exact):
        return "infinite"
    return f"{'at least' if case.at_least else 'exactly'} {case.exact:.4g}"


def _promised(cases: Sequence[CaseResult]) -> bool:
    return any(case.promise == "covey" for case in cases)

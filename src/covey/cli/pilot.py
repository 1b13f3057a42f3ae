"""covey pilot: what a release would look like, on made-up records, for free."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.show import console, reporting, show_guarantee, show_json
from covey.errors import PlanError, ReleaseError

if TYPE_CHECKING:
    from covey import Plan
    from covey.choose.pilot import Pilot


def pilot(
    *,
    n: Annotated[int, typer.Option("--n", "-n", help="The public number of records or nodes.")],
    purpose: Annotated[
        str | None,
        typer.Option(help="Propose a plan: public, researchers, teaching, figures or graph."),
    ] = None,
    schema: Annotated[
        Path | None,
        typer.Option(
            "--schema", "-s", help="What is public about the columns (TOML).", readable=False
        ),
    ] = None,
    plan: Annotated[
        Path | None, typer.Option(help="Try this plan instead of a purpose.", readable=False)
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option(help="Instead of where the purpose starts.")
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to publish, separated by commas.")
    ] = None,
    data: Annotated[
        str | None, typer.Option(help="Public data with these columns, instead of made-up ones.")
    ] = None,
    degree: Annotated[
        float, typer.Option(help="A public guess of the average degree of a graph.")
    ] = 10.0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write the plan to (.toml).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Try a plan on made-up records: what to expect of each column. It costs no privacy.

    For example:

      covey pilot --purpose public -s people.toml --n 1000 -o plan.toml

      covey pilot --plan plan.toml --n 1000

      covey pilot --purpose graph --n 5000
    """
    import covey
    from covey.choose.pilot import run_pilot
    from covey.choose.purposes import propose
    from covey.run import foresee

    if (plan is None) == (purpose is None):
        raise PlanError(
            "what to try is unclear: give --plan FILE, or --purpose with --schema, and not both."
        )
    if output is not None and output.exists():
        raise ReleaseError(
            f"the file {str(output)!r} exists already, so nothing was written. Choose another name."
        )
    if plan is not None:
        wanted = covey.Plan.load(plan)
    else:
        named = None if columns is None else [name.strip() for name in columns.split(",")]
        described = covey.Schema.load(schema) if schema else None
        wanted = propose(purpose or "", described, epsilon=epsilon, columns=named)
    with reporting(quiet=as_json) as report:
        promised = foresee(wanted, n)
        found = run_pilot(wanted, n, data=data, degree=degree, progress=report)
    if output is not None:
        _write(wanted, output)
    if as_json:
        show_json(_as_dict(found))
        return
    epsilon_told = wanted.parameters.get("epsilon")
    with_epsilon = "" if epsilon_told is None else f" at epsilon = {epsilon_told:g}"
    console.print(f"[bold]{escape(wanted.system)}[/]{with_epsilon}")
    if promised is not None:
        show_guarantee(promised)
    _show(found)
    if output is not None:
        console.print(f"Written to [bold]{escape(str(output))}[/].")


def _write(plan: Plan, output: Path) -> None:
    try:
        output.write_text(plan.to_toml(), encoding="utf-8")
    except OSError as error:
        raise ReleaseError(
            f"the plan {str(output)!r} cannot be written ({error.strerror}). "
            f"Choose a place where you may write."
        ) from error


def _show(found: Pilot) -> None:
    from covey import SYSTEMS
    from covey.report.pilot_words import USABLE_PAIR, column_light, expectation, pilot_sentence

    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80))
    for title in ("column", "error to expect", "distribution"):
        grid.add_column(title)
    for each in found.columns:
        light = column_light(each)
        colour = "yellow" if light.colour == "amber" else light.colour
        grid.add_row(escape(each.name), escape(expectation(each)), f"[{colour}]{light.word}[/]")
    if grid.rows:
        console.print(grid)
    console.print(escape(pilot_sentence(found)), width=min(console.width, 80))
    if found.pairs:
        console.print(
            f"A pair is usable if at most {100 * USABLE_PAIR:g} % of the records are in a wrong "
            f"cell of its two-way table.",
            style="dim",
            width=min(console.width, 80),
        )
    graph = SYSTEMS[found.plan.system].data == "graph"
    tried = f"{found.made_up:,} {'nodes' if graph else 'records'}"
    made_up = "of public data" if found.public else "made up from public facts"
    console.print(
        f"Tried on {tried} {made_up}; yours may be easier or harder.",
        style="dim",
        width=min(console.width, 80),
    )


def _as_dict(found: Pilot) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "system": found.plan.system,
        "parameters": found.plan.to_dict()["parameters"],
        "n": found.n,
        "made_up": found.made_up,
        "public_data": found.public,
        "columns": [asdict(each) for each in found.columns],
        "pairs": [{"columns": pair, "error": error} for pair, error in found.pairs.items()],
        "scores": dict(found.scores),
    }

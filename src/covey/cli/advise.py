"""covey advise: which system, which parameters, which epsilon, and what error to expect."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.reading import described_as, reads_tables
from covey.cli.show import console, reporting, show_json

if TYPE_CHECKING:
    from covey import Advice
    from covey.table.dialect import Dialect

BAR = 40
"""The longest bar of the chart, in characters."""


@reads_tables
def advise(
    data: Annotated[
        str | None,
        typer.Argument(help="The records, if their number is public; nothing else is used."),
    ] = None,
    *,
    schema: Annotated[
        Path | None,
        typer.Option(
            "--schema", "-s", help="What is public about the columns (TOML).", readable=False
        ),
    ] = None,
    n: Annotated[int | None, typer.Option("--n", "-n", help="The number of records.")] = None,
    epsilon: Annotated[
        float, typer.Option(help="Bound on the privacy loss; smaller protects more.")
    ] = 1.0,
    task: Annotated[
        str | None,
        typer.Option(help="column, joint, mixed or graph; taken from the columns unless given."),
    ] = None,
    unit: Annotated[str, typer.Option(help="Whom to protect in a graph: edge or node.")] = "edge",
    degree: Annotated[
        float, typer.Option(help="A public guess of the average degree of a graph.")
    ] = 10.0,
    columns: Annotated[
        str | None,
        typer.Option(help="Columns to publish, separated by commas, what matters most first."),
    ] = None,
    look: Annotated[
        bool,
        typer.Option("--look", help="Choose on the data themselves: voids every guarantee."),
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Print the plan that is advised, to run it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    reading: Dialect,
) -> None:
    """Advise on a system and its parameters, from public facts alone.

    Systems are tried on records that are made up from the schema.

    Examples
    --------
      covey advise -s people.toml --n 1000

      covey advise people.csv -s people.toml --epsilon 0.5 --columns age,income

      covey advise -s people.toml --n 1000 --plan > plan.toml

      covey advise --task graph --n 5000 --unit node
    """
    import covey

    described = described_as(covey.Schema.load(schema) if schema else None, reading)
    wanted = None if columns is None else [name.strip() for name in columns.split(",")]
    with reporting(quiet=as_json or plan) as report:
        advice = covey.advise(
            described,
            data=data,
            n=n,
            epsilon=epsilon,
            task=task,
            columns=wanted,
            unit=unit,
            degree=degree,
            look=look,
            progress=report,
        )
    if as_json:
        show_json(advice.to_dict())
    elif plan:
        typer.echo(advice.plan.to_toml())
    else:
        _show(advice, look=look)


def _show(advice: Advice, *, look: bool) -> None:
    from covey.choose.expected_error import ERRORS

    if look:
        console.print("[bold red]Do not publish: computed on the originals.[/]")
    settings = [
        f"{name} = {', '.join(value) if isinstance(value, tuple) else value}"
        for name, value in advice.parameters.items()
        if value is not None
    ]
    console.print(f"Use [bold]{escape(advice.system)}[/] with {escape('; '.join(settings))}.")
    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80))
    grid.add_column("expected error", justify="right", no_wrap=True)
    grid.add_column("0 is best", ratio=1)
    for name, error in advice.expected.items():
        decided = "[bold]This one decided:[/] " if name == advice.criterion else ""
        grid.add_row(f"{error:.4f}", f"{decided}{ERRORS[name]}.")
    console.print()
    console.print(grid)
    console.print()
    console.print(_tried(advice))
    console.print()
    console.print(f"How the error ({advice.criterion}) falls with epsilon:")
    _chart(advice)
    for note in advice.notes:
        console.print(f"[yellow]{escape(note)}[/]")


def _tried(advice: Advice) -> Grid:
    """Return the errors of everything tried at the epsilon that was asked for."""
    from covey.choose.advice import trial_label

    rows: dict[str, dict[str, float | None]] = {}
    for trial in advice.trials:
        if trial.epsilon == advice.parameters["epsilon"]:
            error = trial.scores.get(advice.criterion)
            rows.setdefault(trial_label(trial), {})[trial.data] = error
    shapes = list(next(iter(rows.values())))
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("tried", style="bold")
    for shape in shapes:
        grid.add_column(shape, justify="right", no_wrap=True)
    for label, errors in rows.items():
        cells = ["refused" if value is None else f"{value:.4f}" for value in errors.values()]
        grid.add_row(escape(label), *cells)
    return grid


def _chart(advice: Advice) -> None:
    worst = max(advice.by_epsilon.values()) or 1.0
    for epsilon, error in advice.by_epsilon.items():
        bar = "█" * max(1, round(BAR * error / worst))
        console.print(f"{epsilon:>8g}  {bar} {error:.4f}")

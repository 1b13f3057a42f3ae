"""covey evaluate: what was lost and what is at risk, for the curator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from covey.cli.show import console, show_guarantee, show_json, show_scores


def evaluate(
    data: Annotated[Path, typer.Argument(help="The original records.", readable=False)],
    folder: Annotated[Path, typer.Argument(help="The release folder.", readable=False)],
    *,
    scaling: Annotated[
        str, typer.Option(help="standard, raw or bounds: what errors and distances are divided by.")
    ] = "standard",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Compare a release with the original records.  Do not publish the result.

    Every score is computed on the originals.

    Example:

      covey evaluate people.csv out/
    """
    import covey

    plan = covey.Plan.load(folder / "plan.toml")
    table = covey.read_table(data, plan.schema)
    release = covey.reopen(folder, table)
    scores = covey.evaluate(table, release, scaling=scaling)  # type: ignore[arg-type]
    if as_json:
        show_json(
            {
                "do_not_publish": "computed on the originals",
                "scores": dict(scores),
                "notes": list(scores.notes),
                "outside_bounds": dict(scores.outside_bounds),
                "dropped": scores.dropped,
            }
        )
        return
    console.print("[bold red]Do not publish: computed on the originals.[/]")
    show_guarantee(release.guarantee)
    show_scores(scores)
    moved = {name: count for name, count in scores.outside_bounds.items() if count}
    if moved:
        text = ", ".join(f"{name} {count}" for name, count in moved.items())
        console.print(f"Values outside the public bounds: {escape(text)}.")
    if scores.dropped:
        console.print(f"Incomplete records left out: {scores.dropped}.")

"""covey evaluate: what was lost and what is at risk, for the curator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from covey.cli.show import console, show_guarantee, show_json, show_scores
from covey.errors import ReleaseError


def evaluate(
    data: Annotated[Path, typer.Argument(help="The original records or edges.", readable=False)],
    folder: Annotated[Path, typer.Argument(help="The release folder.", readable=False)],
    *,
    scaling: Annotated[
        str, typer.Option(help="standard, raw or bounds: what errors and distances are divided by.")
    ] = "standard",
    nodes: Annotated[
        Path | None,
        typer.Option(help="File of further nodes of a graph, those without edges.", readable=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write the curator's report to (.html)."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older report.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Compare a release with the originals.  Do not publish the result.

    Every score is computed on the originals.

    Example:

      covey evaluate people.csv out/

      covey evaluate people.csv out/ -o curator.html
    """
    import covey

    if output is not None:
        _refuse_place(output, folder, force=force)
    plan = covey.Plan.load(folder / "plan.toml")
    originals = (
        covey.read_graph(data, nodes=nodes)
        if plan.schema is None
        else covey.read_table(data, plan.schema)
    )
    release = covey.reopen(folder, originals)
    scores = covey.evaluate(originals, release, scaling=scaling)  # type: ignore[arg-type]
    if output is not None:
        from covey.report import curator_report

        _write(curator_report(originals, release, scores), output)
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
    if output is not None:
        console.print(f"Written to [bold]{escape(str(output))}[/].")


def _refuse_place(output: Path, folder: Path, *, force: bool) -> None:
    if folder.resolve() in output.resolve().parents:
        raise ReleaseError(
            f"the report {str(output)!r} would lie in the release folder, which is published, and "
            f"it is computed on the originals, so nothing was written. Choose another place."
        )
    if output.exists() and not force:
        raise ReleaseError(
            f"the output {str(output)!r} exists already, so nothing was written. Choose another "
            f"file, or replace an old report with --force."
        )


def _write(text: str, output: Path) -> None:
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ReleaseError(
            f"the report {str(output)!r} cannot be written ({error.strerror}). Choose a place "
            f"where you may write."
        ) from error

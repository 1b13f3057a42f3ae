"""covey evaluate: what was lost and what is at risk, for the curator."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from covey.cli.engines import refuse_idle_engine_options
from covey.cli.reading import described_as, reads_tables
from covey.cli.show import (
    console,
    show_first_look,
    show_guarantee,
    show_json,
    show_scores,
)
from covey.errors import PlanError, ReleaseError, suggest

if TYPE_CHECKING:
    from covey.evaluate import Evaluation
    from covey.release import SavedRelease
    from covey.table.dialect import Dialect


@reads_tables
def evaluate(
    data: Annotated[str, typer.Argument(help="The original records or edges.")],
    folder: Annotated[Path, typer.Argument(help="The release folder.", readable=False)],
    *,
    scaling: Annotated[
        str, typer.Option(help="standard, raw or bounds: what errors and distances are divided by.")
    ] = "standard",
    nodes: Annotated[
        Path | None,
        typer.Option(help="File of further nodes of a graph, those without edges.", readable=False),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(help="What became of each record, from publish --keep-trace.", readable=False),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(help="Another release folder: adds sse_f, rl_f and score.", readable=False),
    ] = None,
    baseline_trace: Annotated[
        Path | None,
        typer.Option(help="The kept trace of the baseline.", readable=False),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="A column to predict: train on the release, test on the originals."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write the curator's report to (.html)."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older report.")] = False,
    engine: Annotated[
        str,
        typer.Option(help="memory; stream for files that do not fit into it; spark for many."),
    ] = "memory",
    memory: Annotated[
        str | None, typer.Option(help="What --engine stream may use; 1GB unless given.")
    ] = None,
    master: Annotated[
        str | None, typer.Option(help="Where --engine spark runs; here unless given.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    reading: Dialect,
) -> None:
    """Compare a release with the originals.  Do not publish the result.

    Every score is computed on the originals.

    Example:

      covey evaluate people.csv out/

      covey evaluate people.csv out/ -o curator.html

      covey evaluate people.csv out/ --target income --baseline mdav/

      covey evaluate huge.parquet out/ --engine stream
    """
    import covey
    from covey.release import open_release
    from covey.release.recovery import recover_folder

    recover_folder(folder)
    if output is not None:
        _refuse_place(output, folder, force=force)
    refuse_idle_engine_options(engine, memory=memory, master=master)
    saved = open_release(folder)
    if saved.plan.schema is not None:
        described = described_as(saved.plan.schema, reading)
        saved = replace(saved, plan=replace(saved.plan, schema=described))
    if engine == "memory":
        originals = (
            covey.read_graph(data, nodes=nodes)
            if saved.plan.schema is None
            else covey.read_table(data, saved.plan.schema, **reading.stated())
        )
        if baseline is None and baseline_trace is not None:
            raise PlanError(
                "--baseline-trace tells what became of the records of a baseline, and there is "
                "none, so nothing was compared. Give --baseline FOLDER, or leave it out."
            )
        release, link = _reopened(folder, originals, trace)
        scores = covey.evaluate(
            originals,
            release,
            link,
            scaling=scaling,  # type: ignore[arg-type]
            baseline=None if baseline is None else _reopened(baseline, originals, baseline_trace),
            target=target,
        )
        if output is not None:
            from covey.report import curator_report

            _write(curator_report(originals, release, scores, link), output)
    else:
        _refuse_memory_options(
            engine,
            {
                "--output": output,
                "--nodes": nodes,
                "--trace": trace,
                "--baseline": baseline,
                "--baseline-trace": baseline_trace,
                "--target": target,
            },
        )
        scores = _in_pieces(
            data,
            saved,
            engine,
            scaling=scaling,
            memory=memory or "1GB",
            master=master or "local[*]",
        )
    if as_json:
        show_json(
            {
                "do_not_publish": "computed on the originals",
                "scores": dict(scores),
                "notes": list(scores.notes),
                "outside_bounds": dict(scores.outside_bounds),
                "dropped": scores.dropped,
                "columns": list(scores.columns),
                "left_out": dict(scores.left_out),
                "first_look": [
                    {
                        "column": look.name,
                        "error": look.error,
                        "rows": look.rows,
                        "weighted": look.weighted,
                    }
                    for look in scores.looks
                ],
                "pairs": [{"columns": pair, "error": e} for pair, e in scores.pairs.items()],
                "worst": list(scores.worst),
            }
        )
        return
    console.print("[bold red]Do not publish: computed on the originals.[/]")
    show_guarantee(saved.guarantee)
    show_first_look(scores)
    show_scores(scores)
    moved = {name: count for name, count in scores.outside_bounds.items() if count}
    if moved:
        text = ", ".join(f"{name} {count}" for name, count in moved.items())
        console.print(f"Values outside the public bounds: {escape(text)}.")
    if scores.dropped:
        console.print(f"Incomplete records left out: {scores.dropped}.")
    if output is not None:
        console.print(f"Written to [bold]{escape(str(output))}[/].")


def _in_pieces(
    data: str, saved: SavedRelease, engine: str, *, scaling: Any, memory: str, master: str
) -> Evaluation:
    if engine == "spark":
        from covey.evaluate.spark import evaluate_files

        return evaluate_files(data, saved, master=master, scaling=scaling)
    from covey.evaluate.files import evaluate_stream

    return evaluate_stream(data, saved, scaling=scaling, memory=memory)


def _reopened(folder: Path, originals: Any, kept: Path | None) -> tuple[Any, Any]:
    """Read a release folder and what became of each record, from a kept file if there is one."""
    import covey

    release, link = covey.reopen(folder, originals)
    return release, link if kept is None else covey.Trace.kept(kept, release)


def _refuse_memory_options(engine: str, options: dict[str, Any]) -> None:
    if engine not in ("stream", "spark"):
        raise PlanError(
            f"there is no engine {engine!r}, so nothing was compared. "
            f"{suggest(engine, ('memory', 'stream', 'spark'))}"
        )
    for option in (name for name, value in options.items() if value is not None):
        raise PlanError(
            f"{option} needs the originals in memory, which the engine {engine!r} does not have. "
            f"Leave it out, or use the engine 'memory'."
        )


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

"""covey compare: several systems, epsilons and ks on one data set, for the curator."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.reading import reads_tables
from covey.cli.show import console, reporting, show_json
from covey.errors import PlanError, ReleaseError

if TYPE_CHECKING:
    from covey.table.dialect import Dialect


@reads_tables
def compare(
    data: Annotated[str, typer.Argument(help="The original records or edges.")],
    *,
    systems: Annotated[str, typer.Option(help="Names from `covey systems`, with commas.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Page to write (HTML).")
    ] = None,
    schema: Annotated[
        Path | None,
        typer.Option(
            "--schema", "-s", help="What is public about the columns (TOML).", readable=False
        ),
    ] = None,
    epsilon: Annotated[str, typer.Option(help="Values to try, with commas.")] = "0.1,1,10",
    k: Annotated[str, typer.Option("--k", "-k", help="Values to try, with commas.")] = "3,5,10",
    grid: Annotated[
        list[str] | None,
        typer.Option(
            help="Another parameter and its values, such as tau=1,3,5 or method=1..13; may be "
            "given several times."
        ),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to publish, separated by commas.")
    ] = None,
    runs: Annotated[int, typer.Option(help="How often to repeat systems with noise.")] = 1,
    cache: Annotated[
        Path | None,
        typer.Option(help="Folder that keeps scores; an interrupted comparison goes on there."),
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes; all cores unless given.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older page.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    reading: Dialect,
) -> None:
    """Compare systems and parameters on one data set.  Do not publish the result.

    Every score is computed on the originals.

    Example:

      covey compare a.csv -s a.toml --systems mdav,private-tree --epsilon 0.5,1 -k 3,10 -o c.html

      covey compare edges.txt --systems mpdc-dk,ser-dk --grid tau=1,3,5 --grid theta=16,64
    """
    import covey
    from covey.report.compare_page import compare_page

    if output is not None and output.exists() and not force:
        raise ReleaseError(
            f"the file {str(output)!r} exists already, so nothing was written. "
            f"Choose another name, or replace it with --force."
        )
    names = _words(systems)
    graph = any(name in covey.SYSTEMS and covey.SYSTEMS[name].data == "graph" for name in names)
    kept = cache or (output.with_suffix(".cache") if output is not None else None)
    with reporting(quiet=as_json) as report:
        report("reading", 0, 1)
        originals: Any = (
            covey.read_graph(data)
            if graph
            else covey.read_table(
                data, covey.Schema.load(schema) if schema else None, **reading.stated()
            )
        )
        comparison = covey.compare(
            originals,
            names,
            epsilon=_numbers(epsilon, "epsilon", float),
            k=_numbers(k, "k", int),
            grid=dict(_axis(text) for text in grid or ()),
            columns=_words(columns) if columns else None,
            runs=runs,
            cache=kept,
            workers=workers,
            progress=report,
        )
    if output is not None:
        _write(output, compare_page(comparison))
    if as_json:
        show_json(
            {
                "do_not_publish": "computed on the originals",
                "answer": comparison.answer,
                "plans": [
                    {
                        "plan": row.label,
                        "guarantee": row.kind,
                        "sound": row.sound,
                        "rank": row.loss,
                        "frontier": row.frontier,
                        "scores": dict(row.scores),
                    }
                    for row in comparison.rows
                ],
                "failed": dict(comparison.failed),
            }
        )
        return
    console.print("[bold red]Do not publish: computed on the originals.[/]")
    console.print(_table(comparison))
    for label, why in comparison.failed.items():
        console.print(f"[bold]{escape(label)}[/] could not be run: {escape(why)}")
    console.print(escape(comparison.answer), width=min(console.width, 80))
    if output is not None:
        console.print(f"Written to [bold]{escape(str(output))}[/].")


def _table(comparison: Any) -> Grid:
    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80))
    grid.add_column("plan", style="bold")
    grid.add_column("guarantee")
    grid.add_column("rank", justify="right")
    names = ["ks", "tv_2way", "il1s", "rl"] if comparison.data == "table" else ["ks_2k", "l1_2k"]
    for name in names:
        grid.add_column(name, justify="right")
    for row in comparison.rows[:20]:
        scores = [f"{row.scores[name]:.3g}" if name in row.scores else "–" for name in names]
        grid.add_row(escape(row.label), row.kind, f"{row.loss:.2f}", *scores)
    return grid


def _words(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _numbers(text: str, name: str, kind: Callable[[str], Any]) -> list[Any]:
    try:
        found = [kind(part) for part in _words(text)]
        if any(not 0 < number < math.inf for number in found):
            raise ValueError(text)  # noqa: TRY301 — told below
    except ValueError:
        raise PlanError(
            f"--{name} {text!r} is not a list of numbers, so nothing was compared. "
            f"Write them with commas, above 0, such as 1,2,5."
        ) from None
    return found


def _axis(text: str) -> tuple[str, list[Any]]:
    """Read a parameter and its values: numbers, true, false and words, or 1..13 for a range."""
    name, sign, values = text.partition("=")
    if not sign or not name.strip() or not _words(values):
        raise PlanError(
            f"--grid {text!r} is no parameter with values, so nothing was compared. Write it like "
            f"tau=1,3,5 or method=1..13."
        )
    return name.strip(), [value for word in _words(values) for value in _values(word)]


def _values(word: str) -> list[Any]:
    first, dots, last = word.partition("..")
    if dots and first.isdigit() and last.isdigit() and int(first) <= int(last):
        return list(range(int(first), int(last) + 1))
    for kind in (int, float):
        try:
            return [kind(word)]
        except ValueError:
            continue
    return [{"true": True, "false": False}.get(word, word)]


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ReleaseError(
            f"the file {str(path)!r} cannot be written ({error.strerror}). "
            f"Choose a place where you may write."
        ) from error

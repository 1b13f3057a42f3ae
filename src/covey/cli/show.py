"""How do guarantees, scores and progress look in a terminal of 80 columns?"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from covey.cli.log import logger
from covey.kinds import KINDS, GuaranteeKind

if TYPE_CHECKING:
    from covey.core import Guarantee
    from covey.evaluate import Evaluation
    from covey.systems import Progress as Report

# Names of columns may look like emoji codes or markup; both are shown as they are written.
console = Console(highlight=False, emoji=False)
errors = Console(stderr=True, highlight=False, emoji=False)


def show_json(content: Any) -> None:
    """Print machine-readable output and nothing else."""
    # Escaped where the terminal lacks a character: machines get every name as it is.
    known = "utf" in console.encoding.lower()
    text = json.dumps(
        _finite(content), indent=2, ensure_ascii=not known, allow_nan=False, default=str
    )
    silent, console.quiet = console.quiet, False  # what a machine asked for is no chatter
    console.print(text, markup=False, soft_wrap=True)
    console.quiet = silent


def _finite(content: Any) -> Any:
    """Replace numbers that JSON does not know by their names."""
    if isinstance(content, float) and not math.isfinite(content):
        return str(content)
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_finite(value) for value in content]
    return content


def colour_of(kind: GuaranteeKind) -> str:
    """Return the colour of a kind of guarantee, as far as a terminal has it."""
    colour = KINDS[kind].colour
    return "yellow" if colour == "amber" else colour


WEIGHTED_ROW = "- weighted"


def show_guarantee(guarantee: Guarantee) -> None:
    """Print the guarantee sentence in a frame of its class's colour."""
    console.print(
        Panel(
            escape(str(guarantee)),
            title=f"[bold]{guarantee.kind}[/]",
            border_style=colour_of(guarantee.kind),
            width=min(console.width, 80),
        )
    )


def show_first_look(evaluation: Evaluation) -> None:
    """Print each column before and after, and what went worst, for the curator."""
    numbers = [look for look in evaluation.looks if not look.shares]
    if numbers:
        grid = _side_by_side("column", "mean", "released", "median", "released", "sd", "released")
        for look in numbers:
            rows = {title: pair for title, *pair in look.rows}
            cells = [
                escape(look.text(title, value))
                for title in ("mean", "median", "sd")
                for value in rows[title]
            ]
            grid.add_row(escape(look.name), *_marked(cells))
            for title, *pair in look.weighted:
                told = [escape(look.text(title, value)) for value in pair]
                grid.add_row(WEIGHTED_ROW, *_marked(told))
        console.print(grid)
    shares = [
        (look.name, title, first, second)
        for look in evaluation.looks
        for title, first, second in look.share_rows
    ]
    if shares:
        grid = _side_by_side("column", "share of", "original", "released")
        for number, (name, title, *pair) in enumerate(shares):
            again = number > 0 and shares[number - 1][0] == name
            cells = _marked([f"{100 * value:.1f} %" for value in pair])
            grid.add_row("" if again else escape(name), escape(title), *cells)
        console.print(grid)
    if evaluation.worst:
        console.print("[bold]What went worst[/]")
    for sentence in evaluation.worst:
        console.print(f"- {escape(sentence)}")


def _side_by_side(*titles: str) -> Grid:
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in titles:
        text = title in ("column", "share of")
        least = len(WEIGHTED_ROW) if title == "column" else None
        grid.add_column(
            title, justify="left" if text else "right", overflow="fold", min_width=least
        )
    return grid


def _marked(cells: list[str]) -> list[str]:
    """Print every second cell, the released one, in bold."""
    return [f"[bold]{cell}[/]" if number % 2 else cell for number, cell in enumerate(cells)]


def show_scores(evaluation: Evaluation) -> None:
    """Print the scores of whole tables with what they mean, for the curator."""
    from covey.evaluate import METRICS
    from covey.evaluate.network import NETWORK_METRICS
    from covey.evaluate.tabulated import TABLE_METRICS
    from covey.report.lights import light

    known = METRICS | NETWORK_METRICS | TABLE_METRICS
    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80))
    grid.add_column("score", style="bold", no_wrap=True)
    grid.add_column("value", justify="right", no_wrap=True)
    grid.add_column("verdict", no_wrap=True)
    grid.add_column("meaning", ratio=1)
    hidden = 0
    for name, value in evaluation.items():
        metric = known.get(name)
        if metric is not None and metric.target and metric.better == "neither":
            continue  # told in a note, beside what it is compared with
        if metric is not None:
            found = light(metric, value, partly=bool(evaluation.unlinked))
            colour = {"amber": "yellow", "grey": "dim"}.get(found.colour, found.colour)
            words = {"lower": "less is best", "higher": "more is best", "neither": ""}
            partly = evaluation.unlinked and metric.aligned
            grey = "partly" if partly else words[metric.better]
            verdict = grey if found.colour == "grey" else found.word
            grid.add_row(name, f"{value:.4g}", f"[{colour}]{verdict}[/]", metric.explanation)
        elif evaluation.looks:
            hidden += 1
        else:
            grid.add_row(escape(name), f"{value:.4g}", "", "")
    console.print(grid)
    for line in evaluation.coverage:
        console.print(escape(line))
    if hidden:
        console.print(f"[dim]{hidden} scores of single columns are in --json and the report.[/]")
    for note in evaluation.notes:
        console.print(f"[dim]{escape(note)}[/]")


@contextmanager
def reporting(*, quiet: bool = False) -> Iterator[Report]:
    """Show a progress bar on standard error while long work goes on."""
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
        disable=quiet or console.quiet or not errors.is_terminal,
    )
    said: list[str] = []
    with bar:
        task = bar.add_task("starting", total=None)

        def report(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)
            if [what] != said:
                said[:] = [what]
                logger.info("%s", what)

        yield report

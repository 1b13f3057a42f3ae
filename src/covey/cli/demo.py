"""covey demo: the main job on the embedded data, end to end."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.rule import Rule
from rich.table import Table as Grid

from covey.cli.show import console, reporting, show_guarantee

if TYPE_CHECKING:
    from covey.evaluate import Evaluation
    from covey.release import Release
    from covey.table import Table

NUMERIC = ("visits", "diseases", "limitation", "coinsurance", "health")
EPSILON = 1.0
_WIDTH = 80


def demo(
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder to write the release to.")
    ] = Path("covey-demo"),
) -> None:
    """Publish the embedded health data and show what happens, step by step."""
    import covey
    from covey.datasets import YEARLY_RECORDS, load_rand_health
    from covey.errors import DraftWarning
    from covey.release.folder import refuse_existing

    refuse_existing(output, force=True)
    width = min(console.width, _WIDTH)
    _step(1, "Read", width)
    table = load_rand_health(persons=True)
    console.print(
        f"{table.n:,} person-years of the RAND Health Insurance Experiment: real people, public "
        f"domain, with up to {YEARLY_RECORDS} yearly records each. Their schema says what is "
        f"public about each column, and which one says whose a record is:",
        width=width,
    )
    _show_schema(table)

    _step(2, "Publish", width)
    console.print(
        f"System [bold]column-model[/], epsilon = {EPSILON:g} for all records of a person: count "
        f"every column, choose pairs of columns by randomised choices and count these, and draw "
        f"new records from a model of the published tables. Exact discrete noise, from the "
        f"operating system's generator. Nothing is tuned on the data.",
        width=width,
    )
    with reporting() as report, warnings.catch_warnings():
        # The scales of the code book are used from end to end.
        warnings.simplefilter("ignore", DraftWarning)
        release = covey.publish(table, "column-model", epsilon=EPSILON, progress=report)
        report("evaluating", 0, 1)
        scores = covey.evaluate(table, release)
    tables = release.extras["tables"]
    console.print(
        f"Done: {tables.height:,} counts with an interval each, {release.frame.height:,} new "
        f"records.",
        width=width,
    )

    _step(3, "What is promised", width)
    show_guarantee(release.guarantee)

    _step(4, "What was kept (for the curator only: computed on the originals)", width)
    _show_statistics(table, release, scores)

    folder = release.save(output, force=True)
    _step(5, "Take away", width)
    for path in sorted(folder.iterdir()):
        console.print(f"  {escape(str(path))}")
    here = _command()
    console.print(
        f"\nNext: [bold]{here} schema your.csv -o your.toml[/], give public bounds there, then",
        f"[bold]{here} publish your.csv -s your.toml --system column-model --epsilon 1 -o out/[/]",
        f"Or all of it in the browser: [bold]{here if here == 'covey' else 'make'} studio[/]",
        sep="\n",
        width=width,
    )


def _command() -> str:
    """Return what to type for covey here: its name, if that is on the path."""
    import shutil
    import sys

    here = Path(sys.argv[0])
    if shutil.which("covey") or here.name != "covey":
        return "covey"
    return os.path.relpath(here)


def _step(number: int, title: str, width: int) -> None:
    console.print()
    console.print(Rule(f"[bold]{number}  {title}[/]", align="left", style="cyan"), width=width)


def _show_schema(table: Table) -> None:
    from covey.table.provenance import told_value

    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("column", "role", "scale", "public range", "unit"):
        grid.add_column(title, no_wrap=title != "unit")
    for attribute in table.schema:
        if attribute.bounds is not None:
            known = told_value(attribute, "bounds")
        elif attribute.contributions is not None:
            known = f"up to {attribute.contributions} records each"
        else:
            known = f"{len(attribute.categories or ())} categories"
        grid.add_row(
            attribute.name, attribute.role, attribute.scale, known, attribute.unit, style="default"
        )
    console.print(grid, width=min(console.width, _WIDTH))


def _show_statistics(table: Table, release: Release, scores: Evaluation) -> None:
    import numpy as np

    from covey.release import as_table

    released = as_table(table, release)
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("column", "mean", "released", "median", "released", "sd", "released", "KS"):
        grid.add_column(title, justify="left" if title == "column" else "right", no_wrap=True)
    for name in NUMERIC:
        cells = []
        before, after = table.values(name), released.values(name)
        for statistic in (np.mean, np.median, np.std):
            cells += [f"{statistic(before):.2f}", f"[bold]{statistic(after):.2f}[/]"]
        grid.add_row(name, *cells, f"{scores[f'ks[{name}]']:.3f}")
    console.print(grid, width=min(console.width, _WIDTH))
    console.print(
        f"[dim]health counts from 0 (poor) to 3 (excellent). KS is the largest error in the share "
        f"of records below any threshold. The largest error of a correlation is "
        f"{scores['correlation_error']:.2f}.[/]",
        width=min(console.width, _WIDTH),
    )

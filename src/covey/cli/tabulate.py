"""covey tabulate: records go in, tables with intervals come out, and no rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.engines import given_engine_options, refuse_idle_engine_options
from covey.cli.reading import described_as, reads_tables
from covey.cli.show import console, reporting, show_guarantee, show_json
from covey.errors import PlanError

if TYPE_CHECKING:
    from covey.report.table_pages import Layer, ShownTable
    from covey.table.dialect import Dialect

TABULATE_EXAMPLES = """

Examples:

  covey tabulate a.csv -s a.toml --table region*sex --table age --epsilon 1 -o out/

  covey tabulate a.csv -s a.toml --table age*sex --bins age=18,30,45,65 --epsilon 1 -o out/

  covey tabulate a.csv -s a.toml -t region*sex -t region*age --weights 2,1 --epsilon 1 -o out/

  covey tabulate huge.parquet -s a.toml --table region*sex --epsilon 1 --engine stream -o out/

Every margin of a table comes with it, so region*sex also gives region and sex.
"""

MOST_PRINTED = 60
"""Tables with more cells are in the folder alone."""


@reads_tables
def tabulate(
    data: Annotated[
        str,
        typer.Argument(
            help="The records: a file, a folder, an address, a query, - for standard input."
        ),
    ],
    *,
    schema: Annotated[
        Path,
        typer.Option(
            "--schema", "-s", help="What is public about the columns (TOML).", readable=False
        ),
    ],
    table: Annotated[
        list[str], typer.Option("--table", "-t", help="A product of columns; repeat for more.")
    ],
    epsilon: Annotated[str, typer.Option(help="Bound on the privacy loss; smaller protects more.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder to write; must not exist.")
    ],
    bins: Annotated[
        list[str] | None,
        typer.Option(help="Bins of a number: age=10 (how many) or age=18,30,65 (cut points)."),
    ] = None,
    weights: Annotated[
        str | None, typer.Option(help="How much each table matters, in their order: 2,1.")
    ] = None,
    weighted_by: Annotated[
        str | None,
        typer.Option(help="Survey weight to add up (role weight in the schema), not records."),
    ] = None,
    unit: Annotated[
        str, typer.Option(help="replace (n is public), or add-remove (it is not).")
    ] = "replace",
    structure: Annotated[
        str | None, typer.Option(help="Identifier of the dataflow in sdmx.csv.")
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            help="Ledger file to charge (see `covey ledger`).",
            envvar="COVEY_LEDGER",
            readable=False,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Repeatable noise for experiments: not for publication.")
    ] = None,
    file_format: Annotated[
        str | None, typer.Option("--format", help="csv or parquet; like the input unless given.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older release.")] = False,
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
    staging: Annotated[
        Path | None,
        typer.Option(help="Folder that all workers of --engine spark see.", readable=False),
    ] = None,
    require: Annotated[
        str | None,
        typer.Option(help="Refuse (exit code 4) unless the guarantee is of this kind: pure-dp."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    reading: Dialect,
) -> None:
    """Publish tables with an interval for every cell, and no rows."""
    import covey
    from covey.release.folder import checked_format, refuse_existing
    from covey.release.recovery import recover_folder, recover_ledger
    from covey.report.table_pages import shown_tables

    recover_folder(output)
    recover_ledger(ledger)
    refuse_existing(output, force=force)
    written_as = checked_format(file_format)
    described = described_as(covey.Schema.load(schema), reading)
    refuse_idle_engine_options(engine, memory=memory, master=master, staging=staging)
    given: dict[str, Any] = {
        "weights": weights,
        "weighted_by": weighted_by,
        "structure": structure,
        "bins": _bins(bins or []),
    }
    with reporting(quiet=as_json) as report:
        report("reading", 0, 1)
        content: Any = data
        if engine == "memory":
            content = covey.read_table(data, described, **reading.stated())
        release: covey.Release = covey.publish_to(
            output,
            content,
            "tables",
            schema=None if engine == "memory" else described,
            tables=table,
            epsilon=epsilon,
            unit=unit,
            ledger=ledger,
            random_state=seed,
            require=require,
            engine=engine,
            **given_engine_options(memory=memory, master=master),
            staging=staging,
            force=force,
            format=written_as,
            progress=report,
            **{name: value for name, value in given.items() if value},
        )
    if as_json:
        show_json(
            {
                "folder": str(output),
                "guarantee": release.guarantee.to_dict(),
                "ledger": release.ledger.to_dict(),
                "tables": release.extras["tables"].to_dicts(),
            }
        )
        return
    for note in getattr(content, "notes", ()):
        console.print(escape(note))
    show_guarantee(release.guarantee)
    for shown in shown_tables(release):
        _print_table(shown)
    console.print(
        f"Written to [bold]{escape(str(output))}[/]: tables.csv, sdmx.csv, report.html and more."
    )


def _bins(items: list[str]) -> dict[str, str]:
    found = {}
    for item in items:
        name, equals, cuts = item.partition("=")
        if not equals:
            raise PlanError(
                f"--bins {item!r} does not say how many bins, so nothing was published. Write "
                f"--bins {item}=10, or list cut points: --bins {item}=18,30,65."
            )
        found[name.strip()] = cuts.strip()
    return found


def _print_table(shown: ShownTable) -> None:
    if not shown.layers or shown.cells > MOST_PRINTED:
        console.print(f"[bold]{escape(shown.name)}[/]: {shown.cells:,} cells, in the folder.")
        return
    for layer in shown.layers:
        console.print(_grid(shown, layer))


def _grid(shown: ShownTable, layer: Layer) -> Grid:
    title = escape(shown.name + (f", {layer.title}" if layer.title else ""))
    grid = Grid(title=title, title_justify="left", box=None, pad_edge=False)
    grid.add_column(escape(shown.down), style="bold")
    for head in layer.across:
        grid.add_column(escape(head), justify="right")
    for label, cells in layer.rows:
        texts = [f"{cell.count:,} [dim]{cell.lower:,}–{cell.upper:,}[/]" for cell in cells]
        grid.add_row(escape(label), *texts)
    return grid


tabulate.__doc__ = (tabulate.__doc__ or "") + TABULATE_EXAMPLES

"""covey systems and schema: what there is, and what the data mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.reading import reads_tables, show_reading
from covey.cli.show import colour_of, console, show_json
from covey.errors import ReleaseError, SchemaError

if TYPE_CHECKING:
    from covey import Schema
    from covey.table.dialect import Dialect

SCHEMA_FILES = (".toml", ".yaml", ".yml", ".json")
"""What describes a table, and does not hold it."""


def systems(
    *, as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False
) -> None:
    """List every system with its paper, its guarantee and its parameters."""
    from covey import SYSTEMS
    from covey.partition.base import REQUIRED

    if as_json:
        show_json(
            [
                {
                    "name": system.name,
                    "summary": system.summary,
                    "paper": system.paper,
                    "guarantee": str(system.kind),
                    "unit": str(system.unit),
                    "parameters": {
                        parameter.name: {
                            "meaning": parameter.meaning,
                            "required": parameter.default is REQUIRED,
                            "default": None if parameter.default is REQUIRED else parameter.default,
                        }
                        for parameter in system.parameters
                    },
                }
                for system in SYSTEMS.values()
            ]
        )
        return
    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80), padding=(0, 2, 1, 0))
    grid.add_column("system", style="bold", no_wrap=True)
    grid.add_column("guarantee", no_wrap=True)
    grid.add_column("what it does", ratio=1)
    for system in SYSTEMS.values():
        names = ", ".join(parameter.name for parameter in system.parameters)
        colour = colour_of(system.kind)
        grid.add_row(
            system.name,
            f"[{colour}]{system.kind}[/]",
            f"{system.summary} [dim]({escape(system.paper)}; parameters: {names})[/]",
        )
    console.print(grid)


@reads_tables
def schema(
    source: Annotated[
        str | None,
        typer.Argument(
            help="The records (a file, a folder, an address, a query, - for standard input), or a "
            "schema to convert (.toml, .yaml, .json).",
        ),
    ] = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write: .toml, .yaml (SmartNoise), .json (Frictionless) or "
            "-metadata.json (CSVW).",
        ),
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="Which table, if a schema of others describes several.")
    ] = None,
    confirm: Annotated[
        Path | None,
        typer.Option(
            help="Schema whose marked facts somebody confirms; no data are looked at. It is "
            "written again unless -o is given.",
            readable=False,
        ),
    ] = None,
    by: Annotated[str | None, typer.Option(help="Who confirms: written into every plan.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Confirm all without a question.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an older file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    reading: Dialect,
) -> None:
    """Draft a schema, marking every fact that was read off the data; convert or confirm one.

    For example:

      covey schema people.csv -o people.toml

      covey schema --confirm people.toml

      covey schema smartnoise.yaml -o people.toml
    """
    import covey

    if output is not None and output.exists() and not force:
        raise ReleaseError(
            f"the file {str(output)!r} exists already, so nothing was written. "
            f"Choose another name, or replace it with --force."
        )
    if confirm is not None:
        from covey.cli.confirm import confirm_schema

        confirm_schema(confirm, output or confirm, by=by, yes=yes)
        return
    if source is None:
        raise SchemaError(
            "there are no data to draft a schema from. Give a file, or confirm a schema with "
            "--confirm FILE."
        )
    converted = source.lower().endswith(SCHEMA_FILES)
    found = (
        covey.Schema.load(source, table=table)
        if converted
        else covey.Schema.draft(source, **reading.stated())
    )
    lost: tuple[str, ...] = ()
    if output is not None:
        found, lost = _written(found, output, drafted=not converted, force=force)
    if as_json:
        show_json(found.to_dicts())
        return
    if not converted:
        show_reading(found.reading)
    _show_schema(found, "public" if converted else "read off the data")
    for note in (*found.notes, *lost):
        console.print(escape(note), width=min(console.width, 80))
    if output is not None:
        console.print(f"Written to [bold]{escape(str(output))}[/]. Read it and correct it.")


def _columns_by_reason(found: Schema) -> dict[str, list[str]]:
    """Return the columns that each reason is given for, in the order of the first of them."""
    columns: dict[str, list[str]] = {}
    for name, reasons in found.reasons.items():
        for reason in reasons:
            columns.setdefault(reason, []).append(name)
    return columns


def _written(
    found: Schema, output: Path, *, drafted: bool, force: bool
) -> tuple[Schema, tuple[str, ...]]:
    """Write a schema, a draft with its taxonomies; return it and what its format cannot say."""
    from covey.table.formats import is_foreign
    from covey.table.proposed_taxonomies import save_taxonomies

    try:
        if drafted and not is_foreign(output):
            found = save_taxonomies(found, output, force=force)
        return found, found.save(output)
    except OSError as error:
        raise ReleaseError(
            f"the schema {str(output)!r} cannot be written ({error.strerror}). "
            f"Choose a place where you may write."
        ) from error


def _show_schema(found: Schema, facts_are: str) -> None:
    from covey.table.provenance import MOST_TOLD, told_value

    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80))
    for title in ("attribute", "role", "scale", facts_are):
        grid.add_column(title)
    for attribute in found:
        fact = "categories" if attribute.bounds is None else "bounds"
        stated = getattr(attribute, fact) is not None
        facts = told_value(attribute, fact, MOST_TOLD) if stated else ""
        grid.add_row(escape(attribute.name), attribute.role, attribute.scale, escape(facts))
    console.print(grid)
    if found.reasons:
        console.print("\nWhy:")
    for reason, names in _columns_by_reason(found).items():
        told = f"[bold]{escape(', '.join(names))}[/]: {escape(reason)}"
        console.print(told, width=min(console.width, 80))
    if found.relies_on_data:
        console.print(
            "\nNo guarantee of noise may rest on what was read off the data. Facts listed under "
            "`drafted` were: replace them by what is public and take them off the list, or confirm "
            "them with `covey schema --confirm FILE`.",
            width=min(console.width, 80),
        )

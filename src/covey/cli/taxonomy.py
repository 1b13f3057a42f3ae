"""covey taxonomy: a first taxonomy for a column, so that none has to be made by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from covey.cli.reading import reads_tables
from covey.cli.show import console
from covey.errors import ReleaseError, SchemaError, suggest

if TYPE_CHECKING:
    from covey.table.dialect import Dialect

WAYS = ("flat", "prefixes", "order")


@reads_tables
def taxonomy(
    data: Annotated[str, typer.Argument(help="The records: a file, an address or a query.")],
    column: Annotated[str, typer.Argument(help="The column to make a taxonomy for.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write (CSV).")],
    by: Annotated[
        str,
        typer.Option(help="flat: one root; prefixes: codes that begin alike; order: halves."),
    ] = "flat",
    schema: Annotated[
        Path | None,
        typer.Option("--schema", "-s", help="Take the categories listed here, not the data's."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older file.")] = False,
    reading: Dialect,
) -> None:
    """Draft a taxonomy: a child,parent file to read, correct and name in the schema.

    Example:

      covey taxonomy stays.csv diagnosis --by prefixes -o diagnoses.csv
    """
    import covey
    from covey.table import read_frame
    from covey.table.taxonomy_drafts import DRAFT_MARK

    if by not in WAYS:
        raise SchemaError(f"there is no way {by!r} to draft a taxonomy. {suggest(by, WAYS)}")
    if output.exists() and not force:
        raise ReleaseError(
            f"the file {str(output)!r} exists already, so nothing was written. "
            f"Choose another name, or replace it with --force."
        )
    described = None if schema is None else covey.Schema.load(schema)[column]
    listed = None if described is None else described.categories
    from_data = described is None or listed is None or "categories" in described.drafted
    if listed is None:
        frame = read_frame(data, stated=reading)[0]
        if column not in frame.columns:
            raise SchemaError(
                f"there is no column {column!r} in the data. {suggest(column, frame.columns)}"
            )
        listed = tuple(sorted({str(value) for value in frame[column].drop_nulls().unique()}))
    makers = {
        "flat": covey.Taxonomy.flat,
        "prefixes": covey.Taxonomy.from_prefixes,
        "order": covey.Taxonomy.binary,
    }
    drafted = replace(makers[by](column, listed), drafted=from_data)
    drafted.save(output)
    console.print(
        f"Written to [bold]{escape(str(output))}[/]: {len(drafted.concepts)} concepts. Read it and "
        f"correct it."
    )
    if from_data:
        console.print(
            f"Its values were read off the data, and its first line says so: no guarantee may rest "
            f"on it. A guarantee needs a public list: add the values that could occur, remove none "
            f"because it does not, and delete the line `{DRAFT_MARK}`.",
            width=min(console.width, 80),
        )

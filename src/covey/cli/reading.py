"""Options that say how a file is written: the same for every verb that reads a table."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from rich.markup import escape

from covey.cli.show import console

if TYPE_CHECKING:
    from covey import Schema
    from covey.table.dialect import Dialect

_PANEL = "How the file is written (detected unless given)"
READING_OPTIONS: dict[str, Any] = {
    "encoding": Annotated[
        str | None,
        typer.Option("--encoding", help="utf-8, utf-16, cp1252, …", rich_help_panel=_PANEL),
    ],
    "separator": Annotated[
        str | None,
        typer.Option("--separator", help="Between fields: ; or tab.", rich_help_panel=_PANEL),
    ],
    "quote": Annotated[
        str | None,
        typer.Option("--quote", help='Around texts: " or none.', rich_help_panel=_PANEL),
    ],
    "decimal": Annotated[
        str | None,
        typer.Option("--decimal", help="Before decimals: . or ,", rich_help_panel=_PANEL),
    ],
    "thousands": Annotated[
        str | None,
        typer.Option(
            "--thousands", help="Between thousands: . , ' space or none.", rich_help_panel=_PANEL
        ),
    ],
    "header": Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether the first line holds names.",
            rich_help_panel=_PANEL,
        ),
    ],
    "skip": Annotated[
        int | None,
        typer.Option("--skip", help="Lines before the table begins.", rich_help_panel=_PANEL),
    ],
    "sheet": Annotated[
        str | None,
        typer.Option("--sheet", help="Sheet of a workbook.", rich_help_panel=_PANEL),
    ],
    "labels": Annotated[
        bool | None,
        typer.Option(
            "--labels/--codes",
            help="What to read of SPSS, Stata and SAS files.",
            rich_help_panel=_PANEL,
        ),
    ],
}
"""By the names that `Dialect` has for them."""


def reads_tables(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb these options; it gets them together, as ``reading``."""

    @wraps(verb)
    def with_options(*args: Any, **kwargs: Any) -> None:
        from covey.table.dialect import Dialect

        stated = {name: kwargs.pop(name, None) for name in READING_OPTIONS}
        verb(*args, **kwargs, reading=Dialect(**stated))

    own = inspect.signature(verb)
    # The help of all verbs is shown without loading what reads tables.
    given = get_type_hints(verb, localns={"Dialect": Any}, include_extras=True)
    kept = [
        each.replace(annotation=given[name])
        for name, each in own.parameters.items()
        if name != "reading"
    ]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in READING_OPTIONS.items()
    ]
    del given["reading"]
    with_options.__annotations__ = given | READING_OPTIONS
    with_options.__signature__ = own.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]
    return with_options


def described_as(schema: Schema | None, reading: Dialect) -> Schema | None:
    """Return a schema by which data are read as the options say."""
    if schema is None:
        return None
    return replace(schema, reading=schema.reading.overridden(reading))


def show_reading(reading: Dialect) -> None:
    """Say how a file was read, and how to correct it."""
    if reading.told():
        if reading.labels is not None:
            options = "--codes" if reading.labels else "--labels"
        elif reading.sheet is not None:
            options = "--sheet, --skip, --no-header"
        else:
            options = "--separator, --encoding, --decimal, …"
        console.print(
            f"This is how it was read: {escape(reading.told())}. If that is wrong, say so "
            f"({options}).\n",
            width=min(console.width, 80),
        )

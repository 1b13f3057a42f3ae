"""covey schema --confirm: somebody who knows the columns answers for what a draft says of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.show import console
from covey.errors import ReleaseError, SchemaError

if TYPE_CHECKING:
    from covey import Schema

QUESTION = "Is this true whoever is in the data, and known without them?"


def confirm_schema(path: Path, output: Path, *, by: str | None, yes: bool) -> Schema:
    """Show what was read off the data, ask column by column, and write who has confirmed it.

    The data are not looked at: whether a fact fits them is not the question.

    Parameters
    ----------
    path, output : path
        The schema that is read, and the one that is written.
    by : str, optional
        Who confirms; asked for unless given.
    yes : bool
        Confirm everything without a question.
    """
    import covey

    found = covey.Schema.load(path)
    marked = {name: found.drafted(name) for name in found.names if found.drafted(name)}
    if not marked:
        raise SchemaError(
            f"nothing in {str(path)!r} is marked as read off the data, so there is nothing to "
            f"confirm. Use it as it is."
        )
    if yes and not (by or "").strip():
        raise SchemaError(
            "nobody answers for what is confirmed, so nothing was written. Say who you are: "
            "--by NAME; the name is written into the schema and into the plan of each release."
        )
    from covey.table.provenance import confirm_facts

    _show(found, marked)
    if not yes:
        by = by or typer.prompt("Who confirms? The name will be published with each release")
    kept = []
    for attribute in found:
        facts = marked.get(attribute.name, ())
        agreed = facts and (yes or typer.confirm(f"{attribute.name}: {QUESTION}", default=False))
        kept.append(confirm_facts(attribute, str(by).strip(), facts) if agreed else attribute)
    confirmed = replace(found, attributes=tuple(kept))
    try:
        confirmed.save(output)
    except OSError as error:
        raise ReleaseError(
            f"the schema {str(output)!r} cannot be written ({error.strerror}). "
            f"Choose a place where you may write."
        ) from error
    left = sum(bool(confirmed.drafted(name)) for name in confirmed.names)
    rest = f" Still marked: {left} of {len(marked)} columns." if left else ""
    console.print(f"Written to [bold]{escape(str(output))}[/].{rest}")
    return confirmed


def _show(found: Schema, marked: dict[str, tuple[str, ...]]) -> None:
    from covey.table.provenance import FACTS, MOST_TOLD, told_value

    width = min(console.width, 80)
    console.print("What each fact decides:", width=width)
    for fact in dict.fromkeys(fact for facts in marked.values() for fact in facts):
        console.print(f"  [bold]{fact}[/]: {FACTS[fact]}", width=width)
    grid = Grid(box=None, pad_edge=False, width=width)
    for title in ("column", "fact", "read off the data"):
        grid.add_column(title)
    for name, facts in marked.items():
        for number, fact in enumerate(facts):
            shown = told_value(found[name], fact, MOST_TOLD)
            grid.add_row(*map(escape, (name if number == 0 else "", fact, shown)))
    console.print(grid)
    if any(len(found[name].categories or ()) > MOST_TOLD + 1 for name in marked):
        console.print("Longer lists stand in the schema's file: read them there.")

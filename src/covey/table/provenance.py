"""Where does a public fact about a column come from: stated, confirmed, drafted or imported?

A promise of noise rests on public facts.  What a draft read off the records is none until a person
who knows the columns confirms it, so one drafted fact about a published column voids the promise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from covey.errors import SchemaError, suggest

if TYPE_CHECKING:
    from covey.table.attribute import Attribute
    from covey.table.schema import Schema


class Provenance(StrEnum):
    """Who answers for a fact."""

    STATED = "stated"
    CONFIRMED = "confirmed"
    DRAFTED = "drafted"
    IMPORTED = "imported"


FACTS: dict[str, str] = {
    "bounds": "how large the noise is, and where values are cut off",
    "categories": "which values can be published",
    "taxonomy": "which values can be published, and how near they are",
    "missing": "which records take part, and what stands for a missing value",
    "missing_codes": "which values count as missing",
    "unknown": "what stands for values outside the list",
    "integer": "the released type, and the steps of the noise",
    "kind": "whether values are points in time, and how they are read and written",
    "step": "the decimals of released values, and the steps of the noise",
    "special": "which numbers are counted apart",
    "role": "whether the column is published",
    "scale": "whether values are averaged, ordered or counted",
}
"""What can be marked, with what it decides.  A property of an attribute has the same name."""

OPTIONAL = ("bounds", "categories", "taxonomy", "kind", "step", "special", "unknown")
"""Facts that say nothing where they are not given."""

FORMAT_TITLES = {
    "smartnoise": "SmartNoise metadata",
    "csvw": "CSVW metadata",
    "frictionless": "a Frictionless Table Schema",
    "code-book": "a code book",
    "spss": "an SPSS dictionary",
}
"""What the formats of other projects are called in sentences, by ``imported_from``."""


def checked_marks(name: str, **marks: Any) -> dict[str, tuple[str, ...]]:
    """Return marked facts in the order of `FACTS`, or refuse what no mark can stand for."""
    seen: set[str] = set()
    for field, given in marks.items():
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise SchemaError(
                f"attribute {name!r} has {field} = {given!r}, which is no list of facts. "
                f'Write a list: `{field} = ["bounds"]`.'
            )
        for fact in given:
            if fact not in FACTS:
                raise SchemaError(
                    f"attribute {name!r} has {field!r} facts that mean nothing here. "
                    f"{suggest(str(fact), FACTS)}"
                )
            if fact in seen:
                raise SchemaError(
                    f"attribute {name!r} marks {fact!r} more than once, so nobody can tell where "
                    f"it comes from. Keep one of drafted, confirmed and imported."
                )
            seen.add(fact)
    return {field: tuple(fact for fact in FACTS if fact in given) for field, given in marks.items()}


MOST_TOLD = 8
"""So many categories are told on the screen; all of them stand in the file."""


def told_value(attribute: Attribute, fact: str, most: int | None = None) -> str:
    """Return in words what is said of a column, and only the first values of a long list."""
    value = getattr(attribute, fact)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if fact == "bounds" and value is not None:
        return " to ".join(_told_one(each) for each in value)
    if isinstance(value, float):
        return _told_one(value)
    if isinstance(value, tuple):
        cut = value if most is None or len(value) <= most + 1 else value[:most]
        left = f" … {len(value) - len(cut)} more" if len(cut) < len(value) else ""
        between = "; " if any("," in str(each) for each in value) else ", "
        return between.join(_told_one(each) for each in cut) + left
    return "none" if value is None else str(value)


def _told_one(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def confirm_facts(attribute: Attribute, by: str, facts: Collection[str] | None = None) -> Attribute:
    """Return an attribute of which somebody confirms drafted facts, without a look at the data."""
    confirmed = [f for f in attribute.drafted if facts is None or f in facts]
    extra = [f for f in facts or () if f not in attribute.drafted]  # a taxonomy's file is marked
    names = dict.fromkeys(part for part in (attribute.confirmed_by, by) if part)
    return replace(
        attribute,
        drafted=tuple(f for f in attribute.drafted if f not in confirmed),
        confirmed=tuple(dict.fromkeys((*attribute.confirmed, *confirmed, *extra))),
        imported=tuple(f for f in attribute.imported if f not in extra),
        confirmed_by=", ".join(names),
    )


def read_off(schema: Schema, published: Collection[str], *, named: bool) -> dict[str, list[str]]:
    """Return the drafted facts that a release depends on, by column.

    Parameters
    ----------
    schema : Schema
        What is said about all columns.
    published : collection of str
        The columns that a promise covers.
    named : bool
        Whether somebody named them.  Otherwise roles decide which columns are left out.
    """
    found = {}
    for attribute in schema:
        facts = list(schema.drafted(attribute.name))
        if attribute.name not in published:
            # Which records take part, and which columns, shows in those that are published.
            shows = {"missing": attribute.drops, "role": not named}
            facts = [fact for fact in facts if shows.get(fact)]
        if facts:
            found[attribute.name] = facts
    return found


def from_the_data(schema: Schema, published: Collection[str], *, named: bool = True) -> str | None:
    """Return the reason for a downgrade if a fact was read off the data; see `read_off`."""
    found = read_off(schema, published, named=named)
    if not found:
        return None
    return (
        f"Read off the data and confirmed by nobody: {named_facts(found)}. Facts that follow the "
        f"records give records away; state what is known without them, or confirm it "
        f"(covey schema --confirm)."
    )


def told_facts(schema: Schema, published: Collection[str]) -> tuple[str, ...]:
    """Say which public facts about published columns a promise relies on, and who says so."""
    by_origin: dict[str, dict[str, list[str]]] = {}
    for attribute in schema:
        if attribute.name not in published:
            continue
        for fact in FACTS:
            source = attribute.provenance(fact)
            if source is Provenance.STATED and fact not in attribute.said:
                continue
            origin = _origin(attribute, source)
            by_origin.setdefault(origin, {}).setdefault(attribute.name, []).append(fact)
    return tuple(f"{origin}: {named_facts(facts)}." for origin, facts in by_origin.items())


def named_facts(facts: Mapping[str, Collection[str]]) -> str:
    """Name columns, each with some facts about it."""
    return ", ".join(f"{name} ({', '.join(known)})" for name, known in facts.items())


def _origin(attribute: Attribute, source: Provenance) -> str:
    if source is Provenance.CONFIRMED:
        by = f" by {attribute.confirmed_by}" if attribute.confirmed_by else ""
        return f"Drafted from data, then confirmed{by} to be known without them"
    if source is Provenance.IMPORTED:
        origin = FORMAT_TITLES.get(attribute.imported_from, attribute.imported_from)
        return f"Imported from {origin or 'elsewhere'}: stated by its author"
    return "Stated in the schema"

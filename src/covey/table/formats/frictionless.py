"""How does Frictionless Data describe a table?  Table Schema in JSON, read and written.

A file holds a schema (``fields``), a resource with one (``schema``), or a package (``resources``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from covey.errors import SchemaError, suggest
from covey.table.about import About
from covey.table.formats.foreign import (
    IN_TIME,
    Column,
    Described,
    ForeignKind,
    in_words,
    listed,
    mapping,
    number_of_column,
    one_of,
    readable_kind,
    texts,
    unused,
    whole,
)

PROFILE = "https://datapackage.org/profiles/2.0/tableschema.json"
_KINDS: dict[str, ForeignKind] = {
    "integer": "integer",
    "year": "integer",
    "number": "number",
    "string": "text",
    "any": "text",
    "boolean": "truth",
    "date": "date",
    "datetime": "datetime",
    "time": "time",
    **dict.fromkeys(
        (
            *("yearmonth", "duration"),
            *("object", "array", "list", "geopoint", "geojson"),
        ),
        "other",
    ),
}


def recognises(content: Any) -> bool:
    """Return whether a JSON file is a Table Schema, a resource or a package."""
    return isinstance(content, Mapping) and (
        "fields" in content or "resources" in content or isinstance(content.get("schema"), Mapping)
    )


def read(content: Any, table: str | None = None) -> Described:
    """Read the Table Schema of one table."""
    content = package = mapping(content, "the file")
    if "resources" in content:
        resources = [
            mapping(each, "a resource") for each in listed(content["resources"], "`resources`")
        ]
        content = one_of([(str(each.get("name")), each) for each in resources], table)
    resource = content
    if "fields" not in content:
        content = mapping(content.get("schema"), "`schema`")
    fields = [mapping(each, "a field") for each in listed(content.get("fields"), "`fields`")]
    key = content.get("primaryKey", [])
    keys = [key] if isinstance(key, str) else key
    columns = tuple(_column(field, keys) for field in fields)
    about = _about(package) | _about(content) | _about(resource)
    return Described(columns=columns, notes=_notes(content, keys), about=about)


def write(columns: Sequence[Column], title: str, about: About) -> dict[str, Any]:
    """Return a Table Schema."""
    del title, about  # a Table Schema has no name of its own: packages have
    fields = [_field(column) for column in columns]
    return {"$schema": PROFILE, "fields": fields, "missingValues": [""]}


def _about(given: Mapping[str, Any]) -> dict[str, str]:
    """Return what a package or a resource says about itself."""
    said = {key: in_words(given.get(key)) for key in ("title", "description")}
    licences = given.get("licenses")
    if isinstance(licences, list) and len(licences) == 1 and isinstance(licences[0], Mapping):
        words = (in_words(licences[0].get(key)) for key in ("title", "name", "path"))
        said["licence"] = next((text for text in words if text), "")
    return {key: text for key, text in said.items() if text}


def _column(field: Mapping[str, Any], keys: Any) -> Column:
    name = field.get("name")
    if not isinstance(name, str) or not name:
        raise SchemaError(
            "a field has no name, so the schema was not read. Give each field the `name` of its "
            "column."
        )
    kind = _kind(field.get("type", "any"), name)
    limits = mapping(field.get("constraints", {}), f"`constraints` of {name!r}")
    used = {"name", "type", "constraints"}
    description = in_words(field.get("description"))
    used |= {"description"} if description else set()
    written = None
    if kind in IN_TIME:
        written = field.get("format") if field.get("format") != "default" else None
        kind = readable_kind(kind, written)
        used |= {"format"} if kind in IN_TIME else set()
    low = high = None
    categories = None
    if kind in ("integer", "number"):
        low, high, taken = _bounds(limits, name)
    elif kind in IN_TIME:
        low, high, taken = limits.get("minimum"), limits.get("maximum"), ("minimum", "maximum")
    else:
        categories, taken = _categories(field, limits, name)
        used |= {"categories", "categoriesOrdered"} if categories is not None else set()
    ordered = field.get("categoriesOrdered") is True
    if "categories" in field and kind in ("integer", "number"):
        # Whole numbers that are codes of categories, as the format says itself.
        categories, taken = _categories(field, limits, name)
        kind, low, high = "text", None, None
        used |= {"categories", "categoriesOrdered"}
    if kind == "truth":
        categories = _truths(field, name)
        used |= {"trueValues", "falseValues"} if categories is not None else set()
    required = limits.get("required")
    return Column(
        name=name,
        kind=kind,
        written=written,
        low=low,
        high=high,
        categories=categories,
        ordered=ordered,
        required=True if required is True else None,
        description=description,
        identifier=keys == [name],
        unused=(*unused(field, *used), *unused(limits, "required", *taken)),
    )


def _kind(word: Any, name: str) -> ForeignKind:
    if not isinstance(word, str) or word not in _KINDS:
        raise SchemaError(
            f"field {name!r} has the type {word!r}, which Table Schema does not know, so the "
            f"schema was not read. {suggest(str(word), _KINDS)}"
        )
    return _KINDS[word]


def _bounds(
    limits: Mapping[str, Any], name: str
) -> tuple[float | None, float | None, tuple[str, ...]]:
    """Return the bounds and the constraints that they came from.

    An exclusive bound is a bound, too; the possible values of a list lie between its ends.
    """
    found: dict[str, float] = {}
    for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        if key in limits:
            found.setdefault(key[-7:].lower(), number_of_column(limits[key], key, name))
    taken = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    if not found and "enum" in limits:
        values = [
            number_of_column(value, "enum", name) for value in listed(limits["enum"], "`enum`")
        ]
        return min(values), max(values), taken
    return found.get("minimum"), found.get("maximum"), taken


def _categories(
    field: Mapping[str, Any], limits: Mapping[str, Any], name: str
) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    given = field.get("categories")
    if given is not None:
        values = [
            each.get("value") if isinstance(each, Mapping) else each
            for each in listed(given, f"`categories` of {name!r}")
        ]
        return texts(values, "categories", name), ("enum",)
    if "enum" in limits:
        return texts(limits["enum"], "enum", name), ("enum",)
    return None, ()


def _truths(field: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    """Return how false and true are written, if there is one way for each."""
    words = [field.get(key, []) for key in ("falseValues", "trueValues")]
    if all(isinstance(each, list) and len(each) == 1 for each in words):
        return texts([*words[0], *words[1]], "trueValues", name)
    return None


def _notes(content: Mapping[str, Any], keys: Any) -> tuple[str, ...]:
    notes = []
    if isinstance(keys, list) and len(keys) == 1:
        notes.append(
            f"{keys[0]} is the primary key, so it is taken for an identifier, which is never "
            f"published."
        )
    elif keys:
        notes.append("Covey has no place for a primary key of several columns: check the `role`s.")
    missing = content.get("missingValues", [""])
    if missing != [""]:
        notes.append(
            f"The file says that missing values are written as {missing}; covey takes empty "
            f"cells alone for missing. Replace the others in the data first."
        )
    told = [key for key in content if _about({key: content[key]})]
    others = unused(content, *told, "fields", "primaryKey", "missingValues", "$schema", "profile")
    if others:
        notes.append(f"Covey has no place for {', '.join(others)} of the table.")
    return tuple(notes)


def _field(column: Column) -> dict[str, Any]:
    words = {"integer": "integer", "number": "number", "truth": "boolean"}
    words |= {kind: kind for kind in IN_TIME}
    field: dict[str, Any] = {"name": column.name, "type": words.get(column.kind, "string")}
    if column.description:
        field["description"] = column.description
    if column.written is not None:
        field["format"] = column.written
    limits: dict[str, Any] = {}
    if column.required:
        limits["required"] = True
    if column.low is not None and column.high is not None:
        limits["minimum"] = whole(column.low, integer=column.kind == "integer")
        limits["maximum"] = whole(column.high, integer=column.kind == "integer")
    if column.categories is not None:
        limits["enum"] = list(column.categories)
        if column.ordered:
            field |= {"categories": list(column.categories), "categoriesOrdered": True}
    return field | ({"constraints": limits} if limits else {})

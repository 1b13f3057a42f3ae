"""How does SmartNoise describe a table?  Its metadata in YAML, read and written.

``database → schema → table``, and in a table options (plain values) beside columns (mappings).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from covey.errors import SchemaError, suggest
from covey.table.about import About
from covey.table.formats.foreign import (
    Column,
    Described,
    ForeignKind,
    mapping,
    number_of_column,
    one_of,
    unused,
    whole,
)

_KINDS: dict[str, ForeignKind] = {
    "int": "integer",
    "float": "number",
    "string": "text",
    "boolean": "truth",
    "datetime": "other",
    "unknown": "other",
}
_TABLE_OPTIONS = {
    *("rows", "rows_exact", "row_privacy", "max_ids", "sample_max_ids"),
    *("clamp_counts", "clamp_columns", "use_dpsu", "censor_dims"),
}
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTES = {'"': '"', "`": "`", "[": "]"}


def recognises(content: Any) -> bool:
    """Return whether a YAML file can be SmartNoise's: it nests mappings."""
    return isinstance(content, Mapping) and any(isinstance(v, Mapping) for v in content.values())


def read(content: Any, table: str | None = None) -> Described:
    """Read SmartNoise's metadata of one table."""
    tables: list[tuple[str, Any]] = []
    root = mapping(content, "the file")
    for database, schemas in root.items():
        if database == "engine" and not isinstance(schemas, Mapping):
            continue
        for schema, found in mapping(schemas, f"the database {database!r}").items():
            tables += mapping(found, f"the SQL schema {schema!r}").items()
    if not tables:
        raise SchemaError(
            "the file describes no table, so the schema was not read. "
            "SmartNoise nests them: database, schema, table, columns."
        )
    chosen = mapping(one_of(tables, table), "the table")
    options = {name: value for name, value in chosen.items() if not isinstance(value, Mapping)}
    columns = tuple(
        _column(_unquoted(name), mapping(value, f"column {name!r}"))
        for name, value in chosen.items()
        if name not in options
    )
    if "engine" in root and not isinstance(root["engine"], Mapping):
        options = {"engine": root["engine"], **options}
    return Described(columns=columns, notes=_notes(columns, options))


def write(columns: Sequence[Column], title: str, about: About) -> dict[str, Any]:
    """Return SmartNoise's metadata of a table; a record is the unit, as everywhere in covey."""
    del about  # it has no words for it
    table: dict[str, Any] = {"row_privacy": True}
    table |= {_quoted(column.name): _described(column) for column in columns}
    return {"": {title: {title: table}}}


def _column(name: str, given: Mapping[str, Any]) -> Column:
    word = given.get("type")
    if not isinstance(word, str) or word not in _KINDS:
        raise SchemaError(
            f"column {name!r} has the type {word!r}, which SmartNoise does not know, so the "
            f"schema was not read. {suggest(str(word), _KINDS)}"
        )
    kind = _KINDS[word]
    numeric = kind in ("integer", "number")
    impute = given.get("missing_value")
    used = ["type", "private_id", "nullable", "missing_value"]
    used += ["lower", "upper"] if numeric else []
    used += ["name"] if given.get("name") == name else []
    nullable = _truth(given, "nullable", name)
    return Column(
        name=name,
        kind=kind,
        low=number_of_column(given["lower"], "lower", name)
        if numeric and "lower" in given
        else None,
        high=number_of_column(given["upper"], "upper", name)
        if numeric and "upper" in given
        else None,
        required=None if nullable is None else not nullable,
        impute=_imputed(impute, kind, name),
        identifier=bool(_truth(given, "private_id", name)),
        unused=unused(given, *used),
    )


def _imputed(value: Any, kind: ForeignKind, name: str) -> float | str | None:
    if value is None or kind == "other":
        return None
    if kind in ("integer", "number"):
        return number_of_column(value, "missing_value", name)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _truth(given: Mapping[str, Any], key: str, name: str) -> bool | None:
    value = given.get(key)
    if value is None or isinstance(value, bool):
        return value
    raise SchemaError(
        f"{key!r} of column {name!r} is neither true nor false, so the schema was not read. "
        f"Write one of them."
    )


def _notes(columns: Sequence[Column], options: Mapping[str, Any]) -> tuple[str, ...]:
    notes = []
    people = [column.name for column in columns if column.identifier]
    most = options.get("max_ids", 1)
    if most != 1:
        notes.append(
            f"A person may have up to {most} records in this table (max_ids), and covey protects "
            f"one record: for a person the loss is {most} times as large. Keep one record for "
            f"each person, or divide epsilon by {most}."
        )
    elif people and not options.get("row_privacy", False):
        notes.append(
            f"SmartNoise would keep one record for each value of {', '.join(people)}; covey does "
            f"not, and takes each record for a person. See to it that this is so."
        )
    if options.get("clamp_columns") is False:
        notes.append("Covey moves values outside the bounds to the nearer one, whatever is set.")
    others = [name for name in options if name not in ("max_ids", "row_privacy", "clamp_columns")]
    if others:
        notes.append(f"Options of SmartNoise that mean nothing to covey: {', '.join(others)}.")
    return tuple(notes)


def _described(column: Column) -> dict[str, Any]:
    words = {kind: word for word, kind in reversed(_KINDS.items())}
    integer = column.kind == "integer"
    out: dict[str, Any] = {"type": words.get(column.kind, "datetime")}
    if column.identifier:
        out["private_id"] = True
    if column.low is not None and column.high is not None:
        out["lower"] = whole(column.low, integer=integer)
        out["upper"] = whole(column.high, integer=integer)
    if column.categories is not None:
        out["cardinality"] = len(column.categories)
    if column.required is not None:
        out["nullable"] = not column.required
    if column.impute is not None:
        imputed = column.impute
        out["missing_value"] = imputed if isinstance(imputed, str) else whole(imputed, integer=True)
    return out


def _quoted(name: str) -> str:
    """Write a name as SQL does: in quotes if it is no plain word, or a word of SmartNoise's."""
    plain = _PLAIN.fullmatch(name) and name not in _TABLE_OPTIONS
    return name if plain else '"' + name.replace('"', '""') + '"'


def _unquoted(name: str) -> str:
    end = _QUOTES.get(name[:1])
    if end is None or len(name) < 3 or not name.endswith(end):  # noqa: PLR2004
        return name
    return name[1:-1].replace(end * 2, end)

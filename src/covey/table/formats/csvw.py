"""How does CSV on the Web describe a table?  The W3C's metadata in JSON, read and written.

A file holds one table (``tableSchema``) or several (``tables``); what is said about a table or
its schema is inherited by its columns.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

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
    unused,
    whole,
)
from covey.table.step import decimals_of, step_of_decimals

CONTEXT = "http://www.w3.org/ns/csvw"
_KINDS: dict[str, ForeignKind] = {
    **dict.fromkeys(
        (
            *("integer", "long", "int", "short", "byte", "gYear"),
            *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
            *("unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
        ),
        "integer",
    ),
    **dict.fromkeys(("number", "decimal", "double", "float"), "number"),
    **dict.fromkeys(
        (
            *("string", "normalizedString", "token", "language", "Name", "NMTOKEN"),
            *("anyURI", "QName", "any", "anyAtomicType", "xml", "html", "json"),
        ),
        "text",
    ),
    "boolean": "truth",
    "date": "date",
    **dict.fromkeys(("datetime", "dateTime"), "datetime"),
    "time": "time",
    **dict.fromkeys(
        (
            *("dateTimeStamp", "duration"),
            *("dayTimeDuration", "yearMonthDuration", "gDay", "gMonth", "gMonthDay", "gYearMonth"),
            *("binary", "base64Binary", "hexBinary"),
        ),
        "other",
    ),
}
_INHERITED = ("datatype", "null", "required", "default", "separator")
_ABOUT = {
    "title": "title",
    "publisher": "publisher",
    "license": "licence",
    "description": "description",
}
"""What the Dublin Core and covey call what is said about a table."""

_LOWER = ("minimum", "minInclusive", "minExclusive")
_UPPER = ("maximum", "maxInclusive", "maxExclusive")
_SPECIAL = re.compile(r"([\\^$.|?*+()\[\]{}])")
_MARKS = {"yyyy": "%Y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}
"""What the W3C and covey call the parts of points in time."""

_DECIMALS = re.compile(r"[#,]*0*\.(0+)")
_LITERAL = re.compile(r"(?:[^\\^$.|?*+()\[\]{}]|\\[\\^$.|?*+()\[\]{}])+")


def recognises(content: Any) -> bool:
    """Return whether a JSON file is CSVW metadata."""
    return isinstance(content, Mapping) and bool(
        {"@context", "tableSchema", "tables"} & set(content)
    )


def read(content: Any, table: str | None = None) -> Described:
    """Read the CSVW metadata of one table."""
    content = group = mapping(content, "the file")
    if "tables" in content:
        tables = [mapping(each, "a table") for each in listed(content["tables"], "`tables`")]
        content = one_of([(str(each.get("url")), each) for each in tables], table)
    schema = mapping(content.get("tableSchema", group.get("tableSchema")), "`tableSchema`")
    given = [mapping(each, "a column") for each in listed(schema.get("columns"), "`columns`")]
    key = schema.get("primaryKey", [])
    keys = [key] if isinstance(key, str) else key
    outer = ChainMap(dict(schema), dict(content), dict(group))
    inherited = {name: outer[name] for name in _INHERITED if name in outer}
    real = [each for each in given if each.get("virtual") is not True]
    columns = tuple(_column(each, inherited, keys) for each in real)
    notes = []
    if len(real) < len(given):
        notes.append("Virtual columns are not in the data, so the schema leaves them out.")
    if isinstance(keys, list) and len(keys) > 1:
        notes.append("Covey has no place for a primary key of several columns: check the `role`s.")
    elif any(column.identifier for column in columns):
        notes.append("The primary key is taken for an identifier, which is never published.")
    about = _about(group) | _about(content)
    told = [key for key in content if _about({key: content[key]})]
    others = [
        *unused(content, *told, "@context", "@type", "@id", "url", "tableSchema", *_INHERITED),
        *unused(schema, "columns", "primaryKey", "@type", "@id", *_INHERITED),
    ]
    if others:
        notes.append(f"Covey has no place for {', '.join(others)} of the table.")
    return Described(columns=columns, notes=tuple(notes), about=about)


def write(columns: Sequence[Column], title: str, about: About) -> dict[str, Any]:
    """Return the CSVW metadata of one table, in a file ``title.csv``."""
    return {
        "@context": CONTEXT,
        "url": f"{quote(title)}.csv",
        **{f"dc:{key}": text for key, ours in _ABOUT.items() if (text := getattr(about, ours))},
        "tableSchema": {"columns": [_described(column) for column in columns]},
    }


def _about(given: Mapping[str, Any]) -> dict[str, str]:
    """Return what the common properties of a table or a group say about it."""
    return {
        ours: text
        for prefix in ("dcterms", "dc")
        for theirs, ours in _ABOUT.items()
        if (text := in_words(given.get(f"{prefix}:{theirs}")))
    }


def _column(own: Mapping[str, Any], inherited: Mapping[str, Any], keys: Any) -> Column:
    name = _name(own)
    given = {**inherited, **own}
    datatype = given.get("datatype", "string")
    kind_of = {"base": datatype} if isinstance(datatype, str) else mapping(datatype, "`datatype`")
    kind = _kind(kind_of.get("base", "string"), name)
    numeric = kind in ("integer", "number")
    categories = None
    if kind == "text" and isinstance(kind_of.get("format"), str):
        categories = _alternatives(kind_of["format"])
    elif kind == "truth" and isinstance(kind_of.get("format"), str):
        yes, _, no = kind_of["format"].partition("|")
        categories = (no, yes) if yes and no else None
    lists = given.get("separator") is not None
    written = _written(kind_of.get("format")) if kind in IN_TIME else None
    kind = readable_kind(kind, written)
    in_time = kind in IN_TIME
    step = _step(kind_of.get("format")) if kind == "number" else None
    known = ["base", "@id", "@type"]
    known += ["format"] if step or categories is not None or in_time else []
    known += [*_LOWER, *_UPPER] if numeric or in_time else []
    said = _about(own).get("description", "")
    own_keys = ["name", "titles", "virtual", *_INHERITED]
    own_keys += ["dc:description", "dcterms:description"] if said else []
    others = [*unused(own, *own_keys), *unused(kind_of, *known)]
    if given.get("null", "") not in ("", [""]):
        others.append("null")
    return Column(
        name=name,
        kind="other" if lists else kind,
        written=written,
        low=_bound(kind_of, _LOWER, name, in_time) if numeric or in_time else None,
        high=_bound(kind_of, _UPPER, name, in_time) if numeric or in_time else None,
        step=step,
        categories=categories,
        required=True if given.get("required") is True else None,
        impute=_imputed(given.get("default", ""), kind, name),
        description=said,
        identifier=isinstance(keys, list) and keys in ([name], [own.get("name")]),
        unused=tuple(dict.fromkeys(others)),
    )


def _name(own: Mapping[str, Any]) -> str:
    """Return what the header of the CSV file says: the title, where there is one."""
    title = own.get("titles")
    if isinstance(title, Mapping):
        title = next(iter(title.values()), None)
    if isinstance(title, list):
        title = title[0] if title else None
    name = own.get("name")
    if title is None and isinstance(name, str):
        title = unquote(name)
    if not isinstance(title, str) or not title:
        raise SchemaError(
            "a column has neither a name nor a title, so the schema was not read. "
            "Give each column the `titles` that stands in the header of the data."
        )
    return title


def _kind(word: Any, name: str) -> ForeignKind:
    if not isinstance(word, str) or word not in _KINDS:
        raise SchemaError(
            f"column {name!r} has the datatype {word!r}, which CSVW does not know, so the schema "
            f"was not read. {suggest(str(word), _KINDS)}"
        )
    return _KINDS[word]


def _bound(datatype: Mapping[str, Any], keys: Sequence[str], name: str, in_time: bool) -> Any:
    # An exclusive bound is a bound, too.
    key = next((key for key in keys if key in datatype), None)
    if key is None or in_time:
        return None if key is None else datatype[key]
    return number_of_column(datatype[key], key, name)


def _written(pattern: Any) -> str | None:
    """Return a pattern of the W3C for points in time, ``dd.MM.yyyy``, as a format."""
    if not isinstance(pattern, str):
        return None
    written = pattern.replace("'", "")
    for theirs, ours in _MARKS.items():
        written = written.replace(theirs, ours)
    return written


def _step(pattern: Any) -> float | None:
    """Return the step that a pattern for numbers means, such as ``0.00``."""
    found = _DECIMALS.fullmatch(pattern) if isinstance(pattern, str) else None
    return None if found is None else step_of_decimals("", len(found[1]))


def _imputed(value: Any, kind: ForeignKind, name: str) -> float | str | None:
    if value == "" or kind in ("other", *IN_TIME):
        return None
    return number_of_column(value, "default", name) if kind in ("integer", "number") else str(value)


def _alternatives(pattern: str) -> tuple[str, ...] | None:
    """Return the words of a pattern that lists words, ``flu|gout``; None if it says more."""
    words = re.split(r"(?<!\\)((?:\\\\)*)\|", pattern)
    # The pairs of backslashes before a bar belong to the word before it.
    joined = [a + b for a, b in zip(words[::2], [*words[1::2], ""], strict=True)]
    if len(set(joined)) < len(joined) or not all(map(_LITERAL.fullmatch, joined)):
        return None
    return tuple(re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL) for word in joined)


def _described(column: Column) -> dict[str, Any]:
    words = {"integer": "integer", "number": "number", "truth": "boolean"}
    words |= {kind: kind for kind in IN_TIME}
    datatype: dict[str, Any] = {"base": words.get(column.kind, "string")}
    if column.low is not None and column.high is not None:
        datatype["minimum"] = whole(column.low, integer=column.kind == "integer")
        datatype["maximum"] = whole(column.high, integer=column.kind == "integer")
    decimals = None if column.step is None else decimals_of(column.step)
    if decimals and column.kind == "number":
        datatype["format"] = f"0.{'0' * decimals}"
    if column.written is not None:
        datatype["format"] = column.written
        for theirs, ours in _MARKS.items():
            datatype["format"] = datatype["format"].replace(ours, theirs)
    if column.categories is not None:
        datatype["format"] = "|".join(_SPECIAL.sub(r"\\\1", word) for word in column.categories)
    # Names are made of letters, digits and percent signs; the header is the title.
    name = quote(column.name, safe="").replace("-", "%2D").replace("~", "%7E")
    out: dict[str, Any] = {
        "name": "%5F" + name[1:] if name.startswith("_") else name,
        "titles": column.name,
        "datatype": datatype["base"] if len(datatype) == 1 else datatype,
    }
    if column.description:
        out["dc:description"] = column.description
    if column.required:
        out["required"] = True
    if column.impute is not None:
        out["default"] = str(column.impute)
    return out

"""What does a code book say of the columns of a table, whatever it is written as?

A schema of covey is taken as it is.  Metadata of other projects, a table with a line for each
variable (or each value), and the labels of an SPSS file replace what a draft has read off the
data; what they leave open stays as it was drafted, with its mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from covey.errors import CoveyError, SchemaError
from covey.table.attribute import Attribute, Missing, Scale
from covey.table.dialect import Dialect
from covey.table.formats import is_foreign
from covey.table.schema import Schema
from covey.table.sources import SURVEYS, RawTable, ending_of, find_table

HEADS: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "variable", "variablenname", "var", "column", "field", "spalte", "feld"),
    "label": ("label", "variable label", "description", "meaning", "beschreibung", "bezeichnung"),
    "low": ("min", "minimum", "low", "smallest", "von"),
    "high": ("max", "maximum", "high", "largest", "bis"),
    "values": ("values", "categories", "value labels", "werte", "kategorien", "ausprägungen"),
    "code": ("code", "value", "wert"),
    "unit": ("unit", "einheit"),
    "missing": ("missing", "missing values", "missing codes", "fehlend", "fehlende werte"),
}
"""What the columns of a code book are called, in small letters."""

MOST_TOLD_OF = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BookEntry:
    """What a code book says of one variable.

    Parameters
    ----------
    label, unit : str
        What it means, and in which unit it is measured.
    low, high : float, optional
        What is possible.
    codes : mapping
        What each possible value means; the meaning may be empty.
    missing : tuple of str
        Values that stand for a missing one.
    ordered : bool
        Whether the values have an order.
    """

    label: str = ""
    unit: str = ""
    low: float | None = None
    high: float | None = None
    codes: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    ordered: bool = False


def describe_by(path: Path, drafted: Schema) -> tuple[Schema, tuple[str, ...]]:
    """Return a draft with what a code book says in its place, and notes on what did not fit."""
    ending = path.suffix.lower()
    if ending == ".toml":
        return with_columns(drafted, Schema.load(path))
    if is_foreign(path):
        known = Schema.load(path)
        changed, notes = with_columns(drafted, known, filling=True)
        return changed, (*notes, *known.notes)
    found = find_table(path, Dialect())
    if ending_of(path.name) in SURVEYS:
        return _with_entries(drafted, _labelled(found), "spss")
    return _with_entries(drafted, _entries(found.frame), "code-book")


def with_columns(
    drafted: Schema, known: Schema, *, filling: bool = False
) -> tuple[Schema, tuple[str, ...]]:
    """Return a draft in which the columns that another schema describes are as it says.

    Parameters
    ----------
    drafted, known : Schema
        What is replaced, and what is put in its place.
    filling : bool
        Whether what the other schema leaves open stays as it was drafted.
    """
    columns = [
        _filled(each, known[each.name])
        if filling and each.name in known.names
        else (known[each.name] if each.name in known.names else each)
        for each in drafted
    ]
    reasons = {name: why for name, why in drafted.reasons.items() if name not in known.names}
    rules = drafted.rules if filling else known.rules
    names = set(drafted.names)
    rules = rules if set(known.names) <= names else drafted.rules
    about = known.about if known.about.stated() else drafted.about
    changed = replace(drafted, attributes=tuple(columns), reasons=reasons, rules=rules, about=about)
    return changed, _told(drafted, known.names)


def _filled(drafted: Attribute, known: Attribute) -> Attribute:
    """Return what another project says, and what it leaves open as it was drafted, so marked."""
    if (drafted.scale, drafted.kind) != (known.scale, known.kind):
        return known
    facts = [
        fact
        for fact in ("bounds", "categories", "missing", "missing_codes", "step", "unknown")
        if fact in drafted.said and fact not in known.said
    ]
    if "bounds" in known.said or "categories" in known.said:
        facts = [fact for fact in facts if fact not in ("step", "unknown")]
    changes: dict[str, Any] = {fact: getattr(drafted, fact) for fact in facts}
    try:
        marks = tuple(fact for fact in drafted.drafted if fact in facts)
        kept = tuple(fact for fact in known.imported if fact not in marks)
        return replace(known, **changes, drafted=marks, imported=kept)
    except CoveyError:
        return known


def _told(drafted: Schema, names: Sequence[str]) -> tuple[str, ...]:
    there = [name for name in names if name in drafted.names]
    if not there:
        raise SchemaError(
            "the file describes no column of these data, so nothing was changed. Are its names "
            "those of the columns?"
        )
    said = [f"{len(there)} of {len(drafted.names)} columns are described by the file."]
    other = [name for name in names if name not in drafted.names]
    if other:
        named = ", ".join(other[:MOST_TOLD_OF]) + (
            " and others" if len(other) > MOST_TOLD_OF else ""
        )
        said.append(f"It also describes columns that the data do not have: {named}.")
    return tuple(said)


def _with_entries(
    drafted: Schema, entries: Mapping[str, BookEntry], source: str
) -> tuple[Schema, tuple[str, ...]]:
    notes = list(_told(drafted, tuple(entries)))
    columns, reasons = [], dict(drafted.reasons)
    for each in drafted:
        entry = entries.get(each.name)
        if entry is None:
            columns.append(each)
            continue
        try:
            columns.append(_by_entry(each, entry, source))
            reasons.pop(each.name, None)
        except CoveyError as error:
            columns.append(each)
            notes.append(f"What the file says of {each.name!r} was not taken: {error}")
    return replace(drafted, attributes=tuple(columns), reasons=reasons), tuple(notes)


def _by_entry(drafted: Attribute, entry: BookEntry, source: str) -> Attribute:
    changes: dict[str, Any] = {}
    if entry.missing:
        changes["missing_codes"] = entry.missing
        changes["missing"] = Missing.CATEGORY
    codes = {code: text for code, text in entry.codes.items() if code not in entry.missing}
    if len(codes) > 1:
        changes |= _categories(drafted, codes, ordered=entry.ordered)
    elif entry.low is not None and entry.high is not None and drafted.scale is Scale.NUMERIC:
        changes["bounds"] = (entry.low, entry.high)
    facts = tuple(changes)
    meanings = ", ".join(f"{code} = {text}" for code, text in codes.items() if text)
    said = "; ".join(part for part in (entry.label, meanings) if part)
    if "categories" in changes:
        changes |= {"bounds": None, "step": None, "special": None, "integer": False}
        changes |= {"unknown": None, "impute": None}
    return replace(
        drafted,
        **changes,
        description=said or drafted.description,
        unit=entry.unit or drafted.unit,
        drafted=tuple(fact for fact in drafted.drafted if fact not in (*facts, *changes)),
        imported=facts,
        imported_from=source if facts else "",
    )


def _categories(drafted: Attribute, codes: Mapping[str, str], *, ordered: bool) -> dict[str, Any]:
    """Return the listed values: the codes, unless the data hold their meanings."""
    seen = set(drafted.categories or ())
    labels = [text for text in codes.values() if text]
    meant = len(labels) == len(codes) and seen and seen <= set(labels)
    scale = Scale.ORDINAL if ordered or drafted.scale is Scale.ORDINAL else Scale.NOMINAL
    return {"categories": tuple(labels if meant else codes), "scale": scale}


def _labelled(found: RawTable) -> dict[str, BookEntry]:
    return {
        name: BookEntry(codes=dict.fromkeys(labels, ""), ordered=name in found.ordered)
        for name, labels in found.labels.items()
    }


def _entries(frame: pl.DataFrame) -> dict[str, BookEntry]:
    heads = {name.strip().casefold(): name for name in frame.columns}
    places = {
        what: next((heads[name] for name in names if name in heads), None)
        for what, names in HEADS.items()
    }
    if places["name"] is None or not any(places[what] for what in ("values", "low", "code")):
        raise SchemaError(
            "the table is no code book, so nothing was changed: it needs a column name and one of "
            "values, min and max, or code. Add such a first line."
        )
    entries: dict[str, BookEntry] = {}
    for name, said in _lines(frame, places):
        entries[name] = _joined(entries.get(name), said)
    return entries


def _lines(
    frame: pl.DataFrame, places: Mapping[str, str | None]
) -> Iterator[tuple[str, dict[str, str]]]:
    last = ""
    for row in frame.iter_rows(named=True):
        said = {
            what: _text(row[place]) if place is not None else "" for what, place in places.items()
        }
        # Many code books name a variable once, above its values.
        last = said["name"] or last
        if last:
            yield last, said


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.15g}" if isinstance(value, float) else str(value).strip()


def _joined(before: BookEntry | None, said: Mapping[str, str]) -> BookEntry:
    """Return what one more line says of a variable: a line of its own, or one of its values."""
    codes = _codes(said["values"])
    own_label = said["label"]
    if said["code"]:
        codes, own_label = {said["code"]: said["label"]}, ""
    old = before or BookEntry()
    return BookEntry(
        label=old.label or own_label,
        unit=old.unit or said["unit"],
        low=_number(said["low"]) if old.low is None else old.low,
        high=_number(said["high"]) if old.high is None else old.high,
        codes={**old.codes, **codes},
        missing=old.missing or tuple(part for part in _parts(said["missing"])),
    )


def _codes(text: str) -> dict[str, str]:
    """Return values with their meanings: ``1 = yes; 2 = no``, or ``yes; no``."""
    found = {}
    for part in _parts(text):
        code, _, meaning = part.partition("=")
        found[code.strip()] = meaning.strip()
    return found


def _parts(text: str) -> list[str]:
    sign = next((sign for sign in (";", "|", "\n", ",") if sign in text), ";")
    return [part.strip() for part in re.split(re.escape(sign), text) if part.strip()]


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ".")) if text else None
    except ValueError:
        return None

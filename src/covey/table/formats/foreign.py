"""What do all descriptions of a table have in common, whoever's format they are in?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from covey.errors import SchemaError, suggest
from covey.table.attribute import Attribute, Missing, Role, Scale
from covey.table.calendar import STEPS, Moment

ForeignKind = Literal["integer", "number", "date", "datetime", "time", "text", "truth", "other"]
IN_TIME: tuple[ForeignKind, ...] = ("date", "datetime", "time")
"""Points in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What the formats of other projects say about a column, and nothing else.

    Parameters
    ----------
    name : str
        Name of the column in the data.
    kind : Kind
        ``truth`` is true or false; ``other`` is what covey cannot publish, such as lists.
    written : str, optional
        How texts write points in time, if not as ISO 8601 does.
    low, high : float or str, optional
        Public bounds; of points in time as ISO 8601 writes them.
    step : float, optional
        How far possible numbers are apart.
    categories : tuple of str, optional
        Possible values, lowest first if they are ``ordered``.
    required : bool, optional
        Whether a value must be there; None if the format does not say.
    impute : float or str, optional
        The public value that stands for a missing one.
    description : str
        What the values mean, in words.
    identifier : bool
        Whether the column names the person or the record.
    unused : tuple of str
        What else is said about the column, for which a schema has no place.
    """

    name: str
    kind: ForeignKind
    written: str | None = None
    low: Any = None
    high: Any = None
    step: float | None = None
    categories: tuple[str, ...] | None = None
    ordered: bool = False
    required: bool | None = None
    impute: float | str | None = None
    description: str = ""
    identifier: bool = False
    unused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A table as a file of another project describes it, and remarks about the whole of it.

    ``about`` holds what it says about the table itself, by the names of `About`.
    """

    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)


def foreign_columns(attributes: Iterable[Attribute]) -> tuple[Column, ...]:
    """Return what can be said about attributes elsewhere.

    What was read off the data is left out: no other format can mark it, so whoever reads the
    file would take it for public and calibrate noise by it.
    """
    return tuple(_column(attribute) for attribute in attributes)


def attributes_of(columns: Iterable[Column]) -> tuple[Attribute, ...]:
    """Return attributes with covey's defaults for what the other formats cannot say."""
    return tuple(_attribute(column) for column in columns)


def imported(columns: Iterable[Column], name: str) -> tuple[Attribute, ...]:
    """Return attributes that say which of their facts are those of another project's file."""
    marked = []
    for column in columns:
        attribute = _attribute(column)
        said = {
            "bounds": attribute.bounds is not None,
            "categories": column.categories is not None,
            "missing": column.impute is not None or column.required is True,
            "integer": column.kind == "integer",
            "kind": attribute.kind is not None,
            "step": attribute.step is not None,
            "role": column.identifier,
        }
        facts = tuple(fact for fact, given in said.items() if given)
        marked.append(replace(attribute, imported=facts, imported_from=name if facts else ""))
    return tuple(marked)


def notes_about(columns: Sequence[Column]) -> tuple[str, ...]:
    """Say what a person must still decide, and what was found and has no place in a schema."""
    known = [column for column in columns if not column.identifier and column.kind != "other"]
    numbers = [column for column in known if column.kind in ("integer", "number", *IN_TIME)]
    remarks = {
        "The file cannot say what an intruder may know, so {} are taken for quasi-identifiers: "
        "correct their `role`.": known,
        "No guarantee of noise can be given for {}, which have no bounds: add `bounds`.": [
            column for column in numbers if column.low is None and column.high is None
        ],
        "Only one bound is given for {}, and covey needs two: it was left out.": [
            column for column in numbers if (column.low is None) != (column.high is None)
        ],
        "The possible values of {} are not listed: add `categories` or a `taxonomy`.": [
            column for column in known if column.kind == "text" and column.categories is None
        ],
        'True and false are taken to be written "true" and "false" in {}: correct `categories` '
        "if they are not.": [
            column for column in known if column.kind == "truth" and column.categories is None
        ],
        "Covey cannot publish the values of {}, such as lists, and takes them for "
        "identifiers, which are never published.": [
            column for column in columns if column.kind == "other"
        ],
        "Values may be missing in {}, and the file cannot say what to do then: covey refuses "
        "such records until you set `missing`.": [
            column for column in numbers if column.required is False and column.impute is None
        ],
    }
    notes = [text.format(_names(found)) for text, found in remarks.items() if found]
    unused = {key: [c for c in columns if key in c.unused] for c in columns for key in c.unused}
    notes += [f"Covey has no place for {key!r} of {_names(c)}." for key, c in unused.items()]
    return tuple(notes)


def notes_on_loss(attributes: Sequence[Attribute], read_back: Sequence[Attribute]) -> list[str]:
    """Say what a format cannot hold, by comparing attributes with what it gives back."""
    hidden = [attribute.name for attribute in attributes if attribute.relies_on_data]
    notes = []
    if hidden:
        notes.append(
            f"What was read off the data about {', '.join(hidden)} was not written: this format "
            f"cannot mark it, and it would pass for public."
        )
    for part in fields(Attribute):
        if part.name in _MARKS:
            continue
        fact = "missing" if part.name == "impute" else part.name
        lost = [
            old.name
            for old, new in zip(attributes, read_back, strict=True)
            if getattr(old, part.name) != getattr(new, part.name) and fact not in old.read_off
        ]
        if lost:
            notes.append(f"This format cannot say the `{part.name}` of {', '.join(lost)}.")
    return notes


_MARKS = ("drafted", "confirmed", "confirmed_by", "imported", "imported_from")
"""Whoever reads the file takes all of it for imported, whoever said it here."""


def number_of_column(value: Any, what: str, name: str) -> float:
    """Return a bound or another number of a column, or explain that it is none."""
    try:
        return float(_refused_truth(value))
    except (TypeError, ValueError, OverflowError):
        raise SchemaError(
            f"{what!r} of column {name!r} is not a number, so the schema was not read. "
            f"Write a number there."
        ) from None


def texts(values: Any, what: str, name: str) -> tuple[str, ...]:
    """Return a list of possible values as texts, or explain that it is none."""
    plain = isinstance(values, list) and all(
        isinstance(value, (str, int, float)) for value in values
    )
    if not plain or not values:
        raise SchemaError(
            f"{what!r} of column {name!r} is not a list of values, so the schema was not read. "
            f"Write a list of texts there."
        )
    return tuple(str(value).lower() if isinstance(value, bool) else str(value) for value in values)


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """Return a part of a file that must be a mapping with texts as keys."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise SchemaError(
            f"{what} does not hold names with values, so the schema was not read. "
            f"Compare the file with docs/guide/schema.md; put names that look like numbers or "
            f"truth values in quotes."
        )
    return value


def listed(value: Any, what: str) -> list[Any]:
    """Return a part of a file that must be a list with something in it."""
    if not isinstance(value, list) or not value:
        raise SchemaError(
            f"{what} is not a list with something in it, so the schema was not read. "
            f"Compare the file with docs/guide/schema.md."
        )
    return value


def one_of(tables: Sequence[tuple[str, Any]], wanted: str | None) -> Any:
    """Return the one table that a file describes, or the one that was asked for."""
    found = [table for name, table in tables if wanted in (None, name)]
    names = [name for name, _ in tables]
    if not found:
        raise SchemaError(
            f"the file describes no table {wanted or ''!r}, so the schema was not read. "
            f"{suggest(wanted or '', names)}"
        )
    if len(found) > 1:
        raise SchemaError(
            f"the file describes several tables ({', '.join(names)}), and a schema describes "
            f"one. Name it: Schema.load(path, table=…), or --table on the command line."
        )
    return found[0]


def in_words(value: Any) -> str:
    """Return a text of a file, which may say its language as linked data do; or nothing."""
    text = value.get("@value") if isinstance(value, Mapping) else value
    return text.strip() if isinstance(text, str) else ""


def unused(given: Mapping[str, Any], *used: str) -> tuple[str, ...]:
    """Return the keys that were not used, in order."""
    return tuple(key for key in given if key not in used)


def whole(value: float, *, integer: bool) -> float | int:
    """Return a bound of a column of whole numbers as one, if it is."""
    return int(value) if integer and float(value).is_integer() else value


def _column(attribute: Attribute) -> Column:
    hidden = attribute.read_off
    in_time = attribute.kind is not None
    column = _moments(attribute, hidden) if in_time else _numbers_or_texts(attribute, hidden)
    return replace(column, description=attribute.description)


def _numbers_or_texts(attribute: Attribute, hidden: Sequence[str]) -> Column:
    low, high = None, None
    if attribute.bounds is not None and "bounds" not in hidden:
        low, high = attribute.bounds
    named = attribute.scale is Scale.NOMINAL or attribute.categories is not None
    whole_numbers = attribute.integer and "integer" not in hidden
    impute = None if "missing" in hidden else attribute.impute
    if impute is not None:
        impute = str(impute) if named else _between(impute, low, high)
    said = impute is None and "missing" not in hidden
    return Column(
        name=attribute.name,
        kind="text" if named else "integer" if whole_numbers else "number",
        low=low,
        high=high,
        step=None if "step" in hidden else attribute.step,
        categories=None if "categories" in hidden else attribute.categories,
        ordered=attribute.scale is Scale.ORDINAL,
        required=attribute.missing is Missing.REFUSE if said else None,
        impute=impute,
        # Also if it was guessed: whoever reads the file must not publish it.
        identifier=attribute.is_hidden,
    )


def _moments(attribute: Attribute, hidden: Sequence[str]) -> Column:
    """Return a column of points in time; no other format can name their time zone."""
    low = high = None
    if attribute.bounds is not None and "bounds" not in hidden:
        low, high = (end.isoformat() for end in attribute.bounds)
    named = attribute.zone is None and "kind" not in hidden
    return Column(
        name=attribute.name,
        kind=_as_kind(attribute.kind) if named else "other",
        written=attribute.format,
        low=low if named else None,
        high=high if named else None,
        required=attribute.missing is Missing.REFUSE if "missing" not in hidden else None,
        identifier=attribute.is_hidden,
    )


def _as_kind(moment: Any) -> ForeignKind:
    return next(kind for kind in IN_TIME if kind == moment)


def readable_kind(kind: ForeignKind, written: str | None) -> ForeignKind:
    """Return the kind of points in time, or ``other`` if covey cannot read how they are written."""
    return "other" if kind in IN_TIME and _finest_step(Moment(kind), written) is None else kind


def _finest_step(kind: Moment, written: str | None) -> str | None:
    """Return the finest step that a format can write."""
    for step in STEPS[kind]:
        try:
            return str(Attribute("x", kind=kind, format=written, step=step).step)
        except SchemaError:
            continue
    return None


def _between(impute: float | str, low: float | None, high: float | None) -> float | None:
    """Return a number for missing values, unless it is a special one outside the bounds.

    No other format lists special values, so it would contradict the bounds there.
    """
    if isinstance(impute, str):
        return None
    inside = (low is None or low <= impute) and (high is None or impute <= high)
    return impute if inside else None


def _attribute(column: Column) -> Attribute:
    return replace(_undescribed(column), description=column.description)


def _undescribed(column: Column) -> Attribute:
    if column.kind == "other":
        return Attribute(column.name, role=Role.IDENTIFIER, scale=Scale.NOMINAL)
    role = Role.IDENTIFIER if column.identifier else Role.QUASI_IDENTIFIER
    missing = None
    if column.impute is not None:
        missing = Missing.IMPUTE
    elif column.required:
        missing = Missing.REFUSE
    if column.kind in ("text", "truth"):
        truths = ("false", "true") if column.kind == "truth" else None
        return Attribute(
            column.name,
            role=role,
            scale=Scale.ORDINAL if column.ordered and column.categories else Scale.NOMINAL,
            categories=column.categories or truths,
            missing=missing,
            impute=column.impute,
        )
    both = column.low is not None and column.high is not None
    if column.kind in IN_TIME:
        return Attribute(
            column.name,
            role=role,
            kind=Moment(column.kind),
            format=column.written,
            step=_finest_step(Moment(column.kind), column.written),
            bounds=(column.low, column.high) if both else None,
            missing=missing,
        )
    return Attribute(
        column.name,
        role=role,
        bounds=(column.low or 0.0, column.high or 0.0) if both else None,
        integer=column.kind == "integer",
        step=column.step,
        missing=missing,
        impute=column.impute,
    )


def _refused_truth(value: Any) -> Any:
    if isinstance(value, bool):
        raise TypeError
    return value


def _names(columns: Iterable[Column]) -> str:
    return ", ".join(column.name for column in columns)

"""What does each change of a column's description do?  Pure functions of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import covey
from covey.errors import BoundsError, SchemaError
from covey.studio.listing import targets
from covey.studio.plain import plain
from covey.studio.state import State, decide, with_problem, without_problem
from covey.table import Attribute, Missing, Scale, Schema
from covey.table.calendar import Moment
from covey.table.provenance import FACTS, confirm_facts

CONFIRMED_BY = "the person at Covey Studio"

KINDS_OF_VALUES: dict[str, str] = {
    "numeric": "numbers",
    "ordinal": "ordered categories",
    "nominal": "categories",
    **{str(moment): f"{moment}s" for moment in Moment},
}
"""What values can be: a scale, or a kind of points in time."""


def kind_of_values(attribute: Attribute) -> str:
    """Return what the values of a column are, a key of `KINDS_OF_VALUES`."""
    return str(attribute.scale if attribute.kind is None else attribute.kind)


def edit(state: State, key: str, value: str) -> State:
    """Change one property of one column or of all marked ones, or say in place why it cannot be."""
    target, _, field = key.partition(":")
    chosen = targets(state, target)
    if state.schema is None or not chosen:
        return state
    end = field in ("low", "high")
    place = f"row-{target}-{'bounds' if end else field}"
    schema = state.schema
    try:
        for index in chosen:
            new = _changed(state, schema.attributes[index], target, field, value.strip())
            schema = replace_attribute(schema, new)
    except covey.CoveyError as error:
        kept = with_problem(state, f"typed-{target}:{field}", "", value) if end else state
        return with_problem(kept, place, plain(str(error)), value)
    typed = (f"typed-{target}:low", f"typed-{target}:high") if end else ()
    return decide(without_problem(state, place, *typed, "publish"), schema=schema)


def confirm(state: State, key: str, value: str) -> State:
    """Say that what is known of some columns is, or is not, public knowledge."""
    chosen, schema = targets(state, key), state.schema
    if schema is None or not chosen:
        return state
    for index in chosen:
        old = schema.attributes[index]
        new = _confirmed(schema, old) if value == "true" else _doubted(old)
        schema = replace_attribute(schema, new)
    return decide(without_problem(state, "publish"), schema=schema)


def confirm_kind(state: State, key: str, _: str) -> State:
    """Say of one kind of fact that it is public knowledge for all columns that are published."""
    schema = state.schema
    if schema is None or key not in FACTS:
        return state
    for each in schema:
        if not each.is_hidden and key in schema.drafted(each.name):
            schema = replace_attribute(schema, confirm_facts(each, CONFIRMED_BY, (key,)))
    return decide(without_problem(state, "publish"), schema=schema)


def _confirmed(schema: Schema, old: Attribute) -> Attribute:
    return confirm_facts(old, CONFIRMED_BY, (*old.drafted, *schema.drafted(old.name)))


def _doubted(old: Attribute) -> Attribute:
    kept = tuple(fact for fact in old.imported if fact not in old.said)
    doubted = dict.fromkeys((*old.drafted, *old.confirmed, *old.said))
    return replace(old, drafted=tuple(doubted), confirmed=(), confirmed_by="", imported=kept)


def replace_attribute(schema: Schema, new: Attribute) -> Schema:
    """Return the schema with another description of one column."""
    kept = (new if old.name == new.name else old for old in schema.attributes)
    return replace(schema, attributes=tuple(kept))


def _changed(state: State, attribute: Attribute, target: str, field: str, text: str) -> Attribute:
    if field in ("low", "high"):
        return replace(attribute, bounds=_bounds(state, attribute, target, field, text))
    change = _CHANGES.get(field)
    return attribute if change is None else replace(attribute, **change(attribute, text))


ColumnChange = Callable[[Attribute, str], dict[str, Any]]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";") if part.strip())


def _rescaled(attribute: Attribute, text: str) -> dict[str, Any]:
    """Change what the values are and drop what contradicts it; undo brings it back."""
    if text not in KINDS_OF_VALUES:
        return {}
    moment = text if text in tuple(Moment) else None
    scale = Scale.NUMERIC if moment else Scale(text)
    nominal, numeric = scale is Scale.NOMINAL, scale is Scale.NUMERIC
    same = (attribute.kind is None) == (moment is None) and attribute.kind in (None, moment)
    missing = attribute.missing
    if missing is Missing.IMPUTE:
        missing = Missing.REFUSE
    return {
        "scale": scale,
        "kind": moment,
        "bounds": attribute.bounds if same and not nominal else None,
        "categories": None if numeric else attribute.categories,
        "taxonomy": attribute.taxonomy if nominal else None,
        "special": attribute.special if numeric and same else None,
        "step": attribute.step if numeric and same else None,
        "format": attribute.format if moment and same else None,
        "zone": attribute.zone if moment and same else None,
        "integer": attribute.integer and not nominal and moment is None,
        "unknown": None if numeric else attribute.unknown,
        "missing": missing,
        "impute": None,
    }


def _step(attribute: Attribute, text: str) -> dict[str, Any]:
    if attribute.kind is not None:
        return {"step": text or None}
    try:
        return {"step": float(text) if text else None}
    except ValueError:
        raise SchemaError(
            f"the step of {attribute.name!r} is no number. Give the distance of possible values, "
            f"such as 0.01, or leave it empty."
        ) from None


def _missing(attribute: Attribute, text: str) -> dict[str, Any]:
    if text != Missing.IMPUTE or attribute.impute is not None:
        return {"missing": text, "impute": attribute.impute if text == Missing.IMPUTE else None}
    raise SchemaError(
        f"nothing is said yet about what stands for a missing {attribute.name!r}. Write the value "
        f"first that is to stand for it."
    )


def _impute(attribute: Attribute, text: str) -> dict[str, Any]:
    if not text:
        back = Missing.CATEGORY if attribute.missing is Missing.IMPUTE else attribute.missing
        return {"impute": None, "missing": back}
    return {"impute": _as_value(attribute, text), "missing": Missing.IMPUTE}


def _special(attribute: Attribute, text: str) -> dict[str, Any]:
    values = tuple(_as_value(attribute, part) for part in _listed(text))
    return {"special": values or None}


def _as_value(attribute: Attribute, text: str) -> Any:
    if attribute.is_named:
        return text
    try:
        return float(text)
    except ValueError:
        raise SchemaError(
            f"{attribute.name!r} has numbers, and what was written is none. Write numbers, with a "
            f"decimal point, and semicolons between several."
        ) from None


_CHANGES: dict[str, ColumnChange] = {
    "role": lambda _, text: {"role": text},
    "scale": _rescaled,
    "step": _step,
    "integer": lambda _, text: {"integer": text == "true"},
    "categories": lambda _, text: {"categories": _listed(text) or None},
    "taxonomy": lambda _, text: {"taxonomy": text or None},
    "unknown": lambda _, text: {"unknown": text or None},
    "unit": lambda _, text: {"unit": text},
    "description": lambda _, text: {"description": text},
    "format": lambda _, text: {"format": text or None},
    "missing": _missing,
    "impute": _impute,
    "missing_codes": lambda _, text: {"missing_codes": _listed(text)},
    "special": _special,
}
"""What each field of a column changes."""


def _bounds(
    state: State, attribute: Attribute, target: str, field: str, text: str
) -> tuple[Any, Any] | None:
    other = "high" if field == "low" else "low"
    texts = {field: text, other: typed_bound(state, (attribute,), target, other)}
    if not texts["low"] and not texts["high"]:
        return None
    if attribute.kind is not None:  # written as ISO 8601 does; the attribute reads them
        return texts["low"], texts["high"]
    try:
        low, high = float(texts["low"]), float(texts["high"])
    except ValueError:
        raise BoundsError(
            f"the bounds of {attribute.name!r} are not two numbers yet. Give the smallest and the "
            f"largest possible value, or leave both empty."
        ) from None
    return (low, high)


def typed_bound(state: State, columns: Iterable[Attribute], target: str, field: str) -> str:
    """Return what stands in one of the two fields of the bounds; nothing if columns differ."""
    typed = state.problems.get(f"typed-{target}:{field}")
    if typed is not None:
        return typed.typed
    texts = {_end(each, 0 if field == "low" else 1) for each in columns}
    return texts.pop() if len(texts) == 1 else ""


def _end(attribute: Attribute, place: int) -> str:
    if attribute.bounds is None:
        return ""
    bound = attribute.bounds[place]
    return f"{bound:.12g}" if attribute.kind is None else str(bound.isoformat())

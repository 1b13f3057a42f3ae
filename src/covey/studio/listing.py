"""Which columns does the list of step 2 show, which stand together, and which are being edited?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import groupby

from covey.studio.state import Listing, State
from covey.table import Attribute, Scale, Schema

MANY = 20
"""Alike columns stand together where there are more columns than this."""

FEWEST_ALIKE = 3
"""Fewer columns in a row that are alike stand apart."""


def waits(state: State, attribute: Attribute) -> tuple[str, ...]:
    """Return the facts that were read off the data, for a column that can be published."""
    if state.schema is None or attribute.is_hidden:
        return ()
    return state.schema.drafted(attribute.name)


def misfit_of(state: State, attribute: Attribute) -> str:
    """Return why no release could be made with a column, if that is known."""
    found = None if state.profiles is None else state.profiles.misfits.get(attribute.name)
    return "" if found is None else found.refused


SHOWN: Mapping[str, tuple[str, Callable[[State, Attribute], bool]]] = {
    "all": ("all columns", lambda state, each: bool(state and each)),
    "open": ("to confirm", lambda state, each: bool(waits(state, each))),
    "odd": (
        "with a remark",
        lambda state, each: bool(
            (state.schema and state.schema.reasons.get(each.name)) or misfit_of(state, each)
        ),
    ),
    "hidden": ("not published", lambda _, each: each.is_hidden),
    "number": (
        "numbers",
        lambda _, each: each.scale is Scale.NUMERIC and each.kind is None,
    ),
    "time": ("dates and times", lambda _, each: each.kind is not None),
    "names": ("categories", lambda _, each: each.scale is not Scale.NUMERIC),
}
"""What the list can be narrowed to."""


def shown_columns(state: State) -> tuple[int, ...]:
    """Return the places of the columns that the list shows."""
    if state.schema is None:
        return ()
    listing = state.listing
    fits = SHOWN[listing.show][1]
    wanted = listing.find.casefold()
    return tuple(
        index
        for index, each in enumerate(state.schema)
        if wanted in f"{each.name} {each.description}".casefold() and fits(state, each)
    )


def group_columns(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the shown columns, alike neighbours of a long list together."""
    schema, shown = state.schema, shown_columns(state)
    if schema is None or state.listing.apart or len(schema.names) <= MANY:
        return tuple((index,) for index in shown)
    groups: list[tuple[int, ...]] = []
    for _, run in groupby(shown, key=lambda index: _likeness(schema, schema.attributes[index])):
        members = tuple(run)
        groups += [members] if len(members) >= FEWEST_ALIKE else [(index,) for index in members]
    return tuple(groups)


def _likeness(schema: Schema, attribute: Attribute) -> tuple[object, ...]:
    """Return what alike columns have in common: numbered names, and facts of the same kinds."""
    stem = re.sub(r"\d+", "#", attribute.name)
    apart = attribute.name if stem == attribute.name else ""
    marked = schema.drafted(attribute.name)
    plain = replace(
        attribute,
        name="x",
        bounds=None,
        step=None,
        special=None,
        impute=None,
        description="",
        missing=None,
        drafted=(),
    )
    return stem, apart, plain, attribute.missing, marked, bool(attribute.bounds)


def targets(state: State, key: str) -> tuple[int, ...]:
    """Return the places of the columns that a key means: one by its place, or all marked ones."""
    if state.schema is None:
        return ()
    names = state.schema.names
    if key == "marked":
        return tuple(i for i, name in enumerate(names) if name in state.listing.marked)
    parts = [part for part in key.split(",") if part.isdecimal() and int(part) < len(names)]
    return tuple(map(int, parts))


def edited(state: State) -> tuple[int, ...]:
    """Return the places of the columns whose facts can be changed now."""
    marked = targets(state, "marked")
    if marked or state.schema is None:
        return marked
    names = state.schema.names
    if state.listing.open in names:
        return (names.index(state.listing.open),)
    published = (i for i, each in enumerate(state.schema) if not each.is_hidden)
    return (next(published, 0),)


def open_column(state: State, key: str, _: str) -> State:
    """Edit a column, or all of a group together."""
    chosen = targets(state, key)
    if state.schema is None or not chosen:
        return state
    names = [state.schema.names[index] for index in chosen]
    marked = frozenset(names) if len(names) > 1 else frozenset()
    return _listed(state, open=names[0], marked=marked)


def mark_columns(state: State, key: str, value: str) -> State:
    """Mark columns, or take the mark away, so that they can be changed together."""
    chosen = shown_columns(state) if key == "shown" else targets(state, key)
    if state.schema is None:
        return state
    names = frozenset(state.schema.names[index] for index in chosen)
    marked = state.listing.marked
    return _listed(state, marked=marked | names if value == "true" else marked - names)


def find_columns(state: State, _: str, value: str) -> State:
    """Narrow the list to columns whose name holds a text."""
    return _listed(state, find=value.strip())


def show_columns(state: State, _: str, value: str) -> State:
    """Narrow the list to columns of some kind."""
    return _listed(state, show=value) if value in SHOWN else state


def stand_apart(state: State, _: str, value: str) -> State:
    """Let alike columns stand together, or apart."""
    return _listed(state, apart=value != "true")


def _listed(state: State, **changes: object) -> State:
    listing: Listing = replace(state.listing, **changes)  # type: ignore[arg-type]
    return replace(state, listing=listing)

"""The list of columns in step 2: one line for each, alike ones together."""

from __future__ import annotations

from collections.abc import Sequence

from htmltools import Tag, TagChild, tags

from covey.studio.describing import KINDS_OF_VALUES, kind_of_values
from covey.studio.listing import (
    MANY,
    SHOWN,
    edited,
    group_columns,
    misfit_of,
    shown_columns,
    waits,
)
from covey.studio.plain import plain
from covey.studio.sketch import sketch
from covey.studio.state import State
from covey.studio.widgets import checkbox, select_field, text_field
from covey.table import Attribute, Scale

SHORT_KINDS = {"ordinal": "ordered", "numeric": "numbers", "datetime": "date, time"}
"""Kinds of values in a word, where the usual name is long."""

FEW_TO_SEARCH = 12
"""Fewer columns need no search."""


def column_list(state: State) -> Tag:
    """Return the list with what narrows it."""
    shown = shown_columns(state)
    everything = len(state.schema.names) if state.schema else 0
    on = set(edited(state))
    groups = group_columns(state)
    return tags.section(
        {"class": "columns", "aria-label": "Columns"},
        _narrowing(state, len(shown), everything) if everything > FEW_TO_SEARCH else None,
        tags.table(
            {"class": "column-table"},
            tags.thead(_head(state, shown)),
            tags.tbody(*(_line(state, members, on=on) for members in groups)),
        ),
        tags.p("No column is like that.", {"class": "hint"}) if not shown else None,
    )


def _narrowing(state: State, shown: int, everything: int) -> Tag:
    listing = state.listing
    options = [(key, title) for key, (title, _) in SHOWN.items()]
    return tags.div(
        {"class": "narrowing"},
        text_field("Find", "column-find", "column-find", "", value=listing.find),
        select_field("Show", "column-show", "column-show", "", value=listing.show, options=options),
        checkbox("Alike ones together", "column-group", "column-group", "", on=not listing.apart)
        if everything > MANY
        else None,
        tags.span(f"{shown} of {everything} columns", {"class": "hint"}, role="status"),
    )


def _head(state: State, shown: Sequence[int]) -> Tag:
    names = state.schema.names if state.schema else ()
    marked = bool(shown) and all(names[index] in state.listing.marked for index in shown)
    return tags.tr(
        tags.th(_mark("shown", "all shown columns", on=marked), scope="col"),
        *(
            tags.th(title, {"class": look}, scope="col")
            for title, look in (
                ("Column", ""),
                ("Values", "kind"),
                ("Spread", "spread"),
                ("Gaps", "gaps"),
                ("What is possible", "possible"),
                ("Public?", ""),
            )
        ),
    )


def _mark(key: str, name: str, *, on: bool) -> Tag:
    return tags.input(
        {"data-do": "column-mark", "data-key": key},
        id=f"mark-{key.replace(',', '-')}",
        type="checkbox",
        checked="checked" if on else None,
        aria_label=f"Mark {name}",
    )


def _line(state: State, members: Sequence[int], *, on: set[int]) -> Tag:
    assert state.schema is not None  # noqa: S101 — the members are places in it
    columns = [state.schema.attributes[index] for index in members]
    first, key = columns[0], ",".join(map(str, members))
    name = first.name if len(columns) == 1 else f"{first.name} … {columns[-1].name}"
    hidden = first.is_hidden
    kind = kind_of_values(first)
    look = "column on" if on >= set(members) else "column"
    return tags.tr(
        {"class": f"{look} hidden-column" if hidden else look, "id": f"column-{members[0]}"},
        tags.td(_mark(key, name, on=all(each.name in state.listing.marked for each in columns))),
        tags.th(
            tags.button(
                tags.span(name),
                tags.span(f" {len(columns)}", {"class": "many"}) if len(columns) > 1 else None,
                {"data-do": "column-open", "data-key": key, "class": "name"},
                type="button",
                id=f"open-{members[0]}",
                title=name,
                aria_expanded="true" if on >= set(members) else "false",
            ),
            scope="row",
        ),
        tags.td("" if hidden else SHORT_KINDS.get(kind, KINDS_OF_VALUES[kind]), {"class": "kind"}),
        tags.td(_sketched(state, first), {"class": "spread"}),
        tags.td(_gaps(state, columns), {"class": "gaps"}),
        tags.td(_possible(state, columns), {"class": "possible"}),
        tags.td(_status(state, columns)),
    )


def _sketched(state: State, column: Attribute) -> TagChild:
    found = None if state.profiles is None else state.profiles.columns.get(column.name)
    if found is None or column.is_hidden:
        return None
    return sketch(found.bars, gaps=found.gaps)


def _gaps(state: State, columns: Sequence[Attribute]) -> str:
    known = {} if state.profiles is None else state.profiles.columns
    found = [known[each.name] for each in columns if each.name in known]
    if not found:
        return ""
    worst = max(each.gaps / max(each.n, 1) for each in found)
    return "" if not worst else "< 1 %" if worst < 0.01 else f"{100 * worst:.0f} %"  # noqa: PLR2004


def _possible(state: State, columns: Sequence[Attribute]) -> TagChild:
    first = columns[0]
    if first.is_hidden:
        reasons = () if state.schema is None else state.schema.reasons.get(first.name, ())
        why = plain(reasons[0]) if reasons else "An identifier."
        return tags.span(f"Not published. {why}", title=why)
    text = possible_values(first) if len(columns) == 1 else _of_several(columns)
    return tags.span(text, title=text)


def _of_several(columns: Sequence[Attribute]) -> str:
    each = {possible_values(column) for column in columns}
    if len(each) == 1:
        return each.pop()
    limits = [column.bounds for column in columns if column.bounds is not None]
    if not limits:
        return "several"
    low, high = min(pair[0] for pair in limits), max(pair[1] for pair in limits)
    return f"each within {_told(low)} to {_told(high)}"


def possible_values(column: Attribute) -> str:
    """Say in a line what values are possible."""
    if column.bounds is not None:
        low, high = map(_told, column.bounds)
        whole = ", whole numbers" if column.integer else ""
        unit = f" {column.unit}" if column.unit else ""
        return f"{low} to {high}{unit}{whole}"
    if column.categories is not None:
        return f"{len(column.categories)}: {', '.join(column.categories)}"
    if column.taxonomy is not None:
        return f"those of {column.taxonomy}"
    return "nothing said yet"


def _told(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _status(state: State, columns: Sequence[Attribute]) -> Tag:
    first = columns[0]
    if first.is_hidden:
        return tags.span("left out", {"class": "state grey"})
    if any(misfit_of(state, each) for each in columns):
        return tags.span("does not fit", {"class": "state red"})
    if any(waits(state, each) for each in columns):
        return tags.span("to confirm", {"class": "state amber"})
    known = first.bounds is not None or first.categories is not None or first.taxonomy is not None
    if not known and first.scale in tuple(Scale):
        return tags.span("no range", {"class": "state red"})
    return tags.span("public", {"class": "state green"})

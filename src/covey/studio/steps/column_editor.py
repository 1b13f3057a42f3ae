"""What is said of a column in step 2, or of all marked ones together, and how it is changed."""

from __future__ import annotations

from collections.abc import Sequence

from htmltools import Tag, TagChild, tags

from covey.studio.listing import edited, misfit_of, waits
from covey.studio.plain import plain
from covey.studio.sketch import sketch
from covey.studio.state import State
from covey.studio.steps.column_fields import column_fields
from covey.studio.widgets import button, checkbox, message, notice, problem_at
from covey.table import Attribute
from covey.table.provenance import FACTS, told_value

FIELDS = (
    *("role", "scale", "missing", "impute", "missing_codes", "bounds", "step", "integer"),
    *("special", "format", "categories", "unknown", "taxonomy", "unit", "description"),
)


def column_editor(state: State) -> Tag:
    """Return what is known of the column that is open, and the fields that change it."""
    chosen = edited(state)
    if state.schema is None or not chosen:
        return tags.div(
            {"class": "panel editor", "id": "editor"},
            tags.h2("A column"),
            tags.p("Choose a column to see how it looks, or mark several.", {"class": "hint"}),
        )
    columns = [state.schema.attributes[index] for index in chosen]
    target = str(chosen[0]) if len(chosen) == 1 else "marked"
    return tags.div(
        {"class": "panel editor", "id": "editor", "role": "group", "aria-label": "The column"},
        _one(state, columns[0]) if len(columns) == 1 else _several(state, chosen, columns),
        _public(state, columns, target),
        tags.div({"class": "fields"}, *column_fields(state, columns, target)),
        *(problem_at(state, f"row-{target}-{field}") for field in FIELDS),
        button("Back to the list", "column-list", look="quiet", id="to-list"),
    )


def _one(state: State, column: Attribute) -> TagChild:
    reasons = () if state.schema is None else state.schema.reasons.get(column.name, ())
    return tags.div(
        tags.h2(column.name),
        tags.p(column.description, {"class": "hint"}) if column.description else None,
        _profile(state, column),
        *(notice(plain(each)) for each in reasons),
        message(plain(misfit_of(state, column))),
    )


def _several(state: State, chosen: Sequence[int], columns: Sequence[Attribute]) -> Tag:
    del state
    names = (
        button(each.name, "column-open", str(index), look="quiet")
        for index, each in zip(chosen, columns, strict=True)
    )
    return tags.div(
        tags.h2(f"{len(columns)} columns together"),
        tags.p("What you change here is changed in all of them.", {"class": "hint"}),
        tags.details(tags.summary("Which ones"), tags.div({"class": "names"}, *names)),
    )


def _profile(state: State, column: Attribute) -> TagChild:
    if state.profiles is None:
        return tags.p("Looking at its values …", {"class": "hint"}, role="status")
    found = state.profiles.columns.get(column.name)
    if found is None:
        return None
    misfit = state.profiles.misfits.get(column.name)
    ends = "" if not found.ends else f", from {found.ends[0]} to {found.ends[1]}"
    listed = ", ".join(f"{text} {count:,}" for text, count in found.frequent)
    written = ", ".join(pattern for pattern, _ in found.patterns[:4])
    outside = 0 if misfit is None else misfit.outside
    hidden = column.is_hidden
    return tags.div(
        {"class": "profile"},
        sketch(found.bars, gaps=found.gaps, title=f"How the values of {column.name} are spread")
        if not hidden
        else None,
        tags.p(
            f"{found.distinct:,} different values{'' if hidden else ends}; "
            f"{found.gaps:,} of {found.n:,} records have none."
        ),
        tags.p(f"Most frequent: {listed}.") if listed else None,
        tags.p(f"Written like {written}.", title="A and a stand for letters, 9 for a digit.")
        if written
        else None,
        tags.p(f"{outside:,} lie outside the bounds and would be moved to the nearer one.")
        if outside
        else None,
    )


def _public(state: State, columns: Sequence[Attribute], target: str) -> TagChild:
    published = [each for each in columns if not each.is_hidden]
    if not published:
        return None
    marked = {fact for each in published for fact in waits(state, each)}
    nothing = all(
        each.bounds is None and each.categories is None and each.taxonomy is None
        for each in published
    )
    if nothing and not marked:
        return tags.p("Nobody has said what is possible, so it has no public range.")
    one = published[0] if len(columns) == 1 else None
    told = [_told(one, fact) for fact in FACTS if fact in marked]
    return tags.div(
        {"class": "flagbox" if marked else "flagbox fine", "id": f"public-box-{target}"},
        checkbox(
            "This is public knowledge, whoever is in the data",
            f"public-{target}",
            "confirm",
            target,
            on=not marked,
        ),
        tags.p(f"Read off the data: {', '.join(told)}.", {"class": "hint"}) if told else None,
    )


def _told(column: Attribute | None, fact: str) -> str:
    """Name a fact, with what it says where no field nearby shows it."""
    name = fact.replace("_", " ")
    hidden = ("integer", "kind", "missing", "special", "step", "missing_codes", "unknown")
    return name if column is None or fact not in hidden else f"{name}: {told_value(column, fact)}"

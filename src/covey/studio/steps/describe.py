"""Step 2: what do the columns mean, and what about them is public knowledge?"""

from __future__ import annotations

from htmltools import Tag, TagChild, tags

from covey.studio.moves import typed_bound
from covey.studio.parts import (
    back,
    button,
    choice,
    file_field,
    heading,
    onward,
    problem,
    text_field,
    tick,
)
from covey.studio.state import State, Step
from covey.table import Attribute, Role, Scale

ROLES = (
    (Role.IDENTIFIER, "identifier"),
    (Role.QUASI_IDENTIFIER, "quasi-identifier"),
    (Role.CONFIDENTIAL, "confidential"),
    (Role.NON_CONFIDENTIAL, "not confidential"),
)
SCALES = (
    (Scale.NUMERIC, "numbers"),
    (Scale.ORDINAL, "ordered categories"),
    (Scale.NOMINAL, "categories"),
)

LARGEST_TAXONOMY = 10 * 2**20
"""Bytes of a taxonomy."""


def describe(state: State) -> Tag:
    """Return the second step: one row for each column."""
    if state.schema is None:
        return _graph()
    flagged = sum(_open(a) for a in state.schema)
    return tags.div(
        heading(
            "What do the columns mean?",
            "Covey has drafted this for you. Correct what is wrong, and say which bounds and "
            "categories are public knowledge: from a law, a questionnaire, a code book. "
            "Identifiers are never published; quasi-identifiers are what others may know.",
        ),
        _flags(flagged),
        tags.div(
            {"class": "rows"},
            _head(),
            *(_row(state, index, each) for index, each in enumerate(state.schema.attributes)),
        ),
        _taxonomies(state),
        onward(back(Step.DATA), button("Choose a system", "go", Step.CHOOSE, look="main")),
    )


def _graph() -> Tag:
    return tags.div(
        heading(
            "A graph needs no description",
            "Its nodes have no columns. What is protected, one edge or one node, is decided in "
            "the next step.",
        ),
        onward(back(Step.DATA), button("Choose a system", "go", Step.CHOOSE, look="main")),
    )


def _open(attribute: Attribute) -> bool:
    return attribute.relies_on_data and attribute.role is not Role.IDENTIFIER


def _flags(flagged: int) -> Tag:
    if not flagged:
        return tags.div(
            {"class": "flagbox fine", "role": "status"}, "All bounds and categories are public."
        )
    # Always one line, so that no row moves away from under the mouse.
    return tags.div(
        {"class": "flagbox", "role": "status"},
        tags.strong(f"{flagged} to confirm. "),
        "No guarantee may rest on what was read off the data: write what you know, then tick it.",
    )


def _head() -> Tag:
    titles = ("Column", "Role", "Scale", "What is possible", "Unit or taxonomy", "Public?")
    return tags.div(
        {"class": "row-head", "aria-hidden": "true"}, *(tags.span(title) for title in titles)
    )


def _row(state: State, index: int, attribute: Attribute) -> Tag:
    published = attribute.role is not Role.IDENTIFIER
    unit = text_field(
        "Unit", f"unit-{index}", "edit", f"{index}:unit", value=attribute.unit, placeholder="none"
    )
    return tags.div(
        {
            "class": "row flagged" if _open(attribute) else "row",
            "role": "group",
            "aria-label": attribute.name,
        },
        tags.span(attribute.name, {"class": "row-name"}),
        choice(
            "Role", f"role-{index}", "edit", f"{index}:role", value=attribute.role, options=ROLES
        ),
        choice(
            "Scale",
            f"scale-{index}",
            "edit",
            f"{index}:scale",
            value=attribute.scale,
            options=SCALES,
        ),
        _range(state, index, attribute)
        if published
        else tags.span("not published", {"class": "soft"}),
        tags.div(
            {"class": "more"},
            unit if published and attribute.scale is Scale.NUMERIC else None,
            _taxonomy(state, index, attribute) if published else None,
        ),
        _public(index, attribute) if published else tags.span(),
        *(
            problem(state, f"row-{index}-{field}")
            for field in ("bounds", "categories", "role", "scale", "unit", "taxonomy")
        ),
    )


def _range(state: State, index: int, attribute: Attribute) -> TagChild:
    if attribute.scale is Scale.NUMERIC or (
        attribute.scale is Scale.ORDINAL and attribute.categories is None and attribute.bounds
    ):
        place = f"row-{index}-bounds"
        wrong = f"message-{place}" if place in state.problems else ""
        fields = [
            text_field(
                label,
                f"{field}-{index}",
                "edit",
                f"{index}:{field}",
                value=typed_bound(state, attribute, index, field),
                elsewhere=wrong,
                inputmode="decimal",
                placeholder="unknown",
            )
            for field, label in (("low", "Smallest"), ("high", "Largest"))
        ]
        return tags.div({"class": "pair wide"}, *fields)
    failed = state.problems.get(f"row-{index}-categories")
    listed = "; ".join(attribute.categories or ())
    order = "Values, lowest first" if attribute.scale is Scale.ORDINAL else "Values"
    return tags.div(
        {"class": "wide"},
        text_field(
            order,
            f"categories-{index}",
            "edit",
            f"{index}:categories",
            value=failed.typed if failed else listed,
            elsewhere=f"message-row-{index}-categories" if failed else "",
            placeholder="one; another; a third",
            title="Separate values by semicolons.",
        ),
    )


def _taxonomy(state: State, index: int, attribute: Attribute) -> TagChild:
    if attribute.scale is not Scale.NOMINAL or not state.taxonomies:
        return None
    options = [("", "none"), *((name, name) for name in state.taxonomies)]
    key = f"{index}:taxonomy"
    return choice(
        "Taxonomy",
        f"taxonomy-{index}",
        "edit",
        key,
        value=attribute.taxonomy or "",
        options=options,
    )


def _public(index: int, attribute: Attribute) -> TagChild:
    if attribute.bounds is None and attribute.categories is None:
        return tags.p("No public range", {"class": "chip none"})
    return tags.div(
        {"class": "public"},
        tick(
            "public knowledge",
            f"public-{index}",
            "confirm",
            str(index),
            on=not attribute.relies_on_data,
        ),
        tags.span("read off the data", {"class": "chip warn"})
        if attribute.relies_on_data
        else None,
    )


def _taxonomies(state: State) -> Tag:
    listed = ", ".join(state.taxonomies)
    return tags.details(
        tags.summary("Taxonomies of categories"),
        tags.p(
            "A taxonomy says which categories are near each other. It is a CSV file with the "
            "columns child and parent, and it must not be made from these data."
        ),
        file_field(
            "Add a taxonomy file", "taxonomy-file", "taxonomy", accept=".csv", most=LARGEST_TAXONOMY
        ),
        problem(state, "taxonomy"),
        tags.p(f"Here so far: {listed}.", {"class": "hint"}) if listed else None,
        open="open" if state.taxonomies or "taxonomy" in state.problems else None,
    )

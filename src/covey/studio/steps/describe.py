"""Step 2, describe: what do the columns mean, and what about them is public knowledge?"""

from __future__ import annotations

from htmltools import Tag, TagChild, tags

from covey.studio.actions import typed_bound
from covey.studio.settings import nodes_problem
from covey.studio.state import State, Step
from covey.studio.widgets import (
    back_button,
    button,
    button_row,
    checkbox,
    file_field,
    heading,
    problem_at,
    select_field,
    text_field,
)
from covey.table import Attribute, Role, Scale
from covey.table.provenance import FACTS, told_value

ROLES = (
    (Role.IDENTIFIER, "identifier"),
    (Role.QUASI_IDENTIFIER, "quasi-identifier"),
    (Role.CONFIDENTIAL, "confidential"),
    (Role.NON_CONFIDENTIAL, "not confidential"),
    (Role.WEIGHT, "survey weight"),
)
SCALES = (
    (Scale.NUMERIC, "numbers"),
    (Scale.ORDINAL, "ordered categories"),
    (Scale.NOMINAL, "categories"),
)

LARGEST_TAXONOMY = 10 * 2**20
"""Bytes of a taxonomy."""


def describe_view(state: State) -> Tag:
    """Return the second step: one row for each column."""
    if state.schema is None:
        return _graph(state)
    flagged = sum(bool(_to_confirm(state, a)) for a in state.schema)
    return tags.div(
        heading(
            "What do the columns mean?",
            "Covey has drafted this for you. Correct what is wrong, and say what is public "
            "knowledge whoever is in the data: from a law, a questionnaire, a code book. "
            "Identifiers are never published; quasi-identifiers are what others may know.",
        ),
        _flags(flagged),
        tags.div(
            {"class": "rows"},
            _head(),
            *(_row(state, index, each) for index, each in enumerate(state.schema.attributes)),
        ),
        _taxonomies(state),
        button_row(
            back_button(Step.DATA), button("Say what it is for", "go", Step.CHOOSE, look="main")
        ),
    )


def _graph(state: State) -> Tag:
    return tags.div(
        heading(
            "Who is in the network?",
            "Its nodes have no columns. What is protected, one edge or one node, is decided in "
            "the next step.",
        ),
        text_field(
            "How many nodes are there in all, those without an edge included?",
            "nodes",
            "nodes",
            "",
            value=state.decisions.nodes,
            problem=nodes_problem(state),
            hint="The file names those who have an edge, and that alone would tell about single "
            "edges. Without this number no guarantee can be given.",
            inputmode="numeric",
        ),
        button_row(
            back_button(Step.DATA), button("Say what it is for", "go", Step.CHOOSE, look="main")
        ),
    )


def _to_confirm(state: State, attribute: Attribute) -> tuple[str, ...]:
    """Return the facts that were read off the data, for a column that can be published."""
    if state.schema is None or attribute.is_hidden:
        return ()
    return state.schema.drafted(attribute.name)


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
    published = not attribute.is_hidden
    unit = text_field(
        "Unit", f"unit-{index}", "edit", f"{index}:unit", value=attribute.unit, placeholder="none"
    )
    return tags.div(
        {
            "class": "row flagged" if _to_confirm(state, attribute) else "row",
            "role": "group",
            "aria-label": attribute.name,
        },
        tags.span(attribute.name, {"class": "row-name"}),
        select_field(
            "Role", f"role-{index}", "edit", f"{index}:role", value=attribute.role, options=ROLES
        ),
        select_field(
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
            _step(state, index, attribute)
            if published and attribute.scale is Scale.NUMERIC
            else None,
            _taxonomy(state, index, attribute) if published else None,
        ),
        _public(state, index, attribute) if published else tags.span(),
        *(
            problem_at(state, f"row-{index}-{field}")
            for field in ("bounds", "categories", "role", "scale", "unit", "step", "taxonomy")
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


def _step(state: State, index: int, attribute: Attribute) -> Tag:
    failed = state.problems.get(f"row-{index}-step")
    known = "" if attribute.step is None else attribute.step
    if isinstance(known, float):
        known = f"{known:.15g}"
    return text_field(
        "Step",
        f"step-{index}",
        "edit",
        f"{index}:step",
        value=failed.typed if failed else known,
        elsewhere=f"message-row-{index}-step" if failed else "",
        inputmode="text" if attribute.kind is not None else "decimal",
        placeholder="1" if attribute.integer else "none",
        title="How far possible values are apart: 0.01 for prices in cents.",
    )


def _taxonomy(state: State, index: int, attribute: Attribute) -> TagChild:
    if attribute.scale is not Scale.NOMINAL or not state.taxonomies:
        return None
    options = [("", "none"), *((name, name) for name in state.taxonomies)]
    key = f"{index}:taxonomy"
    return select_field(
        "Taxonomy",
        f"taxonomy-{index}",
        "edit",
        key,
        value=attribute.taxonomy or "",
        options=options,
    )


def _public(state: State, index: int, attribute: Attribute) -> TagChild:
    marked = _to_confirm(state, attribute)
    if attribute.bounds is None and attribute.categories is None and not marked:
        return tags.p("No public range", {"class": "chip none"})
    decides = "; ".join(f"{fact}: {FACTS[fact]}" for fact in marked)
    return tags.div(
        {"class": "public"},
        checkbox("public knowledge", f"public-{index}", "confirm", str(index), on=not marked),
        tags.span("read off the data", {"class": "chip warn", "title": decides})
        if marked
        else None,
        tags.span(_told(attribute, marked), {"class": "hint"}) if marked else None,
    )


def _told(attribute: Attribute, marked: tuple[str, ...]) -> str:
    """Name facts; those that no field of the row shows, with what they say."""
    hidden = ("integer", "kind", "missing", "special", "step")
    return ", ".join(
        f"{fact}: {told_value(attribute, fact)}" if fact in hidden else fact for fact in marked
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
        problem_at(state, "taxonomy"),
        tags.p(f"Here so far: {listed}.", {"class": "hint"}) if listed else None,
        open="open" if state.taxonomies or "taxonomy" in state.problems else None,
    )

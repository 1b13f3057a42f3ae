"""Step 2, describe: what do the columns mean, and what about them is public knowledge?"""

from __future__ import annotations

from htmltools import Tag, TagChild, tags

from covey.studio.listing import waits
from covey.studio.settings import nodes_problem
from covey.studio.state import State, Step
from covey.studio.steps.column_editor import column_editor
from covey.studio.steps.column_fields import GAP_CHOICES
from covey.studio.steps.columns import column_list
from covey.studio.widgets import (
    back_button,
    button,
    button_row,
    file_field,
    heading,
    notice,
    problem_at,
    text_field,
)
from covey.table import Attribute
from covey.table.provenance import FACTS, told_value

LARGEST_DESCRIPTION = 10 * 2**20
"""Bytes of a taxonomy, a code book, a schema or a plan."""

VALUES_TOLD = 5
"""So many values of a list are told there."""

FACT_TITLES = {
    "bounds": "Smallest and largest value",
    "categories": "The list of values",
    "taxonomy": "The taxonomy",
    "missing": "What a missing value means",
    "missing_codes": "What else means missing",
    "unknown": "What other values count as",
    "integer": "Whether only whole numbers are possible",
    "kind": "Dates and times",
    "step": "How far values are apart",
    "special": "Numbers with a meaning of their own",
    "role": "Whether it is published",
    "scale": "Numbers, an order, or categories",
}
"""What facts are called, by their names in `FACTS`."""

COLUMNS_TOLD = 12
"""So many columns are told with a fact before it is confirmed for all; others are counted."""


def describe_view(state: State) -> Tag:
    """Return the second step: the columns in a list, and one of them beside it."""
    if state.schema is None:
        return _graph(state)
    return tags.div(
        heading(
            "What do the columns mean?",
            "Covey has drafted this for you. Correct what is wrong, and confirm what is public "
            "knowledge whoever is in the data: from a law, a questionnaire, a code book.",
        ),
        _flags(state),
        *(notice(each) for each in state.told),
        _files(state),
        tags.div({"class": "describing"}, column_list(state), column_editor(state)),
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
        file_field(
            "Count them from a list",
            "nodes-file",
            "nodes",
            accept=".txt,.csv",
            most=LARGEST_DESCRIPTION,
            hint="A text with one node on each line, known without the edges. Directions are "
            "dropped: a contact is a contact.",
        ),
        problem_at(state, "nodes"),
        button_row(
            back_button(Step.DATA), button("Say what it is for", "go", Step.CHOOSE, look="main")
        ),
    )


def _flags(state: State) -> Tag:
    """Say how many columns wait, and offer to confirm facts of one kind for all of them."""
    assert state.schema is not None  # noqa: S101 — a graph has no columns
    waiting = {each.name: waits(state, each) for each in state.schema if waits(state, each)}
    if not waiting:
        return tags.div(
            {"class": "flagbox fine", "role": "status", "id": "flags"},
            "All bounds and categories are public.",
        )
    kinds = {
        fact: [name for name, facts in waiting.items() if fact in facts]
        for fact in FACTS
        if any(fact in facts for facts in waiting.values())
    }
    return tags.div(
        {"class": "flagbox", "id": "flags"},
        tags.p(
            tags.strong(f"{len(waiting)} to confirm. "),
            "No guarantee may rest on what was read off the data: write what you know, then "
            "confirm it.",
            role="status",
        ),
        tags.details(
            tags.summary("Confirm facts of one kind for all columns"),
            tags.ul(
                {"class": "kinds"},
                *(_kind(state, fact, names) for fact, names in kinds.items()),
            ),
            id="kinds",
        ),
    )


def _kind(state: State, fact: str, names: list[str]) -> Tag:
    assert state.schema is not None  # noqa: S101 — the names are those of its columns
    schema = state.schema
    told = [f"{name}: {_short(schema[name], fact)}" for name in names[:COLUMNS_TOLD]]
    more = f"; and {len(names) - COLUMNS_TOLD} more" if len(names) > COLUMNS_TOLD else ""
    title = FACT_TITLES[fact]
    which = "1 column" if len(names) == 1 else f"{len(names)} columns"
    return tags.li(
        button(
            f"Confirm for {which}",
            "confirm-kind",
            fact,
            look="second",
            id=f"confirm-{fact}",
        ),
        tags.p(
            tags.strong(title),
            f" ({FACTS[fact]}): {'; '.join(told)}{more}.",
        ),
    )


def _short(attribute: Attribute, fact: str) -> str:
    """Say what would be confirmed; of a long list its beginning."""
    listed = getattr(attribute, fact)
    if fact == "missing":
        return dict(GAP_CHOICES)[attribute.missing] if attribute.missing else ""
    if isinstance(listed, tuple) and len(listed) > VALUES_TOLD and fact != "bounds":
        return f"{', '.join(map(str, listed[:VALUES_TOLD]))} … {len(listed)} in all"
    return told_value(attribute, fact)


def _files(state: State) -> Tag:
    """Load and save what is said of the columns."""
    wrong = "taxonomy" in state.problems or "book" in state.problems
    return tags.details(
        tags.summary("Load or save a description"),
        tags.div(
            {"class": "three"},
            tags.div(
                tags.p(
                    "A description that was saved here, a plan, or a code book: a table with the "
                    "columns name, values, min, max and label, CSVW, Frictionless or SmartNoise "
                    "metadata, or an SPSS file with labels."
                ),
                file_field(
                    "Load a description",
                    "book-file",
                    "book",
                    accept=".toml,.json,.yaml,.yml,.csv,.tsv,.txt,.xlsx,.sav,.zsav",
                    most=LARGEST_DESCRIPTION,
                ),
                problem_at(state, "book"),
            ),
            tags.div(
                tags.p("To go on another day, or on the command line."),
                _saved("schema.toml", "Save the description"),
                _saved("plan.toml", "Save the plan") if state.system else None,
            ),
            tags.div(
                tags.p(
                    "A taxonomy says which categories are near each other: a CSV file with the "
                    "columns child and parent, which must not be made from these data."
                ),
                file_field(
                    "Add a taxonomy file",
                    "taxonomy-file",
                    "taxonomy",
                    accept=".csv",
                    most=LARGEST_DESCRIPTION,
                ),
                problem_at(state, "taxonomy"),
                _listed(state),
            ),
        ),
        open="open" if wrong else None,
        id="description-files",
    )


def _listed(state: State) -> TagChild:
    listed = ", ".join(state.taxonomies)
    return tags.p(f"Here so far: {listed}.", {"class": "hint"}) if listed else None


def _saved(name: str, title: str) -> Tag:
    return tags.a(title, {"class": "button second save", "download": name}, href=f"take/{name}")

"""Step 1: which data?"""

from __future__ import annotations

from htmltools import Tag, TagChild, tags

from covey.studio.found import Source
from covey.studio.parts import bar, button, facts, file_field, heading, onward, problem
from covey.studio.state import State, Step

LARGEST = 500 * 2**20
"""Bytes of a file; what is larger belongs on the command line."""

ACCEPT = {
    "table": ".csv,.gz,.parquet",
    "graph": ".txt,.csv,.tsv,.edges,.edgelist,.gz,.parquet",
}


def data(state: State) -> Tag:
    """Return the first step: a file or the example, and what is in it."""
    reading = state.working is not None and state.working.name == "look"
    return tags.div(
        heading(
            "Which data do you want to publish?",
            "The file is read on this machine and never leaves it. A private copy is kept while "
            "this page runs and removed at the end.",
        ),
        tags.div({"class": "two"}, _upload(state), _example()),
        _reading(state) if reading else _opened(state.source),
        onward(
            button(
                "Describe the columns" if state.kind == "table" else "Choose a system",
                "go",
                Step.DESCRIBE if state.kind == "table" else Step.CHOOSE,
                look="main",
            )
        )
        if state.source is not None and not reading
        else None,
    )


def _upload(state: State) -> Tag:
    kinds = [
        tags.label(
            {"class": "tick", "for": f"kind-{kind}"},
            tags.input(
                {"data-do": "kind", "data-key": kind},
                type="radio",
                name="kind",
                id=f"kind-{kind}",
                checked="checked" if state.kind == kind else None,
            ),
            tags.span(text),
        )
        for kind, text in (
            ("table", "A table: one record on each line"),
            ("graph", "A graph: one edge on each line"),
        )
    ]
    endings = "CSV or Parquet" if state.kind == "table" else "Edge list: text, CSV or Parquet"
    return tags.div(
        {"class": "panel", "id": "drop"},
        tags.h2("Your file"),
        tags.fieldset(tags.legend("What is in it?", {"class": "hidden"}), *kinds),
        file_field(
            "Choose a file",
            "file",
            "data",
            accept=ACCEPT[state.kind],
            most=LARGEST,
            hint=f"{endings}, up to 500 MB. Or drop it here.",
        ),
        problem(state, "data"),
    )


def _example() -> Tag:
    return tags.div(
        {"class": "panel"},
        tags.h2("Or try it out"),
        tags.p(
            "20,190 person-years of the RAND Health Insurance Experiment, which are public: "
            "visits to the doctor, illness, and insurance. They come with a description."
        ),
        button("Use the example", "example", look="second"),
    )


def _reading(state: State) -> TagChild:
    if state.working is None:
        return None
    return tags.div({"class": "still"}, bar(state.working), button("Stop", "cancel", look="second"))


def _opened(source: Source | None) -> TagChild:
    if source is None:
        return None
    head = tags.tr(*(tags.th(name, scope="col") for name in source.columns))
    rows = [tags.tr(*(tags.td(text) for text in row)) for row in source.preview]
    return tags.section(
        tags.h2(source.name),
        facts(source.facts),
        *(tags.p(note[:1].upper() + note[1:], {"class": "hint"}) for note in source.notes),
        tags.div(
            {
                "class": "scroll lines",
                "tabindex": "0",
                "role": "region",
                "aria-label": "First lines",
            },
            tags.table(tags.thead(head), tags.tbody(*rows)),
        ),
        tags.p("The first lines, as they are. Only you see them.", {"class": "hint"}),
        id="opened",
    )

"""Step 1, data: which file, or the embedded example?"""

from __future__ import annotations

from htmltools import Tag, TagChild, tags

from covey.studio.reading import READING
from covey.studio.results import DataFile
from covey.studio.state import State, Step
from covey.studio.widgets import (
    button,
    button_row,
    fact_list,
    file_field,
    heading,
    problem_at,
    progress_bar,
    select_field,
    text_field,
)

LARGEST_UPLOAD = 500 * 2**20
"""Bytes of a file; what is larger belongs on the command line."""

SHORT_FACT = 30
"""Letters of a fact that stands beside others."""

ACCEPT = {
    "table": ".csv,.tsv,.txt,.gz,.parquet,.feather,.arrow,.xlsx,.xls,.ods,.sav,.dta,.sas7bdat",
    "graph": ".txt,.csv,.tsv,.edges,.edgelist,.gz,.parquet,.gml,.graphml",
}


def data_view(state: State) -> Tag:
    """Return the first step: a file or the example, and what is in it."""
    reading = state.awaited is not None and state.awaited.name == "read"
    return tags.div(
        heading(
            "Which data do you want to publish?",
            "The file is read on this machine and never leaves it. A private copy is kept while "
            "this page runs and removed at the end.",
        ),
        tags.div({"class": "two"}, _upload(state), _example()),
        _reading(state) if reading else _written(state),
        None if reading else _opened_file(state.file),
        button_row(
            button(
                "Describe the columns" if state.kind == "table" else "Say what it is for",
                "go",
                Step.DESCRIBE if state.kind == "table" else Step.CHOOSE,
                look="main",
            )
        )
        if state.file is not None and not reading
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
    endings = "CSV or Parquet" if state.kind == "table" else "Edge list, GML or GraphML"
    return tags.div(
        {"class": "panel", "id": "drop"},
        tags.h2("Your file"),
        tags.fieldset(tags.legend("What is in it?", {"class": "hidden"}), *kinds),
        file_field(
            "Choose a file",
            "file",
            "data",
            accept=ACCEPT[state.kind],
            most=LARGEST_UPLOAD,
            hint=f"{endings}, up to 500 MB. Or drop it here.",
        ),
        problem_at(state, "data"),
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
    if state.awaited is None:
        return None
    return tags.div(
        {"class": "still"}, progress_bar(state.awaited), button("Stop", "cancel", look="second")
    )


def _written(state: State) -> TagChild:
    """Let her say how the file is written, where it was detected wrongly or not at all."""
    failed = "data" in state.problems
    own = state.file is not None and not state.file.example
    if state.kind == "graph" or not (own or failed):
        return None
    fields = [
        select_field(
            title,
            f"reading-{name}",
            "reading",
            name,
            value=state.reading.get(name, ""),
            options=choices,
        )
        if choices
        else text_field(
            title,
            f"reading-{name}",
            "reading",
            name,
            value=state.reading.get(name, ""),
            placeholder="detected",
        )
        for name, (title, choices) in READING.items()
    ]
    return tags.details(
        tags.summary("How the file is written"),
        tags.div({"class": "three"}, *fields),
        tags.p("The file is read again with what you choose.", {"class": "hint"}),
        open="open" if failed or state.reading else None,
        id="reading",
    )


def _opened_file(file: DataFile | None) -> TagChild:
    if file is None:
        return None
    head = tags.tr(*(tags.th(name, scope="col") for name in file.columns))
    rows = [tags.tr(*(tags.td(text) for text in row)) for row in file.preview]
    short = [(title, text) for title, text in file.facts if len(text) <= SHORT_FACT]
    long = [f"{title} {text}." for title, text in file.facts if len(text) > SHORT_FACT]
    return tags.section(
        tags.h2(file.name),
        fact_list(short),
        *(tags.p(each, {"class": "hint"}) for each in long),
        *(tags.p(note[:1].upper() + note[1:], {"class": "hint"}) for note in file.notes),
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

"""Step 1: which data?"""

from __future__ import annotations

from htmltools import Tag, TagChild, TagList, tags

from covey.studio.parts import bar, button, facts, heading, onward, problem
from covey.studio.state import Source, State, Step

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
        problem(state, "data"),
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
        tags.label("Choose a file", {"for": "file", "class": "label"}),
        tags.input(
            {"data-upload": "data"},
            type="file",
            id="file",
            accept=ACCEPT[state.kind],
            aria_describedby="file-hint",
        ),
        tags.p(f"{endings}, up to 500 MB. Or drop it here.", {"class": "hint"}, id="file-hint"),
        tags.div(
            {"class": "work", "id": "upload", "hidden": "hidden", "data-own": "1"},
            tags.p({"class": "work-words"}, role="status"),
            tags.progress(max="1", value="0", aria_label="Uploading"),
        ),
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
    return (
        TagList(bar(state.working), button("Stop", "cancel")) if state.working is not None else None
    )


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
            {"class": "scroll", "tabindex": "0", "role": "region", "aria-label": "First lines"},
            tags.table(tags.thead(head), tags.tbody(*rows)),
        ),
        tags.p("The first lines, as they are. Only you see them.", {"class": "hint"}),
        id="opened",
    )

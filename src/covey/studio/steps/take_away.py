"""Step 6, take away: what is handed on, and how could it be made again?"""

from __future__ import annotations

from htmltools import Tag, tags

from covey.studio.script import command_line, python_script
from covey.studio.state import State, Step
from covey.studio.widgets import button, button_row, heading


def take_away_view(state: State) -> Tag:
    """Return the sixth step: downloads, and the same release outside the page."""
    run = state.run
    if run is None:
        return tags.div(heading("Nothing is published yet", "Go through the steps first."))
    graph = bool(run.drawing)
    fresh = run.plan.random_state is None and run.epsilon is not None
    return tags.div(
        heading(
            "Take it away",
            "The folder holds the data, the guarantee, the report and the bill. When this page is "
            "closed, its copies are gone.",
        ),
        tags.div(
            {"class": "downloads"},
            _download(f"release-{run.number}.zip", "Release folder", "zip: all that may be public"),
            _download(f"released-{run.number}", "Data alone", "the released rows"),
            _download(f"graph-{run.number}.graphml", "New graph", "GraphML") if graph else None,
            _download(f"graph-{run.number}.gml", "New graph, GML", "for older programs")
            if graph
            else None,
            _download(f"report-{run.number}.html", "Report", "may go with the release"),
            _download(f"schema-{run.number}.toml", "Schema", "what is said of the columns")
            if run.plan.schema is not None
            else None,
            _download(f"plan-{run.number}.toml", "Plan", "runs again on the command line"),
            _download(f"script-{run.number}.py", "Script", "the same in Python"),
            _download(f"data-{run.number}.csv.gz", "Example data", "public, to run it again")
            if run.file.example
            else None,
        ),
        tags.h2("On the command line"),
        tags.p(
            "Put plan.toml beside the data. "
            + ("It draws fresh noise and spends again." if fresh else "It gives the same release."),
            {"class": "hint"},
        ),
        tags.pre(command_line(run), id="command", tabindex="0"),
        tags.h2("In Python"),
        tags.pre(python_script(run), id="script", tabindex="0"),
        button_row(
            button("Back", "go", Step.INSPECT),
            button("Publish again", "go", Step.CHOOSE, look="second"),
        ),
    )


def _download(name: str, title: str, words: str) -> Tag:
    return tags.a(
        {"class": "download", "download": name},
        tags.strong(title),
        tags.span(words, {"class": "hint"}),
        href=f"take/{name}",
    )

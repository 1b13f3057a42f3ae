"""Step 5, inspect: what was published, and what was lost?"""

from __future__ import annotations

from htmltools import HTML, Tag, TagChild, tags

from covey.kinds import KINDS, GuaranteeKind
from covey.report.plan_charts import release_map
from covey.studio.plain import plain
from covey.studio.results import TabRun
from covey.studio.state import State, Step
from covey.studio.steps.verdict import ask_to_compare, first_look
from covey.studio.widgets import (
    badge,
    button,
    button_row,
    fact_list,
    heading,
    notice,
    problem_at,
    publish_progress,
)

EDITIONS = (
    ("verdict", "First look"),
    ("public", "Public report"),
    ("curator", "Comparison"),
    ("map", "All runs"),
)


SCORES = {
    "table": (("ks", "gap of distributions"), ("correlation_error", "error of correlations")),
    "graph": (("ks_1k", "gap of degrees"), ("ks_2k", "gap of joint degrees")),
}
"""What the map of runs shows: across and upward; 0 is best for both."""


def inspect_view(state: State) -> Tag:
    """Return the fifth step: the reports about a release and the map of all."""
    run = state.run
    if run is None:
        return tags.div(heading("Nothing is published yet", "Go through the steps first."))
    views = {"verdict": first_look, "public": _public, "curator": _curator, "map": _map}
    seen = run.file.digest in state.compared or state.edition in ("verdict", "public")
    return tags.div(
        heading(
            f"Release {run.number}: {run.plan.system}",
            f"{run.file.name}, {run.file.rows:,} "
            f"{'nodes' if run.file.kind == 'graph' else 'records'}. What is published and what "
            f"stays with you is marked on each page.",
        ),
        tags.div(
            {"class": "promise"},
            badge(run.kind),
            tags.details(
                tags.summary("What it promises"), tags.p(plain(run.sentence)), id="promised"
            ),
        ),
        _budget(run),
        problem_at(state, "inspect"),
        *(notice(each) for each in run.warnings),
        publish_progress(state),
        tags.div(
            {"class": "tabs", "role": "group", "aria-label": "What to look at"},
            *(
                tags.button(
                    text,
                    {
                        "data-do": "edition",
                        "data-key": key,
                        "class": "tab on" if key == state.edition else "tab",
                        "aria-pressed": "true" if key == state.edition else "false",
                    },
                    type="button",
                )
                for key, text in EDITIONS
            ),
        ),
        views[state.edition](state, run) if seen else ask_to_compare(run),
        button_row(
            button("Make another release", "go", Step.CHOOSE),
            button("Take it away", "go", Step.TAKE_AWAY, look="main"),
        ),
    )


def _budget(run: TabRun) -> TagChild:
    if run.left is None or run.epsilon is None:
        return None
    return fact_list(
        (("This release", f"epsilon {run.epsilon:g}"), ("Left afterwards", f"epsilon {run.left:g}"))
    )


def _public(_: State, run: TabRun) -> Tag:
    return _frame(f"report-{run.number}.html", "Public report")


def _curator(state: State, run: TabRun) -> Tag:
    if run.curator is not None:
        return _frame(f"curator-{run.number}.html", "Comparison with the original, not public")
    if state.awaited is not None:
        return tags.p("The comparison is still being computed.", {"class": "hint"})
    return tags.p("This release was not compared with the original.", {"class": "hint"})


def _frame(name: str, title: str) -> Tag:
    return tags.iframe(
        {"class": "report"}, src=f"take/{name}", title=title, sandbox="allow-same-origin"
    )


def _map(state: State, run: TabRun) -> Tag:
    kind = state.runs[-1].file.kind
    scores = SCORES[kind] + ((("rl", "records linked (%)"),) if kind == "table" else ())
    head = tags.tr(
        tags.th("#", scope="col"),
        tags.th("Plan", scope="col"),
        tags.th("Guarantee", scope="col"),
        *(tags.th(title, {"class": "number"}, scope="col") for _, title in scores),
    )
    return tags.div(
        tags.p(
            "The nearer to the lower left corner, the nearer to the original. A plan that is "
            "chosen by this map is chosen on the data, and its release says so.",
            {"class": "hint"},
        ),
        _drawn_map(state, kind),
        tags.div(
            {"class": "scroll", "tabindex": "0", "role": "region", "aria-label": "All runs"},
            tags.table(
                tags.thead(head),
                tags.tbody(*(_row(each, scores, on=each == run) for each in state.runs)),
            ),
        ),
    )


def _drawn_map(state: State, kind: str) -> TagChild:
    (x, across), (y, upward) = SCORES[kind]
    points = [
        {
            "x": run.scores[x],
            "y": run.scores[y],
            "number": str(run.number),
            "colour": KINDS[GuaranteeKind(run.kind)].colour,
        }
        for run in state.runs
        if run.file.kind == kind and {x, y} <= {*run.scores}
    ]
    if not points:
        return None
    return tags.figure({"class": "figure-wide"}, HTML(release_map(points, across, upward)))


def _row(run: TabRun, scores: tuple[tuple[str, str], ...], *, on: bool) -> Tag:
    cells = [
        tags.td(f"{run.scores[name]:.3g}" if name in run.scores else "–", {"class": "number"})
        for name, _ in scores
    ]
    parameters = ", ".join(
        f"{name} {run.plan.parameters[name]:g}"
        for name in ("epsilon", "k")
        if isinstance(run.plan.parameters.get(name), (int, float))
    )
    return tags.tr(
        tags.th(button(str(run.number), "show", str(run.number), look="main" if on else "quiet")),
        tags.td(tags.strong(run.plan.system), tags.br(), f"{parameters} · {run.file.name}"),
        tags.td(badge(run.kind)),
        *cells,
    )

"""The first look of step 5: what was released, and how near the originals it is."""

from __future__ import annotations

from collections.abc import Sequence

from htmltools import HTML, Tag, TagChild, tags

from covey.report.lights import Light
from covey.studio.results import TabRun
from covey.studio.state import State
from covey.studio.verdict import JudgedColumn, JudgedScore, ReleaseVerdict, SomeRows
from covey.studio.widgets import button

ON_A_PAGE = 12
"""So many rows are shown at a time."""


def first_look(state: State, run: TabRun) -> Tag:
    """Return the verdict, if it may be seen, and the released rows beside the originals."""
    seen = run.file.digest in state.compared
    verdict = run.verdict if seen else None
    return tags.div(
        {"class": "first-look"},
        ask_to_compare(run) if not seen else _judgement(state, verdict),
        _drawing(run),
        _rows(state, run, verdict),
        _columns(verdict.columns) if verdict is not None and verdict.columns else None,
        _scores(verdict.scores) if verdict is not None and verdict.scores else None,
    )


def ask_to_compare(run: TabRun) -> Tag:
    """Say what it means to look at the originals, before they are looked at."""
    return tags.section(
        {"class": "flagbox", "id": "ask"},
        tags.h2("Is it good enough?"),
        tags.p(
            "The comparison is computed on the originals, for your eyes only. Whoever has seen it "
            f"chooses every later plan with these records in mind: plans that you change from then "
            f"on for {run.file.name} are marked as chosen on the data and carry no guarantee. "
            "This release keeps its promise. To try settings without that, use what to expect in "
            "step 3: it costs nothing."
        ),
        button("Compare with the originals", "compare", look="second", id="compare"),
    )


def _judgement(state: State, verdict: ReleaseVerdict | None) -> Tag:
    if verdict is None:
        comparing = state.awaited is not None
        words = "The comparison is still being computed." if comparing else "It was not compared."
        return tags.p(words, {"class": "hint"}, role="status")
    return tags.section(
        {"id": "verdict"},
        tags.p(verdict.headline, {"class": "answer"}),
        tags.h2("The worst first") if verdict.worst else None,
        tags.ol(*(tags.li(each) for each in verdict.worst)) if verdict.worst else None,
        tags.p("Computed on the originals: do not publish.", {"class": "hint"}),
    )


def _drawing(run: TabRun) -> TagChild:
    if not run.drawing:
        return None
    return tags.figure(
        {"class": "drawing"},
        HTML(run.drawing),
        tags.figcaption(
            "The new graph, around its node with most neighbours. It has such degrees as were "
            "published, and no edge of the original but by chance.",
            {"class": "hint"},
        ),
    )


def _rows(state: State, run: TabRun, verdict: ReleaseVerdict | None) -> TagChild:
    released = run.released
    if released is None or not released.rows:
        return None
    pages = -(-len(released.rows) // ON_A_PAGE)
    page = min(state.page, pages - 1)
    originals = None if verdict is None else verdict.originals
    whole = f" of {released.n:,}, drawn at random" if released.n > len(released.rows) else ""
    return tags.section(
        {"id": "rows"},
        tags.h2("Rows"),
        tags.div(
            {"class": "side" if originals is not None else "one"},
            small_table("Released", released, page),
            small_table("Originals, not public", originals, page)
            if originals is not None
            else None,
        ),
        tags.div(
            {"class": "pages"},
            button(
                "Before",
                "rows-page",
                str(max(page - 1, 0)),
                disabled="disabled" if page == 0 else None,
            ),
            tags.span(f"Page {page + 1} of {pages}: {len(released.rows):,} rows{whole}."),
            button(
                "Next",
                "rows-page",
                str(page + 1),
                disabled="disabled" if page + 1 >= pages else None,
            ),
        ),
        tags.p("No released row belongs to the original beside it.", {"class": "hint"})
        if originals is not None
        else None,
    )


def small_table(title: str, rows: SomeRows, page: int = 0) -> Tag:
    """Return one page of rows."""
    shown = rows.rows[page * ON_A_PAGE : (page + 1) * ON_A_PAGE]
    return tags.div(
        {"class": "scroll lines", "tabindex": "0", "role": "region", "aria-label": title},
        tags.table(
            tags.caption(title),
            tags.thead(tags.tr(*(tags.th(name, scope="col") for name in rows.columns))),
            tags.tbody(*(tags.tr(*(tags.td(text) for text in row)) for row in shown)),
        ),
    )


def _columns(columns: Sequence[JudgedColumn]) -> Tag:
    head = ("Column", "", "Originals", "Released", "Distribution")
    return tags.section(
        {"id": "columns"},
        tags.h2("Each column"),
        tags.div(
            {"class": "scroll tall", "tabindex": "0", "role": "region", "aria-label": "Columns"},
            tags.table(
                tags.thead(tags.tr(*(tags.th(each, scope="col") for each in head))),
                *(tags.tbody(*_lines(each)) for each in columns),
            ),
        ),
        tags.p(_thresholds([each.light for each in columns]), {"class": "hint"}),
    )


def _lines(column: JudgedColumn) -> list[Tag]:
    lines = []
    for place, (title, before, after) in enumerate(column.parts):
        first = place == 0
        rows = str(len(column.parts))
        lines.append(
            tags.tr(
                tags.th(column.name, scope="rowgroup", rowspan=rows) if first else None,
                tags.td(title, {"class": "soft"}),
                tags.td(before),
                tags.td(after),
                tags.td(_lamp(column.light), rowspan=rows) if first else None,
            )
        )
    return lines


def _scores(scores: Sequence[JudgedScore]) -> Tag:
    head = ("Score", "Value", "Verdict", "Thresholds")
    return tags.section(
        tags.h2("Scores"),
        tags.div(
            {"class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Scores"},
            tags.table(
                tags.thead(tags.tr(*(tags.th(each, scope="col") for each in head))),
                tags.tbody(
                    *(
                        tags.tr(
                            tags.th(each.title, scope="row", title=each.meaning),
                            tags.td(each.value),
                            tags.td(_lamp(each.light)),
                            tags.td(each.light.thresholds, {"class": "soft"}),
                        )
                        for each in scores
                    )
                ),
            ),
        ),
    )


def _lamp(light: Light) -> Tag:
    return tags.span(light.word, {"class": f"light {light.colour}", "title": light.thresholds})


def _thresholds(lights: Sequence[Light]) -> str:
    stated = dict.fromkeys(each.thresholds for each in lights)
    return f"Lights: {'; '.join(stated)}. Charts are on the page Comparison."

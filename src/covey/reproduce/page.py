"""How do the reproductions look on one offline page?"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from covey.papers import PAPERS
from covey.reproduce.entries import Result

if TYPE_CHECKING:
    from covey.reproduce.figures import Figure

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
  color: #1d2733; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { padding: .3rem .6rem; text-align: left; border-bottom: 1px solid #dde3ea; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.exact, .close, .consistent, .holds { color: #1b6e3c; }
.differs, .impossible { color: #a4262c; font-weight: 600; }
.derived, .none { color: #5b6775; } svg { max-width: 100%; height: auto; background: #fff; }
@media (prefers-color-scheme: dark) { body { color: #e4e9ef; background: #14191f; }
  th, td { border-color: #303a45; } .exact, .close, .consistent, .holds { color: #6fcf97; }
  .differs, .impossible { color: #ff8a80; } .derived, .none { color: #9aa7b4; } }
"""

WORDS = ("exact", "close", "consistent", "holds", "differs", "impossible", "derived")
"""Statuses that have a colour of their own."""


def page(results: Sequence[Result], drawings: Sequence[tuple[Figure, str]]) -> str:
    """Return one self-contained HTML page with tables and figures."""
    papers = dict.fromkeys(result.entry.paper for result in results)
    parts = [_paper(paper, results, drawings) for paper in papers]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Covey: the papers' numbers beside ours</title><style>{STYLE}</style></head>"
        "<body><h1>The papers' numbers beside ours</h1>"
        "<p><b>exact</b>: rounds to the printed value; <b>close</b>: within 3 %; "
        "<b>consistent</b>: random, within the stated spread; <b>holds</b>: the statement is "
        "true; <b>differs</b>: otherwise; "
        "<b>impossible</b>: more is printed than any method can reach; "
        "<b>derived</b>: not printed in the paper.</p>" + "".join(parts) + "</body></html>"
    )


def draw(figure: Figure) -> str:
    """Return a figure as SVG, drawn by vega-lite without a browser or a network."""
    import altair as alt
    import vl_convert

    scale: Any = alt.Scale(type="log" if figure.logarithmic else "linear")
    chart = (
        alt.Chart(figure.frame())
        .mark_line(point=True)
        .encode(
            x=alt.X(f"{figure.x}:Q", title=figure.x),
            y=alt.Y(f"{figure.y}:Q", title=figure.y, scale=scale, axis=alt.Axis(format=".0e")),
            color=alt.Color("line:N", title=None, scale=alt.Scale(scheme="tableau10")),
            strokeDash=alt.StrokeDash("line:N", title=None),
        )
        .properties(width=560, height=320)
    )
    return str(vl_convert.vegalite_to_svg(chart.to_json()))


def _paper(paper: str, results: Sequence[Result], drawings: Sequence[tuple[Figure, str]]) -> str:
    rows = "".join(_row(result) for result in results if result.entry.paper == paper)
    figures = "".join(
        f"<figure><figcaption>{escape(figure.title)}</figcaption>{svg}</figure>"
        for figure, svg in drawings
        if figure.paper == paper
    )
    title = PAPERS.get(paper, "Values printed in several papers.")
    return (
        f"<h2>{escape(paper)}</h2><p>{escape(title)}</p>"
        '<div class="wide"><table><thead><tr><th>table</th><th>data</th><th>method</th>'
        "<th>what</th>"
        "<th>parameters</th>"
        '<th class="number">paper</th><th class="number">ours</th>'
        '<th class="number">difference</th>'
        "<th>status</th></tr>"
        f"</thead><tbody>{rows}</tbody></table></div>{figures}"
    )


def _row(result: Result) -> str:
    entry = result.entry
    word = result.status.split(":")[0].split()[0]
    kind = word if word in WORDS else "none"
    cells = (entry.table, entry.data, entry.method, entry.quantity, entry.label)
    numbers = (number(entry.printed), number(result.ours), percent(result.difference))
    return (
        "<tr>"
        + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells)
        + "".join(f'<td class="number">{cell}</td>' for cell in numbers)
        + f'<td class="{kind}">{escape(result.status)}</td></tr>'
    )


def number(value: float | None) -> str:
    """Return a number in six figures, or a dash."""
    return "–" if value is None else f"{value:.6g}"


def percent(value: float | None) -> str:
    """Return a relative difference, or a dash."""
    return "–" if value is None else f"{100 * value:+.2f} %"

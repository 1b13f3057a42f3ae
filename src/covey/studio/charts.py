"""How are the error to expect, and the runs so far, drawn?  As SVG, without a script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from htmltools import HTML, Tag, tags

from covey.privacy import GuaranteeKind
from covey.report.vega import draw, logarithmic, quantity
from covey.report.words import BADGES
from covey.studio.found import Forecast, Run
from covey.studio.state import State

SCORES = {
    "table": (("ks", "gap of distributions"), ("correlation_error", "error of correlations")),
    "graph": (("ks_1k", "gap of degrees"), ("ks_2k", "gap of joint degrees")),
}
"""What the map of runs shows: across and upward; 0 is best for both."""


def forecast_chart(forecast: Forecast, epsilon: float) -> Tag:
    """Draw the error to expect over epsilon, with a mark at the epsilon that is set."""
    return tags.figure(
        {"class": "figure-wide forecast"}, HTML(_forecast(forecast.curve, round(epsilon, 4)))
    )


def expected_at(curve: Sequence[tuple[float, float]], epsilon: float) -> float | None:
    """Return the error to expect at an epsilon between simulated ones, or None outside.

    Errors of noise fall as a power of epsilon, so logarithms are joined by straight lines.

    Examples
    --------
    >>> expected_at([(0.5, 0.2), (2.0, 0.1)], 1.0)
    0.1414...
    """
    points = [(e, error) for e, error in sorted(curve) if error > 0]
    for (e1, y1), (e2, y2) in pairwise(points):
        if e1 <= epsilon <= e2:
            share = math.log(epsilon / e1) / math.log(e2 / e1)
            return math.exp(math.log(y1) + share * math.log(y2 / y1))
    return None


def runs_chart(runs: Sequence[Run]) -> Tag | None:
    """Draw the runs that can be compared: the nearer to the corner, the nearer to the original."""
    kind = runs[-1].source.kind if runs else "table"
    (x, x_title), (y, y_title) = SCORES[kind]
    shown = [run for run in runs if run.source.kind == kind and {x, y} <= {*run.scores}]
    if not shown:
        return None
    rows = [
        {
            "x": run.scores[x],
            "y": run.scores[y],
            "number": str(run.number),
            "tone": f"var(--{BADGES[GuaranteeKind(run.kind)].colour})",
        }
        for run in shown
    ]
    most_x = max(run.scores[x] for run in shown)
    most_y = max(run.scores[y] for run in shown)
    encoding = {
        "x": quantity("x", x_title, most_x, scale=_room(most_x)),
        "y": quantity("y", y_title, most_y, scale=_room(most_y)),
    }
    colour = {"field": "tone", "type": "nominal", "scale": None}
    point = {"mark": {"type": "circle", "size": 260, "opacity": 1}, "encoding": {"color": colour}}
    text = {
        "mark": {"type": "text", "color": "var(--surface)", "fontSize": 11, "fontWeight": "bold"},
        "encoding": {"text": {"field": "number", "type": "nominal"}},
    }
    spec = {"data": {"values": rows}, "encoding": encoding, "layer": [point, text]}
    label = (
        f"Map of {len(rows)} runs: {x_title} across, {y_title} upward. The table has the numbers."
    )
    return tags.figure({"class": "figure-wide"}, HTML(draw(spec, label, height=260)))


def map_columns(state: State) -> tuple[tuple[str, str], ...]:
    """Return the scores that the table beside the map shows."""
    kind = state.runs[-1].source.kind if state.runs else "table"
    linkage = (("rl", "records linked (%)"),) if kind == "table" else ()
    return SCORES[kind] + linkage


def _room(most: float) -> dict[str, object]:
    """Leave room for the largest point."""
    return {"domain": [0, 1.15 * most or 1.0], "nice": False}


@lru_cache(maxsize=256)
def _forecast(curve: tuple[tuple[float, float], ...], epsilon: float) -> str:
    rows = [{"epsilon": e, "error": 100 * error} for e, error in curve]
    here = expected_at(curve, epsilon)
    mark = [{"epsilon": epsilon, "error": 100 * here}] if here is not None else []
    x = logarithmic([*rows, {"epsilon": epsilon}], "epsilon", "epsilon", grid=False)
    most = max((row["error"] for row in rows), default=1.0)
    y = quantity("error", "expected error (%)", most, scale={"domainMin": 0})
    line = {
        "data": {"values": rows},
        "mark": {"type": "line", "color": "var(--accent)", "strokeWidth": 2.5, "point": False},
        "encoding": {"x": x, "y": y},
    }
    rule = {
        "data": {"values": [{"epsilon": epsilon}]},
        "mark": {"type": "rule", "color": "var(--soft)", "strokeDash": [3, 3]},
        "encoding": {"x": x},
    }
    dot = {
        "data": {"values": mark},
        "mark": {"type": "circle", "color": "var(--accent)", "size": 120, "opacity": 1},
        "encoding": {"x": x, "y": y},
    }
    label = "The expected error falls as epsilon grows."
    return draw({"layer": [line, rule, dot]}, label)

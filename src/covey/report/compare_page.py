"""How does a comparison of plans look?  One offline page: a map, curves and a ranking."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

from covey.choose.comparison import LOSS, RISK, Comparison, Row
from covey.evaluate import METRICS
from covey.evaluate.network import NETWORK_METRICS
from covey.report.html import number, render
from covey.report.plan_charts import plan_curves, plan_map
from covey.report.vega import browser_library
from covey.report.words import MARK

if TYPE_CHECKING:
    from collections.abc import Sequence

CURVES = ("sse", "il1s", "ks", "l1_2k", "ks_2k")
"""Scores that are drawn over k and epsilon, where they exist."""


NUMBERED = ("method", "order", "strategy", "m", "preference_seed")
"""Parameters that are names, although they are written as numbers."""


def compare_page(comparison: Comparison) -> str:
    """Return a comparison as one self-contained HTML page, for the curator."""
    table = comparison.data == "table"
    names = [*LOSS[comparison.data], *(["rl", "il1s"] if table else ["l1_2k"])]
    shown = [name for name in names if any(name in row.scores for row in comparison.rows)]
    titles = {name: metric.title for name, metric in (METRICS | NETWORK_METRICS).items()}
    points = [_point(row, shown, RISK[comparison.data]) for row in comparison.rows]
    told = {"plan": "Plan", "guarantee": "Guarantee"} | {name: titles[name] for name in shown}
    curves = {}
    for name, parameter in product(CURVES, _varied(comparison.rows)):
        scored = _scored(comparison.rows, name, parameter)
        if len({row["x"] for row in scored}) > 1:
            title = f"{titles[name]} over {parameter}"
            curves[title] = plan_curves(scored, parameter, points)
    risk = "records that can be linked (%)" if table else "epsilon"
    specs = dict(enumerate(curves.values(), 1)) | {"map": plan_map(points, risk, told)}
    return render(
        "compare.html.j2",
        {
            "mark": MARK,
            "comparison": comparison,
            "curves": list(curves),
            "ranked_by": ", ".join(titles[name] for name in LOSS[comparison.data]),
            "shown": shown,
            "titles": titles,
            "library": browser_library(),
            # Escaped for a script element, so that a name such as </script> ends nothing.
            "specs": json.dumps(specs).replace("<", "\\u003c"),
        },
    )


def _varied(rows: Sequence[Row]) -> list[str]:
    """Return the parameters that can be an axis: numbers above 0 that stand for a size."""
    return list(
        dict.fromkeys(
            name
            for row in rows
            for name, value in row.parameters.items()
            if name not in NUMBERED
            and isinstance(value, int | float)
            and not isinstance(value, bool)
            and value > 0
        )
    )


def _point(row: Row, shown: Sequence[str], risk: str | None) -> dict[str, Any]:
    return {
        "plan": row.label,
        "system": row.system,
        "guarantee": row.kind,
        "sound": row.sound,
        "frontier": row.frontier,
        "loss": round(row.loss, 4),
        "risk": row.scores.get(risk, 0.0) if risk else row.parameters.get("epsilon"),
        **{name: number(row.scores.get(name)) for name in shown},
    }


def _scored(rows: Sequence[Row], name: str, parameter: str) -> list[dict[str, Any]]:
    return [
        {
            "plan": row.label,
            "system": row.system,
            "x": row.parameters[parameter],
            "y": row.scores[name],
        }
        for row in rows
        if isinstance(row.parameters.get(parameter), int | float) and name in row.scores
    ]

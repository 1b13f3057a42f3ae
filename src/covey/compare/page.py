"""How does a comparison look?  One offline page: a map of loss and risk, curves, a ranking."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from covey.compare.comparison import LOSS, RISK, Comparison, Row
from covey.compare.run import WARNING
from covey.evaluate import METRICS
from covey.evaluate.network import NETWORK_METRICS
from covey.report.html import drawing, number, render
from covey.report.vega import CONFIG

if TYPE_CHECKING:
    from collections.abc import Sequence

    Spec = dict[str, Any]

PALETTE = ("#1b6a73", "#bf5b35", "#7a5fa8", "#8d7a00", "#2f6db5", "#a4456e", "#4f7d39", "#6b7480")
"""One colour for each system, in the order of the comparison; readable on light and dark."""

CURVES = ("sse", "il1s", "ks", "l1_2k", "ks_2k")
"""Scores that are drawn over k and epsilon, where they exist."""


def page(comparison: Comparison) -> str:
    """Return a comparison as one self-contained HTML page, for the curator."""
    known = METRICS | NETWORK_METRICS
    names = [*LOSS[comparison.data], *(["rl", "il1s"] if comparison.data == "table" else ["l1_2k"])]
    shown = [name for name in names if any(name in row.scores for row in comparison.rows)]
    curves = _curves(comparison)
    specs = {"map": _map(comparison)} | {
        str(place): curve["spec"] for place, curve in enumerate(curves, 1)
    }
    risk = RISK[comparison.data]
    axes = (
        "To the left less is lost, below less is at risk (the share of records that can be linked)."
        if risk
        else "To the left less is lost, below epsilon is smaller."
    )
    return render(
        "compare.html.j2",
        {
            "mark": WARNING,
            "comparison": comparison,
            "whole": "file" if comparison.data == "table" else "graph",
            "axes": axes,
            "curves": curves,
            "ranked_by": ", ".join(known[name].title for name in LOSS[comparison.data]),
            "shown": shown,
            "titles": {name: known[name].title for name in shown},
            "library": drawing(_library()),
            # Escaped for a script element, so that a name such as </script> ends nothing.
            "specs": drawing(json.dumps(specs).replace("<", "\\u003c")),
        },
    )


@cache
def _library() -> str:
    """Return Vega, Vega-Lite and their embedding as one script, so that no network is needed."""
    import vl_convert

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script.replace("</script", "<\\/script")


def _map(comparison: Comparison) -> Spec:
    points = [_point(row, comparison.data) for row in comparison.rows]
    front = sorted((point for point in points if point["frontier"]), key=lambda p: p["loss"])
    risk = RISK[comparison.data]
    y_title = "records that can be linked (%)" if risk else "epsilon"
    encoding = {
        "x": {
            "field": "loss",
            "type": "quantitative",
            "title": "loss (mean rank, 0 is best)",
            "scale": {"domain": [0, 1], "nice": False, "padding": 12},
        },
        "y": {
            "field": "risk",
            "type": "quantitative",
            "title": y_title,
            "axis": {"titleLimit": 340},
            "scale": {"type": "symlog", "domainMin": 0} if risk else {"type": "log", "padding": 12},
        },
    }
    return _spec(
        {
            "width": "container",
            "height": 360,
            "layer": [
                {
                    "data": {"values": front},
                    "mark": {"type": "line", "color": "var(--soft)", "strokeDash": [4, 4]},
                    "encoding": {**encoding, "order": {"field": "loss"}},
                },
                *(
                    _points(points, comparison.rows, encoding, sound=sound)
                    for sound in (False, True)
                ),
            ],
        }
    )


def _points(
    points: list[dict[str, Any]], rows: Sequence[Row], encoding: Spec, *, sound: bool
) -> Spec:
    """Return one layer of points: filled ones for sound plans, rings for the others."""
    layer: Spec = {
        "data": {"values": [point for point in points if point["sound"] == sound]},
        "mark": {"type": "point", "size": 80, "strokeWidth": 2, "filled": sound, "opacity": 1},
        "encoding": {
            **encoding,
            "color": _colour(rows),
            "opacity": {"condition": {"param": "system", "value": 1}, "value": 0.12},
            "tooltip": [
                {"field": field, "title": title}
                for field, title in (points[0]["shown"] if points else {}).items()
            ],
        },
    }
    if not sound:
        chosen = {"type": "point", "fields": ["system"]}
        layer["params"] = [{"name": "system", "select": chosen, "bind": "legend"}]
    return layer


def _point(row: Row, data: str) -> dict[str, Any]:
    risk = RISK[data]
    point: dict[str, Any] = {
        "plan": row.label,
        "system": row.system,
        "guarantee": row.kind,
        "sound": row.sound,
        "frontier": row.frontier,
        "loss": round(row.loss, 4),
        "risk": row.scores.get(risk, 0.0) if risk else row.parameters.get("epsilon"),
    }
    fields = {"plan": "Plan", "guarantee": "Guarantee"}
    for name in (*LOSS[data], "il1s", "rl"):
        if name in row.scores:
            point[f"score_{name}"] = number(row.scores[name])
            fields[f"score_{name}"] = (METRICS | NETWORK_METRICS)[name].title
    return {**point, "shown": fields}


def _curves(comparison: Comparison) -> list[dict[str, Any]]:
    known = METRICS | NETWORK_METRICS
    curves = []
    for name in CURVES:
        for parameter in ("k", "epsilon"):
            rows = [
                {
                    "x": row.parameters[parameter],
                    "y": row.scores[name],
                    "system": row.system,
                    "plan": row.label,
                }
                for row in comparison.rows
                if parameter in row.parameters and name in row.scores
            ]
            if len({row["x"] for row in rows}) > 1:
                title = f"{known[name].title} over {parameter}"
                curves.append({"title": title, "spec": _curve(rows, parameter, comparison.rows)})
    return curves


def _curve(points: list[dict[str, Any]], parameter: str, rows: Sequence[Row]) -> Spec:
    return _spec(
        {
            "width": "container",
            "height": 200,
            "data": {"values": points},
            "layer": [
                {
                    "mark": {"type": "line", "strokeWidth": 2},
                    "encoding": {"y": {"aggregate": "min", "field": "y", "type": "quantitative"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 30, "opacity": 0.6},
                    "encoding": {
                        "y": {"field": "y", "type": "quantitative", "title": None},
                        "tooltip": [{"field": "plan", "title": "Plan"}, {"field": "y"}],
                    },
                },
            ],
            "encoding": {
                "x": {
                    "field": "x",
                    "type": "quantitative",
                    "title": parameter,
                    "scale": {"type": "log"},
                },
                "y": {"scale": {"type": "symlog"}, "title": None},
                "color": {**_colour(rows), "legend": None},
            },
        }
    )


def _colour(rows: Sequence[Row]) -> Spec:
    systems = list(dict.fromkeys(row.system for row in sorted(rows, key=lambda row: row.system)))
    return {
        "field": "system",
        "type": "nominal",
        "scale": {"domain": systems, "range": [PALETTE[i % 8] for i in range(len(systems))]},
        "legend": {"orient": "top", "columns": 3, "title": None},
    }


def _spec(spec: Spec) -> Spec:
    return {"background": "transparent", "config": CONFIG, **spec}

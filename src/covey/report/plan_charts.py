"""How are plans and their errors drawn?  Over epsilon and k, and as maps of several plans.

Drawings hold no script; what a browser draws itself answers to the mouse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.report.vega import draw, logarithmic, quantity, series, steep, styled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Spec = dict[str, Any]
    Row = Mapping[str, Any]


def release_map(rows: Sequence[Row], x: str, y: str) -> str:
    """Draw releases (x, y, number, colour of the guarantee) as numbered points.

    The nearer to the corner, the nearer to the original; x and y are titles of the axes.
    """
    encoding = {}
    for field, title in (("x", x), ("y", y)):
        most = max(row[field] for row in rows)
        # Room for the largest point.
        scale = {"domain": [0, 1.15 * most or 1.0], "nice": False}
        encoding[field] = quantity(field, title, most, scale=scale)
    values = [{**row, "tone": f"var(--{row['colour']})"} for row in rows]
    colour = {"field": "tone", "type": "nominal", "scale": None}
    point = {"mark": {"type": "circle", "size": 260, "opacity": 1}, "encoding": {"color": colour}}
    text = {
        "mark": {"type": "text", "color": "var(--surface)", "fontSize": 11, "fontWeight": "bold"},
        "encoding": {"text": {"field": "number", "type": "nominal"}},
    }
    spec = {"data": {"values": values}, "encoding": encoding, "layer": [point, text]}
    label = f"Map of {len(rows)} runs: {x} across, {y} upward. The table has the numbers."
    return draw(spec, label, height=260)


def plan_map(points: Sequence[Row], risk: str, told: Mapping[str, str]) -> Spec:
    """Return a map of loss and risk for a browser, with a line along the best plans.

    Parameters
    ----------
    points : sequence of mappings
        Plans with ``system``, ``loss``, ``risk``, whether they are ``sound`` and on the
        ``frontier``, and what is told about them.
    risk : str
        Title of the axis.
    told : mapping
        What pointing at a plan shows: fields and their titles.
    """
    placed = [point for point in points if point["risk"] is not None]
    scale = {"domain": [0, 1], "nice": False, "padding": 12}
    y = steep(placed, "risk", risk)
    encoding = {
        "x": quantity("loss", "loss (mean rank, 0 is best)", 1.0, scale=scale),
        "y": {**y, "axis": {**y["axis"], "titleLimit": 340}},
    }
    front = sorted((p for p in placed if p["frontier"]), key=lambda point: point["loss"])
    frontier = {
        "data": {"values": front},
        "mark": {"type": "line", "color": "var(--soft)", "strokeDash": [4, 4]},
        "encoding": {**encoding, "order": {"field": "loss"}},
    }
    about: Spec = {
        **encoding,
        "color": _systems(points, legend={"columns": 3}),
        "opacity": {"condition": {"param": "system", "value": 1}, "value": 0.12},
        "tooltip": [{"field": field, "title": title} for field, title in told.items()],
    }
    rings, dots = (
        {
            "data": {"values": [point for point in placed if point["sound"] == sound]},
            "mark": {"type": "point", "size": 80, "strokeWidth": 2, "filled": sound, "opacity": 1},
            "encoding": about,
        }
        for sound in (False, True)
    )
    chosen = {"type": "point", "fields": ["system"]}
    rings["params"] = [{"name": "system", "select": chosen, "bind": "legend"}]
    return styled({"width": "container", "height": 360, "layer": [frontier, rings, dots]})


def plan_curves(points: Sequence[Row], parameter: str, systems: Sequence[Row]) -> Spec:
    """Return a score over k or epsilon for a browser; the line of a system follows its best plan.

    ``systems`` are all plans of the page, so that colours are those of its map.
    """
    line = {
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": {"y": {"aggregate": "min", "field": "y", "type": "quantitative"}},
    }
    dots = {
        "mark": {"type": "point", "filled": True, "size": 30, "opacity": 0.6},
        "encoding": {
            "y": {"field": "y", "type": "quantitative"},
            "tooltip": [{"field": "plan", "title": "Plan"}, {"field": "y"}],
        },
    }
    shared = {
        "x": logarithmic(points, "x", parameter),
        "y": steep(points, "y", None),
        "color": _systems(systems, legend=None),
    }
    data = {"values": list(points)}
    chart = {"width": "container", "height": 200, "data": data, "encoding": shared}
    return styled({**chart, "layer": [line, dots]})


def _systems(points: Sequence[Row], *, legend: Spec | None) -> Spec:
    return series("system", sorted(point["system"] for point in points), legend=legend)

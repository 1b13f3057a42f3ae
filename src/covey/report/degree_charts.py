"""How are the degrees of a graph drawn?  On log axes, from counts in boxes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey.report.degrees import degree_curve, degree_map
from covey.report.vega import COLOURS, WIDTH, colours, draw, logarithmic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.graph import DK
    from covey.report.degrees import DegreeCurve, DegreeMap


def degree_charts(sets: Mapping[str, DK]) -> list[tuple[str, str]]:
    """Draw what was counted of nodes and edges, as (title, drawing); without counts, nothing."""
    curves = {name: degree_curve(counted) for name, counted in sets.items()}
    drawn = []
    if any(curve.degree.size for curve in curves.values()):
        drawn.append(("Nodes by degree", degree_plot(curves)))
    maps = {name: degree_map(each) for name, each in sets.items() if each.order > 1}
    if any(each.boxes.size for each in maps.values()):
        title = "Edges by the degrees of their ends"
        drawn += [
            (title if len(maps) == 1 else f"{title}, {name}", degree_heat_map(maps, name))
            for name in maps
        ]
    return drawn


def degree_plot(curves: Mapping[str, DegreeCurve]) -> str:
    """Draw how many nodes have each degree, on log axes."""
    rows = [
        {"set": name, "degree": round(float(degree), 2), "nodes": float(f"{nodes:.4g}")}
        for name, curve in curves.items()
        for degree, nodes in zip(curve.degree, curve.nodes, strict=True)
    ]
    spec = {
        "data": {"values": rows},
        "mark": {"type": "line", "strokeWidth": 1.5, "point": {"size": 22, "filled": True}},
        "encoding": {
            "x": logarithmic(rows, "degree", "degree (edges of a node)"),
            "y": logarithmic(rows, "nodes", "nodes for each degree"),
            "color": colours(curves),
        },
    }
    return draw(spec, "Nodes by degree on log axes.", height=WIDTH)


def degree_heat_map(maps: Mapping[str, DegreeMap], name: str) -> str:
    """Draw how many edges join nodes of two degrees, on log axes.

    Parameters
    ----------
    maps : mapping
        All maps that are to have the same axes and the same strength of colour.
    name : str
        Which of them to draw.
    """
    names = ("low", "high", "low_2", "high_2", "edges")
    drawn = {
        key: [dict(zip(names, np.round(box, 3).tolist(), strict=True)) for box in each.boxes]
        for key, each in maps.items()
    }
    ends = [{"degree": row[end]} for rows in drawn.values() for row in rows for end in names[:4]]
    most = max((row["edges"] for rows in drawn.values() for row in rows), default=1.0)
    strength = {
        "field": "edges",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [1, max(most, 10.0)], "range": [0.12, 1]},
        "legend": {
            "title": "edges",
            "values": _powers(most),
            "symbolType": "square",
            "symbolFillColor": COLOURS["released"],
            "format": "~s",
        },
    }
    side = logarithmic(ends, "degree", "", grid=False)
    spec = {
        "data": {"values": drawn[name]},
        "mark": {"type": "rect", "color": COLOURS["released"]},
        "encoding": {
            "x": {**side, "field": "low", "title": "degree of one end"},
            "x2": {"field": "high"},
            "y": {**side, "field": "low_2", "title": "degree of the other end"},
            "y2": {"field": "high_2"},
            "opacity": strength,
        },
    }
    return draw(spec, f"Edges by the degrees of their ends on log axes, {name}.", height=WIDTH)


def _powers(most: float) -> list[float]:
    """Return up to four powers of ten, the room of a legend."""
    top = int(math.log10(max(most, 10.0)))
    return [10.0**power for power in range(0, top + 1, top // 4 + 1)]

"""How do the panels of a figure become drawings?  Lines with their range over runs, one legend."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from covey.report.vega import PALETTE, draw, logarithmic, quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Spec = dict[str, Any]

PANEL_WIDTH, PANEL_HEIGHT = 250, 185
"""Of a panel, so that three stand side by side."""

DASHES = ([1, 0], [5, 3], [2, 2])
"""Lines whose colours have all been taken are told apart by these."""


SEVERAL = 3
"""From so many values on, an axis can be seen to double."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The points of one panel.

    Parameters
    ----------
    title : str
        Its letter and what it fixes.
    x, y : str
        Titles of its axes.
    scale : str
        "linear" or "log".
    rows : tuple of mappings
        ``series``, ``x``, ``y``, ``low`` and ``high``.
    flat : frozenset of str
        The series that do not depend on x.
    range : tuple
        The ends of the y axis, if the paper's are known.
    """

    title: str
    x: str
    y: str
    scale: str
    rows: tuple[Mapping[str, Any], ...] = field(repr=False)
    flat: frozenset[str] = frozenset()
    range: tuple[float, ...] = ()


def legend(panels: Sequence[Picture]) -> dict[str, tuple[str, str]]:
    """Return a colour and a dash pattern for each series of a figure, the same in all panels."""
    names = dict.fromkeys(row["series"] for panel in panels for row in panel.rows)
    return {
        name: (PALETTE[place % len(PALETTE)], " ".join(map(str, _dash(place))))
        for place, name in enumerate(names)
    }


def draw_panel(panel: Picture, styles: Mapping[str, tuple[str, str]], figure: str) -> str:
    """Draw one panel; bands are the range over runs."""
    names = list(dict.fromkeys(row["series"] for row in panel.rows))
    domain = {"domain": names, "range": [styles[name][0] for name in names]}
    dashes = {"domain": names, "range": [_numbers(styles[name][1]) for name in names]}
    rows = [dict(row) for row in panel.rows]
    if panel.scale == "log":
        rows = [row for row in rows if row["y"] > 0]
        lowest = min((row["low"] for row in rows if row["low"] > 0), default=1.0)
        for row in rows:
            row["low"] = max(row["low"], lowest)
    colour = {"field": "series", "type": "nominal", "scale": domain, "legend": None}
    dash = {"field": "series", "type": "nominal", "scale": dashes, "legend": None}
    x = _across(rows, panel.x)
    y = _upward(panel, rows)
    band = {
        "mark": {"type": "area", "opacity": 0.18},
        "encoding": {
            "x": x,
            "y": {**y, "field": "low"},
            "y2": {"field": "high"},
            "color": colour,
        },
    }
    line = {
        "mark": {"type": "line", "strokeWidth": 1.6},
        "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash},
    }
    layers = [band, line]
    alone = _alone(rows)
    if alone:
        layers.append(
            {
                "data": {"values": alone},
                "mark": {"type": "point", "filled": True, "size": 36, "opacity": 1},
                "encoding": {"x": x, "y": y, "color": colour},
            }
        )
    spec = {"width": PANEL_WIDTH, "data": {"values": rows}, "layer": layers}
    label = f"{figure} {panel.title}: {panel.y} over {panel.x}, {len(names)} lines."
    return draw(spec, label, height=PANEL_HEIGHT)


def _dash(place: int) -> list[int]:
    return list(DASHES[min(place // len(PALETTE), len(DASHES) - 1)])


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split()]


def _across(rows: Sequence[Mapping[str, Any]], title: str) -> Spec:
    values = sorted({row["x"] for row in rows})
    # Bounds that double from one to the next are drawn evenly.
    doubling = values[0] > 0 and all(b >= 2 * a for a, b in pairwise(values))
    if len(values) >= SEVERAL and doubling:
        return logarithmic(rows, "x", title, grid=False)
    scale = {"nice": False, "zero": False}
    return quantity("x", title, max(values, default=1.0), scale=scale)


def _upward(panel: Picture, rows: Sequence[Mapping[str, Any]]) -> Spec:
    ends = [{"y": row[end]} for row in rows for end in ("low", "high", "y") if row[end] > 0]
    if panel.scale == "log":
        return logarithmic(ends, "y", panel.y)
    values = [row[end] for row in rows for end in ("low", "high")]
    low, high = min(values, default=0.0), max(values, default=1.0)
    scale: Spec = {"zero": low < high / 2, "nice": True}
    if panel.range:
        scale = {"domain": list(panel.range), "clamp": True, "nice": False}
    axis = quantity("y", panel.y, high, scale=scale)
    if high >= 1e6:  # noqa: PLR2004
        axis["axis"] = {"format": ".2~e", "tickCount": 5}
    return axis


def _alone(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the points that no line would show, because their series has no other."""
    by_series: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_series.setdefault(row["series"], []).append(row)
    return [found[0] for found in by_series.values() if len({row["x"] for row in found}) == 1]

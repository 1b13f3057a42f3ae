"""How does a Vega-Lite chart become a drawing that suits every page?

Colours are CSS variables, so that one drawing serves light and dark pages.  Nothing is fetched,
a drawing holds no script, and all charts have letters of one size.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Spec = dict[str, Any]

WIDTH, HEIGHT = 290, 190
"""Of a whole chart with its axes, so that all charts have letters of one size."""

COLOURS = {"original": "var(--original)", "released": "var(--accent)"}
CONTRAST = "var(--contrast)"
PALETTE = tuple(
    f"var(--{name})"
    for name in ("accent", "contrast", "violet", "olive", "blue", "plum", "leaf", "grey")
)
"""One colour for each of several systems or methods, in their order."""

_LARGE, _MANY = 10_000.0, 1e6
"""From here on 10k is written for 10,000, and 1e+6 on a log axis, where zeros are hard to count."""

CONFIG: Spec = {
    "aria": False,
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--soft)",
        "titleColor": "var(--ink)",
        "gridColor": "var(--rule)",
        "domainColor": "var(--soft)",
        "tickColor": "var(--soft)",
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 90,
        "titlePadding": 7,
        "tickSize": 4,
    },
    "axisX": {"titleLimit": 220},
    "axisY": {"titleLimit": 130},
    "legend": {
        "labelColor": "var(--ink)",
        "titleColor": "var(--ink)",
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "orient": "top",
        "symbolOpacity": 1,
        "symbolStrokeWidth": 0,
        "title": None,
    },
}


def draw(spec: Spec, label: str, *, height: int = HEIGHT) -> str:
    """Draw a chart; the label is what someone hears who does not see it."""
    fixed = {"autosize": {"type": "fit", "contains": "padding"}, "padding": 3}
    return _svg(json.dumps(styled({"width": WIDTH, "height": height, **fixed, **spec})), label)


def styled(spec: Spec) -> Spec:
    """Return a chart in the colours and letters of all pages, to be drawn here or by a browser."""
    return {"background": "transparent", "config": CONFIG, **spec}


@cache
def browser_library() -> str:
    """Return Vega, Vega-Lite and their embedding as one script, so that no network is needed."""
    import vl_convert

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script.replace("</script", "<\\/script")


def quantity(field: str, title: str | None, most: float, *, scale: Spec | None = None) -> Spec:
    """Return an axis for numbers up to ``most``; thousands are written as 10k."""
    axis = {"format": "~s" if most >= _LARGE else "~r", "tickCount": 5}
    found: Spec = {"field": field, "type": "quantitative", "title": title, "axis": axis}
    return found if scale is None else {**found, "scale": scale}


def logarithmic(
    rows: Sequence[Mapping[str, Any]], field: str, title: str | None, *, grid: bool = True
) -> Spec:
    """Return a log axis that holds all values of a field, which are above 0."""
    values = [row[field] for row in rows] or [1.0]
    low, high = min(values), max(values)
    marks = "~r" if high < _MANY else ".0e"
    axis = {"format": marks, "values": _marks(low, high), "grid": grid}
    # A single degree needs an axis, too.
    scale = {"type": "log", "domain": [low * 0.9, high * 1.1], "nice": False}
    return {"field": field, "type": "quantitative", "title": title, "axis": axis, "scale": scale}


def steep(rows: Sequence[Mapping[str, Any]], field: str, title: str | None) -> Spec:
    """Return a log axis where it can be one, and one that is nearly so where a value is 0."""
    values = [row[field] for row in rows]
    if values and min(values) > 0:
        return logarithmic(rows, field, title)
    scale = {"type": "symlog", "domainMin": 0}
    return quantity(field, title, max(values, default=1.0), scale=scale)


def colours(sets: Mapping[str, object]) -> Spec:
    """Return the same colour for the same set of records in every chart."""
    named = {"domain": list(sets), "range": [COLOURS[name] for name in sets]}
    legend = None if len(sets) == 1 else {"symbolType": "square"}
    return {"field": "set", "type": "nominal", "scale": named, "legend": legend}


def series(field: str, names: Iterable[str], *, legend: Spec | None) -> Spec:
    """Return a colour of the palette for each name, in the order of the names."""
    domain = list(dict.fromkeys(names))
    range_ = [PALETTE[place % len(PALETTE)] for place in range(len(domain))]
    scale = {"domain": domain, "range": range_}
    return {"field": field, "type": "nominal", "scale": scale, "legend": legend}


def short(text: str) -> str:
    """Cut a text that has no room beside a chart."""
    return text if len(text) <= 24 else text[:23] + "…"  # noqa: PLR2004


@lru_cache(maxsize=128)
def _svg(spec: str, label: str) -> str:
    """Return the drawing; the same chart is not drawn twice in a session."""
    import vl_convert

    text = str(vl_convert.vegalite_to_svg(spec))
    # What a static picture has no use for is half of it.
    text = re.sub(r'<path class="(?:back|fore)ground"[^>]*/>', "", text)
    text = re.sub(r' (?:aria-[a-z]+|role|pointer-events|class|xmlns:xlink)="[^"]*"', "", text)
    text = text.replace(' opacity="1"', "")
    named = escape(label)
    return text.replace("<svg ", f'<svg class="chart" role="img" aria-label="{named}" ', 1).replace(
        ">", f"><title>{named}</title>", 1
    )


def _marks(low: float, high: float) -> list[float]:
    """Return round numbers for a log axis: powers of ten, with 2 and 5 where there are few."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1.0, 2.0, 5.0) if len(powers) < 5 else (1.0,)  # noqa: PLR2004
    marks = [factor * 10.0**power for power in powers for factor in factors]
    return [mark for mark in marks if low * 0.9 <= mark <= high * 1.1]

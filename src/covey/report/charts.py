"""How are the columns of a table drawn?

A chart is drawn from counts that `covey.report.binned` has made: no record is in it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.report.binned import count_columns
from covey.report.vega import COLOURS, CONTRAST, HEIGHT, WIDTH, colours, draw, quantity, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from covey.report.binned import Counts
    from covey.report.comparison import Split
    from covey.table import Attribute

    Spec = dict[str, Any]

BUSY = 8
"""From so many columns on, a heat map has no room for numbers."""


def column_charts(
    attributes: Iterable[Attribute], sets: Mapping[str, pl.LazyFrame]
) -> list[tuple[str, str]]:
    """Draw the values of each column, in one set of records or in two, as (name, drawing)."""
    return [(name, bars(counted)) for name, counted in count_columns(attributes, sets).items()]


def bars(counted: Counts) -> str:
    """Draw how often the values of a column occur, in one set of records or in two."""
    both = len(counted.counts) > 1
    what = "share of records (%)" if both else "records"
    told = f"{'Original and released' if both else 'Released'} values of {counted.name}"
    if counted.edges is None:
        return draw(_ranked(counted, what), f"{told}: {what} by category.")
    return draw(_histogram(counted, counted.edges, what), f"{told}: {what} by value.")


def heat_map(names: Sequence[str], correlations: NDArray[np.float64], title: str) -> str:
    """Draw a correlation matrix: colour for the sign, strength for the size."""
    rows = [
        {"x": i, "y": j, "r": round(float(r), 3), "size": abs(round(float(r), 3))}
        for (j, i), r in np.ndenumerate(correlations)
    ]
    tight = {"scale": {"padding": 0.04}}
    base = {"x": _named("x", names, labelAngle=-40) | tight, "y": _named("y", names) | tight}
    sign = {"condition": {"test": "datum.r < 0", "value": CONTRAST}, "value": COLOURS["released"]}
    strength = {
        "field": "size",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "range": [0.06, 0.7]},
        "legend": None,
    }
    layers: list[Spec] = [
        {"mark": "rect", "encoding": {**base, "color": sign, "fillOpacity": strength}}
    ]
    if len(names) < BUSY:
        text = {"field": "r", "type": "quantitative", "format": ".2f"}
        mark = {"type": "text", "fontSize": 11, "color": "var(--ink)"}
        layers.append({"mark": mark, "encoding": {**base, "text": text}})
    spec = {"data": {"values": rows}, "layer": layers}
    return draw(spec, f"Correlations of the {title} columns, from -1 to 1.", height=WIDTH)


def split_bars(splits: Sequence[Split]) -> str:
    """Draw the error of each column as a stack of what aggregation and noise did."""
    parts = [
        {"place": place, "part": part, "share": round(share, 4), "order": order}
        for place, split in enumerate(splits)
        for order, (part, share) in enumerate(
            (("aggregation", split.aggregation), ("noise", split.noise))
        )
    ]
    most = max((split.aggregation + split.noise for split in splits), default=0.0)
    scale = {"domain": ["aggregation", "noise"], "range": [COLOURS["original"], CONTRAST]}
    spec = {
        "data": {"values": parts},
        "mark": {"type": "bar"},
        "encoding": {
            "y": _named("place", [split.name for split in splits]),
            "x": quantity("share", "squared error (% of the variance)", most),
            "color": {"field": "part", "type": "nominal", "scale": scale},
            "order": {"field": "order", "type": "quantitative"},
        },
    }
    label = "Squared error of each column, split into aggregation and noise."
    return draw(spec, label, height=80 + 24 * len(splits))


def _histogram(counted: Counts, edges: NDArray[np.float64], what: str) -> Spec:
    rows = [
        {"set": name, "low": float(edges[i]), "high": float(edges[i + 1]), "count": height}
        for name, heights in _heights(counted).items()
        for i, height in enumerate(heights)
    ]
    farthest = float(np.abs(edges).max())
    x = quantity("low", counted.title, farthest, scale={"nice": False, "zero": False})
    encoding = {
        "x": {**x, "bin": "binned"},
        "x2": {"field": "high"},
        "y": _height(counted, what),
    }
    if len(counted.counts) == 1:
        return {"data": {"values": rows}, "mark": _solid("released"), "encoding": encoding}
    encoding["color"] = colours(counted.counts)
    steps = [
        {**row, "low": row["high"]}
        for row in rows
        if row["set"] == "released" and row["high"] == edges[-1]
    ]
    line = {"type": "line", "interpolate": "step-after", "strokeWidth": 2}
    outline = {key: value for key, value in encoding.items() if key != "x2"}
    outline["x"] = x
    return {
        "layer": [
            {
                "data": {"values": [row for row in rows if row["set"] == "original"]},
                "mark": {"type": "bar", "binSpacing": 0, "opacity": 0.75},
                "encoding": encoding,
            },
            {
                "data": {"values": [row for row in rows if row["set"] == "released"] + steps},
                "mark": line,
                "encoding": outline,
            },
        ]
    }


def _ranked(counted: Counts, what: str) -> Spec:
    rows = [
        {"set": name, "place": place, "count": height}
        for name, heights in _heights(counted).items()
        for place, height in enumerate(heights)
    ]
    encoding: Spec = {
        "y": _named("place", counted.labels) | {"title": counted.title},
        "x": _height(counted, what),
    }
    room = max(HEIGHT, 70 + 18 * len(counted.labels))
    if len(counted.counts) == 1:
        return {
            "data": {"values": rows},
            "mark": _solid("released"),
            "encoding": encoding,
            "height": room,
        }
    encoding["color"] = colours(counted.counts)
    encoding["yOffset"] = {"field": "set", "type": "nominal", "sort": list(COLOURS)}
    return {"data": {"values": rows}, "mark": {"type": "bar"}, "encoding": encoding, "height": room}


def _named(field: str, names: Sequence[str], **axis: Any) -> Spec:
    """Return an axis for places that have names, which may occur twice once they are cut."""
    labels = json.dumps([short(name) for name in names])
    plain = {"labelExpr": f"{labels}[datum.value]", "ticks": False, "domain": False}
    return {"field": field, "type": "ordinal", "title": None, "axis": plain | axis}


def _height(counted: Counts, what: str) -> Spec:
    return quantity("count", what, max(max(heights) for heights in _heights(counted).values()))


def _heights(counted: Counts) -> dict[str, list[float]]:
    """Return counts of one set of records, or percentages of two that may differ in size."""
    if len(counted.counts) == 1:
        return {name: counts.tolist() for name, counts in counted.counts.items()}
    return {
        name: np.round(100.0 * counts / max(int(counts.sum()), 1), 4).tolist()
        for name, counts in counted.counts.items()
    }


def _solid(name: str) -> Spec:
    return {"type": "bar", "binSpacing": 1, "color": COLOURS[name]}

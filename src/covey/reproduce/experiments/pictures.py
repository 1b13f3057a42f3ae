"""Which points does each panel of a figure show?  Series of means, with their range over runs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from covey.report.small_multiples import Picture
from covey.reproduce.experiments.claims import figure as shown
from covey.reproduce.experiments.claims import matches
from covey.reproduce.experiments.experiment import Panel, axis_label
from covey.reproduce.experiments.measures import MEASURES

if TYPE_CHECKING:
    from covey.reproduce.experiments.points import Cell, Findings


def pictures(findings: Findings) -> list[Picture]:
    """Return the panels of an experiment, one for each combination of what they are by."""
    found = []
    for panel in findings.experiment.panels:
        cells = [
            cell
            for cell in findings.cells
            if (not panel.lines or cell.line in panel.lines)
            and panel.y in cell.values
            and matches(cell.at, panel.where)
        ]
        values = [_values(cells, axis) for axis in panel.by]
        for chosen in product(*values):
            fixed = dict(zip(panel.by, chosen, strict=True))
            picture = _picture(panel, [c for c in cells if matches(c.at, fixed)], fixed, findings)
            if picture.rows:
                found.append(picture)
    return found


def _values(cells: list[Cell], axis: str) -> list[Any]:
    return list(dict.fromkeys(cell.at[axis] for cell in cells if axis in cell.at))


def _picture(
    panel: Panel, cells: list[Cell], fixed: Mapping[str, Any], findings: Findings
) -> Picture:
    along = sorted({cell.at[panel.x] for cell in cells if panel.x in cell.at})
    several = {axis for axis in findings.experiment.grid if len(_values(cells, axis)) > 1}
    if len(_values(cells, "n")) > 1:
        several.add("n")
    if len(_values(cells, "data")) > 1:
        several.add("data")
    rows: list[Mapping[str, Any]] = []
    flat = set()
    for cell in cells:
        left = [
            axis_value(axis, cell.at[axis])
            for axis in ("data", "n", *findings.experiment.grid)
            if axis in several and axis in cell.at and axis not in (panel.x, *fixed)
        ]
        series = ", ".join([cell.line, *left])
        if panel.x not in cell.at:
            flat.add(series)
        places = [cell.at[panel.x]] if panel.x in cell.at else along[:1] + along[-1:]
        values = cell.values[panel.y]
        ends = {"y": cell.mean(panel.y), "low": min(values), "high": max(values)}
        if panel.log2:
            ends = {name: math.log2(value) for name, value in ends.items()}
        rows += [{"series": series, "x": place, **ends} for place in places]
    name = ", ".join(axis_value(axis, value) for axis, value in fixed.items())
    title = MEASURES[panel.y].title
    return Picture(
        title=" ".join(part for part in (panel.label, name) if part),
        x=axis_label(panel.x),
        y=f"log₂ {title}" if panel.log2 else title,
        scale=panel.scale,
        rows=tuple(rows),
        flat=frozenset(flat),
        range=panel.range,
    )


def axis_value(axis: str, value: Any) -> str:
    """Return a value with its axis; data sets need none."""
    return str(value) if axis == "data" else f"{axis_label(axis)} = {shown(value)}"

"""Which points does each panel of a figure show?  Series of means, with their range over runs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from covey.report.small_multiples import Picture
from covey.reproduce.experiments.claims import figure as shown
from covey.reproduce.experiments.claims import matches, middle
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
            here = [cell for cell in cells if matches(cell.at, fixed)]
            picture = (
                _crossings(panel, here) if panel.along else _picture(panel, here, fixed, findings)
            )
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


def _crossings(panel: Panel, cells: list[Cell]) -> Picture:
    """Draw from where on an axis the first line of a panel stays below the second."""
    first, second = panel.lines
    means = {
        (cell.line, *sorted((axis, str(value)) for axis, value in cell.at.items())): cell
        for cell in cells
    }
    places: dict[tuple[Any, Any], tuple[list[float], list[float]]] = {}
    for cell in cells:
        key = tuple(sorted((axis, str(value)) for axis, value in cell.at.items()))
        other = means.get((second, *key))
        if cell.line != first or other is None:
            continue
        below, above = places.setdefault((cell.at["data"], cell.at[panel.x]), ([], []))
        lower = cell.mean(panel.y) < other.mean(panel.y)
        (below if lower else above).append(cell.at[panel.along])
    rows = []
    for (data, x), (below, above) in places.items():
        if below and (not above or max(above) < max(below)):
            y = middle(below, above)
            # The range says between which points of the grid it lies.
            ends = sorted((min(below), max(above, default=y)))
            rows.append({"series": data, "x": x, "y": y, "low": ends[0], "high": ends[1]})
    return Picture(
        title=panel.label,
        x=axis_label(panel.x),
        y=f"from {axis_label(panel.along)}",
        scale=panel.scale,
        rows=tuple(rows),
    )


def axis_value(axis: str, value: Any) -> str:
    """Return a value with its axis; data sets need none."""
    return str(value) if axis == "data" else f"{axis_label(axis)} = {shown(value)}"

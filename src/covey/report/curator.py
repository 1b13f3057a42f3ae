"""What does the curator see who still holds the originals?  Never for publication."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.evaluate import METRICS
from covey.evaluate.first_look import NUMBER_TITLES
from covey.evaluate.network import NETWORK_METRICS
from covey.evaluate.tabulated import TABLE_METRICS, releases_cells
from covey.graph import Graph, degree_distribution, joint_degrees
from covey.release import as_table
from covey.report.charts import column_charts, heat_map, split_bars
from covey.report.comparison import (
    QUANTILES,
    correlations,
    numeric_columns,
    split_errors,
    statistics,
)
from covey.report.degree_charts import degree_charts
from covey.report.degrees import published_degrees
from covey.report.html import render
from covey.report.lights import light
from covey.report.public import about
from covey.report.words import MARK

if TYPE_CHECKING:
    import polars as pl

    from covey.evaluate import Evaluation, Metric
    from covey.evaluate.first_look import ColumnLook
    from covey.release import Release, Trace
    from covey.table import Table


def curator_report(
    data: Table | Graph, release: Release, evaluation: Evaluation, trace: Trace | None = None
) -> str:
    """Return the curator's edition as one HTML file, marked on every page.

    Parameters
    ----------
    data : Table or Graph
        The originals.
    release : Release
        What was published.
    evaluation : Evaluation
        What `covey.evaluate` found.
    trace : Trace, optional
        What became of each record.
    """
    content = about(release) | _scores(evaluation) | {"mark": MARK}
    aligned = None if trace is None else trace.aligned
    if isinstance(data, Graph):
        parts = _of_graph(data, release)
    elif releases_cells(release):
        parts = NOTHING_TO_DRAW
    else:
        parts = _of_table(data, release, aligned)
    return render("curator.html.j2", content | parts)


NOTHING_TO_DRAW: dict[str, Any] = {
    "charts": [],
    "maps": [],
    "statistics": [],
    "quantiles": [],
    "splits": [],
    "split_how": "",
    "split_chart": "",
    "guess": 0.0,
    "graph": True,
    "cells": True,
}
"""Of a release of tables the scores tell all: there are no columns to compare."""


def _of_table(table: Table, release: Release, aligned: pl.DataFrame | None) -> dict[str, Any]:
    attributes = [table.schema[name] for name in release.frame.columns]
    sets = {"original": table.frame.lazy(), "released": release.scan()}
    splits, how = split_errors(table, release, aligned)
    return {
        "charts": column_charts(attributes, sets),
        "maps": _heat_maps(table, release),
        "statistics": statistics(table, release),
        "quantiles": [f"{100 * share:g} %" for share in QUANTILES],
        "splits": splits,
        "split_how": how,
        "split_chart": split_bars(splits) if splits else "",
        "guess": 100.0 / max(table.n, 1),
        "graph": False,
        "cells": False,
    }


def _heat_maps(table: Table, release: Release) -> list[tuple[str, str]]:
    names = numeric_columns(table, release)
    if len(names) < 2:  # noqa: PLR2004 — one column has no correlation
        return []
    sets = {"original": table, "released": as_table(table, release)}
    return [
        (title, heat_map(names, correlations(each, names), title)) for title, each in sets.items()
    ]


def _of_graph(graph: Graph, release: Release) -> dict[str, Any]:
    published = published_degrees(release)
    counted = degree_distribution(graph) if published.order == 1 else joint_degrees(graph)
    return {
        "charts": degree_charts({"original": counted, "released": published}),
        "maps": [],
        "statistics": [],
        "quantiles": [],
        "splits": [],
        "split_how": "",
        "split_chart": "",
        "guess": 0.0,
        "graph": True,
        "cells": False,
    }


def _scores(evaluation: Evaluation) -> dict[str, Any]:
    known = METRICS | NETWORK_METRICS | TABLE_METRICS
    found = [
        (known[name], value)
        for name, value in evaluation.items()
        if name in known and known[name].better != "neither"
    ]
    partly = bool(evaluation.unlinked)
    by_column: dict[str, dict[str, float]] = {}
    properties: dict[str, dict[str, float]] = {}
    for name, value in evaluation.items():
        score, bracket, inside = name.removesuffix("]").partition("[")
        if not bracket:
            continue
        if inside in ("original", "released") and score in NETWORK_METRICS:
            properties.setdefault(NETWORK_METRICS[score].title, {})[inside] = value
        else:
            by_column.setdefault(inside, {})[score] = value
    return {
        "utility": [_row(*each, partly) for each in found if each[0].kind == "utility"],
        "risk": [_row(*each, partly) for each in found if each[0].kind == "risk"],
        "linkage": evaluation.get("rl"),
        "by_column": by_column,
        "properties": properties,
        "notes": evaluation.notes,
        "coverage": evaluation.coverage,
        "worst": evaluation.worst,
        "numbers": [_with_rows(look) for look in evaluation.looks if not look.shares],
        "shares": _shares(evaluation),
        "outside": {name: n for name, n in evaluation.outside_bounds.items() if n},
        "dropped": evaluation.dropped,
    }


def _with_rows(look: ColumnLook) -> dict[str, Any]:
    rows = {title: pair for title, *pair in look.rows}
    told = [[look.text(title, value) for value in rows[title]] for title in NUMBER_TITLES]
    weighted = [[look.text(title, value) for value in pair] for title, *pair in look.weighted]
    return {"name": look.name, "unit": look.unit, "rows": told, "weighted": weighted}


def _shares(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the shares of the most frequent categories, of special and of missing numbers."""
    return [
        {"name": look.name, "rows": look.share_rows} for look in evaluation.looks if look.share_rows
    ]


def _row(metric: Metric, value: float, partly: bool) -> dict[str, Any]:
    return {"metric": metric, "value": value, "light": light(metric, value, partly=partly)}

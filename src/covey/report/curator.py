"""What does the curator see who still holds the originals?  Never for publication."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.evaluate import METRICS
from covey.evaluate.network import NETWORK_METRICS
from covey.graph import Graph, degree_distribution, joint_degrees
from covey.release import as_table
from covey.report import charts, degree_charts
from covey.report.binned import count_columns
from covey.report.comparison import (
    QUANTILES,
    correlations,
    numeric_columns,
    split_errors,
    statistics,
)
from covey.report.degrees import degree_curve, degree_map, published_degrees
from covey.report.html import drawing, render
from covey.report.lights import light
from covey.report.public import about

if TYPE_CHECKING:
    from covey.evaluate import Evaluation, Metric
    from covey.release import Release
    from covey.table import Table

MARK = "do not publish: computed on the originals"


def curator_report(data: Table | Graph, release: Release, evaluation: Evaluation) -> str:
    """Return the curator's edition as one HTML file, marked on every page.

    Parameters
    ----------
    data : Table or Graph
        The originals.
    release : Release
        What was published.
    evaluation : Evaluation
        What `covey.evaluate` found.
    """
    content = about(release) | _scores(evaluation) | {"mark": MARK}
    parts = _of_graph(data, release) if isinstance(data, Graph) else _of_table(data, release)
    return render("curator.html.j2", content | parts)


def _of_table(table: Table, release: Release) -> dict[str, Any]:
    attributes = [table.schema[name] for name in release.frame.columns]
    sets = {"original": table.frame.lazy(), "released": release.scan()}
    columns = [
        {"title": name, "svg": drawing(charts.bars(counted))}
        for name, counted in count_columns(attributes, sets).items()
    ]
    splits, how = split_errors(table, release)
    drawn = [
        {"name": each.name, "aggregation": each.aggregation, "noise": each.noise} for each in splits
    ]
    return {
        "charts": columns,
        "maps": _heat_maps(table, release),
        "statistics": statistics(table, release),
        "quantiles": [f"{100 * share:g} %" for share in QUANTILES],
        "splits": splits,
        "split_how": how,
        "split_chart": drawing(charts.split_bars(drawn)) if splits else "",
        "guess": 100.0 / max(table.n, 1),
        "graph": False,
    }


def _heat_maps(table: Table, release: Release) -> list[dict[str, Any]]:
    names = numeric_columns(table, release)
    if len(names) < 2:  # noqa: PLR2004 — one column has no correlation
        return []
    sets = {"original": table, "released": as_table(table, release)}
    return [
        {"title": title, "svg": drawing(charts.heat_map(names, correlations(each, names), title))}
        for title, each in sets.items()
    ]


def _of_graph(graph: Graph, release: Release) -> dict[str, Any]:
    published = published_degrees(release)
    curves = {
        "original": degree_curve(degree_distribution(graph)),
        "released": degree_curve(published),
    }
    maps = []
    if published.order > 1:
        sets = {"original": degree_map(joint_degrees(graph)), "released": degree_map(published)}
        for name in sets:
            title = f"Edges by the degrees of their ends, {name}"
            maps.append({"title": title, "svg": drawing(degree_charts.degree_heat_map(sets, name))})
    return {
        "charts": [{"title": "Nodes by degree", "svg": drawing(degree_charts.degree_plot(curves))}],
        "maps": maps,
        "statistics": [],
        "quantiles": [],
        "splits": [],
        "split_how": "",
        "split_chart": "",
        "guess": 0.0,
        "graph": True,
    }


def _scores(evaluation: Evaluation) -> dict[str, Any]:
    known = METRICS | NETWORK_METRICS
    found = [
        (known[name], value)
        for name, value in evaluation.items()
        if name in known and known[name].better != "neither"
    ]
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
        "utility": [_row(*each) for each in found if each[0].kind == "utility"],
        "risk": [_row(*each) for each in found if each[0].kind == "risk"],
        "linkage": evaluation.get("rl"),
        "by_column": by_column,
        "properties": properties,
        "notes": evaluation.notes,
        "outside": {name: n for name, n in evaluation.outside_bounds.items() if n},
        "dropped": evaluation.dropped,
    }


def _row(metric: Metric, value: float) -> dict[str, Any]:
    return {"metric": metric, "value": value, "light": light(metric, value)}

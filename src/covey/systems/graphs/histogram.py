"""Publish how many nodes have each degree, soundly, for edges or for whole nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PlanError
from covey.perturb import together
from covey.privacy import Budget, GuaranteeKind, PrivacyUnit
from covey.release.realisable import graphical
from covey.systems.base import Outcome, Parameter, Progress, System
from covey.systems.graphs.counts import (
    CHOSEN_THETA,
    EPSILON,
    KEY,
    REGENERATE,
    TOP,
    UNIT,
    cell_columns,
    graph_guarantee,
    regenerated,
)
from covey.systems.graphs.degrees import (
    NoisyDegrees,
    bounded,
    cumulative_degrees,
    degree_histogram,
    sorted_degrees,
)
from covey.systems.graphs.theta import SHARE, chosen_theta

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.graph import Graph
    from covey.perturb import Accounted, NoiseSource

FORMS = {"edge": ("blocks", "cumulative", "histogram"), "node": ("cumulative", "histogram")}


def _publish(
    graph: Graph, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    unit, whole = parameters["unit"], Budget.of(parameters["epsilon"])
    form = _form(parameters["form"], unit)
    if progress is not None:
        progress("degree-histogram: counting degrees", 0, 2)
    paid: list[Accounted] = []
    resolved: dict[str, Any] = {"form": form}
    if unit == "edge":
        top = min(parameters["top"], graph.n_nodes - 1)
        degrees = _for_edges(graph, form, top, whole, source)
    else:
        theta, rest = parameters["theta"], whole
        if theta is None:
            choice, rest = whole.split([SHARE, 100 - SHARE])
            theta, noisy = chosen_theta(
                graph, parameters["key"], budget=choice, rest=rest, source=source
            )
            paid.append(noisy)
        resolved["theta"] = theta
        publish = cumulative_degrees if form == "cumulative" else degree_histogram
        projected = bounded(graph, theta, parameters["key"])
        degrees = publish(projected, theta, rest, source, theta=theta)
    origin = together([*paid, degrees.noisy], claim=degrees.noisy.claim)
    occurring = np.flatnonzero(degrees.nodes)
    extras = {"measured": degrees.table}
    if parameters["regenerate"]:
        if progress is not None:
            progress("degree-histogram: making a graph", 1, 2)
        realised = graphical(occurring[:, None], degrees.nodes[occurring])
        extras["edges"] = regenerated(realised, int(degrees.nodes.sum()), source)
    return Outcome(
        columns=cell_columns(occurring[:, None], degrees.nodes[occurring], origin=origin),
        guarantee=graph_guarantee(
            unit, whole, claim=origin.claim, theta=resolved.get("theta"), chosen=bool(paid)
        ),
        resolved=resolved,
        extras=extras,
    )


def _for_edges(
    graph: Graph, form: str, top: int, budget: Budget, source: NoiseSource
) -> NoisyDegrees:
    if form == "blocks":
        return sorted_degrees(graph, budget, source)
    publish = cumulative_degrees if form == "cumulative" else degree_histogram
    return publish(graph, top, budget, source)


def _form(form: str | None, unit: str) -> str:
    if form is None:
        return FORMS[unit][0]
    if form not in FORMS[unit]:
        raise PlanError(
            f"form = {form!r} needs the number of nodes, which is not public where whole nodes "
            f"are protected, so nothing was published. Choose one of {', '.join(FORMS[unit])}."
        )
    return form


DEGREE_HISTOGRAM = System(
    name="degree-histogram",
    summary="How many nodes have each degree, with noise for one edge or one node.",
    paper="covey",
    kind=GuaranteeKind.EDGE_DP,
    unit=PrivacyUnit.EDGE,
    data="graph",
    parameters=(
        EPSILON,
        UNIT,
        Parameter(
            name="form",
            meaning="what gets the noise: sums of sorted degrees over blocks of ranks, numbers of "
            "nodes of at most each degree, or of each degree",
            kind=str,
            default=None,
            choices=("blocks", "cumulative", "histogram"),
        ),
        TOP,
        CHOSEN_THETA,
        KEY,
        REGENERATE,
    ),
    run=_publish,
)

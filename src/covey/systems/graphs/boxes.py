"""Publish joint degrees soundly: boxes of degree pairs, with noise in proportion to the degree.

First the degrees are published, then the numbers of edges in boxes of degree pairs that are
public or made from the noisy degrees.  The noise of a box is proportional to its largest
degree, so no bound on the degrees is needed to protect an edge; to protect a node, the graph is
first cut down to a degree bound by edge addition.  All else is post-processing: the joint
degrees that fit both measurements, made realisable, and a graph that has exactly these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.graph import joint_degrees
from covey.partition.degree_boxes import DegreeBoxes, geometric, informative, single
from covey.perturb import add_count_noise, together
from covey.privacy import Budget, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release.joint_fit import fit
from covey.release.realisable import realisable
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
    measured,
    regenerated,
)
from covey.systems.graphs.degrees import bounded, cumulative_degrees, sorted_degrees
from covey.systems.graphs.theta import SHARE, chosen_theta

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.graph import DK, Graph
    from covey.perturb import Accounted, NoiseSource, NoisyCounts
    from covey.privacy import Sensitivity

DEGREES_SHARE = 50
"""Parts of 100 for the degrees; the rest is for the boxes."""

SIGNAL = 6.0
"""An interval of degrees grows until its own box stands out from the noise so many times."""


def _publish(
    graph: Graph, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    report = progress or _silent
    whole = rest = Budget.of(parameters["epsilon"])
    node = parameters["unit"] == "node"
    paid: list[Accounted] = []
    theta = parameters["theta"] if node else None
    if node:
        report("joint-degree-boxes: bounding degrees", 0, 4)
        if theta is None:
            choice, rest = whole.split([SHARE, 100 - SHARE])
            theta, sizes = chosen_theta(
                graph, parameters["key"], budget=choice, rest=rest, source=source
            )
            paid.append(sizes)
        graph = bounded(graph, theta, parameters["key"])
    report("joint-degree-boxes: counting degrees", 1, 4)
    first, second = rest.split([DEGREES_SHARE, 100 - DEGREES_SHARE])
    degrees = (
        sorted_degrees(graph, first, source)
        if theta is None
        else cumulative_degrees(graph, theta, first, source, theta=theta)
    )
    form, top = parameters["boxes"], min(parameters["top"], max(graph.n_nodes - 1, 1))
    boxes = _boxes(form, top if theta is None else theta, theta, degrees.nodes, second)
    even = form == "even-cells"
    noisy = _measured(joint_degrees(graph), boxes, theta, even=even, budget=second, source=source)
    origin = together([*paid, degrees.noisy, noisy], claim=noisy.claim)
    report("joint-degree-boxes: fitting joint degrees", 2, 4)
    joint = realisable(*fit(degrees.nodes, boxes, noisy).cells())
    extras = {
        "degrees": degrees.table,
        "boxes": measured(boxes.cells(), noisy, "edges"),
    }
    if parameters["regenerate"]:
        report("joint-degree-boxes: making a graph", 3, 4)
        extras["edges"] = regenerated(joint, int(degrees.nodes.sum()), source)
    return Outcome(
        columns=cell_columns(joint.keys, joint.counts, origin=origin),
        guarantee=graph_guarantee(
            parameters["unit"], whole, claim=origin.claim, theta=theta, chosen=bool(paid)
        ),
        resolved={} if theta is None else {"theta": theta},
        extras=extras,
    )


def _boxes(
    form: str, top: int, theta: int | None, nodes: NDArray[Any], budget: Budget
) -> DegreeBoxes:
    if form == "fitted":
        unit = 4 if theta is None else 2 * theta + 1
        noise = unit / float(budget.epsilon)
        return informative(nodes, noise=noise, top=theta, signal=SIGNAL)
    closed = theta is not None
    return geometric(top, closed=closed) if form == "geometric" else single(top, closed=closed)


def _measured(
    joint: DK,
    boxes: DegreeBoxes,
    theta: int | None,
    *,
    even: bool,
    budget: Budget,
    source: NoiseSource,
) -> NoisyCounts:
    return add_count_noise(
        boxes.counts(joint),
        weights=None if even else boxes.weights,
        sensitivity=_claim(boxes, theta, even=even),
        budget=budget,
        source=source,
    )


def _claim(boxes: DegreeBoxes, theta: int | None, *, even: bool) -> Sensitivity:
    if theta is None:
        if even:
            return sensitivity("joint-degrees", "top-coded", top=len(boxes.lows))
        return sensitivity("joint-degrees", "boxes")
    if even:
        return sensitivity("projected-joint-degrees", "cells", theta=theta)
    return sensitivity("projected-joint-degrees", "boxes", theta=theta)


def _silent(what: str, done: int, total: int) -> None:
    del what, done, total


JOINT_DEGREE_BOXES = System(
    name="joint-degree-boxes",
    summary="How many edges join nodes of which degrees, with noise for one edge or one node; "
    "and a graph that has these degrees.",
    paper="covey",
    kind=GuaranteeKind.EDGE_DP,
    unit=PrivacyUnit.EDGE,
    data="graph",
    parameters=(
        EPSILON,
        UNIT,
        Parameter(
            name="boxes",
            meaning="how pairs of degrees are grouped: in intervals fitted to the noisy degrees, "
            "in public intervals 1, 2, 3-4, 5-8, …, or not at all (cells: noise in proportion to "
            "the degree; even-cells: the same noise everywhere)",
            kind=str,
            default="fitted",
            choices=("fitted", "geometric", "cells", "even-cells"),
        ),
        TOP,
        CHOSEN_THETA,
        KEY,
        REGENERATE,
    ),
    run=_publish,
)

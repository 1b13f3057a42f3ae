"""Publish joint degrees soundly: boxes of degree pairs, with noise in proportion to the degree.

First the degrees are published, then the numbers of edges in boxes of degree pairs that are
public or made from the noisy degrees.  The noise of a box is proportional to its largest
degree, so no bound on the degrees is needed to protect an edge; to protect a node, the graph is
first cut down to a degree bound by edge addition.  All else is post-processing: the joint
degrees that fit both measurements, made realisable, and a graph that has exactly these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.core import Budget, GuaranteeKind, PrivacyUnit, Promise
from covey.core.questions import DegreeCounts, DegreeSums, EdgeCounts
from covey.partition.degree_boxes import DegreeBoxes, geometric_boxes, informative, single
from covey.postprocess.joint_fit import fit_joint
from covey.postprocess.realisable import realisable
from covey.postprocess.rows import Counted
from covey.systems.base import Built, SoundSystem, setting
from covey.systems.graph_counts import (
    cell_columns,
    chosen_theta_setting,
    graph_epsilon_setting,
    graph_promise,
    key_setting,
    noisy_table,
    regenerate_setting,
    regenerated,
    theta_fact,
    top_setting,
    unit_setting,
)
from covey.systems.sound.degree_histogram import unit_of
from covey.systems.sound.degrees import (
    THETA_SHARE,
    NoisyDegrees,
    ask_degrees,
    choose_theta,
    falling_blocks,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.core import Meter, Noisy
    from covey.graph.head import GraphHead

DEGREES_SHARE = 50
"""Parts of 100 for the degrees; the rest is for the boxes."""

SIGNAL = 6.0
"""An interval of degrees grows until its own box stands out from the noise so many times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JointDegreeSettings:
    """What may be set."""

    epsilon: float = graph_epsilon_setting()
    unit: str = unit_setting()
    boxes: str = setting(
        "how pairs of degrees are grouped: in intervals fitted to the noisy degrees, in public "
        "intervals 1, 2, 3-4, 5-8, …, or not at all (cells: noise in proportion to the degree; "
        "even-cells: the same noise everywhere)",
        default="fitted",
        choices=("fitted", "geometric", "cells", "even-cells"),
    )
    top: int = top_setting()
    theta: int | None = chosen_theta_setting()
    key: str = key_setting()
    regenerate: bool = regenerate_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedJoint:
    """In which boxes edges will be counted; ``n`` where the nodes are public."""

    form: str
    n: int | None
    top: int
    theta: int | None
    key: str
    regenerate: bool
    budget: Budget
    unit: PrivacyUnit
    promise: Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredJoint:
    """Noisy degrees, and noisy numbers of edges in boxes."""

    degrees: NoisyDegrees
    nodes: NDArray[np.int64]
    boxes: DegreeBoxes
    edges: Noisy
    theta: int | None


def ask(head: GraphHead, settings: JointDegreeSettings) -> AskedJoint:
    """Lay out what is public; nothing is known of a graph whose nodes are protected."""
    unit = unit_of(settings)
    n = head.n_nodes if unit is PrivacyUnit.EDGE else None
    return AskedJoint(
        form=settings.boxes,
        n=n,
        top=settings.top if n is None else min(settings.top, max(n - 1, 1)),
        theta=settings.theta,
        key=settings.key,
        regenerate=settings.regenerate,
        budget=Budget.of(settings.epsilon),
        unit=unit,
        promise=graph_promise(unit),
    )


def measure(meter: Meter, asked: AskedJoint) -> MeasuredJoint:
    """Ask for the degrees, make boxes of the answer, and ask for the edges in them."""
    theta, rest = None, asked.budget
    if asked.n is None:
        meter.progress("joint-degree-boxes: bounding degrees", 0, 4)
        theta = asked.theta
        if theta is None:
            choice, rest = asked.budget.split([THETA_SHARE, 100 - THETA_SHARE])
            theta = choose_theta(meter, asked.key, share=choice, rest=rest)
    meter.progress("joint-degree-boxes: counting degrees", 1, 4)
    first, second = rest.split([DEGREES_SHARE, 100 - DEGREES_SHARE])
    question: DegreeSums | DegreeCounts
    if asked.n is not None:
        question = DegreeSums(falling_blocks(asked.n))
    else:
        assert theta is not None  # noqa: S101 — given, or chosen
        question = DegreeCounts(theta, cumulative=True, theta=theta, key=asked.key)
    degrees = ask_degrees(meter, question, first)
    nodes = degrees.nodes
    boxes = _boxes(asked, theta, nodes, second)
    edges = meter.counts(EdgeCounts(boxes, asked.form == "even-cells", theta, asked.key), second)
    meter.progress("joint-degree-boxes: fitting joint degrees", 2, 4)
    if asked.regenerate:
        meter.progress("joint-degree-boxes: making a graph", 3, 4)
    return MeasuredJoint(degrees=degrees, nodes=nodes, boxes=boxes, edges=edges, theta=theta)


def build(asked: AskedJoint, measured: MeasuredJoint, rng: np.random.Generator) -> Built:
    """Fit joint degrees to both measurements, and make a graph that has them."""
    boxes, edges = measured.boxes, measured.edges
    joint = realisable(*fit_joint(measured.nodes, boxes, edges).cells())
    extras = {
        "degrees": measured.degrees.table,
        "boxes": noisy_table(boxes.cells(), edges, "edges"),
    }
    if asked.regenerate:
        extras |= regenerated(joint, int(measured.nodes.sum()), rng)
    theta = {} if measured.theta is None else {"theta": measured.theta}
    return Built(
        rows=Counted(cell_columns(joint.keys, joint.counts)),
        extras=extras,
        resolved={"regenerate": "edges" in extras, **theta},
        facts=theta_fact(measured.theta, chosen=asked.theta is None),
    )


def _boxes(
    asked: AskedJoint, theta: int | None, nodes: NDArray[np.int64], budget: Budget
) -> DegreeBoxes:
    """Return boxes of degree pairs, from public numbers and noisy degrees."""
    if asked.form == "fitted":
        unit = 4 if theta is None else 2 * theta + 1
        return informative(nodes, noise=unit / float(budget.epsilon), top=theta, signal=SIGNAL)
    top, closed = (asked.top, False) if theta is None else (theta, True)
    grouped = geometric_boxes if asked.form == "geometric" else single
    return grouped(top, closed=closed)


JOINT_DEGREE_BOXES = SoundSystem(
    name="joint-degree-boxes",
    summary="How many edges join nodes of which degrees, with noise for one edge or one node; "
    "and a graph that has these degrees.",
    paper="covey",
    kind=GuaranteeKind.EDGE_DP,
    unit=PrivacyUnit.EDGE,
    data="graph",
    takes=JointDegreeSettings,
    ask=ask,
    measure=measure,
    build=build,
    unit_of=unit_of,
)

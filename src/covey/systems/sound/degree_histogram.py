"""Publish how many nodes have each degree, soundly, for edges or for whole nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core import Budget, GuaranteeKind, PrivacyUnit, Promise
from covey.core.questions import DegreeCounts, DegreeSums
from covey.errors import PlanError
from covey.postprocess.realisable import graphical
from covey.postprocess.rows import Counted
from covey.systems.base import Built, SoundSystem, setting
from covey.systems.graph_counts import (
    cell_columns,
    chosen_theta_setting,
    graph_epsilon_setting,
    graph_promise,
    key_setting,
    regenerate_setting,
    regenerated,
    theta_fact,
    top_setting,
    unit_setting,
)
from covey.systems.sound.degrees import (
    THETA_SHARE,
    NoisyDegrees,
    ask_degrees,
    choose_theta,
    falling_blocks,
)

if TYPE_CHECKING:
    from covey.core import Meter
    from covey.graph.head import GraphHead

FORMS = {"edge": ("blocks", "cumulative", "histogram"), "node": ("cumulative", "histogram")}


@dataclass(frozen=True, slots=True, kw_only=True)
class DegreeHistogramSettings:
    """What may be set."""

    epsilon: float = graph_epsilon_setting()
    unit: str = unit_setting()
    form: str | None = setting(
        "what gets the noise: sums of sorted degrees over blocks of ranks, numbers of nodes of at "
        "most each degree, or of each degree",
        default=None,
        choices=("blocks", "cumulative", "histogram"),
    )
    top: int = top_setting()
    theta: int | None = chosen_theta_setting()
    key: str = key_setting()
    regenerate: bool = regenerate_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedDegrees:
    """Which degrees are asked for, in which form."""

    form: str
    question: DegreeSums | DegreeCounts | None
    theta: int | None
    key: str
    regenerate: bool
    budget: Budget
    unit: PrivacyUnit
    promise: Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredDegrees:
    """The noisy degrees, and the degree bound that they were measured with."""

    degrees: NoisyDegrees
    theta: int | None


def unit_of(settings: Any) -> PrivacyUnit:
    """Return the neighbour relation."""
    return PrivacyUnit.EDGE if settings.unit == "edge" else PrivacyUnit.NODE


def ask(head: GraphHead, settings: DegreeHistogramSettings) -> AskedDegrees:
    """Lay out the ranks or degrees; nothing is known of a graph whose nodes are protected."""
    form, unit = _form(settings.form, settings.unit), unit_of(settings)
    question: DegreeSums | DegreeCounts | None = None
    if unit is PrivacyUnit.EDGE:
        top = min(settings.top, head.n_nodes - 1)
        question = (
            DegreeSums(falling_blocks(head.n_nodes))
            if form == "blocks"
            else DegreeCounts(top, form == "cumulative")
        )
    return AskedDegrees(
        form=form,
        question=question,
        theta=settings.theta,
        key=settings.key,
        regenerate=settings.regenerate,
        budget=Budget.of(settings.epsilon),
        unit=unit,
        promise=graph_promise(unit),
    )


def measure(meter: Meter, asked: AskedDegrees) -> MeasuredDegrees:
    """Ask for the degrees, after a degree bound was chosen where one is needed."""
    meter.progress("degree-histogram: counting degrees", 0, 2)
    if asked.question is not None:
        return MeasuredDegrees(degrees=ask_degrees(meter, asked.question, asked.budget), theta=None)
    theta, rest = asked.theta, asked.budget
    if theta is None:
        choice, rest = asked.budget.split([THETA_SHARE, 100 - THETA_SHARE])
        theta = choose_theta(meter, asked.key, share=choice, rest=rest)
    question = DegreeCounts(theta, asked.form == "cumulative", theta, asked.key)
    return MeasuredDegrees(degrees=ask_degrees(meter, question, rest), theta=theta)


def build(asked: AskedDegrees, measured: MeasuredDegrees, rng: np.random.Generator) -> Built:
    """Release the degrees that occur, and a graph that has them."""
    nodes = measured.degrees.nodes
    occurring = np.flatnonzero(nodes)
    extras = {"measured": measured.degrees.table}
    if asked.regenerate:
        realised = graphical(occurring[:, None], nodes[occurring])
        extras |= regenerated(realised, int(nodes.sum()), rng)
    theta = {} if measured.theta is None else {"theta": measured.theta}
    return Built(
        rows=Counted(cell_columns(occurring[:, None], nodes[occurring])),
        extras=extras,
        resolved={"form": asked.form, "regenerate": "edges" in extras, **theta},
        facts=theta_fact(measured.theta, chosen=asked.theta is None),
    )


def _form(form: str | None, unit: str) -> str:
    if form is None:
        return FORMS[unit][0]
    if form not in FORMS[unit]:
        raise PlanError(
            f"form = {form!r} needs the number of nodes, which is not public where whole nodes "
            f"are protected, so nothing was published. Choose one of {', '.join(FORMS[unit])}."
        )
    return form


DEGREE_HISTOGRAM = SoundSystem(
    name="degree-histogram",
    summary="How many nodes have each degree, with noise for one edge or one node.",
    paper="covey",
    kind=GuaranteeKind.EDGE_DP,
    unit=PrivacyUnit.EDGE,
    data="graph",
    takes=DegreeHistogramSettings,
    ask=ask,
    measure=measure,
    build=build,
    unit_of=unit_of,
)

"""Publish degrees so that each node's own public preference bounds its loss, soundly.

Coins decide which edges, or nodes, a sound system sees: the smaller a preference, the less
often.  The counts are those of the sampled graph, with noise for the whole of it
(docs/proofs/personalised.md).  Paper 002, chapter 8, samples and perturbs single counts
instead, and misses its bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core import Budget, GuaranteeKind, PrivacyUnit, Promise
from covey.core.questions import Sample
from covey.errors import PlanError
from covey.graph.head import GraphHead
from covey.kinds import amount
from covey.systems.base import Built, SoundSystem, setting
from covey.systems.graph_counts import (
    chosen_theta_setting,
    key_setting,
    order_setting,
    regenerate_setting,
    unit_setting,
)
from covey.systems.graph_preferences import (
    PAPER,
    PARTS,
    listed_parts,
    preference_parts,
    preference_seed_setting,
    preferences_setting,
)
from covey.systems.sound.degree_histogram import DEGREE_HISTOGRAM, unit_of
from covey.systems.sound.joint_degree_boxes import JOINT_DEGREE_BOXES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Meter

PUBLIC_PREFERENCES = (
    "The preferences of all nodes are public and chosen without looking at the edges; nothing is "
    "promised about the preferences themselves."
)
DEFINITION = (
    "This is Definition 30 of paper 002; the preferences of neighbours, which its Definition 31 "
    "asks for where nodes are protected, do not bound it."
)
_INNER = {1: DEGREE_HISTOGRAM, 2: JOINT_DEGREE_BOXES}


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalisedDkSettings:
    """What may be set."""

    preferences: str = preferences_setting()
    preference_seed: int = preference_seed_setting()
    threshold: float | None = setting(
        "the largest loss of anyone, a public number; where edges are protected, the largest "
        "preference unless given",
        default=None,
    )
    otherwise: str = setting(
        "whether those who allow less than the threshold are sampled, or left out",
        default="sample",
        choices=("sample", "leave-out"),
    )
    unit: str = unit_setting()
    order: int = order_setting()
    theta: int | None = chosen_theta_setting()
    key: str = key_setting()
    regenerate: bool = regenerate_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSampledGraph:
    """Which coins are tossed, and what the inner system asks about what is left."""

    system: SoundSystem
    inner: Any
    sample: Sample
    threshold: float
    budget: Budget
    unit: PrivacyUnit
    promise: Promise


def ask(head: GraphHead, settings: PersonalisedDkSettings) -> AskedSampledGraph:
    """Lay out coins from public preferences, and let the inner system lay out its questions."""
    edges = settings.unit == "edge"
    if not edges and settings.preferences == PAPER:
        raise PlanError(
            "the paper's preferences are drawn for a number of nodes, and one more node would "
            "change everybody's, so they bound no node's loss. Give a file of preferences, or "
            'unit = "edge".'
        )
    thousandths = preference_parts(head, settings) if edges else None
    threshold = _threshold(settings.threshold, thousandths)
    allowed = listed_parts(settings) if thousandths is None else thousandths / PARTS
    system = _INNER[settings.order]
    shared = {name: getattr(settings, name) for name in ("unit", "theta", "key", "regenerate")}
    inner = system.ask(head, system.settings({**shared, "epsilon": threshold.value}))
    return AskedSampledGraph(
        system=system,
        inner=inner,
        sample=Sample(
            what="edges" if edges else "nodes",
            threshold=threshold.epsilon,
            certain=settings.otherwise == "leave-out",
            allowed=allowed,
        ),
        threshold=threshold.value,
        budget=threshold,
        unit=unit_of(settings),
        promise=_promise(inner.promise, threshold, settings.otherwise, edges=edges),
    )


def measure(meter: Meter, asked: AskedSampledGraph) -> Any:
    """Toss the coins, and let the inner system ask about what is left."""
    return asked.system.measure(meter.sampled(asked.sample), asked.inner)


def build(asked: AskedSampledGraph, measured: Any, rng: np.random.Generator) -> Built:
    """Let the inner system build the release."""
    built = asked.system.build(asked.inner, measured, rng)
    resolved = {"threshold": asked.threshold}
    if "theta" in built.resolved:
        resolved["theta"] = built.resolved["theta"]
    return replace(built, resolved=resolved)


def _threshold(given: float | None, thousandths: NDArray[np.int64] | None) -> Budget:
    if given is not None:
        return Budget.of(given)
    if thousandths is None:
        raise PlanError(
            "system 'personalised-dk' needs 'threshold' where nodes are protected: the largest "
            "preference would tell who is there. Give one (command line: -p threshold=…)."
        )
    return Budget.of(Fraction(int(thousandths.max()), PARTS))


def _promise(inner: Promise, threshold: Budget, otherwise: str, *, edges: bool) -> Promise:
    what = "edge" if edges else "node"
    whose = "the smaller preference of its two ends" if edges else "its own preference"
    how = (
        "Edges and nodes were left out by coins, the more often the smaller the preference."
        if otherwise == "sample"
        else "Edges and nodes whose preference is below the threshold were left out."
    )
    return replace(
        inner,
        assumes=(
            *inner.assumes,
            PUBLIC_PREFERENCES,
            f"The threshold t = {amount(threshold.epsilon)} was chosen from public numbers.",
        ),
        conditions=(
            *inner.conditions,
            f"The loss of one {what} is at most {whose} and never above t. {DEFINITION}",
            f"{how} The published counts are those of what is left.",
        ),
    )


PERSONALISED_DK = SoundSystem(
    name="personalised-dk",
    summary="Each node brings its own public bound; coins decide which edges or nodes are counted.",
    paper="covey",
    kind=GuaranteeKind.PERSONALISED,
    unit=PrivacyUnit.EDGE,
    data="graph",
    takes=PersonalisedDkSettings,
    ask=ask,
    measure=measure,
    build=build,
    unit_of=unit_of,
)

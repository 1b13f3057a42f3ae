"""Publish degrees so that each node's own public preference bounds its loss, soundly.

Coins decide which edges, or nodes, a sound system sees: the smaller a preference, the less
often.  The counts are those of the sampled graph, with noise for the whole of it
(docs/proofs/personalised.md).  Paper 002, chapter 8, samples and perturbs single counts
instead, and misses its bound.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PlanError
from covey.graph import Graph, from_edges
from covey.perturb import keep_records
from covey.privacy import Budget, GuaranteeKind, PrivacyUnit, sensitivity
from covey.systems.base import Outcome, Parameter, Progress, System
from covey.systems.graphs.boxes import JOINT_DEGREE_BOXES
from covey.systems.graphs.counts import CHOSEN_THETA, KEY, ORDER, REGENERATE, UNIT
from covey.systems.graphs.histogram import DEGREE_HISTOGRAM
from covey.systems.graphs.preferences import (
    PAPER,
    PARTS,
    PREFERENCE_SEED,
    PREFERENCES,
    preference_parts,
    without_nodes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.perturb import NoiseSource
    from covey.privacy import Guarantee

PUBLIC_PREFERENCES = (
    "The preferences of all nodes are public and chosen without looking at the edges; nothing is "
    "promised about the preferences themselves."
)
DEFINITION = (
    "This is Definition 30 of paper 002; the preferences of neighbours, which its Definition 31 "
    "asks for where nodes are protected, do not bound it."
)
INNER = {1: DEGREE_HISTOGRAM, 2: JOINT_DEGREE_BOXES}


def _publish(
    graph: Graph, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    edges = parameters["unit"] == "edge"
    if not edges and parameters["preferences"] == PAPER:
        raise PlanError(
            "the paper's preferences are drawn for a number of nodes, and one more node would "
            "change everybody's, so they bound no node's loss. Give a file of preferences, or "
            'unit = "edge".'
        )
    parts = preference_parts(graph, parameters)
    threshold = _threshold(parameters["threshold"], parts, edges=edges)
    if edges:
        # An edge is as sensitive as the more careful of its two ends.
        parts = parts[graph.edges()].min(axis=1)
    kept = _kept(parts, threshold, parameters, source)
    seen = _of_edges(graph, kept) if edges else without_nodes(graph, kept)
    inner = INNER[parameters["order"]]
    shared = {name: parameters[name] for name in ("unit", "theta", "key", "regenerate")}
    settings = inner.settings({**shared, "epsilon": threshold.value})
    outcome = inner.run(seen, settings, source, progress)
    resolved = {"threshold": threshold.value}
    if "theta" in outcome.resolved:
        resolved["theta"] = outcome.resolved["theta"]
    return replace(
        outcome,
        guarantee=_personal(outcome.guarantee, threshold, parameters["otherwise"], edges=edges),
        resolved=resolved,
    )


def _threshold(given: float | None, parts: NDArray[np.int64], *, edges: bool) -> Budget:
    if given is not None:
        return Budget.of(given)
    if not edges:
        raise PlanError(
            "system 'personalised-dk' needs 'threshold' where nodes are protected: the largest "
            "preference would tell who is there. Give one (command line: -p threshold=…)."
        )
    return Budget.of(Fraction(int(parts.max()), PARTS))


def _kept(
    parts: NDArray[np.int64],
    threshold: Budget,
    parameters: Mapping[str, Any],
    source: NoiseSource,
) -> NDArray[np.bool_]:
    if parameters["otherwise"] == "leave-out":
        # Those who allow less than the threshold take no part and lose nothing.  In whole
        # parts, because a rounded threshold would let some of them in.
        return parts >= math.ceil(threshold.epsilon * PARTS)
    statistic = "edges" if parameters["unit"] == "edge" else "nodes"
    claim = sensitivity("personalised", statistic)
    kept = keep_records(parts / PARTS, sensitivity=claim, budget=threshold, source=source)
    return kept.mask


def _of_edges(graph: Graph, kept: NDArray[np.bool_]) -> Graph:
    return from_edges(graph.edges()[kept], ids=graph.ids, kind=graph.kind, notes=graph.notes)


def _personal(guarantee: Guarantee, threshold: Budget, otherwise: str, *, edges: bool) -> Guarantee:
    what = "edge" if edges else "node"
    whose = "the smaller preference of its two ends" if edges else "its own preference"
    how = (
        "Edges and nodes were left out by coins, the more often the smaller the preference."
        if otherwise == "sample"
        else "Edges and nodes whose preference is below the threshold were left out."
    )
    return replace(
        guarantee,
        kind=GuaranteeKind.PERSONALISED,
        assumes=(
            *guarantee.assumes,
            PUBLIC_PREFERENCES,
            f"The threshold t = {threshold.value:g} was chosen from public numbers.",
        ),
        conditions=(
            *guarantee.conditions,
            f"The loss of one {what} is at most {whose} and never above t. {DEFINITION}",
            f"{how} The published counts are those of what is left.",
        ),
        claim="personalised",
    )


PERSONALISED_DK = System(
    name="personalised-dk",
    summary="Each node brings its own public bound; coins decide which edges or nodes are counted.",
    paper="covey",
    kind=GuaranteeKind.PERSONALISED,
    unit=PrivacyUnit.EDGE,
    data="graph",
    parameters=(
        PREFERENCES,
        PREFERENCE_SEED,
        Parameter(
            name="threshold",
            meaning="the largest loss of anyone, a public number; where edges are protected, the "
            "largest preference unless given",
            kind=float,
            default=None,
        ),
        Parameter(
            name="otherwise",
            meaning="whether those who allow less than the threshold are sampled, or left out",
            kind=str,
            default="sample",
            choices=("sample", "leave-out"),
        ),
        UNIT,
        ORDER,
        CHOSEN_THETA,
        KEY,
        REGENERATE,
    ),
    run=_publish,
)

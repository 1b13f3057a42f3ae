"""Bound the degrees, then add noise to the edges of each degree pair (paper 002, chapter 7).

The theta-dK algorithm (Algorithm 6) with two projections: SER, which the chapter proposes, and EAD,
edge addition, which it compares with.  Each pair of degrees that occurs in the projected graph
gets Laplace noise of scale theta (2 theta + 1) / epsilon, Lemma 8.

Unlike Definition 26, which has noise on |V|² cells: only the cells that occur get it, because
Eq. (7.2) pads the pairs that are missing after perturbation with 0.

Unlike paper 002, which claims node differential privacy: SER lets one node move the counts by an
amount that grows with the graph, and either way the rows that are there depend on the graph.
Edge addition itself is sound; `joint-degree-boxes` with unit node publishes it so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from covey.graph import joint_degrees
from covey.graph.projection import project
from covey.perturb import add_printed_noise
from covey.privacy import Budget, GuaranteeKind, PrivacyUnit
from covey.systems.base import Outcome, Parameter, Progress, System
from covey.systems.graphs.counts import KEY, THETA, refuse_empty
from covey.systems.graphs.printed import OCCURRING, PRINTED_EPSILON, printed_outcome

if TYPE_CHECKING:
    from covey.graph import Graph
    from covey.perturb import NoiseSource

GROWS = (
    "Stable edge removal is not stable: one node joined to many others makes each of them give up "
    "an edge, so it moves the counts by an amount that grows with the graph, while the noise does "
    "not."
)
BY_DEGREE = (
    "The order by degree changes with the edges, so one node can turn over which edges are removed."
)
UNBOUNDED = (
    "Algorithm 5 as printed tests one end of each edge, so degrees above theta can remain, for "
    "which the noise does not pay."
)

SEQUENCE = Parameter(
    name="sequence",
    meaning="the order of nodes and neighbours in stable edge removal: by degree from the "
    "highest (Example 7 of the paper), by id, or by a keyed hash of the id",
    kind=str,
    default="degree",
    choices=("degree", "id", "hash"),
)
READING = Parameter(
    name="reading",
    meaning="how Algorithm 5 is read: bounded visits each edge from both ends, printed from one",
    kind=str,
    default="bounded",
    choices=("bounded", "printed"),
)
STABLE_SEQUENCE = Parameter(
    name="sequence",
    meaning="the public order in which edges are added: by a keyed hash of their ids, or by id",
    kind=str,
    default="hash",
    choices=("hash", "id"),
)


def removed_stably(graph: Graph, parameters: Mapping[str, Any]) -> Graph:
    """Project a graph by SER as the parameters say."""
    return project(
        graph,
        "stable-edge-removal",
        theta=parameters["theta"],
        order=parameters["sequence"],
        key=parameters["key"],
        reading=parameters["reading"],
    )


def reasons_of_removal(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Say why SER with these parameters bounds nothing."""
    reasons = [GROWS]
    if parameters["sequence"] == "degree":
        reasons.append(BY_DEGREE)
    if parameters["reading"] == "printed":
        reasons.append(UNBOUNDED)
    return tuple(reasons)


def _publish_removed(
    graph: Graph, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    del progress
    refuse_empty(graph)
    reasons = (*reasons_of_removal(parameters), OCCURRING)
    return _perturbed(removed_stably(graph, parameters), parameters, reasons, source)


def _publish_added(
    graph: Graph, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    del progress
    refuse_empty(graph)
    projected = project(
        graph,
        "edge-addition",
        theta=parameters["theta"],
        order=parameters["sequence"],
        key=parameters["key"],
    )
    return _perturbed(projected, parameters, (OCCURRING,), source)


def _perturbed(
    projected: Graph,
    parameters: Mapping[str, Any],
    reasons: tuple[str, ...],
    source: NoiseSource,
) -> Outcome:
    theta, budget = parameters["theta"], Budget.of(parameters["epsilon"])
    dk = joint_degrees(projected)
    noisy = add_printed_noise(
        dk.counts,
        sensitivity=theta * (2 * theta + 1),
        epsilons=[budget.epsilon] * len(dk.counts),
        source=source,
    )
    return printed_outcome(dk.keys, noisy, epsilon=budget.epsilon, reasons=reasons)


PROJECTED_SYSTEMS = (
    System(
        name="ser-dk",
        summary="Degrees bounded by stable edge removal, noise on the degree pairs that occur.",
        paper="002, algorithms 5 and 6",
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        parameters=(PRINTED_EPSILON, THETA, SEQUENCE, KEY, READING),
        run=_publish_removed,
        data="graph",
    ),
    System(
        name="ead-dk",
        summary="Degrees bounded by edge addition, noise on the degree pairs that occur.",
        paper="002, algorithm 6 and section 7.5",
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        parameters=(PRINTED_EPSILON, THETA, STABLE_SEQUENCE, KEY),
        run=_publish_added,
        data="graph",
    ),
)

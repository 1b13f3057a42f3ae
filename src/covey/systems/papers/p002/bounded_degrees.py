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

from typing import TYPE_CHECKING, Any

from covey.core import Budget
from covey.graph import joint_degrees
from covey.graph.projection import project
from covey.systems.base import Outcome, setting
from covey.systems.papers.noise import add_printed_noise
from covey.systems.papers.p002.printed import printed_outcome

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph
    from covey.systems.papers.p002.ser_dk import SerDkSettings
    from covey.systems.papers.p002.tp_dk import TruncationSettings

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


def removal_sequence_setting() -> Any:
    """Declare the order in which stable edge removal takes nodes."""
    return setting(
        "the order of nodes and neighbours in stable edge removal: by degree from the highest "
        "(Example 7 of the paper), by id, or by a keyed hash of the id",
        default="degree",
        choices=("degree", "id", "hash"),
    )


def reading_setting() -> Any:
    """Declare how Algorithm 5 is read."""
    return setting(
        "how Algorithm 5 is read: bounded visits each edge from both ends, printed from one",
        default="bounded",
        choices=("bounded", "printed"),
    )


def removed_stably(graph: Graph, settings: SerDkSettings | TruncationSettings) -> Graph:
    """Project a graph by SER as the settings say."""
    reading: Any = settings.reading  # one of two words
    return project(
        graph,
        "stable-edge-removal",
        theta=settings.theta,
        order=settings.sequence,
        key=settings.key,
        reading=reading,
    )


def reasons_of_removal(settings: SerDkSettings | TruncationSettings) -> tuple[str, ...]:
    """Say why SER with these settings bounds nothing."""
    reasons = [GROWS]
    if settings.sequence == "degree":
        reasons.append(BY_DEGREE)
    if settings.reading == "printed":
        reasons.append(UNBOUNDED)
    return tuple(reasons)


def publish_bounded(
    projected: Graph,
    source: NoiseSource,
    *,
    theta: int,
    epsilon: float,
    reasons: tuple[str, ...],
) -> Outcome:
    """Add the noise of Lemma 8 to the degree pairs that occur in a projected graph."""
    budget = Budget.of(epsilon)
    dk = joint_degrees(projected)
    noisy = add_printed_noise(
        dk.counts,
        sensitivity=theta * (2 * theta + 1),
        epsilons=[budget.epsilon] * len(dk.counts),
        source=source,
    )
    return printed_outcome(dk.keys, noisy, epsilon=budget.epsilon, reasons=reasons)

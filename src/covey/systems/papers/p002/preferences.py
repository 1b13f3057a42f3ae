"""Add the noise that the nodes in a count ask for (paper 002, chapter 8), as printed.

PDPmin uses the least preference of all for every count, LL-dK the least of the nodes in the count,
TP-dK drops the nodes below a threshold mu, ST-dK keeps their counts with a lower probability, and
AG-dK adds up counts of similar degrees and preferences.  TP-dK and ST-dK take the largest
preference as mu, their variants ``-avg`` the average one.

Noise is scaled by what one node or edge changes in a *single* count (Lemmas 10 to 13): |E⁺| + 1
and (deg(G) + 1) |E⁺| for a node, 2 and 2 deg(G) + 1 for an edge.  Only TP-dK bounds degrees;
there theta stands for deg(G) and for |E⁺|.  Elsewhere deg(G) is the largest degree of the graph,
and |E⁺| its number of nodes, the worst case that section 8.3 names.  The sample size m that
section 8.5 varies for ST-dK is left out: Algorithm 8 has none.

Unlike paper 002, which claims personalised differential privacy: one change moves several counts at
once, and what scales, groups and rows depend on differs between neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core import Budget
from covey.errors import PlanError
from covey.graph import degree_distribution, joint_degrees
from covey.systems.base import setting
from covey.systems.graph_counts import order_setting
from covey.systems.graph_preferences import PARTS, preference_seed_setting, preferences_setting
from covey.systems.papers.p002.printed import OCCURRING, SCALE, printed_unit_setting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.graph import DK, Graph

AVERAGE = "average"

SINGLE = (
    "The noise pays for the change of one count, and one edge or node changes several counts at "
    "once, each of which tells something about it."
)
LOCAL = (
    "Each count gets the noise that the nodes in it ask for, so a node that asks for much "
    "protection shows by the noise of the counts that it moves to."
)
PUBLIC = "The preferences are taken to be public and chosen without looking at the edges."


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceSettings:
    """What may be set in every system of chapter 8."""

    preferences: str = preferences_setting()
    preference_seed: int = preference_seed_setting()
    unit: str = printed_unit_setting()
    order: int = order_setting()


def mu_setting() -> Any:
    """Declare the threshold of TP-dK and ST-dK."""
    return setting(
        "the threshold between the preferences; the largest preference unless given", default=None
    )


def entry_sensitivity(graph: Graph, unit: str, order: int, theta: int | None = None) -> int:
    """Return how far one count can move, Lemmas 10 to 13 of paper 002.

    With ``theta``, degrees and new edges are at most that many; without it they are read off the
    graph, which is one reason why the result calibrates no noise.
    """
    degree = int(graph.degrees.max(initial=0)) if theta is None else theta
    joined = graph.n_nodes if theta is None else theta
    if unit == "edge":
        return 2 if order == 1 else 2 * degree + 1
    return joined + 1 if order == 1 else (degree + 1) * joined


def threshold_parts(parts: NDArray[np.int64], mu: float | str | None) -> int:
    """Return the threshold in thousandths, rounded down like the preferences.

    ``mu`` is a number, the word "average", or None for the largest preference.
    """
    if mu == AVERAGE:
        return int(parts.sum()) // len(parts)
    if mu is None:
        return int(parts.max())
    threshold = int(Budget.of(mu).epsilon * PARTS)
    if not 1 <= threshold <= parts.max():
        raise PlanError(
            f"mu = {mu} is below {1 / PARTS:g} or above every preference, so no noise would do "
            f"or nobody would be left. Give a threshold between the smallest and the largest "
            f"preference, or leave it out for the largest."
        )
    return threshold


def as_epsilons(parts: NDArray[np.int64]) -> list[Fraction]:
    """Return thousandths as exact epsilons."""
    known = {part: Fraction(part, PARTS) for part in np.unique(parts).tolist()}
    return [known[part] for part in parts.tolist()]


def distribution(graph: Graph, order: int) -> DK:
    """Count nodes by degree (order 1), or edges by the degrees of their ends (order 2)."""
    return degree_distribution(graph) if order == 1 else joint_degrees(graph)


def unit_parts(graph: Graph, parts: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """Return the least preference in each node (order 1) or edge (order 2) that is counted."""
    if order == 1:
        return parts
    return np.asarray(parts[graph.edges()].min(axis=1))


def cell_of_each_unit(graph: Graph, dk: DK) -> NDArray[np.int64]:
    """Return the row of the distribution that each node or edge of the graph is counted in."""
    if dk.order == 1:
        return np.searchsorted(dk.keys[:, 0], graph.degrees)
    ends = np.sort(graph.degrees[graph.edges()], axis=1)
    # A pair as one number, larger for every larger pair, as the keys are sorted.
    as_number = np.array([int(graph.degrees.max(initial=0)) + 1, 1])
    return np.asarray(np.searchsorted(dk.keys @ as_number, ends @ as_number), dtype=np.int64)


def cell_parts(graph: Graph, dk: DK, parts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the least preference among the nodes that are in each cell of the distribution."""
    least = np.full(len(dk.counts), np.iinfo(np.int64).max)
    np.minimum.at(least, cell_of_each_unit(graph, dk), unit_parts(graph, parts, dk.order))
    return least


def reasons_of_single_counts(settings: PreferenceSettings) -> tuple[str, ...]:
    """Say what is wrong with noise for one count; only edges and single degrees need no SCALE."""
    public = settings.unit == "edge" and settings.order == 1
    return (SINGLE, OCCURRING) if public else (SINGLE, SCALE, OCCURRING)

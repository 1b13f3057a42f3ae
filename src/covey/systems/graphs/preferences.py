"""What did each node ask for, and what does that mean for a count that several nodes are in?

Preferences are the epsilons that nodes allow, public, in thousandths: rounded down, which can only
add noise, so that few different scales occur.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PlanError
from covey.graph import degree_distribution, from_edges, joint_degrees
from covey.graph.specification import privacy_preferences, read_preferences
from covey.privacy import Budget
from covey.systems.base import Parameter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.graph import DK, Graph

PAPER, AVERAGE = "paper", "average"
PARTS = 1000
"""Preferences are whole numbers of these parts of 1."""


def _read_source(value: Any) -> str | None:
    return str(value) if isinstance(value, str | Path) and str(value) else None


PREFERENCES = Parameter(
    name="preferences",
    meaning="the epsilon that each node allows: a CSV file with the columns node and epsilon, or "
    "the word paper, which draws them as the experiments of paper 002 do",
    kind=str,
    read=_read_source,
    form="the name of a CSV file, or the word paper",
)
PREFERENCE_SEED = Parameter(
    name="preference_seed",
    meaning="the public seed that preferences are drawn with if they are the paper's",
    kind=int,
    default=0,
    at_least=0,
)
MU = Parameter(
    name="mu",
    meaning="the threshold between the preferences; the largest preference unless given",
    kind=float,
    default=None,
)


def preference_parts(graph: Graph, parameters: Mapping[str, Any]) -> NDArray[np.int64]:
    """Return the preference of each node in thousandths, rounded down.

    The paper's specification looks at the number of nodes alone, never at an edge.
    """
    if parameters["preferences"] == PAPER:
        epsilons = privacy_preferences(graph, random_state=parameters["preference_seed"])
    else:
        epsilons = read_preferences(parameters["preferences"], graph)
    # As decimals, so that 0.57 is 570 thousandths and not the 569 of its nearest float.
    parts = np.array([int(Decimal(str(e)).scaleb(3)) for e in epsilons.tolist()], dtype=np.int64)
    if (parts < 1).any():
        raise PlanError(
            f"a preference is below {1 / PARTS:g}, which is rounded down to nothing, so no noise "
            f"would do. Give preferences of at least {1 / PARTS:g}."
        )
    return parts


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


def without_nodes(graph: Graph, kept: NDArray[np.bool_]) -> Graph:
    """Remove nodes with all their edges; those that are kept stay, even if alone."""
    edges = graph.edges()
    numbers = np.cumsum(kept) - 1
    remaining = numbers[edges[kept[edges].all(axis=1)]]
    return from_edges(remaining, ids=graph.ids[kept], kind=graph.kind, notes=graph.notes)

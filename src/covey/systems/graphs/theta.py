"""To which degree should a graph be cut down, if nobody knows one beforehand?

The bound is chosen from noisy numbers of edges that are left with each of some public bounds;
that costs a share of epsilon, unlike looking at the graph, which would cost all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.perturb import add_count_noise
from covey.privacy import sensitivity
from covey.systems.graphs.degrees import bounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.graph import Graph
    from covey.perturb import NoiseSource, NoisyCounts
    from covey.privacy import Budget

CANDIDATES = (8, 16, 32, 64, 128, 256)
"""Public bounds to choose from."""

SHARE = 10
"""Parts of 100 of epsilon that the choice costs."""

COST = 250.0
"""Edges that a bound must gain for each unit of it, at epsilon 1, to pay for its noise."""


def chosen_theta(
    graph: Graph, key: str, *, budget: Budget, rest: Budget, source: NoiseSource
) -> tuple[int, NoisyCounts]:
    """Choose the bound for which lost edges and noise are smallest together.

    Parameters
    ----------
    budget : Budget
        What the choice may cost.
    rest : Budget
        What is left for the release, which decides about its noise.
    """
    left = np.array([bounded(graph, theta, key).n_edges for theta in CANDIDATES])
    noisy = add_count_noise(
        left,
        weights=np.array(CANDIDATES),
        sensitivity=sensitivity("projected-edges", "sizes", bounds=len(CANDIDATES)),
        budget=budget,
        source=source,
    )
    return _best(noisy, CANDIDATES, float(rest.epsilon)), noisy


def _best(noisy: NoisyCounts, candidates: Sequence[int], epsilon: float) -> int:
    gained = noisy.counts - COST / epsilon * np.array(candidates)
    return candidates[int(np.argmax(gained))]

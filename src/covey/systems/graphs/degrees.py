"""How is the degree distribution of a graph published soundly?  Shared by the systems here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.graph import Graph, project
from covey.perturb import add_count_noise
from covey.privacy import sensitivity
from covey.release.degree_sequence import from_cumulative, from_histogram, from_sorted_sums
from covey.systems.graphs.counts import measured

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource, NoisyCounts
    from covey.privacy import Budget

SINGLE_RANKS = 200
"""So many of the largest degrees are published one by one; then each block is a two-hundredth
of the ranks above it, so that noise and resolution fall together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyDegrees:
    """A noisy degree distribution.

    Parameters
    ----------
    nodes : array of int64
        ``nodes[d]`` is the estimated number of nodes of degree d.
    noisy : NoisyCounts
        What was measured.
    table : polars.DataFrame
        The same with the meaning of each row.
    """

    nodes: NDArray[np.int64]
    noisy: NoisyCounts
    table: pl.DataFrame


def bounded(graph: Graph, theta: int, key: str) -> Graph:
    """Cut the graph down to degree ``theta`` in the one way that is proven to be stable."""
    return project(graph, "edge-addition", theta=theta, order="hash", key=key)


def sorted_degrees(graph: Graph, budget: Budget, source: NoiseSource) -> NoisyDegrees:
    """Publish sums of the falling degrees over blocks of ranks, for edges."""
    sizes = falling_blocks(graph.n_nodes)
    starts = np.cumsum(sizes) - sizes
    noisy = add_count_noise(
        np.add.reduceat(np.sort(graph.degrees)[::-1], starts),
        sensitivity=sensitivity("degrees", "sorted-sums"),
        budget=budget,
        source=source,
    )
    cells = {"first_rank": starts + 1, "last_rank": starts + sizes}
    return NoisyDegrees(
        nodes=from_sorted_sums(noisy, sizes), noisy=noisy, table=measured(cells, noisy, "degrees")
    )


def degree_histogram(
    graph: Graph, top: int, budget: Budget, source: NoiseSource, *, theta: int | None = None
) -> NoisyDegrees:
    """Publish the numbers of nodes of each degree, those above ``top`` counted at ``top``.

    With ``theta`` the graph must be `bounded` by it, and the noise is for whole nodes.
    """
    counts = np.bincount(np.minimum(graph.degrees, top), minlength=top + 1)
    claim = (
        sensitivity("degrees", "histogram")
        if theta is None
        else sensitivity("projected-degrees", "histogram", theta=theta)
    )
    noisy = add_count_noise(counts, sensitivity=claim, budget=budget, source=source)
    cells = {"degree": np.arange(top + 1)}
    return NoisyDegrees(
        nodes=from_histogram(noisy), noisy=noisy, table=measured(cells, noisy, "nodes")
    )


def cumulative_degrees(
    graph: Graph, top: int, budget: Budget, source: NoiseSource, *, theta: int | None = None
) -> NoisyDegrees:
    """Publish the numbers of nodes of at most each degree; see `degree_histogram`."""
    counts = np.cumsum(np.bincount(np.minimum(graph.degrees, top), minlength=top + 1))
    claim = (
        sensitivity("degrees", "cumulative")
        if theta is None
        else sensitivity("projected-degrees", "cumulative", theta=theta)
    )
    noisy = add_count_noise(counts, sensitivity=claim, budget=budget, source=source)
    cells = {"largest_degree": np.arange(top + 1)}
    return NoisyDegrees(
        nodes=from_cumulative(noisy), noisy=noisy, table=measured(cells, noisy, "nodes")
    )


def falling_blocks(n: int) -> NDArray[np.int64]:
    """Return the sizes of blocks of ranks, from the largest degree down: a function of n alone.

    Examples
    --------
    >>> falling_blocks(203).sum(), falling_blocks(203)[-3:].tolist()
    (np.int64(203), [1, 2, 1])
    """
    sizes, rank = [], 0
    while rank < n:
        sizes.append(min(1 + rank // SINGLE_RANKS, n - rank))
        rank += sizes[-1]
    return np.array(sizes, dtype=np.int64)

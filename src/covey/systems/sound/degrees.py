"""How is the degree distribution of a graph published soundly?  Shared by the systems here.

Where nodes are protected, the graph is cut down to a degree bound by edge addition.  If nobody
knows a bound beforehand, it is chosen from noisy numbers of edges that are left with each of some
public bounds; that costs a share of epsilon, unlike looking at the graph, which would cost all
of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import DegreeCounts, DegreeSums, EdgesLeft
from covey.postprocess.degrees import from_cumulative, from_histogram, from_sorted_sums
from covey.systems.graph_counts import noisy_table

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from covey.core import Budget, Meter, Noisy

SINGLE_RANKS = 200
"""So many of the largest degrees are published one by one; then each block is a two-hundredth
of the ranks above it, so that noise and resolution fall together."""

CANDIDATES = (8, 16, 32, 64, 128, 256)
"""Public bounds to choose from."""

THETA_SHARE = 10
"""Parts of 100 of epsilon that the choice costs."""

COST = 250.0
"""Edges that a bound must gain for each unit of it, at epsilon 1, to pay for its noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyDegrees:
    """A noisy degree distribution.

    Parameters
    ----------
    question : DegreeSums or DegreeCounts
        What was asked.
    noisy : Noisy
        The answer.
    """

    question: DegreeSums | DegreeCounts
    noisy: Noisy

    @property
    def nodes(self) -> NDArray[np.int64]:
        """Return the estimated number of nodes of each degree 0, 1, …."""
        if isinstance(self.question, DegreeSums):
            return from_sorted_sums(self.noisy, self.question.sizes)
        return (from_cumulative if self.question.cumulative else from_histogram)(self.noisy)

    @property
    def table(self) -> pl.DataFrame:
        """Return what was measured, with the meaning of each row."""
        if isinstance(self.question, DegreeSums):
            ends = np.cumsum(self.question.sizes)
            ranks = {"first_rank": ends - self.question.sizes + 1, "last_rank": ends}
            return noisy_table(ranks, self.noisy, "degrees")
        name = "largest_degree" if self.question.cumulative else "degree"
        return noisy_table({name: np.arange(self.question.top + 1)}, self.noisy, "nodes")


def ask_degrees(meter: Meter, question: DegreeSums | DegreeCounts, share: Budget) -> NoisyDegrees:
    """Ask for a degree distribution."""
    return NoisyDegrees(question=question, noisy=meter.counts(question, share))


def choose_theta(meter: Meter, key: str, *, share: Budget, rest: Budget) -> int:
    """Choose the bound for which lost edges and noise are smallest together.

    Parameters
    ----------
    meter : Meter
        Is asked how many edges are left.
    key : str
        The public word that the order of edges is made from.
    share : Budget
        What the choice may cost.
    rest : Budget
        What is left for the release, which decides about its noise.
    """
    noisy = meter.counts(EdgesLeft(CANDIDATES, key), share)
    gained = noisy.values - COST / float(rest.epsilon) * np.array(CANDIDATES)
    return CANDIDATES[int(np.argmax(gained))]


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

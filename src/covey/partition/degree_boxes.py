"""How are pairs of degrees grouped into boxes without looking at the graph?

A box is a pair of intervals of degrees.  The intervals are public, or made from a noisy
degree distribution that is published anyway; never from the graph itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.graph import DK


@dataclass(frozen=True, slots=True, kw_only=True)
class DegreeBoxes:
    """All unordered pairs of consecutive intervals of degrees.

    Parameters
    ----------
    lows : array of int64
        The smallest degree of each interval, ascending; the first is 1.
    top : int, optional
        The largest degree of the last interval; None if it has no end.
    """

    lows: NDArray[np.int64] = field(repr=False)
    top: int | None = None

    @property
    def highs(self) -> NDArray[np.int64]:
        """Return the largest degree of each interval; that of an open one is its smallest.

        This is what noise is proportional to, and the open interval needs no more: a node that
        moves within it changes no count.
        """
        last = self.lows[-1] if self.top is None else self.top
        return np.append(self.lows[1:] - 1, last)

    @property
    def in_order(self) -> bool:
        """Return whether degrees rise from 1 to the end of the last interval, if it has one."""
        rising = self.lows[0] == 1 and bool((np.diff(self.lows) > 0).all())
        return rising and (self.top is None or self.top >= int(self.lows[-1]))

    @property
    def pairs(self) -> NDArray[np.int64]:
        """Return the two intervals of each box, the lower one first."""
        return np.column_stack(np.triu_indices(len(self.lows))).astype(np.int64)

    @property
    def weights(self) -> NDArray[np.int64]:
        """Return the largest degree of each box."""
        return self.highs[self.pairs[:, 1]]

    def counts(self, joint: DK) -> NDArray[np.int64]:
        """Count the edges in each box."""
        intervals = np.searchsorted(self.lows, joint.keys, side="right") - 1
        number = len(self.lows)
        table = np.zeros((number, number), dtype=np.int64)
        np.add.at(table, (intervals[:, 0], intervals[:, 1]), joint.counts)
        return table[np.triu_indices(number)]

    def cells(self) -> dict[str, NDArray[np.int64]]:
        """Return the bounds of both intervals of each box; an open one ends at -1."""
        highs = self.highs
        if self.top is None:
            highs[-1] = -1
        first, second = self.pairs.T
        return {
            "low_1": self.lows[first],
            "high_1": highs[first],
            "low_2": self.lows[second],
            "high_2": highs[second],
        }


def geometric_boxes(top: int, *, closed: bool) -> DegreeBoxes:
    """Return intervals 1, 2, 3-4, 5-8, …: as many degrees as all below together.

    Parameters
    ----------
    top : int
        The largest degree if closed; otherwise the last interval starts at or below it and has
        no end.
    """
    lows = [1, *(2**power + 1 for power in range(top.bit_length()) if 2**power + 1 <= top)]
    return DegreeBoxes(lows=np.array(lows, dtype=np.int64), top=top if closed else None)


def single(top: int, *, closed: bool) -> DegreeBoxes:
    """Return one interval for each degree up to ``top``, which is open unless closed."""
    return DegreeBoxes(lows=np.arange(1, top + 1, dtype=np.int64), top=top if closed else None)


def informative(
    nodes: NDArray[np.int64], *, noise: float, top: int | None, signal: float
) -> DegreeBoxes:
    """Return intervals that hold enough edges to stand out from their noise.

    An interval grows until the edges that a random graph with these degrees would have inside
    it are ``signal`` times the noise of that box.  Uses a noisy degree distribution alone, so
    it is post-processing.

    Parameters
    ----------
    nodes : array
        Noisy numbers of nodes by degree: ``nodes[d]`` have degree d.
    noise : float
        Scale of the noise of a box, divided by its largest degree.
    top : int, optional
        A degree that no node can exceed, whatever the noisy numbers say; without one, the last
        interval has no end.
    signal : float
        How far an interval must stand out.
    """
    stubs = np.arange(len(nodes)) * nodes
    total = max(float(stubs.sum()), 1.0)
    lows, inside = [1], 0.0
    for degree in range(1, len(nodes) - 1):
        inside += float(stubs[degree])
        if inside * inside / (2 * total) >= signal * noise * degree:
            lows.append(degree + 1)
            inside = 0.0
    return DegreeBoxes(lows=np.array(lows, dtype=np.int64), top=top)

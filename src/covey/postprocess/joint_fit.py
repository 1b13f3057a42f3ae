"""Which joint degrees fit noisy box counts and a noisy degree distribution?  Post-processing.

The degrees say how many edge ends there are at nodes of each degree; the boxes say how often
low meets high.  In between, nodes meet at random: what is published is the joint degree
distribution nearest to that of a random graph with these degrees that has these box counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Noisy
    from covey.partition.degree_boxes import DegreeBoxes

_ROUNDS = 40
"""Rounds of proportional fitting; the change per round is below a percent long before."""

PRIOR_SPREAD = 1.0
"""How far real box counts stray from those of a random graph, relative to these: by their own
size.  Where the noise is larger than that, the random graph says more than the measurement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JointEstimate:
    """An estimate of the joint degree distribution.

    Parameters
    ----------
    degrees : array of int64
        The degrees that occur.
    nodes : array of int64
        How many nodes have each.
    ends : array of float64, symmetric
        Edge ends between nodes of two degrees: edges off the diagonal, twice the edges on it.
    """

    degrees: NDArray[np.int64]
    nodes: NDArray[np.int64]
    ends: NDArray[np.float64]

    def cells(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the pairs of degrees and the edges between them."""
        first, second = np.triu_indices(len(self.degrees))
        edges = self.ends[first, second]
        edges[first == second] /= 2
        keys = np.column_stack([self.degrees[first], self.degrees[second]])
        return keys[edges > 0], edges[edges > 0]


def fit_joint(nodes: NDArray[np.int64], boxes: DegreeBoxes, noisy: Noisy) -> JointEstimate:
    """Fit joint degrees to noisy counts by iterative proportional fitting.

    Parameters
    ----------
    nodes : array
        Noisy numbers of nodes by degree, ``nodes[d]`` of degree d.
    boxes : DegreeBoxes
        The boxes.
    noisy : Noisy
        The noisy numbers of edges in them.
    """
    degrees = np.flatnonzero(nodes[1:]) + 1
    number = nodes[degrees].astype(np.float64)
    if degrees.size == 0:
        return JointEstimate(degrees=degrees, nodes=nodes[degrees], ends=np.zeros((0, 0)))
    stubs = degrees * number
    total = max(stubs.sum(), 1.0)
    most = np.outer(number, number)
    np.fill_diagonal(most, number * (number - 1))
    ends = np.minimum(np.outer(stubs, stubs) / total, most)
    member = np.searchsorted(boxes.lows, degrees, side="right") - 1
    starts = np.flatnonzero(np.diff(member, prepend=-1))
    present = member[starts]
    target = _targets(_block_sums(ends, starts), present, boxes, noisy)
    for _ in range(_ROUNDS):
        ends *= _spread(target / _positive(_block_sums(ends, starts)), starts, len(degrees))
        ratio = np.sqrt(stubs / _positive(ends.sum(axis=1)))
        ends *= ratio[:, None] * ratio
        np.minimum(ends, most, out=ends)
    return JointEstimate(degrees=degrees, nodes=nodes[degrees], ends=ends)


def _targets(
    prior: NDArray[np.float64],
    present: NDArray[np.int64],
    boxes: DegreeBoxes,
    noisy: Noisy,
) -> NDArray[np.float64]:
    """Weigh each measured box against the random graph, by how sure each of them is."""
    number = len(boxes.lows)
    measured, scales = np.zeros((number, number)), np.zeros((number, number))
    first, second = boxes.pairs.T
    measured[first, second] = measured[second, first] = noisy.values
    scales[first, second] = scales[second, first] = noisy.scales
    # In edge ends a box on the diagonal counts twice.
    twice = np.where(np.eye(number, dtype=bool), 2.0, 1.0)
    here = np.ix_(present, present)
    measured, scales = (measured * twice)[here], (scales * twice)[here]
    strays = (PRIOR_SPREAD * prior) ** 2
    trust = strays / np.maximum(strays + 2 * scales**2, 1e-300)
    return np.maximum(prior + trust * (measured - prior), 0.0)


def _block_sums(ends: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.add.reduceat(np.add.reduceat(ends, starts, axis=0), starts, axis=1)


def _spread(
    factors: NDArray[np.float64], starts: NDArray[np.int64], size: int
) -> NDArray[np.float64]:
    lengths = np.diff(np.append(starts, size))
    return np.repeat(np.repeat(factors, lengths, axis=0), lengths, axis=1)


def _positive(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(values > 0, values, 1.0)

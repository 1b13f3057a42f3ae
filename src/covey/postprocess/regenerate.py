"""Which simple graph has exactly these degrees, or these joint degrees?

A graph is made from published counts and chance alone, so it is as private as the counts are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.errors import DataError, PlanError
from covey.graph import DK, Graph, from_edges
from covey.postprocess.realisable import is_realisable, node_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.kernels.graphs.stubs import Stubs

MIXING = 10
"""Exchanges for each edge that make a graph with given degrees a random one."""


def regenerate(
    dk: DK, *, nodes: int | None = None, rewire: int = 0, generator: np.random.Generator
) -> Graph:
    """Draw a simple graph whose degrees (1K) or joint degrees (2K) are exactly ``dk``.

    For a 2K, edges are placed at random between nodes of the right degrees.  For a 1K, one graph
    with these degrees is made, and pairs of its edges exchange ends until chance has decided.

    Parameters
    ----------
    dk : DK
        Of order 1 or 2, realisable: see :func:`covey.postprocess.realisable.realisable`.
    nodes : int, optional
        How many nodes the graph should have.  The nodes that ``dk`` asks for are always there;
        isolated ones are added up to this number.
    rewire : int
        Tried exchanges for each edge afterwards, which leave ``dk`` as it is and everything else
        to chance.
    generator : numpy.random.Generator
        Places the edges; no privacy rests on it.

    Returns
    -------
    Graph
        Nodes are called 0, 1, … and numbered by degree, isolated ones first.

    Raises
    ------
    PlanError
        If ``dk`` is of order 3, or ``nodes`` or ``rewire`` is negative.
    DataError
        If no simple graph has these counts.

    Examples
    --------
    >>> star = DK(order=2, keys=np.array([[1, 3]]), counts=np.array([3]))
    >>> regenerate(star, nodes=5, generator=np.random.default_rng(1)).degrees.tolist()
    [0, 1, 1, 1, 3]
    """
    if dk.order not in (1, 2):
        raise PlanError(
            "a graph can be regenerated from degrees (1K) or joint degrees (2K) only, so wedges "
            "and triangles (3K) do not lead to one. Give a DK of order 1 or 2."
        )
    if rewire < 0 or (nodes is not None and nodes < 0):
        raise PlanError(
            "`nodes` or `rewire` is negative, so no graph can be made. Give 0 or more of both."
        )
    if not is_realisable(dk):
        raise DataError(
            "no simple graph has these degrees, so none can be regenerated. Take the nearest ones "
            "that a graph can have: `realisable` for joint degrees, `graphical` for degrees."
        )
    stubs = _from_degrees(dk, rewire, generator) if dk.order == 1 else _joint(dk, rewire, generator)
    made = stubs.used.size
    isolated = max(0, (nodes or 0) - made)
    ends = np.column_stack([np.repeat(np.arange(made), stubs.used), stubs.neighbour])
    return from_edges(ends[ends[:, 0] < ends[:, 1]] + isolated, ids=made + isolated)


def _joint(dk: DK, rewire: int, generator: np.random.Generator) -> Stubs:
    from covey.kernels.graphs import rewire as exchange
    from covey.kernels.graphs.assemble import assemble

    degrees, sizes, _ = node_counts(dk)
    low, high = np.searchsorted(degrees, dk.keys).T.copy()
    # Cells of large degrees have the least choice and therefore come first.
    order = np.lexsort((-low, -high))
    stubs: Stubs = assemble(degrees, sizes, low[order], high[order], dk.counts[order], generator)
    exchange.rewire(stubs, _borders(sizes), rewire * int(dk.counts.sum()), generator)
    return stubs


def _from_degrees(dk: DK, rewire: int, generator: np.random.Generator) -> Stubs:
    from covey.kernels.graphs import rewire as exchange

    order = np.argsort(dk.keys[:, 0])
    sequence = np.repeat(dk.keys[order, 0], dk.counts[order])
    stubs: Stubs = exchange.havel_hakimi(sequence)
    swaps = (MIXING + rewire) * (int(sequence.sum()) // 2)
    exchange.rewire(stubs, np.array([0, sequence.size], dtype=np.int64), swaps, generator)
    return stubs


def _borders(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

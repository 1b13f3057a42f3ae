"""How far do the degrees of a graph move between neighbours?

Like `hunters`, for graphs: each strategy draws two graphs that differ in one edge, or in one
node with all its edges, and asks an engine the same about both.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from covey.core.questions import (
    CLAIMED,
    DegreeCounts,
    DegreeSums,
    EdgeCounts,
    EdgesLeft,
    Sample,
)
from covey.engines.shared.graphs import GraphRecords
from covey.graph import Graph, from_edges
from covey.partition.degree_boxes import DegreeBoxes, single
from covey.systems.sound.degrees import falling_blocks
from tests.contracts.hunters import Moved, bound

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn
    from numpy.typing import NDArray

NODES = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two neighbouring graphs."""

    here: Graph
    there: Graph


@st.composite
def matrices(draw: DrawFn) -> NDArray[np.bool_]:
    """Draw which of the nodes are joined."""
    n = draw(st.integers(2, NODES))
    joined = np.zeros((n, n), dtype=bool)
    cells = np.triu_indices(n, 1)
    joined[cells] = draw(st.lists(st.booleans(), min_size=len(cells[0]), max_size=len(cells[0])))
    return joined


def graph_of(joined: NDArray[np.bool_], names: NDArray[np.int64]) -> Graph:
    """Make a graph of the upper triangle of a matrix."""
    return from_edges(np.argwhere(joined).astype(np.int64), ids=names)


@st.composite
def edge_pairs(draw: DrawFn) -> Pair:
    """Draw two graphs that differ in one edge."""
    joined = draw(matrices())
    n = len(joined)
    cells = np.triu_indices(n, 1)
    flipped = draw(st.integers(0, len(cells[0]) - 1))
    other = joined.copy()
    other[cells[0][flipped], cells[1][flipped]] ^= True
    names = np.arange(n)
    return Pair(here=graph_of(joined, names), there=graph_of(other, names.copy()))


@st.composite
def node_pairs(draw: DrawFn) -> Pair:
    """Draw a graph and the same without one of its nodes."""
    joined = draw(matrices())
    names = np.array(draw(st.permutations(range(len(joined)))), dtype=np.int64)
    gone = draw(st.integers(0, len(joined) - 1))
    left = np.delete(np.delete(joined, gone, 0), gone, 1)
    return Pair(here=graph_of(joined, names), there=graph_of(left, np.delete(names, gone)))


def moved(pair: Pair, question: Any, weights: NDArray[np.int64] | int = 1) -> Moved:
    """Ask both graphs, and say how far the answers are apart and how far they may be."""
    here, there = (GraphRecords(graph).answer(question) for graph in (pair.here, pair.there))
    method, statistic, public = CLAIMED[type(question)](question)
    return Moved(by=change(here, there, weights), allowed=bound(method, statistic, **public))


def change(
    here: NDArray[np.int64], there: NDArray[np.int64], weights: NDArray[np.int64] | int = 1
) -> float:
    """Return the sum of the changes, each divided by its weight."""
    return float((np.abs(here - there) / weights).sum())


@st.composite
def sorted_sums(draw: DrawFn) -> Moved:
    """Sum the falling degrees over blocks of ranks."""
    pair = draw(edge_pairs())
    sizes = falling_blocks(pair.here.n_nodes)
    if draw(st.booleans()):  # real blocks are larger than these graphs: merge some
        cut = draw(st.integers(1, len(sizes)))
        sizes = np.array([part for part in (sizes[:cut].sum(), sizes[cut:].sum()) if part])
    return moved(pair, DegreeSums(sizes))


@st.composite
def histograms(draw: DrawFn, *, cumulative: bool, node: bool) -> Moved:
    """Count the nodes of each degree, or of at most each."""
    pair = draw(node_pairs() if node else edge_pairs())
    top, key = draw(st.integers(1, NODES)), draw(st.text(max_size=3))
    return moved(pair, DegreeCounts(top, cumulative, top if node else None, key))


@st.composite
def boxes(draw: DrawFn, *, top: int, closed: bool) -> DegreeBoxes:
    """Draw any intervals of degrees."""
    further = draw(st.sets(st.integers(2, max(2, top)), max_size=top))
    lows = np.array(sorted({1, *(low for low in further if low <= top)}), dtype=np.int64)
    return DegreeBoxes(lows=lows, top=top if closed else None)


@st.composite
def box_counts(draw: DrawFn, *, node: bool) -> Moved:
    """Count the edges in boxes, each divided by its largest degree."""
    pair = draw(node_pairs() if node else edge_pairs())
    top, key = draw(st.integers(1, NODES)), draw(st.text(max_size=3))
    cells = draw(boxes(top=top, closed=node))
    return moved(pair, EdgeCounts(cells, False, top if node else None, key), cells.weights)


@st.composite
def cell_counts(draw: DrawFn, *, node: bool) -> Moved:
    """Count the edges for each pair of degrees, degrees above the top counted as the top."""
    pair = draw(node_pairs() if node else edge_pairs())
    top, key = draw(st.integers(1, NODES)), draw(st.text(max_size=3))
    return moved(pair, EdgeCounts(single(top, closed=node), True, top if node else None, key))


@st.composite
def sizes_after_projection(draw: DrawFn) -> Moved:
    """Count the edges that are left with each degree bound, divided by the bound."""
    pair = draw(node_pairs())
    key = draw(st.text(max_size=3))
    bounds = tuple(sorted(draw(st.sets(st.integers(1, NODES), min_size=1))))
    return moved(pair, EdgesLeft(bounds, key), np.array(bounds))


@st.composite
def sampled(draw: DrawFn, *, node: bool) -> Moved:
    """Count the edges, or nodes, that differ after the same coins; edges of one node are one."""
    pair = draw(node_pairs() if node else edge_pairs())
    coins = draw(st.lists(st.booleans(), min_size=NODES**2, max_size=NODES**2))
    here, there = (_left(graph, coins, node=node) for graph in (pair.here, pair.there))
    if not node:
        return Moved(by=len(here ^ there), allowed=bound("personalised", "edges"))
    changed = {name for name in range(NODES) if (frozenset([name]) in here ^ there)}
    others = [edge for edge in here ^ there if not edge & changed]
    return Moved(by=len(changed) + len(others), allowed=bound("personalised", "nodes"))


def _left(graph: Graph, coins: list[bool], *, node: bool) -> set[frozenset[int]]:
    """Return the names of what is left: nodes as sets of one, edges as sets of two."""
    names = graph.ids.tolist()
    edges = [frozenset(edge) for edge in graph.ids[graph.edges()].tolist()]
    fallen = (
        [coins[name] for name in names]
        if node
        else [coins[min(edge) * NODES + max(edge)] for edge in edges]
    )
    allowed: Any = {str(name): 1.0 for name in names} if node else np.ones(graph.n_nodes)
    question = Sample("nodes" if node else "edges", Fraction(2), allowed=allowed)
    left = GraphRecords(graph).sampled(question, lambda _: np.array(fallen, dtype=bool))._graph
    found = {frozenset(edge) for edge in left.ids[left.edges()].tolist()}
    return {*found, *(frozenset([name]) for name in left.ids.tolist())} if node else found

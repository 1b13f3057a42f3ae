"""How far do the degrees of a graph move between neighbours?

Like `hunters`, for graphs: each strategy draws two graphs that differ in one edge, or in one
node with all its edges, and a statistic of both as the systems compute it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from covey.graph import Graph, from_edges, joint_degrees
from covey.partition.degree_boxes import DegreeBoxes, single
from covey.privacy import sensitivity
from covey.systems.graphs.degrees import bounded, falling_blocks
from covey.systems.graphs.preferences import without_nodes
from tests.contracts.hunters import Moved

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


def histogram(graph: Graph, top: int) -> NDArray[np.int64]:
    """Count the nodes of each degree, those above ``top`` together."""
    return np.bincount(np.minimum(graph.degrees, top), minlength=top + 1)


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
    starts = np.cumsum(sizes) - sizes
    sums = [np.add.reduceat(np.sort(g.degrees)[::-1], starts) for g in (pair.here, pair.there)]
    return Moved(by=change(*sums), allowed=sensitivity("degrees", "sorted-sums").l1)


@st.composite
def histograms(draw: DrawFn, *, cumulative: bool, node: bool) -> Moved:
    """Count the nodes of each degree, or of at most each."""
    pair = draw(node_pairs() if node else edge_pairs())
    top = draw(st.integers(1, NODES))
    graphs = (pair.here, pair.there)
    if node:
        key = draw(st.text(max_size=3))
        graphs = tuple(bounded(graph, top, key) for graph in graphs)
    counts = [histogram(graph, top) for graph in graphs]
    if cumulative:
        counts = [np.cumsum(count) for count in counts]
    statistic = "cumulative" if cumulative else "histogram"
    claim = (
        sensitivity("projected-degrees", statistic, theta=top)
        if node
        else sensitivity("degrees", statistic)
    )
    return Moved(by=change(*counts), allowed=claim.l1)


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
    top = draw(st.integers(1, NODES))
    graphs = (pair.here, pair.there)
    if node:
        key = draw(st.text(max_size=3))
        graphs = tuple(bounded(graph, top, key) for graph in graphs)
    cells = draw(boxes(top=top, closed=node))
    counts = [cells.counts(joint_degrees(graph)) for graph in graphs]
    claim = (
        sensitivity("projected-joint-degrees", "boxes", theta=top)
        if node
        else sensitivity("joint-degrees", "boxes")
    )
    return Moved(by=change(*counts, cells.weights), allowed=claim.l1)


@st.composite
def cell_counts(draw: DrawFn, *, node: bool) -> Moved:
    """Count the edges for each pair of degrees, degrees above the top counted as the top."""
    pair = draw(node_pairs() if node else edge_pairs())
    top = draw(st.integers(1, NODES))
    graphs = (pair.here, pair.there)
    if node:
        key = draw(st.text(max_size=3))
        graphs = tuple(bounded(graph, top, key) for graph in graphs)
    cells = single(top, closed=node)
    counts = [cells.counts(joint_degrees(graph)) for graph in graphs]
    claim = (
        sensitivity("projected-joint-degrees", "cells", theta=top)
        if node
        else sensitivity("joint-degrees", "top-coded", top=top)
    )
    return Moved(by=change(*counts), allowed=claim.l1)


@st.composite
def sizes_after_projection(draw: DrawFn) -> Moved:
    """Count the edges that are left with each degree bound, divided by the bound."""
    pair = draw(node_pairs())
    key = draw(st.text(max_size=3))
    bounds = np.array(sorted(draw(st.sets(st.integers(1, NODES), min_size=1))))
    left = [
        np.array([bounded(graph, int(bound), key).n_edges for bound in bounds])
        for graph in (pair.here, pair.there)
    ]
    allowed = sensitivity("projected-edges", "sizes", bounds=len(bounds)).l1
    return Moved(by=change(*left, bounds), allowed=allowed)


@st.composite
def sampled(draw: DrawFn, *, node: bool) -> Moved:
    """Count the edges, or nodes, that differ after the same coins; edges of one node are one."""
    pair = draw(node_pairs() if node else edge_pairs())
    coins = draw(st.lists(st.booleans(), min_size=NODES**2, max_size=NODES**2))
    here, there = (_left(graph, coins, node=node) for graph in (pair.here, pair.there))
    if not node:
        return Moved(by=len(here ^ there), allowed=sensitivity("personalised", "edges").l1)
    changed = {name for name in range(NODES) if (frozenset([name]) in here ^ there)}
    others = [edge for edge in here ^ there if not edge & changed]
    return Moved(by=len(changed) + len(others), allowed=sensitivity("personalised", "nodes").l1)


def _left(graph: Graph, coins: list[bool], *, node: bool) -> set[frozenset[int]]:
    """Return the names of what is left: nodes as sets of one, edges as sets of two."""
    if node:
        graph = without_nodes(graph, np.array([coins[name] for name in graph.ids.tolist()]))
    names = [frozenset(edge) for edge in graph.ids[graph.edges()].tolist()]
    if node:
        return {*names, *(frozenset([name]) for name in graph.ids.tolist())}
    return {edge for edge in names if coins[min(edge) * NODES + max(edge)]}

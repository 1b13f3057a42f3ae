"""What does an engine say about a graph?  Degrees, joint degrees, and what edge addition leaves.

A graph that is known by its degrees alone (`CountedGraph`) answers the questions about edges;
those about nodes need the edges themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core import questions as ask
from covey.core.unit import PrivacyUnit
from covey.errors import InternalError, PlanError
from covey.graph import Graph, from_edges, joint_degrees, project
from covey.graph.dk import CountedGraph
from covey.graph.head import GraphHead
from covey.graph.preferences import matched_preferences

if TYPE_CHECKING:
    from numpy.typing import NDArray


class GraphRecords:
    """Answers about a graph, for the meter alone."""

    def __init__(self, graph: Graph | CountedGraph, engine: str = "memory") -> None:
        self._graph, self._engine = graph, engine
        self._bounded: dict[tuple[int, str], Graph] = {}

    def head(self, unit: PrivacyUnit) -> GraphHead:
        """Return what is public: the nodes, if one edge is protected."""
        graph = self._graph
        if unit is PrivacyUnit.NODE:
            return GraphHead(nodes=None, kind=graph.kind, given=graph.nodes_given)
        names = graph.ids if isinstance(graph, Graph) else np.arange(graph.n_nodes)
        return GraphHead(nodes=names, kind=graph.kind, given=graph.nodes_given)

    def answer(self, question: Any) -> NDArray[np.int64]:
        """Return the exact answer."""
        if isinstance(question, ask.EdgesLeft):
            left = [self._bound(theta, question.key).n_edges for theta in question.bounds]
            return np.array(left, dtype=np.int64)
        theta = getattr(question, "theta", None)
        graph = self._graph if theta is None else self._bound(theta, question.key)
        if isinstance(question, ask.DegreeSums):
            starts = np.cumsum(question.sizes) - question.sizes
            return np.add.reduceat(np.sort(graph.degrees)[::-1], starts)
        if isinstance(question, ask.DegreeCounts):
            top = question.top
            counts = np.bincount(np.minimum(graph.degrees, top), minlength=top + 1)
            return np.cumsum(counts) if question.cumulative else counts
        if isinstance(question, ask.EdgeCounts):
            joint = graph.joint if isinstance(graph, CountedGraph) else joint_degrees(graph)
            return question.boxes.counts(joint)
        raise InternalError(f"a graph has no answer to {type(question).__name__}.")

    def sampled(
        self, question: ask.Sample, toss: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None
    ) -> GraphRecords:
        """Return the graph that is left when edges or nodes are removed by their coins."""
        graph = self._whole("coins are tossed for edges or nodes")
        edges, allowed = question.what == "edges", question.allowed
        if isinstance(allowed, np.ndarray):
            # An edge is as sensitive as the more careful of its ends.
            preferences = allowed[graph.edges()].min(axis=1)
        else:
            preferences = matched_preferences(allowed or {}, graph)
        parts = question.parts(preferences)
        kept = parts > 0 if toss is None else toss(parts)
        if edges:
            left = from_edges(graph.edges()[kept], ids=graph.ids, kind=graph.kind)
        else:
            left = _without_nodes(graph, kept)
        return GraphRecords(left, self._engine)

    def cut(self, *_: Any) -> Any:
        """Refuse: graphs have no boxes of records."""
        raise InternalError("a graph has no boxes.")

    def perturbed(self, draws: Any) -> Any:
        """Refuse: no edge may be published by itself."""
        raise InternalError(f"a graph has no single records for {len(draws)} draws.")

    def _bound(self, theta: int, key: str) -> Graph:
        """Cut the graph down to a degree bound in the one way that is proven to be stable."""
        if (theta, key) not in self._bounded:
            graph = self._whole("the graph is cut down edge by edge")
            self._bounded[theta, key] = project(
                graph, "edge-addition", theta=theta, order="hash", key=key
            )
        return self._bounded[theta, key]

    def _whole(self, why: str) -> Graph:
        if isinstance(self._graph, Graph):
            return self._graph
        raise needs_whole_graph(self._engine, why)


def needs_whole_graph(engine: str, why: str) -> PlanError:
    """Explain that an engine that has counted a graph's degrees does not have its edges."""
    return PlanError(
        f"to protect nodes, or to sample edges, {why}, one after the other, which the engine "
        f'{engine!r} does not do. Protect edges (unit = "edge") without coins, or use the engine '
        f"'memory'."
    )


def _without_nodes(graph: Graph, kept: NDArray[np.bool_]) -> Graph:
    """Remove nodes with all their edges; those that are kept stay, even if alone."""
    edges = graph.edges()
    numbers = np.cumsum(kept) - 1
    remaining = numbers[edges[kept[edges].all(axis=1)]]
    return from_edges(remaining, ids=graph.ids[kept], kind=graph.kind)

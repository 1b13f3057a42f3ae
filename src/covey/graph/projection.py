"""Which graph with degrees of at most theta is near this one?

Noise for a whole node is only bounded if its degree is.  A projection bounds all degrees, and
what a node can change afterwards depends on the method: edge addition with a stable order moves
the counts of degrees by a public amount, the others do not (see the summaries).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covey.errors import PlanError, suggest
from covey.graph.graph import Graph, from_edges
from covey.graph.order import EdgeOrder, NodeOrder, edge_order, node_order
from covey.graph.randomness import generator

Reading: TypeAlias = Literal["printed", "bounded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A way to bound degrees.

    Parameters
    ----------
    keep : function of (graph, theta, **options)
        Returns a mask over ``graph.edges()``.
    summary : str
        One sentence for people who choose.
    stable : bool
        Whether one node with all its edges changes the degrees of the projected graph by a
        bounded amount, whatever the size of the graph.
    """

    keep: Callable[..., NDArray[np.bool_]]
    summary: str
    stable: bool

    @property
    def options(self) -> tuple[str, ...]:
        """Return the names of the options besides theta."""
        return tuple(list(signature(self.keep).parameters)[2:])


def project(
    graph: Graph,
    method: str = "edge-addition",
    *,
    theta: int,
    order: str | None = None,
    key: str | None = None,
    reading: Reading | None = None,
    random_state: int | np.random.Generator | None = None,
) -> Graph:
    """Remove edges until no node has more than theta, except where a method fails to.

    Parameters
    ----------
    method : str
        One of `PROJECTIONS`.
    theta : int
        Largest degree allowed, public, at least 1.
    order, key
        For "edge-addition" and "stable-edge-removal": "hash" with a public key (default) or
        "id"; removal also knows "degree".  See `covey.graph.order`.
    reading : str
        For "stable-edge-removal": "bounded" (default) or "printed".
    random_state : int or numpy.random.Generator
        For "random-edge-removal", which needs it.

    Returns
    -------
    Graph
        The same nodes with fewer edges.

    Raises
    ------
    PlanError
        If the method or an option is unknown, or theta is not a whole number of at least 1.
    """
    if method not in PROJECTIONS:
        raise PlanError(
            f"there is no projection {method!r}, so the graph was not projected. "
            f"{suggest(str(method), PROJECTIONS)}"
        )
    if isinstance(theta, bool) or not isinstance(theta, (int, np.integer)) or theta < 1:
        raise PlanError(
            f"theta = {theta!r} is no bound for degrees. Give a whole number of at least 1."
        )
    given = {"order": order, "key": key, "reading": reading, "random_state": random_state}
    options = {name: value for name, value in given.items() if value is not None}
    projection = PROJECTIONS[method]
    foreign = [name for name in options if name not in projection.options]
    if foreign:
        raise PlanError(
            f"the projection {method!r} has no option {foreign[0]!r}, so it would be ignored. "
            f"Leave it out."
        )
    kept = projection.keep(graph, int(theta), **options)
    return from_edges(graph.edges()[kept], ids=graph.ids, kind=graph.kind, notes=graph.notes)


def _add_edges(
    graph: Graph, theta: int, *, order: EdgeOrder = "hash", key: str = ""
) -> NDArray[np.bool_]:
    """Insert the edges one by one in a stable order, unless an end has theta already.

    One node with all its edges, added or removed, then changes the degree histogram by at most
    2 theta + 1, the cumulative histogram by theta + 1 and the joint degrees by
    theta (2 theta − 1), because each of its accepted edges starts one chain of exchanges whose
    inner nodes keep degree theta.  The edges themselves may change in many places.

    Day, Li and Lyu (2016); EAD in paper 002.
    """
    from covey.kernels.graphs import projection

    turn = edge_order(graph, order, key=key)
    kept: NDArray[np.bool_] = projection.add_edges(graph.edges(), turn, graph.n_nodes, theta)
    return kept


def remove_edges_stably(
    graph: Graph,
    theta: int,
    *,
    order: NodeOrder = "hash",
    key: str = "",
    reading: Reading = "bounded",
) -> NDArray[np.bool_]:
    """Remove the first edges of each node in turn while it has more than theta (SER).

    Nodes are taken in the given order, and their neighbours in the same one.  Algorithm 5 of
    paper 002 does not say from which ends an edge is visited:

    - "printed": once, from the end that comes first, which alone is tested.  Nodes that come
      late can keep more than theta.
    - "bounded": from both ends, unless it has gone already.  No node keeps more than theta.

    Neither has the sensitivity that Lemma 8 of the paper claims, whatever the order: a node
    joined to all others makes each of them give up an edge, so the change grows with the graph.
    """
    from covey.kernels.graphs.projection import remove_from_both_ends, remove_from_first_end

    if reading not in ("printed", "bounded"):
        raise PlanError(
            f"reading = {reading!r} is no reading of stable edge removal. "
            f"Use 'printed' or 'bounded'."
        )
    turn = node_order(graph, order, key=key)
    place = np.empty_like(turn)
    place[turn] = np.arange(graph.n_nodes)
    ends = np.sort(place[graph.edges()], axis=1)
    # In the numbers of the turn, edges have another order; the kernels speak about that one.
    by_turn = np.argsort(ends[:, 0] * graph.n_nodes + ends[:, 1])
    turned = from_edges(ends, ids=graph.n_nodes)
    remove = remove_from_first_end if reading == "printed" else remove_from_both_ends
    kept = np.empty(graph.n_edges, dtype=np.bool_)
    kept[by_turn] = remove(turned.indptr, turned.indices, theta)
    return kept


def truncate(graph: Graph, theta: int) -> NDArray[np.bool_]:
    """Remove all edges of the nodes that have more than theta.

    The nodes stay.  One more node can push many others above theta, so the change grows with
    the graph.
    """
    low_enough = graph.degrees <= theta
    u, v = graph.edges().T
    kept: NDArray[np.bool_] = low_enough[u] & low_enough[v]
    return kept


def remove_edges_randomly(
    graph: Graph, theta: int, *, random_state: int | np.random.Generator | None = None
) -> NDArray[np.bool_]:
    """Go through the edges in random order, remove each that has an end above theta by then."""
    from covey.kernels.graphs.projection import remove_edges

    turn = generator(random_state).permutation(graph.n_edges)
    kept: NDArray[np.bool_] = remove_edges(graph.edges(), turn, graph.degrees, theta)
    return kept


PROJECTIONS: Mapping[str, Projection] = {
    "edge-addition": Projection(
        keep=_add_edges,
        summary="Insert edges in a public stable order while both ends have fewer than theta.",
        stable=True,
    ),
    "stable-edge-removal": Projection(
        keep=remove_edges_stably,
        summary="Remove the first edges of each node in turn while it has more than theta; "
        "what one node changes grows with the graph.",
        stable=False,
    ),
    "truncation": Projection(
        keep=truncate,
        summary="Remove all edges of the nodes that have more than theta; "
        "what one node changes grows with the graph.",
        stable=False,
    ),
    "random-edge-removal": Projection(
        keep=remove_edges_randomly,
        summary="Remove edges in random order while an end has more than theta; "
        "no bound of what one node changes is proven.",
        stable=False,
    ),
}

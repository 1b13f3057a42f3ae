"""In which order are nodes and edges taken, and what does the order depend on?

An order is stable if whether one edge comes before another depends on these two edges alone,
not on what else is in the graph.  The orders by id and by keyed hash are, as long as all ids are
of one kind; the order by degree is not, because one more neighbour moves a node.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covey.errors import PlanError, suggest
from covey.graph.graph import Graph

EdgeOrder: TypeAlias = Literal["id", "hash"]
NodeOrder: TypeAlias = Literal["degree", "id", "hash"]


def edge_order(graph: Graph, order: EdgeOrder, *, key: str = "") -> NDArray[np.int64]:
    """Order the edges by something public about their two ends.

    Parameters
    ----------
    order : str
        "id": by the lower id, then by the higher; integers by value, texts by code points.
        "hash": by a hash of both ids and ``key``, as good as an order drawn once for all
        graphs; equal hashes by id.  Ids are hashed as texts, so 7 and "7" agree.
    key : str
        Another key, another order.  It must not be chosen by looking at the edges.

    Returns
    -------
    array of int64
        The rows of ``graph.edges()`` in their turn.
    """
    _refuse_unknown(order, ("id", "hash"), "edges")
    edges = graph.edges()
    place = _inverse(_by_id(graph))
    low, high = np.sort(place[edges], axis=1).T
    by_id = np.argsort(low * graph.n_nodes + high, kind="stable")
    if order == "id":
        return by_id
    hashes = _hashes(graph, key)
    # A sum, so that both directions of an edge agree.
    pairs = _mix(hashes[edges[:, 0]] + hashes[edges[:, 1]])
    return by_id[np.argsort(pairs[by_id], kind="stable")]


def node_order(graph: Graph, order: NodeOrder, *, key: str = "") -> NDArray[np.int64]:
    """Order the nodes by degree from the highest, by id or by keyed hash; ties by id.

    The order by degree depends on the whole graph: no proof can rest on it.

    Returns
    -------
    array of int64
        The numbers of the nodes in their turn.
    """
    _refuse_unknown(order, ("degree", "id", "hash"), "nodes")
    by_id = _by_id(graph)
    if order == "id":
        return by_id
    ranked = -graph.degrees if order == "degree" else _hashes(graph, key)
    return by_id[np.argsort(ranked[by_id], kind="stable")]


def _refuse_unknown(order: str, known: tuple[str, ...], things: str) -> None:
    if order not in known:
        raise PlanError(
            f"order = {order!r} is no order of {things} here. {suggest(str(order), known)}"
        )


def _by_id(graph: Graph) -> NDArray[np.int64]:
    return np.argsort(graph.ids, kind="stable")


def _inverse(order: NDArray[np.int64]) -> NDArray[np.int64]:
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place


def _hashes(graph: Graph, key: str) -> NDArray[np.uint64]:
    """Hash the id of each node, and nothing else about it, with BLAKE2b."""
    secret = key.encode()
    if len(secret) > blake2b.MAX_KEY_SIZE:
        raise PlanError(
            f"the key of the order is longer than {blake2b.MAX_KEY_SIZE} bytes. Use a shorter one."
        )
    digests = [
        blake2b(str(name).encode(), digest_size=8, key=secret).digest()
        for name in graph.ids.tolist()
    ]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter 64-bit integers one to one over themselves (the last steps of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))

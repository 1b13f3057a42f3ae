"""How do graphs of networkx, igraph and scipy come in, and go out again?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl

from covey.errors import DataError, PlanError
from covey.graph.graph import Graph
from covey.graph.pairs import Pairs, names_of


def to_networkx(graph: Graph) -> Any:
    """Return the graph as a ``networkx.Graph`` whose nodes are the ids."""
    made = _imported("networkx").Graph()
    made.add_nodes_from(graph.ids.tolist())
    made.add_edges_from(graph.ids[graph.edges()].tolist())
    return made


def to_igraph(graph: Graph) -> Any:
    """Return the graph as an undirected ``igraph.Graph``, with the ids as "name"."""
    made = _imported("igraph").Graph(n=graph.n_nodes, edges=graph.edges().tolist())
    made.vs["name"] = graph.ids.tolist()
    return made


def library_of(source: object) -> str | None:
    """Name the library that a graph comes from, without importing any."""
    homes = {base.__module__.split(".")[0] for base in type(source).__mro__}
    return next((name for name in FROM_LIBRARY if name in homes), None)


def _from_networkx(source: Any) -> Pairs:
    number = {node: i for i, node in enumerate(source.nodes)}
    edges = [(number[u], number[v]) for u, v in source.edges()]
    return Pairs(
        names=_distinct(source.nodes),
        ends=np.array(edges, dtype=np.int64).reshape(-1, 2),
        kind="networkx",
        directed=source.is_directed(),
        values=any("weight" in values for _, _, values in source.edges(data=True)),
        complete=True,
    )


def _from_igraph(source: Any) -> Pairs:
    named = "name" in source.vs.attributes()
    return Pairs(
        names=_distinct(source.vs["name"] if named else range(source.vcount())),
        ends=np.array(source.get_edgelist(), dtype=np.int64).reshape(-1, 2),
        kind="igraph",
        directed=source.is_directed(),
        values="weight" in source.es.attributes(),
        complete=True,
    )


def _from_scipy(source: Any) -> Pairs:
    """Join i and j where the matrix is not 0; a triangle of it is as good as the whole."""
    if not hasattr(source, "tocsr") or source.ndim != 2 or source.shape[0] != source.shape[1]:  # noqa: PLR2004
        raise DataError(
            "the sparse matrix is not square, so it is no adjacency matrix. "
            "Give one row and one column for each node."
        )
    # By way of rows, which adds up entries for the same place; a copy, as zeros are dropped.
    matrix = source.tocsr(copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    matrix = matrix.tocoo()
    n = source.shape[0]
    u, v = matrix.row.astype(np.int64), matrix.col.astype(np.int64)
    mirrored = np.array_equal(np.sort(u * n + v), np.sort(v * n + u))
    return Pairs(
        names=pl.Series(np.arange(n, dtype=np.int64)),
        ends=np.column_stack([u, v]),
        kind="scipy",
        directed=not (mirrored or (u <= v).all() or (u >= v).all()),
        mirrored=mirrored,
        values=bool((matrix.data != 1).any()),
        complete=True,
    )


def _distinct(nodes: Iterable[Any]) -> pl.Series:
    names = names_of(nodes)
    if names.n_unique() < len(names):
        raise DataError(
            "two nodes have the same name as text, so they cannot be told apart. "
            "Name all nodes by integers or all by texts."
        )
    return names


def _imported(library: str) -> Any:
    try:
        return import_module(library)
    except ImportError:
        raise PlanError(
            f"{library} is not installed, so the graph cannot be handed over to it. "
            f"Install it: pip install {library}"
        ) from None


FROM_LIBRARY: Mapping[str, Callable[[Any], Pairs]] = {
    "networkx": _from_networkx,
    "igraph": _from_igraph,
    "scipy": _from_scipy,
}

"""What is a graph, for everything that comes after reading it?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A simple undirected graph as compressed sparse rows: no self-loops, no repeated edges.

    Parameters
    ----------
    indptr : array of int64, one longer than the number of nodes
        The neighbours of node ``v`` are ``indices[indptr[v]:indptr[v + 1]]``.
    indices : array of int64
        Neighbours by number, ascending for each node; each edge stands here twice.
    ids : array
        What the nodes are called outside, in the order of their numbers: integers or texts.
    kind : str
        What it was read from: "csv" (text), "parquet", "networkx", "igraph", "scipy" or "arrays".
    notes : tuple of str
        What reading left out, in words and counts: for the curator, not for release.
    nodes_given : bool
        Whether the nodes were listed, counted, or part of the source, those without an edge
        included.  Nodes that were read off the edges tell about single edges.
    """

    indptr: NDArray[np.int64] = field(repr=False)
    indices: NDArray[np.int64] = field(repr=False)
    ids: NDArray[np.generic] = field(repr=False)
    kind: str = "arrays"
    notes: tuple[str, ...] = ()
    nodes_given: bool = True

    def __post_init__(self) -> None:
        """Make the arrays read-only: a graph is a value."""
        for array in (self.indptr, self.indices, self.ids):
            array.flags.writeable = False

    @property
    def n_nodes(self) -> int:
        """Return the number of nodes, isolated ones included."""
        return len(self.indptr) - 1

    @property
    def n_edges(self) -> int:
        """Return the number of undirected edges."""
        return len(self.indices) // 2

    @property
    def degrees(self) -> NDArray[np.int64]:
        """Return the number of neighbours of each node."""
        return np.diff(self.indptr)

    def edges(self) -> NDArray[np.int64]:
        """Return the edges once each as pairs of node numbers, u < v, sorted."""
        start = np.repeat(np.arange(self.n_nodes, dtype=np.int64), self.degrees)
        once = start < self.indices
        return np.column_stack([start[once], self.indices[once]])


def from_edges(
    edges: NDArray[np.int64],
    *,
    ids: NDArray[np.generic] | int,
    kind: str = "arrays",
    notes: tuple[str, ...] = (),
    nodes_given: bool = True,
) -> Graph:
    """Build a graph from pairs of node numbers; self-loops and repeats must be gone already.

    Parameters
    ----------
    edges : array of shape (m, 2)
        Each edge once, in either direction.
    ids : array or int
        The names of the nodes, or how many there are (then they are called 0, 1, …).
    nodes_given : bool
        As in `Graph`.
    """
    names = np.arange(ids, dtype=np.int64) if isinstance(ids, int) else ids
    n = len(names)
    source = np.concatenate([edges[:, 0], edges[:, 1]]).astype(np.int64, copy=False)
    target = np.concatenate([edges[:, 1], edges[:, 0]]).astype(np.int64, copy=False)
    # Sorted as one integer for (source, target): n < 3e9 keeps it in 63 bits, and sorting the
    # integers themselves is several times faster than sorting an order of them.
    places = np.sort(source * n + target)
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=n), out=indptr[1:])
    return Graph(
        indptr=indptr,
        indices=places % max(n, 1),
        ids=names,
        kind=kind,
        notes=notes,
        nodes_given=nodes_given,
    )


def without_nodes(graph: Graph, kept: NDArray[np.bool_]) -> Graph:
    """Remove nodes with all their edges; those that are kept stay, even if alone."""
    edges = graph.edges()
    numbers = np.cumsum(kept) - 1
    remaining = numbers[edges[kept[edges].all(axis=1)]]
    return from_edges(remaining, ids=graph.ids[kept], kind=graph.kind, notes=graph.notes)

"""How are degrees distributed: alone (1K), along edges (2K), along paths and triangles (3K)?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covey.errors import DataError
from covey.graph.graph import Graph, from_edges

_Counts: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DK:
    """Counts of small pieces of a graph by the degrees of their nodes.

    Parameters
    ----------
    order : int
        1 for nodes, 2 for edges, 3 for wedges and triangles.
    keys : array of int64, shape (cells, order) or (cells, 4) for order 3
        Degrees that occur: ``(degree,)``; ``(i, j)`` with i <= j; for order 3
        ``(closed, i, j, l)``, where a wedge (closed = 0) has its middle node's degree in ``j``
        and i <= l, and a triangle (closed = 1) has i <= j <= l.  Sorted.
    counts : array of int64
        How many nodes, edges, wedges or triangles have these degrees; none is 0.
    """

    order: int
    keys: NDArray[np.int64] = field(repr=False)
    counts: NDArray[np.int64] = field(repr=False)

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        self.keys.flags.writeable = False
        self.counts.flags.writeable = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedGraph:
    """A graph that is known by its degrees alone, because its edges do not fit into memory.

    Parameters
    ----------
    degrees : array of int64
        The number of neighbours of each node, in any order.
    joint : DK
        Its 2K.
    kind : str
        As in `Graph`.
    notes, nodes_given
        As in `Graph`.
    """

    degrees: NDArray[np.int64] = field(repr=False)
    joint: DK = field(repr=False)
    kind: str
    notes: tuple[str, ...] = ()
    nodes_given: bool = False

    @property
    def n_nodes(self) -> int:
        """Return the number of nodes."""
        return len(self.degrees)

    @property
    def n_edges(self) -> int:
        """Return the number of undirected edges."""
        return int(self.joint.counts.sum())


def with_all_nodes(graph: CountedGraph, nodes: int | None) -> CountedGraph:
    """Add the nodes without an edge, if it is known how many nodes there are in all."""
    if nodes is None:
        return graph
    if nodes < graph.n_nodes:
        raise DataError(
            f"the edges join more than {nodes} nodes, so that is not the number of all nodes. "
            f"Give their true number."
        )
    lacking = np.zeros(nodes - graph.n_nodes, dtype=np.int64)
    return replace(graph, degrees=np.concatenate([graph.degrees, lacking]), nodes_given=True)


def degree_distribution(graph: Graph) -> DK:
    """Count the nodes of each degree (1K)."""
    counts = np.bincount(graph.degrees)
    occurring = np.flatnonzero(counts)
    return DK(order=1, keys=occurring[:, None], counts=counts[occurring])


def joint_degrees(graph: Graph | CountedGraph) -> DK:
    """Count the edges for each unordered pair of end degrees (2K).

    Linear time and memory: the D degrees that occur make D² cells, and D² <= 4 m.
    """
    if isinstance(graph, CountedGraph):
        return graph.joint
    edges = graph.edges()
    degrees, classes = _classes(graph.degrees)
    width = len(degrees)
    u, v = classes[edges[:, 0]], classes[edges[:, 1]]
    counts = np.bincount(np.minimum(u, v) * width + np.maximum(u, v), minlength=1)
    occurring = np.flatnonzero(counts)
    keys = np.column_stack(np.divmod(occurring, width)) if width else np.empty((0, 2), np.int64)
    return DK(order=2, keys=degrees[keys], counts=counts[occurring])


def subgraph_degrees(graph: Graph) -> DK:
    """Count the wedges and the triangles by the degrees of their three nodes (3K).

    A wedge is open, as in the dK-series of Mahadevan et al. (2006): a path u–v–w whose ends u
    and w are not joined.  So each connected set of three nodes is counted once, as one or the
    other.  Where paper 002 counts both together, p(i, j, l) is the wedges with middle j and the
    triangles added.

    Time is the square of the number of different degrees around each node, and O(m^1.5) for
    the triangles; memory is linear in the edges and in the cells that occur.

    Notes
    -----
    All paths are counted, then three for each triangle, one for each choice of its middle, are
    taken away.
    """
    from covey.kernels.graphs.subgraphs import count_paths, count_triangles

    # Numbered by degree, so that neighbours of one degree stand together and each triangle is
    # found from the node where the fewest edges have to be tried.
    order = np.argsort(graph.degrees, kind="stable")
    numbers = np.empty_like(order)
    numbers[order] = np.arange(graph.n_nodes)
    sorted_graph = from_edges(numbers[graph.edges()], ids=graph.n_nodes)
    indptr, indices = sorted_graph.indptr, sorted_graph.indices
    degrees, classes = _classes(sorted_graph.degrees)
    width = len(degrees)
    bounds = np.searchsorted(classes, np.arange(width + 1))
    table = np.zeros((width, width), dtype=np.int64)
    marks = np.full(graph.n_nodes, -1, dtype=np.int64)

    paths: list[_Counts] = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    triangles = paths.copy()
    for own in range(width):
        first, last = bounds[own], bounds[own + 1]
        cells, counts = count_paths(indptr, indices, classes, first, last, table)
        low, high = np.divmod(cells, width)
        paths.append((_code(low, own, high, width), counts))
        cells, counts = count_triangles(indptr, indices, classes, first, last, table, marks)
        triangles.append((own * width**2 + cells, counts))
    return _subtract_closed(_sorted(paths), _sorted(triangles), degrees)


def _subtract_closed(paths: _Counts, triangles: _Counts, degrees: NDArray[np.int64]) -> DK:
    """Take three paths away for each triangle, and give the classes their degrees back."""
    width = len(degrees)
    codes, wedges = paths
    corners, closed = triangles
    x, y, z = _classes_of(corners, width)
    for path in (_code(y, x, z, width), _code(x, y, z, width), _code(x, z, y, width)):
        np.subtract.at(wedges, np.searchsorted(codes, path), closed)
    codes, wedges = codes[wedges > 0], wedges[wedges > 0]
    keys = np.empty((len(codes) + len(corners), 4), dtype=np.int64)
    keys[: len(codes), 0], keys[len(codes) :, 0] = 0, 1
    for column, members in enumerate(_classes_of(np.concatenate([codes, corners]), width), start=1):
        keys[:, column] = degrees[members]
    return DK(order=3, keys=keys, counts=np.concatenate([wedges, closed]))


def _code(i: Any, j: Any, k: Any, width: int) -> NDArray[np.int64]:
    """Write three classes as one number, by which cells are sorted and matched."""
    codes: NDArray[np.int64] = (i * width + j) * width + k
    return codes


def _classes_of(codes: NDArray[np.int64], width: int) -> tuple[NDArray[np.int64], ...]:
    """Read the three classes from the number again; a graph without edges has no codes."""
    rest, last = np.divmod(codes, max(width, 1))
    return (*np.divmod(rest, max(width, 1)), last)


def _sorted(pieces: list[_Counts]) -> _Counts:
    codes = np.concatenate([codes for codes, _ in pieces])
    order = np.argsort(codes)
    return codes[order], np.concatenate([counts for _, counts in pieces])[order]


def _classes(degrees: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positive degrees that occur, ascending, and each node's place among them.

    Nodes of degree 0 are in no edge; they get the class of the lowest degree that occurs.
    """
    counts = np.bincount(degrees, minlength=1)
    counts[0] = 0
    occurring = np.flatnonzero(counts)
    places = np.zeros(len(counts), dtype=np.int64)
    places[occurring] = np.arange(len(occurring))
    return occurring, places[degrees]

"""Which neighbours are known to be hard?

Records between 0 and 1, or graphs, that differ in one record, one edge or one node, and that broke
a published claim or attain a proven bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.audit.subject import Neighbours
from covey.graph import Graph, from_edges
from covey.table import Attribute, Schema, Table, read_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = tuple[NDArray[np.float64], NDArray[np.float64]]

HAIR = 1e-6


def unit_table(X: NDArray[np.float64], *, whole: bool = False) -> Table:
    """Return records as a table whose columns lie between the public bounds 0 and 1."""
    columns = X.reshape(len(X), -1)
    names = [f"x{j}" for j in range(columns.shape[1])]
    attributes = tuple(Attribute(name, bounds=(0.0, 1.0), integer=whole) for name in names)
    return read_table(columns, Schema(attributes))


def table_pair(words: str, arrays: Arrays, *, whole: bool = False) -> Neighbours:
    """Return two arrays of records as tables."""
    here, there = (unit_table(X, whole=whole) for X in arrays)
    return Neighbours(words=words, here=here, there=there)


def described_pair(
    words: str, attributes: tuple[Attribute, ...], here: list[Any], there: list[Any]
) -> Neighbours:
    """Return two lists of records, each a tuple of values, as tables with these columns."""
    names = [attribute.name for attribute in attributes]
    tables = (
        read_table(pl.DataFrame(rows, schema=names, orient="row"), Schema(attributes))
        for rows in (here, there)
    )
    return Neighbours(words=words, here=next(tables), there=next(tables))


def changed_record(words: str, arrays: Arrays) -> Neighbours:
    """Return a pair that a search found; its records are made up, so they may be told."""
    rows = np.flatnonzero((arrays[0] != arrays[1]).any(axis=1))
    changes = "one of which stays as it is"
    if rows.size:
        old, new = (", ".join(f"{value:.7g}" for value in X[rows[0]]) for X in arrays)
        changes = f"one of which changes from ({old}) to ({new})"
    return table_pair(f"{len(arrays[0])} records, {changes}; {words}", arrays)


def one_in_zeros(n: int, d: int = 1) -> Arrays:
    """Return zeros, and in the second data set one record of ones."""
    here = np.zeros((n, d))
    there = here.copy()
    there[-1] = 1.0
    return here, there


def zeros_and_ones(n: int, ones: int) -> Arrays:
    """Return zeros and ones, and in the second data set one of the zeros is a one."""
    here = np.repeat([0.0, 1.0], [n - ones, ones])[:, None]
    there = here.copy()
    there[0] = 1.0
    return here, there


def circle(n: int, k: int) -> Arrays:
    """Return n records on a circle; in the second data set the first moves inwards by a hair.

    Whoever is farthest out starts the first cluster of MDAV: the first record, or the one that
    is half a cluster further round.
    """
    angles = 2 * np.pi * (np.arange(n) + 0.5) / n
    out = np.column_stack([np.cos(angles), np.sin(angles)])
    radius = np.full(n, 0.499)
    radius[k // 2] += HAIR
    here, there = radius.copy(), radius.copy()
    here[0] += 2 * HAIR
    return 0.5 + here[:, None] * out, 0.5 + there[:, None] * out


def one_short_of_three(k: int) -> Arrays:
    """Return 3k − 1 records in a column: k zeros, k − 1 halves, k ones; one half moves by a hair.

    Which end is farther from the mean decides which one gets a cluster of its own.
    """
    here, there = (
        np.concatenate([np.zeros(k), [0.5 + hair], np.full(k - 2, 0.5), np.ones(k)])[:, None]
        for hair in (HAIR, -HAIR)
    )
    return here, there


def moved_inside_a_cluster(k: int) -> Arrays:
    """Return k zeros and k ones; in the second data set a zero moves right across its cluster.

    MDAV and its relatives form the same two clusters for both.
    """
    here = np.repeat([0.0, 1.0], k)[:, None]
    there = here.copy()
    there[0] = 0.95
    return here, there


def largest_record(n: int) -> Arrays:
    """Return small records, and in the second data set one of them is a thousand times larger."""
    here = np.linspace(0.0, 0.001, n)[:, None]
    there = here.copy()
    there[-1] = 1.0
    return here, there


def zigzag(clusters: int) -> Arrays:
    """Return two records for each cluster under the order by distance to the origin.

    Whoever comes next is in the opposite corner, so that one record which moves from the front to
    the end pushes every cluster across both columns.
    """
    hairs = 1e-3 * np.arange(1, clusters + 2)
    turns = np.arange(clusters + 1) % 2 == 1
    ranks = np.column_stack([np.where(turns, 1.0, hairs), np.where(turns, hairs, 1.0)])
    here = np.repeat(ranks[:-1], 2, axis=0)
    there = here.copy()
    there[0] = ranks[-1]
    return here, there


def piles(size: int, crowd: int) -> Arrays:
    """Return zeros and ones, of which one zero becomes a one, in very unequal numbers.

    A pile in one cell has the same count in every box around it, so that each cut of a private
    tree tells a little, which its proof names as the worst case.
    """
    here = np.repeat([0.0, 1.0], [size + 1, crowd])[:, None]
    there = np.repeat([0.0, 1.0], [size, crowd + 1])[:, None]
    return here, there


def scattered(n: int, d: int) -> Arrays:
    """Return records scattered at random, the same ones every time; the first is mirrored."""
    here = np.random.default_rng(0).random((n, d))
    there = here.copy()
    there[0] = 1.0 - there[0]
    return here, there


def random_pair(n: int, d: int, rng: np.random.Generator) -> Arrays:
    """Return records on a coarse grid, full of ties, with one of them drawn again."""
    here = rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], size=(n, d))
    there = here.copy()
    there[rng.integers(n)] = rng.choice([0.0, 0.5, 1.0], size=d)
    return here, there


def graph_pair(words: str, graphs: tuple[Graph, Graph]) -> Neighbours:
    """Return two graphs as a pair."""
    return Neighbours(words=words, here=graphs[0], there=graphs[1])


def changed_graph(words: str, graphs: tuple[Graph, Graph]) -> Neighbours:
    """Return a pair that a search found."""
    nodes, edges = graphs[0].n_nodes, f"{graphs[0].n_edges} and {graphs[1].n_edges} edges"
    return graph_pair(f"graphs of {nodes} nodes with {edges}; {words}", graphs)


def double_star(leaves: int, cliques: int = 0) -> tuple[Graph, Graph]:
    """Return two stars, and in the second graph an edge between their centres.

    All leaves of both centres change their cell of the joint degree distribution.  Complete graphs
    of the same degree make an interval of degrees end there that is fitted to them.
    """
    spokes = [(centre, 2 + centre * leaves + i) for centre in (0, 1) for i in range(leaves)]
    edges = [*spokes, *_cliques(leaves + 1, cliques, first=2 + 2 * leaves)]
    nodes = 2 + 2 * leaves + cliques * (leaves + 1)
    return _graph(edges, nodes), _graph([*edges, (0, 1)], nodes)


def two_degrees() -> tuple[Graph, Graph]:
    """Return nodes of degree 1 and 3, and in the second graph an edge between them.

    Four counts of the degree distribution move by one each.
    """
    edges = [(0, 2), (1, 3), (1, 4), (1, 5)]
    return _graph(edges, 6), _graph([*edges, (0, 1)], 6)


def hub(nodes: int, edges: list[tuple[int, int]] | None = None) -> tuple[Graph, Graph]:
    """Return some nodes, and in the second graph one more that is joined to all of them."""
    edges = edges or []
    return _graph(edges, nodes), _graph([*edges, *((v, nodes) for v in range(nodes))], nodes + 1)


def matching_plus_hub(matches: int) -> tuple[Graph, Graph]:
    """Return a perfect matching, and in the second graph one more node, joined to all others."""
    return hub(2 * matches, [(2 * i, 2 * i + 1) for i in range(matches)])


def stars_plus_hub(theta: int, cliques: int = 0) -> tuple[Graph, Graph]:
    """Return theta stars of theta − 1 leaves, and in the second graph one more node on all centres.

    No degree exceeds theta, and the joint degree distribution moves by θ(2θ − 1).  Complete graphs
    are added as for `double_star`.
    """
    leaves = theta - 1
    spokes = [(c, theta + c * leaves + i) for c in range(theta) for i in range(leaves)]
    edges = [*spokes, *_cliques(theta, cliques, first=theta * theta)]
    last = theta * theta + cliques * theta
    joined = [(centre, last) for centre in range(theta)]
    return _graph(edges, last), _graph([*edges, *joined], last + 1)


def random_graphs(n: int, rng: np.random.Generator) -> tuple[Graph, Graph]:
    """Return a sparse random graph, and one with one more edge."""
    ends = np.column_stack(np.triu_indices(n, 1))
    edges = [(u, v) for u, v in ends[rng.permutation(len(ends))[: 2 * n]].tolist()]
    return _graph(edges[1:], n), _graph(edges, n)


def _cliques(size: int, often: int, *, first: int) -> list[tuple[int, int]]:
    starts = range(first, first + often * size, size)
    return [(start + i, start + j) for start in starts for j in range(size) for i in range(j)]


def _graph(edges: list[tuple[int, int]], nodes: int) -> Graph:
    return from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), ids=nodes)

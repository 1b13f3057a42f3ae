"""Triangles and paths are counted by class exactly, and the room lent for it comes back empty."""

from collections import Counter
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from covey.graph import Graph
from covey.kernels.graphs.subgraphs import count_paths, count_triangles
from tests.oracles.graphs import edges_of, graph_of, simple_graphs


@st.composite
def classed(draw) -> tuple[Graph, np.ndarray]:
    """Draw a graph whose nodes are numbered by class."""
    graph = draw(simple_graphs())
    classes = draw(st.lists(st.integers(0, 3), min_size=graph.n_nodes, max_size=graph.n_nodes))
    return graph, np.array(sorted(classes), dtype=np.int64)


def counted(cells: np.ndarray, counts: np.ndarray) -> Counter:
    assert len(set(cells.tolist())) == len(cells)
    return Counter(
        {divmod(cell, 4): n for cell, n in zip(cells.tolist(), counts.tolist(), strict=True)}
    )


@given(classed())
def test_each_triangle_is_counted_once_at_its_lowest_node(drawn) -> None:
    graph, classes = drawn
    edges = set(edges_of(graph))
    expected = Counter(
        (classes[b], classes[c])
        for a, b, c in combinations(range(graph.n_nodes), 3)
        if {(a, b), (a, c), (b, c)} <= edges
    )
    table, marks = np.zeros((4, 4), np.int64), np.full(graph.n_nodes, -1)

    found = count_triangles(graph.indptr, graph.indices, classes, 0, graph.n_nodes, table, marks)

    assert counted(*found) == expected
    assert not table.any()


@given(classed(), st.data())
def test_each_path_is_counted_once_at_its_middle(drawn, data) -> None:
    graph, classes = drawn
    first = data.draw(st.integers(0, graph.n_nodes))
    last = data.draw(st.integers(first, graph.n_nodes))
    expected = Counter(
        (classes[a], classes[b])
        for v in range(first, last)
        for a, b in combinations(graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist(), 2)
    )
    table = np.zeros((4, 4), np.int64)

    found = count_paths(graph.indptr, graph.indices, classes, first, last, table)

    assert counted(*found) == expected
    assert not table.any()


def test_lists_of_cells_grow_beyond_their_first_size() -> None:
    star = graph_of([(v, 40) for v in range(40)], 41)
    classes = np.arange(41)

    cells, counts = count_paths(star.indptr, star.indices, classes, 0, 41, np.zeros((41, 41), int))

    assert len(cells) == 40 * 39 // 2
    assert (counts == 1).all()

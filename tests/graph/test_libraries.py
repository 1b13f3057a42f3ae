"""Graphs of networkx, igraph and scipy come in and go out unchanged, or with a note."""

import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

from covey.errors import DataError, PlanError
from covey.graph import Graph, read_graph, to_igraph, to_networkx
from tests.oracles.graphs import edges_of, simple_graphs

TEXTS = read_graph(np.array([[1, 2], [2, 3]]), nodes=["Ann"])
FORMATS = [sparse.csr_array, sparse.coo_matrix, sparse.lil_matrix, sparse.dok_array]


def same(one: Graph, other: Graph) -> bool:
    return one.ids.tolist() == other.ids.tolist() and edges_of(one) == edges_of(other)


@given(simple_graphs())
def test_networkx_gives_back_what_it_got(graph) -> None:
    again = read_graph(to_networkx(graph), strict=True)

    assert same(again, graph)
    assert again.kind == "networkx"


@given(simple_graphs())
def test_igraph_gives_back_what_it_got(graph) -> None:
    pytest.importorskip("igraph", reason="igraph is not installed")

    again = read_graph(to_igraph(graph), strict=True)

    assert same(again, graph)
    assert again.kind == "igraph"


@pytest.mark.parametrize("library", ["networkx", "igraph"])
def test_texts_go_out_and_come_in(library) -> None:
    pytest.importorskip(library, reason="the library is not installed")
    hand_over = {"networkx": to_networkx, "igraph": to_igraph}[library]

    assert same(read_graph(hand_over(TEXTS)), TEXTS)


@given(simple_graphs())
def test_a_symmetric_matrix_and_its_triangles_are_the_same_graph(graph) -> None:
    u, v = graph.edges().T
    n = graph.n_nodes
    upper = sparse.coo_array((np.ones(len(u), np.int8), (u, v)), shape=(n, n))

    for matrix in (upper, upper.T, upper + upper.T):
        again = read_graph(matrix, strict=True)
        assert same(again, graph)
        assert again.kind == "scipy"


@pytest.mark.parametrize("make", FORMATS)
def test_sparse_matrices_of_all_formats_are_read_and_left_alone(make) -> None:
    matrix = make(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    before = matrix.toarray()

    assert edges_of(read_graph(matrix)) == [(0, 1), (1, 2)]
    assert (matrix.toarray() == before).all()


def test_stored_zeros_are_no_edges() -> None:
    matrix = sparse.csr_array(([1.0, 0.0], ([0, 1], [1, 2])), shape=(3, 3))

    assert edges_of(read_graph(matrix)) == [(0, 1)]
    assert matrix.nnz == 2


def test_a_graph_of_networkx_keeps_isolated_nodes_and_other_names() -> None:
    source = nx.Graph([(("a", 1), "b")])
    source.add_node(7)

    assert read_graph(source).ids.tolist() == ["('a', 1)", "7", "b"]


def directed_matrix() -> sparse.csr_array:
    return sparse.csr_array(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))


@pytest.mark.parametrize(
    ("source", "note"),
    [
        (lambda: nx.DiGraph([(0, 1), (1, 0), (1, 2), (0, 2)]), "directions were dropped"),
        (directed_matrix, "directions were dropped"),
        (lambda: nx.MultiGraph([(0, 1), (0, 1), (1, 2), (0, 2)]), "repetitions of edges: 1"),
        (lambda: nx.Graph([(0, 1), (1, 2), (0, 2), (2, 2)]), "self-loops: 1"),
        (lambda: nx.Graph([(0, 1, {"weight": 2}), (1, 2), (0, 2)]), "weights"),
        (lambda: sparse.csr_array(np.array([[0, 2, 1], [2, 0, 1], [1, 1, 0]])), "weights"),
        (lambda: sparse.csr_array(np.array([[1, 1, 1], [1, 0, 1], [1, 1, 0]])), "self-loops: 1"),
    ],
)
def test_what_is_not_simple_is_noted_or_refused(source, note) -> None:
    graph = read_graph(source())

    assert edges_of(graph) == [(0, 1), (0, 2), (1, 2)]
    assert len(graph.notes) == 1
    assert note in graph.notes[0]
    with pytest.raises(DataError, match="strict reading refuses"):
        read_graph(source(), strict=True)


def test_directions_and_weights_of_igraph_are_noted() -> None:
    igraph = pytest.importorskip("igraph", reason="igraph is not installed")
    source = igraph.Graph(edges=[(0, 1), (1, 0), (1, 2)], directed=True)
    source.es["weight"] = [1, 2, 3]

    graph = read_graph(source)

    assert edges_of(graph) == [(0, 1), (1, 2)]
    assert [("weights" in note, "directions" in note) for note in graph.notes] == [
        (True, False),
        (False, True),
    ]


def test_nodes_with_the_same_name_as_text_are_refused() -> None:
    with pytest.raises(DataError, match="same name"):
        read_graph(nx.Graph([(1, "1"), ("1", "a")]))


@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_a_matrix_that_is_not_square_is_refused(shape) -> None:
    with pytest.raises(DataError, match="not square"):
        read_graph(sparse.csr_array(np.ones(shape)))


def test_an_empty_graph_of_networkx_is_refused() -> None:
    with pytest.raises(DataError, match="no nodes"):
        read_graph(nx.Graph())


@pytest.mark.parametrize(
    ("hand_over", "library"), [(to_networkx, "networkx"), (to_igraph, "igraph")]
)
def test_a_library_that_is_missing_is_named_with_how_to_get_it(
    hand_over, library, monkeypatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)

    with pytest.raises(PlanError, match=f"pip install {library}"):
        hand_over(TEXTS)

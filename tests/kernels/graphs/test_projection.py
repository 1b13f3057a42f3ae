"""Each kernel keeps exactly the edges that its rule, followed step by step, keeps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.kernels.graphs import projection
from tests.oracles import graphs
from tests.oracles.graphs import Edges, edges_of, simple_graphs

thetas = st.integers(1, 5)


def taken(graph, kept: np.ndarray) -> Edges:
    return [(u, v) for u, v in graph.edges()[kept].tolist()]


@given(simple_graphs(), thetas, st.randoms())
def test_edges_are_added_in_their_turn_while_both_ends_have_room(graph, theta, random) -> None:
    order = list(range(graph.n_edges))
    random.shuffle(order)
    in_turn = [edges_of(graph)[e] for e in order]

    kept = projection.add_edges(
        graph.edges(), np.array(order, dtype=np.int64), graph.n_nodes, theta
    )

    assert taken(graph, kept) == graphs.add_edges(in_turn, graph.n_nodes, theta)


@given(simple_graphs(), thetas, st.randoms())
def test_edges_are_removed_in_their_turn_while_an_end_is_above(graph, theta, random) -> None:
    order = list(range(graph.n_edges))
    random.shuffle(order)
    in_turn = [edges_of(graph)[e] for e in order]

    kept = projection.remove_edges(
        graph.edges(), np.array(order, dtype=np.int64), graph.degrees, theta
    )

    assert taken(graph, kept) == graphs.remove_edges(in_turn, graph.n_nodes, theta)


@pytest.mark.parametrize(
    ("remove", "reading"),
    [
        (projection.remove_from_first_end, "printed"),
        (projection.remove_from_both_ends, "bounded"),
    ],
)
@given(graph=simple_graphs(), theta=thetas)
def test_edges_are_removed_node_by_node(graph, theta, remove, reading) -> None:
    turn = list(range(graph.n_nodes))

    kept = remove(graph.indptr, graph.indices, theta)

    assert taken(graph, kept) == graphs.remove_stably(edges_of(graph), turn, theta, reading)

"""Orders by id and by hash depend on two edges alone; the order by degree does not."""

from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import PlanError
from covey.graph import Graph, edge_order, from_edges, node_order
from tests.oracles.graphs import edges_of, graph_of, simple_graphs


def named(graph: Graph, ids: np.ndarray) -> Graph:
    return from_edges(graph.edges(), ids=ids)


def in_turn(graph: Graph, order: str, key: str = "") -> list[tuple]:
    """Return the edges in their turn as pairs of names, whatever the direction."""
    rows = graph.edges()[edge_order(graph, order, key=key)]
    return [tuple(sorted(ends)) for ends in graph.ids[rows].tolist()]


@pytest.mark.parametrize("order", ["id", "hash"])
@given(graph=simple_graphs(), data=st.data())
def test_two_edges_keep_their_order_whatever_else_is_in_the_graph(order, graph, data) -> None:
    whole = in_turn(graph, order, "k")
    kept = data.draw(st.sets(st.sampled_from(whole))) if whole else set()
    nodes = sorted({v for edge in kept for v in edge})
    edges = np.searchsorted(nodes, np.array(sorted(kept), dtype=np.int64).reshape(-1, 2))
    part = from_edges(edges, ids=np.array(nodes, dtype=np.int64))

    assert in_turn(part, order, "k") == [edge for edge in whole if edge in kept]


@pytest.mark.parametrize("order", ["id", "hash"])
@given(graph=simple_graphs(), random=st.randoms())
def test_the_numbers_of_the_nodes_do_not_matter(order, graph, random) -> None:
    numbers = list(range(graph.n_nodes))
    random.shuffle(numbers)
    ids = np.empty(graph.n_nodes, np.int64)
    ids[numbers] = np.arange(graph.n_nodes)
    edges = np.array(numbers)[graph.edges()]

    renumbered = from_edges(edges, ids=ids)

    assert in_turn(renumbered, order) == in_turn(graph, order)


def test_edges_by_id_are_ordered_by_their_lower_then_by_their_higher_end() -> None:
    graph = named(graph_of([(0, 1), (0, 2), (1, 2)], 3), np.array([30, 4, 7]))

    assert in_turn(graph, "id") == [(4, 7), (4, 30), (7, 30)]


def test_texts_are_ordered_by_code_points() -> None:
    graph = named(graph_of([(0, 1), (0, 2), (1, 2)], 3), np.array(["b", "a", "Z"], dtype=object))

    assert in_turn(graph, "id") == [("Z", "a"), ("Z", "b"), ("a", "b")]


@given(simple_graphs())
def test_integers_and_their_texts_have_the_same_hashes(graph) -> None:
    texts = named(graph, np.array([str(v) for v in range(graph.n_nodes)], dtype=object))

    assert edge_order(texts, "hash").tolist() == edge_order(graph, "hash").tolist()


def test_nodes_by_hash_are_ordered_by_blake2b_of_key_and_name() -> None:
    graph = graph_of([], 50)

    def hashed(v: int) -> int:
        digest = blake2b(str(v).encode(), digest_size=8, key=b"public").digest()
        return int.from_bytes(digest, "little")

    assert node_order(graph, "hash", key="public").tolist() == sorted(range(50), key=hashed)


def test_another_key_gives_another_order() -> None:
    complete = graph_of([(u, v) for v in range(9) for u in range(v)], 9)

    orders = {tuple(in_turn(complete, "hash", str(key))) for key in range(20)}

    assert len(orders) == 20


def test_hashes_put_every_edge_first_equally_often() -> None:
    complete = graph_of([(u, v) for v in range(4) for u in range(v)], 4)

    first = [int(edge_order(complete, "hash", key=str(key))[0]) for key in range(3000)]

    # 500 expected for each of six; the standard deviation is 20.
    assert np.bincount(first, minlength=6).min() > 400


def test_nodes_by_degree_come_from_the_highest_and_ties_by_id() -> None:
    graph = graph_of([(3, 0), (3, 1), (3, 2), (1, 2)], 5)

    assert node_order(graph, "degree").tolist() == [3, 1, 2, 0, 4]


def test_one_more_edge_can_change_the_order_by_degree_of_other_edges() -> None:
    path = graph_of([(0, 1), (2, 3)], 5)
    longer = graph_of([*edges_of(path), (3, 4)], 5)

    assert node_order(path, "degree").tolist()[:4] == [0, 1, 2, 3]
    assert node_order(longer, "degree").tolist()[0] == 3


@pytest.mark.parametrize(("ask", "order"), [(edge_order, "degree"), (node_order, "hsah")])
def test_an_unknown_order_is_refused(ask, order) -> None:
    with pytest.raises(PlanError, match=f"order = '{order}'"):
        ask(graph_of([(0, 1)], 2), order)


def test_a_key_that_the_hash_cannot_take_is_refused() -> None:
    with pytest.raises(PlanError, match="longer than 64 bytes"):
        edge_order(graph_of([(0, 1)], 2), "hash", key="k" * 65)

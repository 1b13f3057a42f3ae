"""A projection keeps the nodes, takes only edges, and bounds the degrees where it says so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import PlanError
from covey.graph import PROJECTIONS, Graph, edge_order, from_edges, node_order, project
from tests.oracles import graphs
from tests.oracles.graphs import edges_of, graph_of, simple_graphs

SEED = {"random-edge-removal": {"random_state": 5}}
thetas = st.integers(1, 5)


def projected(graph: Graph, method: str, theta: int) -> Graph:
    return project(graph, method, theta=theta, **SEED.get(method, {}))


@pytest.mark.parametrize("method", PROJECTIONS)
@given(graph=simple_graphs(), theta=thetas)
def test_only_edges_go_and_no_node_has_more_than_theta(method, graph, theta) -> None:
    small = projected(graph, method, theta)

    assert small.degrees.max() <= theta
    assert set(edges_of(small)) <= set(edges_of(graph))
    assert small.ids.tolist() == graph.ids.tolist()


@pytest.mark.parametrize("method", PROJECTIONS)
@given(graph=simple_graphs())
def test_a_graph_within_the_bound_stays_as_it_is(method, graph) -> None:
    small = projected(graph, method, max(1, int(graph.degrees.max())))

    assert edges_of(small) == edges_of(graph)


@pytest.mark.parametrize("method", PROJECTIONS)
@given(graph=simple_graphs(), theta=thetas)
def test_the_same_graph_gives_the_same_projection(method, graph, theta) -> None:
    assert edges_of(projected(graph, method, theta)) == edges_of(projected(graph, method, theta))


@pytest.mark.parametrize("method", PROJECTIONS)
def test_names_kind_and_notes_stay(method) -> None:
    ids = np.array(["Ann", "Bob", "Cy"], dtype=object)
    graph = from_edges(np.array([[0, 1], [1, 2]]), ids=ids, kind="csv", notes=("seen.",))

    small = projected(graph, method, 1)

    assert (small.ids.tolist(), small.kind, small.notes) == (ids.tolist(), "csv", ("seen.",))


@pytest.mark.parametrize("order", ["id", "hash"])
@given(graph=simple_graphs(), theta=thetas)
def test_edge_addition_inserts_in_the_stable_order(order, graph, theta) -> None:
    turns = [edges_of(graph)[e] for e in edge_order(graph, order, key="k")]

    small = project(graph, "edge-addition", theta=theta, order=order, key="k")

    assert edges_of(small) == graphs.add_edges(turns, graph.n_nodes, theta)


@given(graph=simple_graphs(), theta=thetas)
def test_no_edge_could_be_put_back_after_edge_addition(graph, theta) -> None:
    small = project(graph, theta=theta)

    left_out = set(edges_of(graph)) - set(edges_of(small))
    assert all(max(small.degrees[u], small.degrees[v]) == theta for u, v in left_out)


@pytest.mark.parametrize("order", ["degree", "id", "hash"])
@pytest.mark.parametrize("reading", ["printed", "bounded"])
@given(graph=simple_graphs(), theta=thetas)
def test_stable_edge_removal_follows_its_reading(order, reading, graph, theta) -> None:
    turn = node_order(graph, order, key="k").tolist()

    small = project(
        graph, "stable-edge-removal", theta=theta, order=order, key="k", reading=reading
    )

    assert edges_of(small) == graphs.remove_stably(edges_of(graph), turn, theta, reading)


def test_the_printed_reading_makes_a_path_of_a_triangle() -> None:
    triangle = graph_of([(0, 1), (0, 2), (1, 2)], 3)

    small = project(triangle, "stable-edge-removal", theta=1, order="degree", reading="printed")

    assert small.degrees.max() == 2


@given(graph=simple_graphs(), theta=thetas)
def test_truncation_takes_all_edges_of_nodes_above_theta_and_no_others(graph, theta) -> None:
    degrees = graph.degrees

    small = project(graph, "truncation", theta=theta)

    expected = [(u, v) for u, v in edges_of(graph) if max(degrees[u], degrees[v]) <= theta]
    assert edges_of(small) == expected


def test_random_edge_removal_takes_other_edges_for_another_seed() -> None:
    complete = graph_of([(u, v) for v in range(9) for u in range(v)], 9)

    results = {
        tuple(edges_of(project(complete, "random-edge-removal", theta=3, random_state=seed)))
        for seed in range(8)
    }

    assert len(results) == 8


def test_random_edge_removal_takes_a_generator_as_well() -> None:
    complete = graph_of([(u, v) for v in range(9) for u in range(v)], 9)
    rng = np.random.default_rng(5)

    given_rng = project(complete, "random-edge-removal", theta=3, random_state=rng)

    assert edges_of(given_rng) == edges_of(projected(complete, "random-edge-removal", 3))


@pytest.mark.parametrize("theta", [0, -1, 1.5, True, "3", None])
def test_a_bound_that_is_no_whole_number_above_zero_is_refused(theta) -> None:
    with pytest.raises(PlanError, match=r"theta = .* at least 1"):
        project(graph_of([(0, 1)], 2), theta=theta)


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("edge-adition", {}, "Did you mean 'edge-addition'"),
        ("edge-addition", {"order": "degree"}, "order = 'degree'"),
        ("edge-addition", {"random_state": 3}, "has no option 'random_state'"),
        ("truncation", {"order": "id"}, "has no option 'order'"),
        ("stable-edge-removal", {"reading": "third"}, "reading = 'third'"),
        ("random-edge-removal", {}, "random_state = None"),
        ("random-edge-removal", {"random_state": -1}, "random_state = -1"),
        ("random-edge-removal", {"random_state": True}, "random_state = True"),
    ],
)
def test_a_wrong_plan_is_refused_with_what_to_do(method, options, message) -> None:
    with pytest.raises(PlanError, match=message):
        project(graph_of([(0, 1)], 2), method, theta=1, **options)


def test_edge_addition_alone_is_called_stable() -> None:
    assert [name for name, method in PROJECTIONS.items() if method.stable] == ["edge-addition"]


@pytest.mark.parametrize("method", PROJECTIONS)
def test_a_graph_without_nodes_can_be_projected(method) -> None:
    assert projected(graph_of([], 0), method, 1).n_nodes == 0

"""Who is in a network is a public fact, or it is protected: it is never read off the edges.

One edge more to somebody who had none, or one person less who was the only contact of many, moves
the set of nodes that the edges name.  Without a list or a number of nodes nothing is promised.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import DataError, PlanError

RING = np.array([[v, (v + 1) % 40] for v in range(40)])
TO_A_STRANGER = np.concatenate([RING, [[0, 40]]])
SYSTEMS = ("degree-histogram", "joint-degree-boxes", "personalised-dk")


def plan(system: str, **more) -> dict:
    spent = {"preferences": "paper"} if system == "personalised-dk" else {"epsilon": 1.0}
    return {"system": system, **spent, **more}


@pytest.mark.parametrize("system", SYSTEMS)
def test_nodes_that_the_edges_name_carry_no_promise(system) -> None:
    guarantee = covey.publish(RING, **plan(system)).guarantee

    assert guarantee.kind == "none"
    assert "--nodes" in guarantee.reasons[0]


@pytest.mark.parametrize("unit", ["edge", "node"])
def test_no_unit_is_promised_without_them(unit) -> None:
    assert covey.publish(RING, **plan("degree-histogram", unit=unit)).guarantee.kind == "none"


@pytest.mark.parametrize("nodes", [60, list(range(60)), "60"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_one_edge_to_somebody_without_edges_does_not_show(system, nodes) -> None:
    releases = [
        covey.publish(edges, nodes=nodes, **plan(system)) for edges in (RING, TO_A_STRANGER)
    ]

    assert {release.guarantee.kind.is_differential_privacy for release in releases} == {True}
    if system == "degree-histogram":
        ends = {release.extras["measured"]["last_rank"].max() for release in releases}
        assert ends == {60}


def test_a_library_brings_its_nodes_along() -> None:
    graph = nx.Graph([(0, 1), (1, 2)])
    graph.add_nodes_from(range(10))

    assert covey.publish(graph, **plan("degree-histogram")).guarantee.kind == "edge-dp"
    assert covey.read_graph(graph).n_nodes == 10


def test_fewer_nodes_than_occur_are_refused() -> None:
    with pytest.raises(DataError, match="more than 39 nodes"):
        covey.publish(RING, nodes=39, **plan("degree-histogram"))


def test_files_are_told_how_many_nodes_there_are(tmp_path) -> None:
    file = tmp_path / "edges.parquet"
    pl.DataFrame(RING, schema=["u", "v"]).write_parquet(file)
    streamed = plan("degree-histogram", engine="stream", regenerate=False)

    without = covey.publish(file, **streamed)
    given = covey.publish(file, nodes=60, **streamed)

    assert without.guarantee.kind == "none"
    assert given.guarantee.kind == "edge-dp"
    assert given.extras["measured"]["last_rank"].max() == 60
    with pytest.raises(PlanError, match="their number"):
        covey.publish(file, nodes=["a", "b"], **streamed)


def test_what_is_protected_about_a_node_is_said_exactly() -> None:
    graph = covey.read_graph(RING, nodes=60)

    sentence = str(covey.publish(graph, **plan("degree-histogram", unit="node")).guarantee)

    assert "its neighbours staying" in sentence

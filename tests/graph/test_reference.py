"""Real networks have the published sizes, and projections keep the published shares of edges."""

import csv
import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from covey.graph import Graph, joint_degrees, project, read_graph, subgraph_degrees

DATA = Path(os.environ.get("COVEY_DATA", Path(__file__).parents[3] / "shared" / "data"))
NETWORKS = DATA / "graphs"
PUBLISHED = DATA.parent / "reference" / "reference.json"
NAMES = (
    *("polbooks", "ca-GrQc", "ca-HepTh", "ca-HepPh"),
    *("facebook_combined", "wiki-Vote", "email-Enron"),
)

pytestmark = pytest.mark.skipif(not NETWORKS.is_dir(), reason="networks are not at COVEY_DATA")


@cache
def network(name: str) -> Graph:
    isolated = NETWORKS / f"{name}.isolated.txt"
    return read_graph(
        NETWORKS / f"{name}.txt.gz", strict=True, nodes=isolated if isolated.exists() else None
    )


@cache
def table_7_1() -> list[dict]:
    if not PUBLISHED.is_file():
        return []
    entries = json.loads(PUBLISHED.read_text())["entries"]
    return [entry for entry in entries if entry["table"] == "Table 7.1"]


def entries(method: str) -> list:
    chosen = [entry for entry in table_7_1() if entry["method"] == method]
    if not chosen:
        return [pytest.param(None, marks=pytest.mark.skip(reason="no list of published numbers"))]
    return [
        pytest.param(entry, id=f"{entry['data_set']}-{entry['parameters']['theta']}")
        for entry in chosen
    ]


def share(graph: Graph, small: Graph) -> float:
    return small.n_edges / graph.n_edges


@pytest.mark.parametrize("name", NAMES)
def test_a_real_network_has_the_known_sizes(name) -> None:
    with (NETWORKS / "stats.csv").open() as file:
        (known,) = [row for row in csv.DictReader(file) if row["graph"] == name]
    graph = network(name)

    pairs = joint_degrees(graph)

    assert graph.n_nodes == int(known["nodes"])
    assert graph.n_edges == int(known["edges"]) == pairs.counts.sum()
    assert graph.degrees.max() == int(known["max_degree"])
    assert (graph.degrees == 0).sum() == int(known["isolated_after_drop"])
    assert len(pairs.counts) == int(known["k2_unordered_pairs"])


@pytest.mark.parametrize(
    ("name", "triangles"),
    [("polbooks", 560), ("ca-GrQc", 48_260), ("facebook_combined", 1_612_010)],
)
def test_a_real_network_has_the_published_number_of_triangles(name, triangles) -> None:
    triples = subgraph_degrees(network(name))

    assert triples.counts[triples.keys[:, 0] == 1].sum() == triangles


@pytest.mark.parametrize("entry", entries("EAD"))
def test_edge_addition_keeps_the_share_of_edges_that_a_random_order_keeps(entry) -> None:
    graph = network(entry["data_set"])
    shares = [
        share(graph, project(graph, "edge-addition", theta=entry["parameters"]["theta"], key=key))
        for key in ("a", "b", "c")
    ]

    ours = float(np.mean(shares))

    assert ours == pytest.approx(
        entry["reproduced_value_true"], rel=entry["tolerance_vs_reproduced"]
    )


@pytest.mark.parametrize("entry", entries("SER"))
def test_stable_edge_removal_keeps_the_share_of_edges_of_each_reading(entry) -> None:
    graph, theta = network(entry["data_set"]), entry["parameters"]["theta"]
    options = {"theta": theta, "order": "degree"}

    bounded = project(graph, "stable-edge-removal", reading="bounded", **options)
    printed = project(graph, "stable-edge-removal", reading="printed", **options)

    # The printed shares lie above what any graph with this bound can keep where marked impossible.
    assert bounded.degrees.max() <= theta
    assert share(graph, bounded) == pytest.approx(
        entry["reproduced_value"], rel=entry["tolerance_vs_reproduced"]
    )
    assert share(graph, bounded) < entry["upper_bound_any_theta_bounded_graph"]
    assert (entry["status"] == "impossible") == (
        entry["paper_value"] > entry["upper_bound_any_theta_bounded_graph"]
    )
    assert share(graph, printed) == pytest.approx(entry["as_printed_ratio"], abs=6e-5)
    assert printed.degrees.max() == entry["as_printed_max_degree"]

"""What is audited about systems for graphs, and about counts of graphs as plain numbers?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from covey.audit.case import Case, blind_case, law_case, pair_case, search_case
from covey.audit.cases.neighbours import (
    changed_graph,
    double_star,
    graph_pair,
    hub,
    matching_plus_hub,
    random_graphs,
    stars_plus_hub,
    two_degrees,
)
from covey.audit.cases.specimens import counts_law
from covey.audit.instruments.law import DrawLaw
from covey.audit.instruments.search import Graphs, flip_edge
from covey.audit.report import Claimant
from covey.audit.subject import Neighbours
from covey.graph import Graph, degree_distribution, from_edges, joint_degrees, project

GRAPH_STEPS = 30
"""So many changes of a graph are tried from each seed."""

AN_EDGE: dict[str, Any] = {"unit": "edge"}
A_NODE: dict[str, Any] = {"unit": "node"}
PAPER_PREFERENCES: dict[str, Any] = {"preferences": "paper", "unit": "edge"}
PREFERENCES = Path(__file__).with_name("data")

LIBERAL = 1
"""A seed with which the busier end of the new edge allows most."""

PERSONALISED_PAPER: dict[str, dict[str, Any]] = {
    "pdp-min": {},
    "tp-dk": {"theta": 3, "mu": 0.05},
    "tp-dk-avg": {"theta": 3},
    "ag-dk": {"k": 1},
}
"""Systems of chapter 8 of paper 002, and what they need besides preferences."""


def _stars(cliques: int = 0) -> Neighbours:
    leaves = 3 if cliques else 4
    also = f", beside {cliques} complete graphs" if cliques else ""
    words = f"two stars of {leaves} leaves, whose centres an edge joins{also}"
    return graph_pair(words, double_star(leaves, cliques))


def _hub(theta: int = 3, cliques: int = 0) -> Neighbours:
    also = f", beside {cliques} complete graphs" if cliques else ""
    words = f"{theta} stars of {theta - 1} leaves, whose centres a new node joins{also}"
    return graph_pair(words, stars_plus_hub(theta, cliques))


def _degrees() -> Neighbours:
    return graph_pair("a new edge between nodes of degree 1 and 3", two_degrees())


def _new_hub(nodes: int) -> Callable[[], Neighbours]:
    return lambda: graph_pair(f"{nodes} nodes without edges, which a new node joins", hub(nodes))


def _unrelated(*sizes: int) -> Callable[[], Neighbours]:
    """Return two random graphs that have no more in common than public nodes."""

    def pair() -> Neighbours:
        graphs = [random_graphs(n, np.random.default_rng(n + i))[1] for i, n in enumerate(sizes)]
        words = f"random graphs of {sizes[0]} and {sizes[1]} nodes"
        return Neighbours(words=words, here=graphs[0], there=graphs[1])

    return pair


def _edges(rng: np.random.Generator) -> Sequence[tuple[str, Graphs]]:
    return [
        ("a double star", double_star(4)),
        ("a random graph", random_graphs(12, rng)),
        ("two degrees", two_degrees()),
    ]


def _nodes(rng: np.random.Generator) -> Sequence[tuple[str, Graphs]]:
    del rng
    return [
        ("stars and a hub", stars_plus_hub(3)),
        ("a matching and a hub", matching_plus_hub(6)),
    ]


def _searched(
    system: str,
    seeds: Callable[[np.random.Generator], Sequence[tuple[str, Graphs]]],
    **given: Any,
) -> Case:
    return search_case(system, seeds, changed_graph, flip_edge, steps=GRAPH_STEPS, **given)


JOINT_DEGREE_CASES = (
    pair_case("an edge, fitted boxes", "joint-degree-boxes", lambda: _stars(30), **AN_EDGE),
    pair_case(
        "an edge, all pairs of degrees up to 5",
        "joint-degree-boxes",
        _stars,
        boxes="even-cells",
        top=5,
        **AN_EDGE,
    ),
    pair_case(
        "a node, chosen theta and fitted boxes",
        "joint-degree-boxes",
        lambda: _hub(8, 60),
        _new_hub(300),
        **A_NODE,
    ),
    pair_case(
        "a node, theta = 3", "joint-degree-boxes", _hub, boxes="even-cells", theta=3, **A_NODE
    ),
    _searched("joint-degree-boxes", _edges, boxes="geometric", **AN_EDGE),
    _searched(
        "joint-degree-boxes",
        _nodes,
        name="worst node found by a search",
        boxes="cells",
        theta=3,
        **A_NODE,
    ),
    blind_case("joint-degree-boxes", _unrelated(40, 40), **AN_EDGE),
    blind_case("joint-degree-boxes", _unrelated(40, 50), **A_NODE),
)

DEGREE_HISTOGRAM_CASES = (
    pair_case("an edge, sorted degrees", "degree-histogram", _degrees, **AN_EDGE),
    pair_case(
        "an edge, all degrees up to 5",
        "degree-histogram",
        _degrees,
        form="histogram",
        top=5,
        **AN_EDGE,
    ),
    pair_case("a node, chosen theta", "degree-histogram", _new_hub(300), **A_NODE),
    _searched("degree-histogram", _edges, **AN_EDGE),
    _searched("degree-histogram", _nodes, name="worst node found by a search", theta=3, **A_NODE),
    blind_case("degree-histogram", _unrelated(40, 40), **AN_EDGE),
    blind_case("degree-histogram", _unrelated(40, 50), **A_NODE),
)


def _careful_node() -> Neighbours:
    files = [str(PREFERENCES / name) for name in ("six_nodes.csv", "careful_node.csv")]
    return Neighbours(
        words="six nodes without edges, and a new one on all of them that allows 0.3",
        here=hub(6)[0],
        there=hub(6)[1],
        own=({"preferences": files[0]}, {"preferences": files[1]}),
    )


PERSONALISED_DK_CASES = (
    # All other edges but one allow 1, which is also the threshold.
    pair_case(
        "an edge that allows 0.3, degrees",
        "personalised-dk",
        _degrees,
        epsilon=0.3,
        preferences=str(PREFERENCES / "careful_end.csv"),
        threshold=1.0,
        order=1,
        **AN_EDGE,
    ),
    pair_case(
        "a node that allows 0.3, degrees",
        "personalised-dk",
        _careful_node,
        epsilon=0.3,
        threshold=1.0,
        order=1,
        theta=3,
        **A_NODE,
    ),
    blind_case("personalised-dk", _unrelated(40, 40), order=2, **PAPER_PREFERENCES),
    blind_case(
        "personalised-dk",
        _unrelated(40, 40),
        otherwise="leave-out",
        threshold=0.5,
        order=1,
        **PAPER_PREFERENCES,
    ),
)

SER_DK_CASES = (
    pair_case(
        "2K after stable edge removal, theta = 1, n = 24, Lap(3)",
        "ser-dk",
        lambda: graph_pair(
            "a matching of 24 nodes, all of which a new node joins", matching_plus_hub(12)
        ),
        promise=Claimant.PAPER,
        theta=1,
        sequence="id",
    ),
)


def sampled_labels(system: str) -> tuple[Case, ...]:
    """Return the audit of a system that samples counts first: which degrees are published."""
    return (
        pair_case(
            "which degrees are published",
            system,
            _degrees,
            promise=Claimant.PAPER,
            order=1,
            preference_seed=LIBERAL,
            **PAPER_PREFERENCES,
        ),
    )


def labels_tell(system: str, **parameters: Any) -> tuple[Case, ...]:
    """Return the audit of a system of paper 002 that publishes the cells that occur."""
    return (_searched(system, _edges, promise=Claimant.PAPER, **parameters),)


def _joint_law(pair: Neighbours, *, largest: int, scale: int) -> DrawLaw:
    """Put noise of one scale on all cells of the joint degree distribution, after edge addition."""
    graphs = (project(graph, "edge-addition", theta=largest) for graph in (pair.here, pair.there))
    here, there = (joint_cells(graph, largest) for graph in graphs)
    return counts_law(here, there, scale)


JOINT_CELLS = law_case(
    "2K, edge-DP, D = 5, Lap(17)",
    _stars().words,
    lambda: _joint_law(_stars(), largest=5, scale=17),
    promise=Claimant.COVEY,
)
PROJECTED_CELLS = law_case(
    "2K after edge addition, theta = 3, Lap(15)",
    _hub().words,
    lambda: _joint_law(_hub(), largest=3, scale=15),
    promise=Claimant.COVEY,
)


def _local_equal() -> DrawLaw:
    """LL-dK for degrees with equal preferences: noise for half of what an edge moves."""
    here, there = (degree_cells(graph, 5) for graph in two_degrees())
    return counts_law(here, there, 2)


def _local_conservative() -> DrawLaw:
    """LL-dK for degrees: the noise of degree 1 follows the least preference of its nodes."""
    here, there = (
        degree_cells(from_edges(np.array(edges), ids=4), 1)[1:]
        for edges in ([(0, 1)], [(0, 1), (2, 3)])
    )
    return counts_law(here, there, 2, 200)


LL_DK_CASES = (
    law_case(
        "LL-dK, 1K, equal preferences", _degrees().words, _local_equal, promise=Claimant.PAPER
    ),
    law_case(
        "LL-dK, 1K, a conservative node",
        "an edge that joins a node with preference 0.01 to those of degree 1",
        _local_conservative,
        promise=Claimant.PAPER,
        epsilon=0.01,
    ),
    *labels_tell("ll-dk", order=1, **PAPER_PREFERENCES),
)


def joint_cells(graph: Graph, largest: int) -> list[int]:
    """Return the number of edges for every pair of degrees from 1 to a public bound."""
    cells = [(i, j) for i in range(1, largest + 1) for j in range(i, largest + 1)]
    found = joint_degrees(graph)
    counts = dict(zip(map(tuple, found.keys.tolist()), found.counts.tolist(), strict=True))
    return [counts.get(cell, 0) for cell in cells]


def degree_cells(graph: Graph, largest: int) -> list[int]:
    """Return the number of nodes of every degree from 0 to a public bound."""
    found = degree_distribution(graph)
    counts = dict(zip(found.keys[:, 0].tolist(), found.counts.tolist(), strict=True))
    return [counts.get(degree, 0) for degree in range(largest + 1)]

"""What is audited about systems for graphs, and about counts of graphs as plain numbers?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from covey.audit.case import Case, Promise, graph_search_case, law_case, real_case
from covey.audit.law import NoisyVector, VectorLaw
from covey.audit.neighbours import (
    double_star,
    matching_plus_hub,
    random_graphs,
    stars_plus_hub,
    two_degrees,
)
from covey.audit.pairs import Pair
from covey.audit.search import Graphs
from covey.audit.statistics import measured, occurs
from covey.graph import Graph, degree_distribution, from_edges, joint_degrees, project

ALL_EDGES: dict[str, Any] = {"regenerate": False, "unit": "edge"}
ALL_NODES: dict[str, Any] = {"regenerate": False, "unit": "node", "theta": 3}
PAPER_PREFERENCES: dict[str, Any] = {"preferences": "paper", "unit": "edge"}

SLOW_SHARE = 0.0015
"""A graph takes longer than a table to be published, so that it is run less often."""

ALLOWS = 2480
"""A seed of the paper's preferences with which both ends of the new edge allow 0.999 or more."""

LIBERAL = 1
"""A seed with which the busier end of the new edge allows most."""

PERSONALISED_PAPER: dict[str, dict[str, Any]] = {
    "pdp-min": {},
    "tp-dk": {"theta": 3, "mu": 0.05},
    "tp-dk-avg": {"theta": 3},
    "ag-dk": {"k": 1},
}
"""Systems of chapter 8 of paper 002, and what they need besides preferences."""


def _pair(words: str, graphs: Graphs) -> Pair:
    return Pair(words=words, here=graphs[0], there=graphs[1])


def _stars() -> Pair:
    return _pair("two stars of four leaves, whose centres an edge joins", double_star(4))


def _hub() -> Pair:
    return _pair("three stars of two leaves, whose centres a new node joins", stars_plus_hub(3))


def _degrees() -> Pair:
    return _pair("a new edge between nodes of degree 1 and 3", two_degrees())


def _matching() -> Pair:
    return _pair("a matching of 24 nodes, all of which a new node joins", matching_plus_hub(12))


def _edges(rng: np.random.Generator) -> Sequence[tuple[str, Graphs]]:
    return [
        ("a double star", double_star(3)),
        ("a random graph", random_graphs(12, rng)),
        ("two degrees", two_degrees()),
    ]


def _nodes(rng: np.random.Generator) -> Sequence[tuple[str, Graphs]]:
    del rng
    return [
        ("stars and a hub", stars_plus_hub(3)),
        ("a matching and a hub", matching_plus_hub(6)),
    ]


JOINT_DEGREE_BOXES = (
    law_case(
        "2K with degrees, edge-DP, top-coded at 5",
        "joint-degree-boxes",
        _stars,
        promise=Promise.COVEY,
        boxes="even-cells",
        top=5,
        **ALL_EDGES,
    ),
    law_case(
        "2K with degrees after edge addition, theta = 3",
        "joint-degree-boxes",
        _hub,
        promise=Promise.COVEY,
        boxes="even-cells",
        **ALL_NODES,
    ),
    graph_search_case(
        "joint-degree-boxes", _edges, promise=Promise.COVEY, boxes="geometric", **ALL_EDGES
    ),
    graph_search_case(
        "joint-degree-boxes",
        _nodes,
        name="worst node found by a search",
        promise=Promise.COVEY,
        boxes="cells",
        shrink=4,
        **ALL_NODES,
    ),
    real_case(
        "noisy edges between nodes of degree 1 and 4",
        "joint-degree-boxes",
        _stars,
        measured("boxes", "noisy_edges", 3),
        promise=Promise.COVEY,
        parameters={"epsilon": 1.0, "boxes": "even-cells", "top": 5, **ALL_EDGES},
        shrink=16,
        share=SLOW_SHARE,
    ),
)

DEGREE_HISTOGRAM = (
    law_case(
        "degrees of all nodes, edge-DP, Lap(4)",
        "degree-histogram",
        _degrees,
        promise=Promise.COVEY,
        form="histogram",
        top=5,
        **ALL_EDGES,
    ),
    graph_search_case(
        "degree-histogram", _edges, promise=Promise.COVEY, form="blocks", shrink=4, **ALL_EDGES
    ),
    graph_search_case(
        "degree-histogram",
        _nodes,
        name="worst node found by a search",
        promise=Promise.COVEY,
        form="cumulative",
        shrink=4,
        **ALL_NODES,
    ),
    real_case(
        "noisy nodes of degree 1",
        "degree-histogram",
        _degrees,
        measured("measured", "noisy_nodes", 1),
        promise=Promise.COVEY,
        parameters={"epsilon": 1.0, "form": "histogram", "top": 5, **ALL_EDGES},
        shrink=8,
    ),
)

PERSONALISED_DK = (
    real_case(
        "noisy largest degree, one edge",
        "personalised-dk",
        _degrees,
        measured("measured", "noisy_degrees", 0),
        promise=Promise.COVEY,
        epsilon=0.999,
        parameters={
            "preferences": "paper",
            "preference_seed": ALLOWS,
            "order": 1,
            "threshold": 1.0,
            **ALL_EDGES,
        },
        exact=lambda _: float("nan"),
        shrink=8,
    ),
)

SER_DK = (
    law_case(
        "2K after stable edge removal, theta = 1, n = 24, Lap(3)",
        "ser-dk",
        _matching,
        promise=Promise.PAPER,
        theta=1,
        sequence="id",
    ),
)


JOINT_CELLS = Case(
    name="2K, edge-DP, D = 5, Lap(17)",
    epsilon=1.0,
    promise=Promise.COVEY,
    build=lambda _rng, _progress: _joint_law(_stars(), largest=5, scale=17.0),
)
PROJECTED_CELLS = Case(
    name="2K after edge addition, theta = 3, Lap(15)",
    epsilon=1.0,
    promise=Promise.COVEY,
    build=lambda _rng, _progress: _joint_law(_hub(), largest=3, scale=15.0),
)


def sampled_labels(system: str) -> tuple[Case, ...]:
    """Return the audit of a system that samples counts first: which degrees are published."""
    return (
        real_case(
            "whether degree 4 is published",
            system,
            _degrees,
            occurs(4),
            promise=Promise.PAPER,
            parameters={"order": 1, "preference_seed": LIBERAL, **PAPER_PREFERENCES},
            exact=lambda _: float("nan"),
        ),
    )


def labels_tell(system: str, **parameters: Any) -> tuple[Case, ...]:
    """Return the audit of a system of paper 002 that publishes the cells that occur."""
    return (graph_search_case(system, _edges, promise=Promise.PAPER, **parameters),)


def _local_equal() -> VectorLaw:
    """LL-dK for degrees with equal preferences: noise for half of what an edge moves."""
    here, there = (NoisyVector.of(degree_cells(g, 5), [2.0] * 6) for g in two_degrees())
    return VectorLaw(words=_degrees().words, here=here, there=there)


def _local_conservative() -> VectorLaw:
    """LL-dK for degrees: the noise of degree 1 follows the least preference of its nodes."""
    here, there = (
        degree_cells(from_edges(np.array(edges), ids=4), 1)
        for edges in ([(0, 1)], [(0, 1), (2, 3)])
    )
    return VectorLaw(
        words="an edge that joins a node with preference 0.01 to those of degree 1",
        here=NoisyVector.of(here[1:], [2.0]),
        there=NoisyVector.of(there[1:], [200.0]),
    )


LL_DK = (
    Case(
        name="LL-dK, 1K, equal preferences",
        epsilon=1.0,
        promise=Promise.PAPER,
        build=lambda _rng, _progress: _local_equal(),
    ),
    Case(
        name="LL-dK, 1K, a conservative node",
        epsilon=0.01,
        promise=Promise.PAPER,
        build=lambda _rng, _progress: _local_conservative(),
    ),
    *labels_tell("ll-dk", order=1, **PAPER_PREFERENCES),
)


def _joint_law(pair: Pair, *, largest: int, scale: float) -> VectorLaw:
    """Put noise of one scale on all cells of the joint degree distribution, after edge addition."""
    graphs = (project(graph, "edge-addition", theta=largest) for graph in (pair.here, pair.there))
    here, there = (joint_cells(graph, largest) for graph in graphs)
    scales = [scale] * len(here)
    return VectorLaw(
        words=pair.words, here=NoisyVector.of(here, scales), there=NoisyVector.of(there, scales)
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

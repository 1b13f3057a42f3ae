"""Boxes of degrees hold the nodes and the edges that were counted."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from covey import DK, degree_distribution, joint_degrees
from covey.report.degrees import _edges, degree_curve, degree_map


def counted(pairs: dict[tuple[int, int], int]) -> DK:
    return DK(
        order=2,
        keys=np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2),
        counts=np.array([pairs[key] for key in sorted(pairs)], dtype=np.int64),
    )


@given(largest=st.integers(1, 10**6))
def test_every_degree_has_one_bin(largest) -> None:
    edges = _edges(largest)

    assert edges[0] == 0.5
    assert edges[-1] > largest
    assert np.all(np.diff(edges) >= 1)


@given(
    pairs=st.dictionaries(
        st.tuples(st.integers(1, 3000), st.integers(1, 3000)).map(lambda p: tuple(sorted(p))),
        st.integers(-5, 50),
        max_size=30,
    )
)
def test_a_map_holds_every_edge_and_no_negative_count(pairs) -> None:
    boxes = degree_map(counted(pairs)).boxes

    assert boxes[:, 4].sum() == sum(count for count in pairs.values() if count > 0)
    assert np.all(boxes[:, 4] > 0)


def test_small_degrees_stand_by_themselves_in_a_curve(friends) -> None:
    curve = degree_curve(degree_distribution(friends))

    degrees, counts = np.unique(friends.degrees, return_counts=True)
    assert curve.degree[0] == degrees[0]
    assert curve.nodes[0] == counts[0]


def test_joint_degrees_say_how_many_nodes_have_each_degree(friends) -> None:
    here = degree_curve(degree_distribution(friends))
    there = degree_curve(joint_degrees(friends))

    np.testing.assert_allclose(there.degree, here.degree)
    np.testing.assert_allclose(there.nodes, here.nodes)


def test_a_graph_without_edges_has_an_empty_map() -> None:
    assert degree_map(counted({})).boxes.shape == (0, 5)
    assert degree_curve(counted({})).degree.size == 0

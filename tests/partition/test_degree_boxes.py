"""Boxes of degree pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.graph import from_edges, joint_degrees
from covey.partition.degree_boxes import DegreeBoxes, geometric_boxes, informative, single


@pytest.mark.parametrize(
    ("top", "lows"), [(1, [1]), (2, [1, 2]), (4, [1, 2, 3]), (33, [1, 2, 3, 5, 9, 17, 33])]
)
def test_geometric_intervals_hold_as_many_degrees_as_all_below_together(top, lows) -> None:
    assert geometric_boxes(top, closed=True).lows.tolist() == lows


@given(top=st.integers(1, 70), closed=st.booleans(), finest=st.booleans())
def test_every_degree_lies_in_exactly_one_interval(top, closed, finest) -> None:
    boxes = (single if finest else geometric_boxes)(top, closed=closed)

    assert boxes.lows[0] == 1
    assert (np.diff(boxes.lows) > 0).all()
    assert (boxes.highs[:-1] == boxes.lows[1:] - 1).all()
    assert boxes.highs[-1] == (top if closed else boxes.lows[-1])


def test_a_box_weighs_its_largest_degree_and_an_open_one_its_smallest() -> None:
    boxes = DegreeBoxes(lows=np.array([1, 2, 5]))

    assert dict(zip(map(tuple, boxes.pairs.tolist()), boxes.weights.tolist(), strict=True)) == {
        (0, 0): 1,
        (0, 1): 4,
        (1, 1): 4,
        (0, 2): 5,
        (1, 2): 5,
        (2, 2): 5,
    }


def test_all_edges_are_counted_once() -> None:
    graph = from_edges(np.array([[0, 1], [0, 2], [0, 3], [2, 3], [4, 5]]), ids=6)

    counts = DegreeBoxes(lows=np.array([1, 2])).counts(joint_degrees(graph))

    assert counts.tolist() == [1, 1, 3]  # 4-5; 0-1; the triangle 0-2-3


def test_the_end_of_an_open_interval_is_written_as_minus_one() -> None:
    assert DegreeBoxes(lows=np.array([1, 2])).cells()["high_2"].tolist() == [1, -1, -1]
    assert DegreeBoxes(lows=np.array([1, 2]), top=9).cells()["high_2"].tolist() == [1, 9, 9]


def test_less_noise_makes_finer_intervals() -> None:
    nodes = np.array([0, 500, 300, 200, 100, 80, 60, 40, 20, 10])

    numbers = [
        len(informative(nodes, noise=noise, top=9, signal=6).lows)
        for noise in (1000.0, 10.0, 0.001)
    ]

    assert numbers[0] == 1 < numbers[1] < numbers[2] == 9


def test_degrees_that_do_not_occur_join_the_next_interval() -> None:
    boxes = informative(np.array([0, 50, 0, 0, 0, 50]), noise=0.001, top=5, signal=6)

    assert boxes.lows.tolist() == [1, 2]


def test_a_degree_bound_counts_even_if_no_noisy_node_reaches_it() -> None:
    boxes = informative(np.array([0, 50, 50]), noise=0.001, top=16, signal=6)

    assert boxes.weights.max() == 16

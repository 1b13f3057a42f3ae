"""The fast cover takes the boxes that the plain reading of the algorithm takes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from covey.kernels.graphs.covering import cover_greedily

Point = tuple[int, int]


def covered_plainly(points: list[Point], side: int) -> list[int]:
    """Keep the boxes in a dictionary, which remembers in which order they were created."""
    boxes: dict[Point, set[int]] = {}
    for number, (a, b) in enumerate(points):
        for x in range(a - side, a + 1):
            for y in range(b - side, b + 1):
                boxes.setdefault((x, y), set()).add(number)
    labels, label = [-1] * len(points), 0
    while any(boxes.values()):
        taken = set(max(boxes.values(), key=len))
        for number in taken:
            labels[number] = label
        for members in boxes.values():
            members.difference_update(taken)
        label += 1
    return labels


points = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 30)), min_size=1, max_size=40, unique=True
).map(sorted)


@given(points=points, side=st.integers(0, 6))
def test_boxes_are_taken_by_count_and_then_by_creation(points, side) -> None:
    found = cover_greedily(np.array(points, dtype=np.int64), side)

    assert found.tolist() == covered_plainly(points, side)


def test_of_two_boxes_with_as_many_points_the_one_created_first_is_taken() -> None:
    # The box of the first two points is created by the first of them.
    found = cover_greedily(np.array([[1, 1], [1, 2], [1, 3], [1, 4]]), 1)

    assert found.tolist() == [0, 0, 1, 1]


def test_points_far_apart_need_no_room_in_between() -> None:
    far = np.array([[1, 1], [1, 10**12], [10**12, 10**12]])

    assert cover_greedily(far, 3).tolist() == [0, 1, 2]


def test_nothing_is_covered_by_nothing() -> None:
    assert cover_greedily(np.empty((0, 2), dtype=np.int64), 2).tolist() == []

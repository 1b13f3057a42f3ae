"""Records are put on the right side of each cut, and no record counts more than the unit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.kernels.boxes.ranges import box_sums, cut_ranges

UNIT = 2**16


@st.composite
def ranges(draw):
    """Draw records in two columns, cut into boxes at arbitrary places of an arbitrary order."""
    cell = st.tuples(st.integers(0, 9), st.integers(0, 9))
    cells = np.array(draw(st.lists(cell, max_size=40)), dtype=np.int32).reshape(-1, 2)
    order = np.array(draw(st.permutations(range(len(cells)))), dtype=np.int64)
    places = draw(st.lists(st.integers(0, len(cells)), max_size=4))
    edges = np.array([0, *sorted(places), len(cells)], dtype=np.int64)
    boxes = edges.size - 1
    choices = draw(
        st.lists(st.tuples(st.integers(0, 1), st.integers(0, 10)), min_size=boxes, max_size=boxes)
    )
    sides, cuts = (np.array(part, dtype=np.int64) for part in zip(*choices, strict=True))
    return cells, order, edges[:-1], edges[1:], sides, cuts


@given(drawn=ranges())
def test_each_box_keeps_its_records_with_those_below_the_cut_first(drawn) -> None:
    cells, order, starts, ends, sides, cuts = drawn
    before = order.copy()

    middles = cut_ranges(cells, order, starts, ends, sides, cuts)

    for b, middle in enumerate(middles):
        here, there = before[starts[b] : ends[b]], order[starts[b] : ends[b]]
        assert sorted(here.tolist()) == sorted(there.tolist())
        assert starts[b] <= middle <= ends[b]
        assert (cells[order[starts[b] : middle], sides[b]] < cuts[b]).all()
        assert (cells[order[middle : ends[b]], sides[b]] >= cuts[b]).all()


@given(drawn=ranges(), data=st.data())
def test_records_outside_the_ranges_that_are_cut_stay_where_they_are(drawn, data) -> None:
    cells, order, starts, ends, sides, cuts = drawn
    before = order.copy()
    b = data.draw(st.integers(0, starts.size - 1))

    cut_ranges(cells, order, starts[[b]], ends[[b]], sides[[b]], cuts[[b]])

    assert order[: starts[b]].tolist() == before[: starts[b]].tolist()
    assert order[ends[b] :].tolist() == before[ends[b] :].tolist()


def sums_of(places, low, high, unit=UNIT) -> np.ndarray:
    """Sum the records of one box."""
    places = np.array(places, dtype=np.float64).reshape(len(places), -1)
    return box_sums(
        places,
        np.arange(len(places)),
        np.array([0]),
        np.array([len(places)]),
        np.array([low], dtype=np.float64),
        np.array([high], dtype=np.float64),
        unit,
    )[0]


@pytest.mark.parametrize(
    ("place", "expected"), [(2.0, -UNIT), (8.0, UNIT), (5.0, 0), (3.5, -UNIT // 2)]
)
def test_a_record_counts_by_its_place_between_the_ends(place, expected) -> None:
    assert sums_of([[place]], [2.0], [8.0]).tolist() == [expected]


finite = st.floats(-1e300, 1e300)


@given(place=finite, ends=st.tuples(finite, finite), unit=st.sampled_from([1, 7, UNIT, 2**30]))
def test_no_record_counts_more_than_the_unit_wherever_it_lies(place, ends, unit) -> None:
    low, high = min(ends), max(ends)

    found = sums_of([[place]], [low], [high], unit)[0]

    assert -unit <= found <= unit


@given(ends=st.tuples(st.integers(0, 2**20), st.integers(0, 2**20)), share=st.floats(0, 1))
def test_a_record_inside_is_rounded_to_the_nearest_step(ends, share) -> None:
    low, high = min(ends), max(ends) + 1
    place = low + int(share * (high - low))

    found = sums_of([[place]], [low], [high])[0]

    exact = UNIT * (2 * place - low - high) / (high - low)
    assert abs(found - exact) <= 0.5 + 1e-6


def test_a_side_without_width_counts_nothing() -> None:
    assert sums_of([[3.0, 1.0], [3.0, 4.0]], [3.0, 0.0], [3.0, 4.0]).tolist() == [0, UNIT // 2]


def test_each_box_sums_its_own_records_on_every_side() -> None:
    places = np.array([[0.0, 4.0], [10.0, 4.0], [4.0, 0.0], [4.0, 2.0]])
    order, starts, ends = np.array([2, 0, 3, 1]), np.array([0, 1, 4]), np.array([1, 4, 4])
    low = np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    high = np.array([[4.0, 4.0], [10.0, 4.0], [10.0, 4.0]])

    sums = box_sums(places, order, starts, ends, low, high, 10)

    # Box 0 holds record 2; box 1 holds 0, 3 and 1; box 2 holds none.
    assert sums.tolist() == [[10, -10], [-10 - 2 + 10, 10 + 0 + 10], [0, 0]]


@given(order=st.permutations(range(12)))
def test_the_order_of_the_records_of_a_box_does_not_matter(order) -> None:
    places = np.random.default_rng(5).random((12, 2))
    arguments = np.array([0]), np.array([12]), np.zeros((1, 2)), np.ones((1, 2)), UNIT

    sums = [box_sums(places, np.array(way), *arguments) for way in (range(12), order)]

    assert sums[0].tolist() == sums[1].tolist()

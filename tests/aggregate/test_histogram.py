"""Values are counted where they lie, on grids or exactly, and pieces of them add up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.aggregate.histogram import (
    Histogram,
    cell_count,
    counting_grid,
    every_value,
    side_by_side,
)

thousandths = st.lists(st.integers(-9_000, 9_000).map(lambda i: i / 1000), min_size=1, max_size=20)
columns = thousandths.map(np.array)


def histogram(values, cells) -> Histogram:
    found = Histogram.empty(cells)
    found.add(np.asarray(values, dtype=np.float64))
    return found


@given(x=columns, y=columns)
def test_values_that_occur_are_counted_exactly(x, y) -> None:
    here, there = side_by_side(x, y)

    assert here.cells.tolist() == sorted({*x, *y})
    for found, column in ((here, x), (there, y)):
        assert found.counts.tolist() == [0, *(np.sum(column == v) for v in here.cells), 0]
        assert found.strayed.tolist() == [0.0, 0.0, 0.0]


@given(values=columns, cut=st.integers(0, 20))
def test_pieces_add_up_wherever_they_are_cut(values, cut) -> None:
    for cells in (counting_grid(-4, 4, whole=True), every_value(values)):
        whole, grown = histogram(values, cells), histogram(values[:cut], cells)
        merged = grown.merged(histogram(values[cut:], cells))
        grown.add(values[cut:])

        for found in (merged, grown):
            assert found.counts.tolist() == whole.counts.tolist()
            assert found.strayed == pytest.approx(whole.strayed, abs=1e-12)


def test_values_beside_and_beyond_a_grid_are_told_by_how_far_they_are() -> None:
    found = histogram([-3.0, 0.25, 1.0, 1.5, 2.0, 7.0, 8.0], counting_grid(0, 2, whole=True))

    # Below; 0 and 1 and 2, to which 1.5 is rounded as to an even number; above.
    assert found.counts.tolist() == [1, 1, 1, 2, 2]
    assert found.strayed.tolist() == [3.0, 5.0 + 6.0, 0.25 + 0.5]


def test_whole_numbers_lie_at_the_places_of_a_grid_of_any_width() -> None:
    numbers = np.arange(-20.0, 1_000_001.0)

    found = histogram(numbers, counting_grid(-20, 1_000_000, whole=True))

    assert found.counts.tolist() == [0, *(1 for _ in numbers), 0]
    assert found.strayed.tolist() == [0.0, 0.0, 0.0]


def test_the_distribution_function_rises_from_cell_to_cell() -> None:
    found = histogram([0.0, 0.0, 2.0, 5.0], counting_grid(0, 2, whole=True))

    assert found.distribution.tolist() == [0.0, 0.5, 0.5, 0.75, 1.0]
    assert found.widths == 1.0
    assert histogram([1.0], np.array([1.0, 4.0, 6.0])).widths.tolist() == [3.0, 2.0]


@pytest.mark.parametrize(("low", "high"), [(3.0, 3.0), (-1e300, -1e300), (0.25, 0.5)])
def test_every_pair_of_ends_has_a_grid(low, high) -> None:
    for whole in (True, False):
        grid = counting_grid(low, high, whole=whole)

        assert grid.low <= low <= high <= grid.high
        assert cell_count(grid) == grid.steps + 3

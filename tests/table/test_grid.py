"""Values become integers between public bounds, and nothing outside them ever gets through."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from covey.errors import BoundsError
from covey.table.grid import FINEST, Grid

finite = st.floats(allow_nan=False, allow_infinity=False)
bounds = (
    st.tuples(finite, finite)
    .map(lambda ends: (min(ends), max(ends)))
    .filter(lambda ends: 0.0 < ends[1] - ends[0] < float("inf"))
)
anything = st.lists(st.one_of(finite, st.sampled_from([1e308, -1e308, 5e-324, 0.0])), min_size=1)


@given(bounds=bounds, values=anything, integer=st.booleans())
@example(bounds=(0.0, 5e-324), values=[0.0, 5e-324, 1.0], integer=False)
@example(bounds=(-8e307, 8e307), values=[-1e308, 1e308], integer=False)
def test_every_value_lands_on_the_grid(bounds, values, integer) -> None:
    grid = Grid.between(*bounds, integer=integer)

    steps = grid.integers(values)

    assert steps.dtype == np.int64
    assert steps.min() >= 0
    assert steps.max() <= grid.steps


@given(bounds=bounds, integer=st.booleans())
def test_the_bounds_are_the_ends_of_the_grid(bounds, integer) -> None:
    grid = Grid.between(*bounds, integer=integer)

    assert grid.integers(bounds).tolist() == [0, grid.steps]


@given(bounds=bounds, values=anything)
def test_the_place_of_a_value_does_not_depend_on_the_values_beside_it(bounds, values) -> None:
    grid = Grid.between(*bounds)

    alone = [int(grid.integers([value])[0]) for value in values]

    assert grid.integers(values).tolist() == alone


@given(bounds=bounds, values=anything)
def test_a_larger_value_is_never_placed_lower(bounds, values) -> None:
    steps = Grid.between(*bounds).integers(np.sort(values))

    assert (np.diff(steps) >= 0).all()


@given(
    low=st.integers(-(10**6), 10**6),
    width=st.integers(1, FINEST),
    data=st.data(),
)
def test_whole_numbers_survive_the_grid_unchanged(low, width, data) -> None:
    value = data.draw(st.integers(low, low + width))
    grid = Grid.between(low, low + width, integer=True)

    assert grid.steps == width
    assert grid.integers([value]).tolist() == [value - low]
    assert np.rint(grid.values([value - low])).tolist() == [value]


@given(low=st.floats(-1e6, 1e6), width=st.floats(1e-3, 1e6), share=st.floats(0.0, 1.0))
def test_the_grid_moves_a_value_by_half_a_step_at_most(low, width, share) -> None:
    grid = Grid.between(low, low + width)
    value = min(low + share * width, low + width)

    moved = abs(float(grid.values(grid.integers([value]))[0]) - value)

    assert moved <= 0.5 * grid.step + 1e-9 * (abs(low) + width)


def test_a_range_of_too_many_whole_numbers_gets_the_finest_grid() -> None:
    assert Grid.between(0, FINEST + 1, integer=True).steps == FINEST


def test_bounds_that_are_not_whole_get_the_finest_grid_even_for_whole_numbers() -> None:
    assert Grid.between(0.5, 10.5, integer=True).steps == FINEST


@given(bounds=bounds, steps=st.lists(st.integers(-(2**62), 2**62), min_size=1))
@example(bounds=(-0.1, 0.7), steps=[FINEST + 1])
def test_noisy_steps_outside_the_grid_come_back_as_the_nearer_bound(bounds, steps) -> None:
    low, high = bounds

    values = Grid.between(low, high).values(steps)

    assert (values >= low).all()
    assert (values <= high).all()


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-1e308, 1e308),
        (0.0, float("inf")),
        (float("-inf"), float("inf")),
        (float("nan"), 1.0),
        (1.0, 1.0),
        (2.0, 1.0),
    ],
)
def test_bounds_without_a_finite_distance_have_no_grid(low, high) -> None:
    with pytest.raises(BoundsError, match="not the ends of a finite interval"):
        Grid.between(low, high)


def test_a_grid_needs_a_step() -> None:
    with pytest.raises(BoundsError, match="no grid of integers lies between them"):
        Grid(low=0.0, high=1.0, steps=0)

"""Every possible value has a place on a public axis, and every record lies inside its box."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey import Attribute, Schema, Taxonomy
from covey.engines.shared.cells import cells_of
from covey.errors import BoundsError, SchemaError
from covey.partition.axis import (
    FINEST_SIDE,
    LEAST_SHARE,
    Axis,
    axis_of,
    scaled,
    weighted,
)
from covey.partition.priv_tree import bent_side, even_side, grow
from covey.table import Table, read_table
from covey.table.grid import Grid

PETS = [("pet", ""), ("bird", "pet"), ("owl", "bird"), ("hen", "bird"), ("cat", "pet")]


def table_of(attribute: Attribute, values: list, folder: Path = Path()) -> Table:
    return read_table(pl.DataFrame({attribute.name: values}), Schema((attribute,), folder))


def axis_and_cells(attribute: Attribute, values: list, folder: Path = Path()):
    table = table_of(attribute, values, folder)
    axis = axis_of(table.head(known_n=True), attribute)
    return axis, cells_of(table, axis).tolist()


def test_a_continuous_attribute_is_clamped_to_its_bounds_and_put_on_a_fine_grid() -> None:
    axis, cells = axis_and_cells(Attribute("x", bounds=(-1, 1)), [-1.0, 0.0, 1.0, -7.5, 1e9])

    assert cells == [0, 2**19, 2**20, 0, 2**20]
    assert axis.side.edges.size == 2**20 + 2
    assert axis.side.finest == FINEST_SIDE
    assert axis.measured
    assert not axis.whole


def test_whole_numbers_have_a_cell_each_and_no_finest_piece() -> None:
    axis, cells = axis_and_cells(Attribute("x", bounds=(3, 9), integer=True), [3, 4, 9, 2, 12])

    assert cells == [0, 1, 6, 0, 6]
    assert axis.side.edges.tolist() == bent_side(7).edges.tolist()
    assert axis.side.finest == 0.0
    assert axis.whole


def test_steps_have_a_cell_each_and_records_between_two_go_to_the_nearer_one() -> None:
    attribute = Attribute("x", bounds=(0.1, 0.7), step=0.1)

    axis, cells = axis_and_cells(attribute, [0.1, 0.1 + 0.2, 0.62, 9.0])

    assert cells == [0, 2, 5, 6]
    assert axis.grid == Grid(low=0.1, high=0.7, steps=6)
    assert (axis.whole, axis.exact, axis.side.finest) == (True, False, 0.0)


def test_more_steps_than_a_grid_has_are_measured_on_the_finest_grid() -> None:
    axis, _ = axis_and_cells(Attribute("x", bounds=(0, 20_000), step=0.01), [1.0])

    assert axis.grid is not None
    assert axis.grid.steps == 2**20
    assert not axis.whole


def test_a_range_of_whole_numbers_that_is_too_wide_is_treated_as_continuous() -> None:
    axis, _ = axis_and_cells(Attribute("x", bounds=(0, 10**9), integer=True), [3, 4])

    assert axis.side.finest == FINEST_SIDE
    assert not axis.whole


def test_ordinal_categories_are_codes_in_their_order() -> None:
    attribute = Attribute("pain", scale="ordinal", categories=("none", "mild", "strong"))

    axis, cells = axis_and_cells(attribute, ["strong", "none", "mild"])

    assert cells == [2, 0, 1]
    assert (axis.grid, axis.whole) == (Grid(low=0.0, high=2.0, steps=2), True)


@pytest.mark.parametrize("integer", [True, False])
def test_special_values_have_cells_of_their_own_before_the_grid(integer) -> None:
    attribute = Attribute("x", bounds=(0, 10), integer=integer, special=[0, -9])
    values = [0.0, -9.0, 10.0, 3.0, -1.0]

    axis, cells = axis_and_cells(attribute, values)

    assert cells[:2] == [0, 1]
    assert cells[4] == 2
    assert axis.at(np.array(cells)).tolist() == pytest.approx([0.0, -9.0, 10.0, 3.0, 0.0], abs=1e-4)
    assert axis.side.apart == 2
    described = table_of(Attribute("x", bounds=(0, 10), integer=integer), [0.0])
    ordinary = axis_of(described.head(known_n=True), attribute)
    assert np.diff(axis.side.edges).size == ordinary.side.edges.size - 1


def test_an_attribute_without_bounds_is_refused() -> None:
    attribute = Attribute("x")

    with pytest.raises(BoundsError, match="'x' has no public bounds"):
        axis_and_cells(attribute, [1.0])


@pytest.mark.parametrize("values", [["a", "b", None], ["a", "b", "b"]], ids=["missing", "full"])
def test_a_missing_category_has_its_place_whether_or_not_a_value_is_missing(values) -> None:
    attribute = Attribute("c", scale="nominal", categories=("a", "b", "z"))

    axis, cells = axis_and_cells(attribute, values)

    assert sorted(axis.values) == ["(missing)", "a", "b", "z"]
    found = [axis.values[cell] for cell in cells]
    assert found == [value or "(missing)" for value in values]
    assert not axis.measured


def test_a_category_that_may_not_be_missing_has_no_place_for_it() -> None:
    attribute = Attribute("c", scale="nominal", categories=("a", "b"), missing="drop")

    axis, cells = axis_and_cells(attribute, ["b", None, "a"])

    assert axis.values == ("a", "b")
    assert cells == [1, 0]


@pytest.mark.parametrize("missing", [True, False])
def test_a_taxonomy_gives_every_concept_a_place_next_to_its_kin(tmp_path, missing) -> None:
    Taxonomy.from_edges("pets", PETS).save(tmp_path / "pets.csv")
    attribute = Attribute("pet", scale="nominal", taxonomy="pets.csv")

    axis, cells = axis_and_cells(attribute, ["owl", "bird", None if missing else "pet"], tmp_path)

    assert axis.values == ("pet", "(missing)", "bird", "hen", "owl", "cat")
    assert cells == [4, 2, 1 if missing else 0]


def test_categories_narrow_the_concepts_of_a_taxonomy(tmp_path) -> None:
    Taxonomy.from_edges("pets", PETS).save(tmp_path / "pets.csv")
    attribute = Attribute(
        "pet",
        scale="nominal",
        taxonomy="pets.csv",
        categories=("owl", "hen", "cat"),
        missing="refuse",
    )

    axis, cells = axis_and_cells(attribute, ["owl", "cat"], tmp_path)

    assert axis.values == ("hen", "owl", "cat")
    assert cells == [1, 2]


def test_categories_that_would_come_from_the_data_are_refused() -> None:
    attribute = Attribute("c", scale="nominal")

    with pytest.raises(SchemaError, match=r"'c' lists neither categories nor a taxonomy.*Give"):
        axis_and_cells(attribute, ["a", "b"])


def category_axis(values: int) -> Axis:
    names = tuple(f"v{i}" for i in range(values))
    return Axis(name="c", side=even_side(values), grid=None, values=names)


def number_axis(steps: int, *, whole: bool) -> Axis:
    grid = Grid(low=0.0, high=float(steps), steps=steps)
    return Axis(name="x", side=bent_side(steps + 1, finest=0.25), grid=grid, whole=whole)


noisy_counts = st.lists(st.integers(-(10**6), 10**9), min_size=1, max_size=30)


@given(noisy=noisy_counts)
def test_categories_occupy_their_published_share_and_none_vanishes(noisy) -> None:
    axis = weighted(category_axis(len(noisy)), np.array(noisy))

    edges, mass = axis.side.edges, np.maximum(noisy, 0) / max(1, np.maximum(noisy, 0).sum())
    assert (edges[0], edges[-1]) == (0.0, 1.0)
    widths = np.diff(edges)
    assert (widths > 0.9 * LEAST_SHARE / (1 + len(noisy) * LEAST_SHARE)).all()
    if max(noisy) > 0:
        assert np.abs(widths - mass).max() <= len(noisy) * LEAST_SHARE
    assert axis.values == category_axis(len(noisy)).values
    assert axis.by_mass


def test_categories_without_any_published_record_are_cut_evenly() -> None:
    axis = weighted(category_axis(4), np.array([-3, 0, -1, -70]))

    assert axis.side.edges == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])


def test_a_frequent_category_is_cut_off_first() -> None:
    axis = weighted(category_axis(5), np.array([1, 2, 900, 3, 1]))

    boxes = grow(
        np.zeros((1, 1), dtype=np.int32),
        [axis.side],
        lambda counts, depth: np.full(counts.size, depth < 2),
    )

    assert (2, 2) in zip(boxes.low[:, 0].tolist(), boxes.high[:, 0].tolist(), strict=True)


masses = st.lists(
    st.one_of(st.floats(1e-12, 1.0), st.just(1e-300)), min_size=2, max_size=20
).filter(lambda found: sum(found) > 1e-13)


@given(mass=masses, data=st.data())
def test_a_record_lies_between_the_ends_of_every_box_that_holds_its_cell(mass, data) -> None:
    axis = scaled(number_axis(len(mass) - 1, whole=True), np.array(mass), finest=0.1)
    cell = st.integers(0, len(mass) - 1)
    low, at, high = sorted(data.draw(st.tuples(cell, cell, cell)))

    place = axis.places(np.array([at], dtype=np.int32))[0]
    begin, end = axis.ends(np.array([low]), np.array([high]))

    assert np.isfinite(place)
    assert 0.0 <= begin[0] <= end[0] <= 1.0
    if high > low:
        assert begin[0] <= place <= end[0]
    else:
        assert begin[0] == end[0]


@given(mass=st.lists(st.floats(1e-3, 1.0), min_size=2, max_size=20))
def test_places_by_mass_lead_back_to_their_cells(mass) -> None:
    axis = scaled(number_axis(len(mass) - 1, whole=True), np.array(mass), finest=0.1)
    cells = np.arange(len(mass), dtype=np.int32)

    assert axis.integers(axis.places(cells)).tolist() == cells.tolist()
    assert axis.integers(np.array([0.0, 1.0])).tolist() == [0, len(mass) - 1]


def test_places_on_an_axis_that_is_not_measured_by_mass_are_the_cells() -> None:
    axis = number_axis(9, whole=True)

    assert axis.places(np.array([3, 9], dtype=np.int32)).tolist() == [3.0, 9.0]
    ends = axis.ends(np.array([2]), np.array([7]))
    assert [float(end[0]) for end in ends] == [2.0, 7.0]
    assert axis.integers(np.array([2.4])).tolist() == [2.4]


@pytest.mark.parametrize(("whole", "finest"), [(True, 0.0), (False, 0.125)])
def test_only_continuous_axes_have_a_finest_piece_by_mass(whole, finest) -> None:
    axis = scaled(number_axis(3, whole=whole), np.ones(4), finest=0.125)

    assert axis.side.finest == finest
    assert axis.side.edges.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]

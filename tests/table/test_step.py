"""Values lie on the steps that the schema says, as a person would write them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey import Attribute, Schema
from covey.errors import SchemaError
from covey.table import Grid, draft_schema
from covey.table.step import decimals_in, decimals_of, has_decimals, on_steps


@given(
    first=st.integers(-(10**6), 10**6),
    width=st.integers(1, 10**4),
    decimals=st.integers(0, 6),
    count=st.integers(-(10**4), 10**4),
    dust=st.floats(-1e-9, 1e-9),
)
def test_a_value_on_a_step_is_the_float_that_a_person_would_write(
    first: int, width: int, decimals: int, count: int, dust: float
) -> None:
    unit = Decimal(1).scaleb(-decimals)
    start, step = float(first * unit), float(width * unit)
    written = float((first + count * width) * unit)

    (found,) = on_steps(np.array([written * (1 + dust * 1e-3)]), start, step)

    assert found == written
    assert repr(float(found)) == repr(written)


def test_steps_that_no_decimals_can_write_are_kept_as_well_as_floats_can() -> None:
    found = on_steps(np.array([1.0, 0.65]), 0.0, 1 / 3)

    assert found.tolist() == pytest.approx([1.0, 2 / 3])


@pytest.mark.parametrize("step", ["0.01", 0, -1, float("nan"), float("inf"), True])
def test_a_step_is_a_number_above_zero(step: object) -> None:
    with pytest.raises(SchemaError, match="step of attribute 'x' is no number above 0"):
        Attribute("x", step=step)  # type: ignore[arg-type]


def test_contradictions_with_a_step_are_refused() -> None:
    with pytest.raises(SchemaError, match="no multiple of its step apart"):
        Attribute("x", bounds=(0, 1), step=0.3)
    with pytest.raises(SchemaError, match="whole numbers and has a step that is none"):
        Attribute("x", integer=True, step=0.5)
    with pytest.raises(SchemaError, match="is nominal and has a step"):
        Attribute("x", scale="nominal", step=0.5)  # type: ignore[arg-type]
    assert Attribute("x", bounds=(0.1, 0.7), step=0.2).step == 0.2
    assert Attribute("x", bounds=(0, 1000), integer=True, step=100).step == 100.0


def test_decimals_are_another_spelling_of_a_step(tmp_path: Path) -> None:
    text = '[[attribute]]\nname = "x"\nbounds = [0, 9.99]\ndecimals = 2\n'
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")

    schema = Schema.load(tmp_path / "s.toml")
    schema.save(tmp_path / "again.toml")

    assert schema["x"].step == 0.01
    assert "step = 0.01" in (tmp_path / "again.toml").read_text(encoding="utf-8")
    assert Schema.load(tmp_path / "again.toml") == schema


def test_decimals_that_contradict_the_step_or_are_none_are_refused() -> None:
    with pytest.raises(SchemaError, match="contradict each other"):
        Schema.from_dicts([{"name": "x", "step": 0.5, "decimals": 1}])
    with pytest.raises(SchemaError, match="no number of decimals"):
        Schema.from_dicts([{"name": "x", "decimals": 1.5}])


def test_a_grid_has_exactly_the_steps_of_the_attribute_where_they_are_not_too_many() -> None:
    assert Grid.between(0.0, 99.99, step=0.01).steps == 9999
    assert Grid.between(0.0, 10_000.0, step=100).steps == 100
    assert Grid.between(0.0, 1e6, step=0.01).steps == 2**20


def test_decimals_are_drafted_and_marked_and_the_bounds_lie_on_them() -> None:
    drafted = draft_schema(pl.DataFrame({"x": [0.1 + 0.2, 1.25, 7.5, None]}))["x"]

    assert drafted.step == 0.01
    assert "step" in drafted.read_off
    assert not drafted.integer


def test_whole_numbers_that_a_gap_made_floats_are_drafted_as_whole() -> None:
    drafted = draft_schema(pl.DataFrame({"x": [1.0, 5.0, None]}))["x"]

    assert drafted.integer
    assert drafted.step is None


def test_continuous_numbers_are_drafted_without_a_step() -> None:
    values = np.random.default_rng(0).random(50).tolist()

    assert draft_schema(pl.DataFrame({"x": values}))["x"].step is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dust_of_floats_is_no_decimal(dtype: type) -> None:
    values = np.array([0.1, 2.25, 1234.56], dtype=dtype)

    assert decimals_in(values) == 2
    assert has_decimals(values, 1).tolist() == [True, False, False]


def test_only_powers_of_ten_are_a_number_of_decimals() -> None:
    steps = (1.0, 0.1, 1e-6, 0.5, 10.0, 0.02)
    assert [decimals_of(step) for step in steps] == [0, 1, 6, None, None, None]


@pytest.mark.parametrize(
    ("system", "settings"),
    [
        ("column-model", {"epsilon": 1.0}),
        ("private-tree", {"epsilon": 1.0}),
        ("rank-blocks", {"epsilon": 1.0}),
        ("insensitive", {"epsilon": 1.0, "k": 20}),
        ("laplace", {"epsilon": 1.0}),
        ("mdav", {"k": 3}),
        ("individual-ranking", {"k": 3}),
        ("mdav-dp", {"epsilon": 1.0, "k": 20}),
    ],
)
def test_every_system_releases_values_on_the_steps(system: str, settings: dict) -> None:
    rng = np.random.default_rng(1)
    price = np.round(rng.gamma(2.0, 20.0, 600).clip(0, 300), 2)
    rate = np.rint(rng.random(600) * 20) / 2
    attributes = (
        Attribute("price", bounds=(0, 300), step=0.01),
        Attribute("rate", bounds=(0, 10), step=0.5),
    )
    table = covey.read_table(pl.DataFrame({"price": price, "rate": rate}), Schema(attributes))

    released = covey.publish(table, system, **settings).data

    for name, decimals, unit in (("price", 2, 0.01), ("rate", 1, 0.5)):
        values = released[name].to_numpy()
        assert values.tolist() == [round(value, decimals) for value in values.tolist()]
        assert np.abs(values / unit - np.rint(values / unit)).max() < 1e-6


def test_special_values_need_not_lie_on_the_steps() -> None:
    attribute = Attribute("x", bounds=(0.05, 0.95), step=0.1, special=(-9.99,))

    assert attribute.rounded(np.array([-9.99, 0.33])).tolist() == [-9.99, 0.35]


def test_csvw_says_decimals_as_a_pattern(tmp_path: Path) -> None:
    schema = Schema((Attribute("x", bounds=(0, 1), step=0.01), Attribute("y", step=0.5)))

    lost = schema.save(tmp_path / "t.csv-metadata.json")
    again = Schema.load(tmp_path / "t.csv-metadata.json")

    assert (again["x"].step, again["y"].step) == (0.01, None)
    assert "step" in again["x"].imported
    assert any("`step` of y" in note for note in lost)

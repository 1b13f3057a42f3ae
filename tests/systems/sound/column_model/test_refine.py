"""Bounds are often far too wide: a number is looked for before it is counted finely."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.partition.axis import axis_of
from covey.postprocess.levels import first_level
from covey.systems.sound.column_model.refine import crowded, first_starts
from covey.table import Attribute, Head, Schema, read_table


def cells(values: np.ndarray, bounds: tuple[float, float]) -> tuple:
    """Return an axis and the exact counts of its first cells."""
    schema = Schema((Attribute("x", bounds=bounds),))
    axis = axis_of(Head(schema=schema, n=values.size, kind="csv"), schema["x"])
    starts = first_starts(axis)
    counts = np.histogram(axis.grid.integers(values), [*starts, axis.side.edges.size - 1])[0]
    return axis, first_level(starts, counts, 1.0)


def test_records_that_stand_together_are_a_crowd_and_others_are_not() -> None:
    rng = np.random.default_rng(1)

    assert len(crowded(*cells(rng.normal(0, 1, 1000), (-500, 500)))) == 2
    assert crowded(*cells(rng.uniform(0, 1, 1000), (0, 1))) == []


def test_a_single_value_that_most_records_share_is_no_crowd() -> None:
    rng = np.random.default_rng(2)
    values = np.where(rng.random(1000) < 0.9, 0.0, rng.uniform(0, 100, 1000))

    assert crowded(*cells(values, (0, 100))) == []


@pytest.mark.parametrize("times", [1, 10, 50])
@pytest.mark.parametrize("budget", [{"epsilon": 3.0}, {"rho": 0.2}])
def test_the_middle_of_bounds_that_are_far_too_wide_is_found(times, budget) -> None:
    rng = np.random.default_rng(3)
    columns = {
        "normal": rng.normal(0, 10, 5000).clip(-50, 50),
        "two": np.where(rng.random(5000) < 0.3, -20, 15) + rng.normal(0, 3, 5000),
        "luck": rng.random(5000),
    }
    half = 50.0 * times
    schema = Schema(
        (
            Attribute("normal", bounds=(-half, half)),
            Attribute("two", bounds=(-half, half)),
            Attribute("luck", bounds=(0, 1)),
        )
    )

    table = read_table(pl.DataFrame(columns), schema)
    made = covey.publish(table, "column-model", random_state=1, **budget).frame

    # The middle: some releases keep a false record or two far away.
    at = np.arange(20, 981) / 1000
    for name in ("normal", "two"):
        apart = np.quantile(made[name], at) - np.quantile(columns[name], at)
        assert np.abs(apart).mean() < 0.2 * columns[name].std()

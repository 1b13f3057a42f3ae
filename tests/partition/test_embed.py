"""Records of mixed attributes become points that compare all attributes alike."""

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import SchemaError
from covey.partition import embedded, standardized
from covey.table import Attribute, Scale, Schema

FRAME = pl.DataFrame(
    {
        "age": [20, 30, 40, 70],
        "health": ["poor", "good", "fair", "good"],
        "region": ["north", "west", "north", None],
        "same": [1.0, 1.0, 1.0, 1.0],
    }
)
SCHEMA = Schema(
    (
        Attribute("age", bounds=(0, 120), integer=True),
        Attribute("health", scale=Scale.ORDINAL, categories=("poor", "fair", "good")),
        Attribute("region", scale=Scale.NOMINAL, categories=("north", "south", "west")),
        Attribute("same"),
    )
)


def points(*names: str, standardize: bool = True) -> np.ndarray:
    table = covey.read_table(FRAME, SCHEMA)
    return embedded(table, [SCHEMA[name] for name in names], standardize=standardize)


def test_numbers_and_grades_are_standardized() -> None:
    expected = standardized(np.array([[20.0, 0.0], [30.0, 2.0], [40.0, 1.0], [70.0, 2.0]]))

    assert points("age", "health") == pytest.approx(expected)


def test_numbers_and_grades_stay_as_they_are_on_request() -> None:
    raw = points("age", "health", standardize=False)

    assert raw.tolist() == [[20.0, 0.0], [30.0, 2.0], [40.0, 1.0], [70.0, 2.0]]


@pytest.mark.parametrize("standardize", [True, False])
def test_two_different_categories_are_at_distance_1(standardize) -> None:
    X = points("region", standardize=standardize)

    apart = np.linalg.norm(X[:, None] - X[None, :], axis=2)
    assert apart[0, 2] == 0.0
    assert apart[0, 1] == apart[0, 3] == apart[1, 3] == pytest.approx(1.0)


def test_attributes_stand_in_the_order_asked_for() -> None:
    one, other = points("age", "region"), points("region", "age")

    assert one[:, 0].tolist() == other[:, -1].tolist()


def test_the_points_lie_in_one_block_of_memory() -> None:
    X = points("age", "health", "region")

    assert X.dtype == np.float64
    assert X.flags.c_contiguous


@pytest.mark.parametrize("standardize", [True, False])
def test_a_constant_attribute_is_refused_with_two_ways_out(standardize) -> None:
    with pytest.raises(SchemaError, match=r"'same' is constant.*non-confidential.*identifier"):
        points("age", "same", standardize=standardize)

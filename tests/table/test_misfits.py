"""What does not fit is counted beforehand, and refused in the words of the refusal itself."""

from __future__ import annotations

import polars as pl
import pytest

import covey
from covey.table import Attribute, Schema
from covey.table.misfits import count_left_out, find_misfits

FRAME = pl.DataFrame(
    {
        "age": [10, 20, None, 150, -9],
        "sex": ["f", "d", "m", None, "f"],
        "income": [None, 1.5, None, 2.5, 3.0],
        "name": ["a", None, "c", "d", "e"],
    }
)
SCHEMA = Schema(
    (
        Attribute("age", bounds=(0, 120), missing="drop", missing_codes=("-9",)),
        Attribute("sex", scale="nominal", categories=("f", "m"), missing="category"),
        Attribute("income", bounds=(0, 10), missing="drop"),
        Attribute("name", role="identifier", scale="nominal"),
    )
)


def test_gaps_and_values_outside_are_counted() -> None:
    found = find_misfits(FRAME, SCHEMA)

    assert (found["age"].gaps, found["age"].outside, found["age"].refused) == (2, 1, "")
    assert (found["income"].gaps, found["income"].outside) == (2, 0)
    assert found["name"].gaps == 0, "nothing is asked of what is not published"


def test_a_refusal_is_that_of_reading() -> None:
    told = find_misfits(FRAME, SCHEMA)["sex"].refused

    with pytest.raises(covey.CoveyError) as raised:
        covey.read_table(FRAME, SCHEMA)
    assert told == str(raised.value)


def test_a_gap_that_nobody_allowed_is_a_refusal() -> None:
    found = find_misfits(FRAME, SCHEMA.updated("income", missing="refuse"))

    assert found["income"].gaps == 2
    assert "has missing values" in found["income"].refused


@pytest.mark.parametrize(
    ("published", "left_out"),
    [(("age",), 2), (("age", "income"), 3), (("sex",), 0), (("income", "sex"), 2)],
)
def test_records_are_left_out_for_published_columns_alone(published, left_out) -> None:
    assert count_left_out(FRAME, SCHEMA, published) == left_out


def test_it_is_what_publishing_leaves_out() -> None:
    frame = FRAME.with_columns(pl.col("sex").replace("d", "f"))
    table = covey.read_table(frame, SCHEMA).complete_in(("age", "income"))

    assert table.dropped == count_left_out(frame, SCHEMA, ("age", "income"))

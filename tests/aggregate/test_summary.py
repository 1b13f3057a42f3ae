"""A table seen in pieces is summarised as if it had been seen at once."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import polars as pl
import pytest

import covey
from covey.aggregate.histogram import counting_grid
from covey.aggregate.summary import Summary, summarise, summarise_rows
from covey.table import Attribute, Missing, Role, Schema

FRAME = pl.DataFrame({"id": [1, 2, 3, 4], "x": [1.0, 40.0, 3.0, None], "y": [0.0, 9.0, 2.0, 1.0]})
SCHEMA = Schema(
    (
        Attribute("id", role=Role.IDENTIFIER),
        Attribute("x", bounds=(0, 10), missing=Missing.DROP),
        Attribute("y", bounds=(0, 5)),
    )
)
GRIDS = [counting_grid(0, 10, whole=True)] * 2


def pieces() -> list[covey.Table]:
    return [covey.read_table(part, SCHEMA) for part in FRAME.iter_slices(2)]


@pytest.mark.parametrize("merge", [True, False])
def test_pieces_give_what_the_whole_gives(merge) -> None:
    whole = summarise([covey.read_table(FRAME, SCHEMA)], ["x", "y"], GRIDS)

    found = (
        reduce(Summary.merged, [summarise([piece], ["x", "y"], GRIDS) for piece in pieces()])
        if merge
        else summarise(pieces(), ["x", "y"], GRIDS)
    )

    assert found.moments.n == whole.moments.n == 3
    assert found.moments.means == pytest.approx(whole.moments.means)
    assert [h.counts.tolist() for h in found.histograms] == [
        h.counts.tolist() for h in whole.histograms
    ]
    assert found.dropped == whole.dropped == 1
    assert found.outside == whole.outside == {"x": 1, "y": 1}


def test_without_cells_nothing_is_counted() -> None:
    assert summarise(pieces(), ["x"], ()).histograms == ()


def test_columns_without_values_outside_are_named_too() -> None:
    inside = replace(pieces()[0], frame=FRAME[:1])

    merged = summarise([inside], ["x"], ()).merged(summarise([inside], ["x"], ()))

    assert merged.outside == {"x": 0, "y": 0}


def test_released_rows_need_the_attributes_that_are_looked_at_and_no_other() -> None:
    head = covey.read_table(FRAME, SCHEMA)

    found = summarise_rows(head, [pl.DataFrame({"y": [4.0, 6.0]})], ["y"], GRIDS[:1])

    assert found.moments.means.tolist() == [5.0]
    assert found.outside == {"y": 1}
    assert found.dropped == 0

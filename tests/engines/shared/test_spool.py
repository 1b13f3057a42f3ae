"""Rows on disk are sorted as rows in memory."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from covey.engines.shared.spool import Spool

ROWS = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 3)),
        st.one_of(st.none(), st.sampled_from(["a", "b", "c"])),
        st.floats(-5, 5, allow_nan=False),
    ),
    min_size=1,
    max_size=200,
)
SCHEMA = {"a": pl.Int64, "b": pl.String, "c": pl.Float64}


@settings(max_examples=40, deadline=None)
@given(ROWS, st.sampled_from([200, 2_000, 10**6]))
def test_sorting_on_disk_is_sorting(rows, memory) -> None:
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    spool = Spool(memory)
    for start in range(0, frame.height, 7):
        spool.write(frame[start : start + 7])

    found = pl.concat(list(spool.sorted_by(frame.columns)))

    assert_frame_equal(found, frame.sort(frame.columns, nulls_last=True))


@pytest.mark.parametrize("value", [None, 1])
def test_rows_that_are_all_alike_do_not_go_round_in_circles(value) -> None:
    frame = pl.DataFrame({"a": [value] * 500}, schema={"a": pl.Int64})
    spool = Spool(100)
    spool.write(frame)

    assert sum(part.height for part in spool.sorted_by(["a"])) == 500


def test_rows_come_back_in_the_order_they_were_written() -> None:
    spool = Spool(1_000)
    for number in range(50):
        spool.write(pl.DataFrame({"x": [number] * 10}))

    found = pl.concat(list(spool.frames()))["x"]

    assert found.to_list() == [number for number in range(50) for _ in range(10)]
    assert len(spool.parts) > 1


def test_the_folder_is_private_and_goes_with_the_spool() -> None:
    spool = Spool(1_000)
    folder = spool.folder

    assert folder.stat().st_mode & 0o077 == 0
    del spool
    assert not folder.exists()

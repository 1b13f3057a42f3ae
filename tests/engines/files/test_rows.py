"""Described rows are written piece by piece, sorted by their released values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

import covey
from covey.engines.files.rows import keep_rows, spool_rows
from covey.engines.memory.rows import made_rows
from covey.errors import PlanError
from covey.postprocess.rows import Counted, Paired, Repeated
from tests.engines.files.engines import SCHEMA, TIGHT, people


@pytest.fixture(scope="module")
def head():
    return covey.read_table(people(10).drop_nulls(), SCHEMA).head(known_n=True)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@dataclass(frozen=True)
class Counting:
    """Rows that tell in which piece they were placed."""

    n: int

    def place(self, piece, pieces, rng):
        """Place every so-many-th row."""
        rows = np.arange(self.n)[piece::pieces].astype(float)
        return {"age": rng.permutation(rows % 100), "weight": np.full(rows.size, 20.0 + piece)}


def test_repeated_rows_are_those_of_memory_sorted(head) -> None:
    drawn = np.random.default_rng(2)
    words = np.array(["low", "high", "middle"], dtype=object)[drawn.integers(0, 3, 400)]
    columns = {"level": words, "age": drawn.integers(0, 40, 400).astype(float)}
    rows = Repeated(columns, drawn.integers(0, 30, 400))

    found = spool_rows(rows, head, rng(), TIGHT, ordered=False)

    expected = made_rows(rows, head, rng())
    assert found.n == expected.height > 3 * TIGHT.rows(8)
    assert found.scan().collect().equals(expected.sort(expected.columns, nulls_last=True))


def test_paired_columns_keep_their_values_and_come_sorted(head) -> None:
    ages, incomes = np.arange(50.0), np.linspace(0, 9_000, 80)
    counts = (np.full(50, 160), np.full(80, 100))
    rows = Paired({"income": (incomes, counts[1]), "age": (ages, counts[0])}, 8_000)

    made = spool_rows(rows, head, rng(), TIGHT, ordered=False)

    found = made.scan().collect()
    assert found.equals(found.sort(found.columns))
    assert found["age"].value_counts().sort("age")["count"].to_list() == counts[0].tolist()
    assert found["income"].value_counts().sort("income")["count"].to_list() == counts[1].tolist()
    assert found.n_unique() > 3_000


def test_more_columns_are_not_paired_than_can_be_drawn(head) -> None:
    many = np.array([10**9])
    rows = Paired({name: (np.zeros(1), many) for name in ("income", "age")}, 10**9)

    with pytest.raises(PlanError, match="one column at a time"):
        spool_rows(rows, head, rng(), TIGHT, ordered=False)


def test_placed_rows_are_drawn_in_even_pieces_and_sorted_on_disk(head) -> None:
    found = spool_rows(Counting(9_000), head, rng(), TIGHT, ordered=False, width=2)

    frame = found.scan().collect()
    assert frame.equals(frame.sort(frame.columns))
    pieces = frame["weight"].value_counts().sort("weight")
    assert pieces["weight"].to_list() == [20.0, 21.0, 22.0, 23.0, 24.0, 25.0]
    assert pieces["count"].to_list() == [1_500] * 6


def test_counted_cells_stay_as_they_are_even_if_there_are_none() -> None:
    for degrees in ([3, 1, 2], []):
        rows = Counted(
            {"degree": np.array(degrees, dtype=np.int64), "nodes": np.ones(len(degrees))}
        )

        found = spool_rows(rows, None, rng(), TIGHT, ordered=True)

        assert found.n == len(degrees)
        assert found.scan().collect()["degree"].to_list() == degrees
        assert found.scan().collect_schema() == {"degree": pl.Int64, "nodes": pl.Float64}


def test_rows_go_with_the_last_reference_to_them() -> None:
    rows = keep_rows([pl.DataFrame({"x": [2, 1]})], TIGHT, in_order=False)
    folder = rows.spool.folder

    assert rows.scan().collect()["x"].to_list() == [1, 2]
    assert folder.is_dir()
    del rows
    assert not folder.exists()

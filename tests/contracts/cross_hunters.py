"""How far do scores of pairs and products of ranks move between neighbours?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from covey.core.questions import RANK_UNIT, CellCounts, ColumnCells, PairScores, RankProducts
from covey.engines.memory.records import TableRecords
from covey.partition.axis import axis_of
from covey.table import Attribute, Scale, Schema, read_table
from covey.table.attribute import Missing
from tests.contracts.hunters import Moved, bound

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from covey.table import Table

COLUMNS, VALUES = ("a", "b", "c"), ("x", "y", "z")
SCHEMA = Schema(
    tuple(
        Attribute(name, scale=Scale.NOMINAL, categories=VALUES, missing=Missing.REFUSE)
        for name in COLUMNS
    )
)


def table_of_letters(rows: list[tuple[str, ...]]) -> Table:
    """Make a table of three categories."""
    return read_table(pl.DataFrame(rows, schema=COLUMNS, orient="row"), SCHEMA)


def cells() -> tuple[ColumnCells, ...]:
    """Return a cell for every value of each column."""
    head = table_of_letters([("x", "x", "x")]).head(known_n=False)
    axes = [axis_of(head, SCHEMA[name]) for name in COLUMNS]
    return tuple(ColumnCells(axis, np.arange(3, dtype=np.int32), 3) for axis in axes)


@st.composite
def neighbouring_letters(draw: DrawFn, *, replaced: bool) -> tuple[Table, Table]:
    """Draw two tables that differ in one record."""
    record = st.tuples(*[st.sampled_from(VALUES) for _ in COLUMNS])
    here = draw(st.lists(record, min_size=2, max_size=8))
    there = [*here[:-1], draw(record)] if replaced else here[:-1]
    return table_of_letters(here), table_of_letters(there)


@st.composite
def pair_scores(draw: DrawFn, *, replaced: bool) -> Moved:
    """Move the scores of candidate pairs."""
    tables = draw(neighbouring_letters(replaced=replaced))
    numbers = st.lists(st.integers(0, 4), min_size=9, max_size=9)
    pairs = ((0, 1), (2, 0), (1, 2))
    models = tuple(np.array(draw(numbers)).reshape(3, 3) for _ in pairs)
    penalties = tuple(draw(st.integers(0, 5)) for _ in pairs)
    question = PairScores(cells(), pairs, models, penalties)
    here, there = (TableRecords(table).answer(question) for table in tables)
    name = "scores" if replaced else "scores-add-remove"
    return Moved(by=int(np.abs(here - there).max()), allowed=bound("pair-scores", name))


@st.composite
def rank_products(draw: DrawFn, *, replaced: bool) -> Moved:
    """Move the sums of products of ranks."""
    tables = draw(neighbouring_letters(replaced=replaced))
    rank = st.integers(-RANK_UNIT, RANK_UNIT) | st.sampled_from([-RANK_UNIT, RANK_UNIT, 2**40])
    ranks = tuple(np.array(draw(st.lists(rank, min_size=3, max_size=3))) for _ in COLUMNS)
    question = RankProducts(cells(), ranks)
    here, there = (TableRecords(table).answer(question)[0] for table in tables)
    name = "sums" if replaced else "sums-add-remove"
    allowed = bound("rank-products", name, unit=RANK_UNIT**2)
    return Moved(by=int(np.abs(here - there).max()), allowed=allowed)


def cell_counts(table: Table, *columns: int) -> Any:
    """Count a cross table."""
    known = cells()
    return TableRecords(table).answer(CellCounts(tuple(known[j] for j in columns)))

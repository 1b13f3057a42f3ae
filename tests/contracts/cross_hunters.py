"""How far do scores of pairs and products of ranks move between neighbours?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from covey.core import CLAIMS
from covey.core.claims_weights import WeightedCounts
from covey.core.questions import (
    CLAIMED,
    RANK_UNIT,
    CellCounts,
    ColumnCells,
    PairScores,
    RankProducts,
)
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
    allowed = bound("rank-products", name, unit=RANK_UNIT**2, columns=len(COLUMNS))
    return Moved(by=int(np.abs(here - there).max()), allowed=allowed)


@st.composite
def squared_moves(draw: DrawFn, *, replaced: bool, products: bool) -> Moved:
    """Move sums of products of ranks, or counts of a cross table: the sum of all squares."""
    tables = draw(neighbouring_letters(replaced=replaced))
    rank = st.sampled_from([-RANK_UNIT, 0, RANK_UNIT]) | st.integers(-RANK_UNIT, RANK_UNIT)
    ranks = tuple(np.array(draw(st.lists(rank, min_size=3, max_size=3))) for _ in COLUMNS)
    question = RankProducts(cells(), ranks) if products else CellCounts(cells()[:2])
    method, statistic, public = CLAIMED[type(question)](question)
    claim = CLAIMS[method, statistic if replaced else f"{statistic}-add-remove"]
    here, there = (TableRecords(table).answer(question).ravel() for table in tables)
    by = sum(int(part) ** 2 for part in here - there)
    return Moved(by=by, allowed=claim.squared(public))


def cell_counts(table: Table, *columns: int) -> Any:
    """Count a cross table."""
    known = cells()
    return TableRecords(table).answer(CellCounts(tuple(known[j] for j in columns)))


LARGEST_WEIGHT = 7
WEIGHT = Attribute("w", role="weight", bounds=(0, LARGEST_WEIGHT), integer=True)


@st.composite
def moves_of_weights(draw: DrawFn, *, replaced: bool) -> Any:
    """Draw how far sums of weights in cells move; some weights are beyond the bounds."""
    schema = Schema((*SCHEMA, WEIGHT))
    weight = st.integers(-3, LARGEST_WEIGHT + 3)
    record = st.tuples(*[st.sampled_from(VALUES) for _ in COLUMNS], weight)
    here = draw(st.lists(record, min_size=2, max_size=8))
    there = [*here[:-1], draw(record)] if replaced else here[:-1]
    tables = [
        read_table(pl.DataFrame(rows, schema=(*COLUMNS, "w"), orient="row"), schema)
        for rows in (here, there)
    ]
    axis = axis_of(tables[0].head(known_n=False), WEIGHT)
    weights = ColumnCells(axis, np.arange(LARGEST_WEIGHT + 1, dtype=np.int32), LARGEST_WEIGHT + 1)
    answers = [TableRecords(t).answer(WeightedCounts(cells()[:2], weights)) for t in tables]
    return answers[0] - answers[1]


@st.composite
def weighted_counts(draw: DrawFn, *, replaced: bool) -> Moved:
    """Move sums of weights in the cells of a cross table."""
    moves = draw(moves_of_weights(replaced=replaced))
    name = "sums" if replaced else "sums-add-remove"
    allowed = bound("weighted-counts", name, largest=LARGEST_WEIGHT)
    return Moved(by=int(np.abs(moves).sum()), allowed=allowed)


@st.composite
def squared_moves_of_weights(draw: DrawFn, *, replaced: bool) -> Moved:
    """Move the same: the sum of all squares."""
    moves = draw(moves_of_weights(replaced=replaced))
    claim = CLAIMS["weighted-counts", "sums" if replaced else "sums-add-remove"]
    return Moved(by=int((moves**2).sum()), allowed=claim.squared({"largest": LARGEST_WEIGHT}))

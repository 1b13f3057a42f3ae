"""Pairs of data sets that differ in one record, drawn to be as nasty as the schema allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from covey.table import Attribute, Scale, Schema, Table, read_table
from covey.table.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy
    from numpy.typing import NDArray

LOW, HIGH = -10.0, 30.0
GRIDS = (
    Grid.between(LOW, HIGH),
    Grid.between(LOW, HIGH, integer=True),
    Grid(low=LOW, high=HIGH, steps=1),
    Grid(low=LOW, high=HIGH, steps=7),
)
SPORTS = ("chess", "judo", "rugby")

# Many ties, both bounds, values beyond them, values half way between two steps.
nasty = st.one_of(
    st.sampled_from([LOW, HIGH, LOW - 1.0, HIGH + 1e300, -1e308, 0.0, -0.0, 0.5, 10.0, 5e-324]),
    st.floats(LOW, HIGH),
)
# A column that is described by whole numbers holds no others.
nasty_whole = nasty.map(lambda value: float(np.rint(value)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """One column of two neighbours, and public numbers to go with it."""

    here: NDArray[np.float64]
    there: NDArray[np.float64]
    k: int
    grid: Grid


@st.composite
def neighbouring_columns(draw: DrawFn, *, shuffled: bool) -> Columns:
    """Draw a column and replace one value; ``shuffled`` also moves the rows, as in a multiset."""
    here = np.array(draw(st.lists(nasty, min_size=4, max_size=40)))
    there = here.copy()
    there[draw(st.integers(0, here.size - 1))] = draw(nasty)
    if shuffled:
        there = there[np.array(draw(st.permutations(range(here.size))))]
    k = draw(st.integers(1, here.size))
    return Columns(here=here, there=there, k=k, grid=draw(st.sampled_from(GRIDS)))


def schema_of(numeric: int, nominal: int, *, whole: bool = False) -> Schema:
    """Describe numeric columns, every second one (or all) of whole numbers, and flat categories."""
    attributes = [
        Attribute(f"x{j}", bounds=(LOW, HIGH), integer=whole or j % 2 == 1) for j in range(numeric)
    ]
    attributes += [
        Attribute(f"c{j}", scale=Scale.NOMINAL, categories=SPORTS) for j in range(nominal)
    ]
    return Schema(tuple(attributes))


@st.composite
def neighbouring_tables(
    draw: DrawFn,
    *,
    numeric: SearchStrategy[int],
    nominal: SearchStrategy[int],
    shuffled: bool,
    whole: bool = False,
) -> tuple[Table, Table]:
    """Draw a table and replace one record of it."""
    schema = schema_of(draw(numeric), draw(nominal), whole=whole)
    record = st.tuples(
        *[
            st.one_of(st.none(), st.sampled_from(SPORTS))
            if attribute.scale is Scale.NOMINAL
            else (nasty_whole if attribute.integer else nasty)
            for attribute in schema
        ]
    )
    here = draw(st.lists(record, min_size=8, max_size=24))
    there = list(here)
    there[draw(st.integers(0, len(here) - 1))] = draw(record)
    if shuffled:
        there = draw(st.permutations(there))
    return table_of(here, schema), table_of(there, schema)


def table_of(records: Sequence[tuple[Any, ...]], schema: Schema) -> Table:
    """Make a table of records."""
    dtypes = {
        attribute.name: pl.Float64 if attribute.scale is Scale.NUMERIC else pl.String
        for attribute in schema
    }
    return read_table(pl.DataFrame(records, schema=dtypes, orient="row"), schema)

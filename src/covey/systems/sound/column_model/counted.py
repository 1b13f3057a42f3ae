"""Which noisy tables of two or three columns were counted, and what do they say about pairs?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import CellCounts, ColumnCells

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Budget, Meter
    from covey.systems.sound.column_model.named import ColumnPair


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredTable:
    """The noisy counts of two or three columns, whose numbers ascend.

    ``noise`` is the standard deviation of each.
    """

    columns: tuple[int, ...]
    noisy: NDArray[np.float64] = field(repr=False)
    noise: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """Which columns depend on which: a column and its parents, in the order of drawing.

    ``asked`` are the tables as they were paid for, and ``measured`` is what they say about pairs.
    Pairs that were named and measured, but that no column depends by, are ``apart``.
    """

    order: tuple[tuple[int, tuple[int, ...]], ...]
    asked: tuple[MeasuredTable, ...]
    measured: Mapping[ColumnPair, MeasuredTable]
    apart: tuple[ColumnPair, ...]

    @property
    def triples(self) -> list[MeasuredTable]:
        """Return the tables of three columns."""
        return [table for table in self.asked if table.noisy.ndim > 2]  # noqa: PLR2004 — a pair


def counted_tables(
    meter: Meter,
    cells: Sequence[ColumnCells],
    tables: Sequence[tuple[int, ...]],
    budgets: Sequence[Budget],
) -> list[MeasuredTable]:
    """Count some tables at once, each with noise for its own budget."""
    questions = [CellCounts(tuple(cells[j] for j in columns)) for columns in tables]
    if len(questions) == 1:
        answers = [meter.counts(questions[0], budgets[0])]
    else:
        answers = meter.counts_of(questions, budgets)
    return [
        MeasuredTable(
            columns=columns,
            noisy=noisy.values.reshape([cells[j].size for j in columns]).astype(float),
            noise=noisy.deviation,
        )
        for columns, noisy in zip(tables, answers, strict=True)
    ]


def margin_of(table: MeasuredTable, columns: tuple[int, ...]) -> MeasuredTable:
    """Return a margin of a table: its noise adds up."""
    along = tuple(at for at, j in enumerate(table.columns) if j not in columns)
    summed = math.prod(table.noisy.shape[at] for at in along)
    return MeasuredTable(
        columns=columns,
        noisy=np.asarray(table.noisy.sum(axis=along)),
        noise=table.noise * math.sqrt(summed),
    )


def margin_in(tables: Sequence[MeasuredTable], columns: tuple[int, ...]) -> MeasuredTable:
    """Return the inverse-variance mean of what all tables that hold some columns say about them."""
    margins = [margin_of(table, columns) for table in tables if set(columns) <= set(table.columns)]
    precise = [margin.noise**-2 for margin in margins]
    total = sum(margin.noisy * weight for margin, weight in zip(margins, precise, strict=True))
    return MeasuredTable(
        columns=columns,
        noisy=np.asarray(total / sum(precise)),
        noise=sum(precise) ** -0.5,
    )

"""What do records answer about cells of columns and about pairs of columns, piece by piece?

Every answer is a sum over records, so an engine asks its pieces and adds up.  Tables of all pairs
of the same columns are counted at once and kept: candidates are scored again and again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from covey.core.claims_weights import WeightedCounts
from covey.core.questions import CellCounts, ColumnCells, PairScores, RankProducts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition.axis import Axis

IntegersOf = Callable[["Axis"], "NDArray[np.int32]"]
"""Returns the integer of each record of a piece on an axis."""

PieceWorker = Callable[[IntegersOf], "NDArray[np.int64]"]
"""Answers for a piece of the records."""

RECORDS_AT_ONCE = 2**16
"""Records whose codes fit into the cache together."""


class CrossTables:
    """Answers about cells; ``added_up`` lets a worker answer for every piece, and adds up.

    It is told the names of the columns, and how many numbers come back.
    """

    def __init__(
        self, added_up: Callable[[PieceWorker, Sequence[str], int], NDArray[np.int64]]
    ) -> None:
        self._added_up = added_up
        self._pairs: list[tuple[tuple[ColumnCells, ...], list[NDArray[np.int64]]]] = []

    def answer(
        self, question: CellCounts | WeightedCounts | PairScores | RankProducts
    ) -> NDArray[np.int64]:
        """Return the exact answer."""
        if isinstance(question, WeightedCounts):
            return self.answers([question])[0]
        if isinstance(question, CellCounts):
            known = self._known(question.columns)
            return self.answers([question])[0] if known is None else known
        if isinstance(question, RankProducts):
            worker = partial(rank_products, question=question)
            count = len(question.columns)
            names = [cells.axis.name for cells in question.columns]
            return self._added_up(worker, names, count * (count - 1) // 2)[None, :]
        tables = self._all_pairs(question.columns)
        place = {pair: at for at, pair in enumerate(combinations(range(len(question.columns)), 2))}
        scores = np.empty(len(question.pairs), dtype=np.int64)
        for at, ((i, j), model) in enumerate(zip(question.pairs, question.models, strict=True)):
            shape = (question.columns[min(i, j)].size, question.columns[max(i, j)].size)
            table = tables[place[min(i, j), max(i, j)]].reshape(shape)
            scores[at] = np.abs((table if i < j else table.T) - model).sum()
        return scores - np.array(question.penalties, dtype=np.int64)

    def answers(self, questions: Sequence[CellCounts | WeightedCounts]) -> list[NDArray[np.int64]]:
        """Return the exact answers to several questions in one reading."""
        weights = [q.weight if isinstance(q, WeightedCounts) else None for q in questions]
        return self._counted([question.columns for question in questions], weights)

    def _counted(
        self,
        tables: Sequence[Sequence[ColumnCells]],
        weights: Sequence[ColumnCells | None] | None = None,
    ) -> list[NDArray[np.int64]]:
        sizes = [_size(columns) for columns in tables]
        each = [None] * len(tables) if weights is None else weights
        read = [*(cells for columns in tables for cells in columns), *filter(None, each)]
        names = dict.fromkeys(cells.axis.name for cells in read)
        worker = partial(cross_counts, tables=tables, weights=each)
        return np.split(self._added_up(worker, list(names), sum(sizes)), np.cumsum(sizes)[:-1])

    def _known(self, columns: Sequence[ColumnCells]) -> NDArray[np.int64] | None:
        """Return the table of two columns that was counted with all pairs, if it was."""
        if len(columns) != 2:  # noqa: PLR2004 — a pair
            return None
        for counted, tables in self._pairs:
            for (first, second), table in zip(combinations(counted, 2), tables, strict=True):
                if first is columns[0] and second is columns[1]:
                    return table
                if first is columns[1] and second is columns[0]:
                    return table.reshape(first.size, second.size).T.ravel()
        return None

    def _all_pairs(self, columns: tuple[ColumnCells, ...]) -> list[NDArray[np.int64]]:
        for counted, tables in self._pairs:
            if counted is columns:
                return tables
        tables = self._counted(list(combinations(columns, 2)))
        self._pairs.append((columns, tables))
        return tables


def cross_counts(
    integers: IntegersOf,
    *,
    tables: Sequence[Sequence[ColumnCells]],
    weights: Sequence[ColumnCells | None],
) -> NDArray[np.int64]:
    """Count the records of a piece in the cells of some cross tables, one after the other.

    Where a table has a weight, add it up instead: in floats and yet exact, because every partial
    sum is a whole number below 2^53.
    """
    sizes = [_size(columns) for columns in tables]
    starts = np.cumsum(sizes) - sizes
    counts = np.zeros(sum(sizes), dtype=np.int64)
    read = [*(cells for columns in tables for cells in columns), *filter(None, weights)]
    for some in _codes(integers, read):
        for columns, weight, start, size in zip(
            tables, weights, starts.tolist(), sizes, strict=True
        ):
            joint = some[id(columns[0])]
            for cells in columns[1:]:
                joint = joint * cells.size + some[id(cells)]
            worth = None if weight is None else some[id(weight)]
            added = np.bincount(joint, worth, minlength=size)
            counts[start : start + size] += added.astype(np.int64)
    return counts


def rank_products(integers: IntegersOf, *, question: RankProducts) -> NDArray[np.int64]:
    """Add up the products of the ranks of all pairs of columns over the records of a piece.

    In floats and yet exact: every partial sum is a whole number below 2^53.
    """
    count = len(question.columns)
    total = np.zeros((count, count), dtype=np.int64)
    columns = list(zip(question.columns, question.ranks, strict=True))
    for some in _codes(integers, question.columns):
        ranks = np.column_stack([of[some[id(cells)]] for cells, of in columns]).astype(np.float64)
        total += np.rint(ranks.T @ ranks).astype(np.int64)
    return total[np.triu_indices(count, 1)]


def _codes(
    integers: IntegersOf, columns: Sequence[ColumnCells]
) -> Iterator[dict[int, NDArray[np.int64]]]:
    """Yield the cell of each record in each column, block by block."""
    distinct = {id(cells): cells for cells in columns}
    found = {key: cells.of[integers(cells.axis)] for key, cells in distinct.items()}
    n = next(iter(found.values())).size
    for first in range(0, n, RECORDS_AT_ONCE):
        block = slice(first, first + RECORDS_AT_ONCE)
        yield {key: codes[block].astype(np.int64) for key, codes in found.items()}


def _size(columns: Sequence[ColumnCells]) -> int:
    return math.prod(cells.size for cells in columns)

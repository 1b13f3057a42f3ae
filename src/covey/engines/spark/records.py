"""What do records on Spark answer?

They are checked and written down once, and every question reads the columns that it is about:
workers answer for their partitions in whole numbers, and Spark adds these up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.aggregate import sums_of_ranks
from covey.core import questions as ask
from covey.core.claims_weights import WeightedCounts
from covey.engines.shared.cells import axis_scale, cells_of
from covey.engines.shared.counted import CountedBoxes, CountedRecords, CountedValues
from covey.engines.shared.crossed import CrossTables
from covey.engines.shared.pieces import value_counts
from covey.engines.shared.preferences import preferences_of
from covey.engines.spark.counts import count_types, in_chunks, summed
from covey.engines.spark.draws import NoisyFrame, drawn_anew, tossed
from covey.engines.spark.frame import CODE, COUNT, SparkTable, added_up, counts_of, mapped, zeros
from covey.engines.spark.order import Ordered, sorted_records
from covey.engines.spark.session import explained
from covey.table import Head, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.core.meter import Draw
    from covey.engines.shared.counted import Question
    from covey.engines.shared.crossed import PieceWorker
    from covey.engines.spark.draws import Toss
    from covey.partition.axis import Axis
    from covey.partition.insensitive import PublicOrder
    from covey.partition.priv_tree import Decide
    from covey.table.grid import Grid

Integers = Callable[[Table], "NDArray[Any]"]
PREFERENCE = "(preference)"


@dataclass(frozen=True, slots=True)
class CutRecords:
    """Boxes that were cut, on which axes, and what counts the records in them."""

    axes: Sequence[Axis]
    counted: CountedRecords | CountedValues = field(repr=False)
    found: CountedBoxes = field(repr=False)


class SparkRecords:
    """Answers about records that were written down, for the meter alone.

    What they became is told to the curator by `covey.engines.spark.links`.
    """

    def __init__(self, table: SparkTable) -> None:
        self.table = table
        self.cuts: list[CutRecords] = []
        self.beside: DataFrame | None = None
        self.left: SparkRecords | None = None
        self._counts: dict[Any, NDArray[np.int64]] = {}
        self._cells: dict[Any, DataFrame] = {}
        self._ordered: dict[int, Ordered] = {}
        self._crossed = CrossTables(self._added_up)

    @cached_property
    def n(self) -> int:
        """Return the number of records."""
        with explained():
            return int(self.table.frame.count())

    def head(self, *, known_n: bool, public_column: str = "") -> Head:
        """Return what is public; of a public column its values, sorted, where n is public."""
        public = {}
        if public_column and known_n:
            public[public_column] = self._preferences(public_column)
        head = self.table.head.head(known_n=False, public=public)
        return replace(head, n=self.n if known_n else None)

    def answer(self, question: Any) -> NDArray[np.int64]:
        """Return the exact answer."""
        return _ANSWERS[type(question)](self, question)

    def answers(
        self, questions: Sequence[ask.CellCounts | WeightedCounts]
    ) -> list[NDArray[np.int64]]:
        """Return the exact answers to several questions about cells in one reading."""
        return self._crossed.answers(questions)

    def cut(
        self, question: ask.Cuts, decide: Decide
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Cut the domain; one axis is known by its counts, several are counted level by level."""
        axes = question.axes
        counted: CountedRecords | CountedValues
        if len(axes) == 1:
            counted = CountedValues(self._axis_counts(axes[0]))
        else:
            counted = CountedRecords(partial(_asked, self._written_cells(axes)))
        found = counted.cut([axis.side for axis in axes], decide)
        self.cuts.append(CutRecords(axes, counted, found))
        return found.boxes.low, found.boxes.high, len(self.cuts) - 1

    def perturbed(self, draws: Sequence[Draw]) -> NoisyFrame:
        """Let workers draw every value anew, once."""
        self.beside, noisy = drawn_anew(self.table, draws)
        return noisy

    def sampled(self, question: ask.Sample, toss: Toss | None) -> SparkRecords:
        """Let workers toss coins for the records that take part, once."""
        self.left = SparkRecords(tossed(self.table, question, toss))
        return self.left

    def size(self, question: ask.Size) -> NDArray[np.int64]:
        """Return the number of records."""
        del question
        return np.array([self.n])

    def value_counts(self, question: ask.ValueCounts) -> NDArray[np.int64]:
        """Count the records of each category."""
        return self._axis_counts(question.axis)

    def box_sums(self, question: ask.BoxSums) -> NDArray[np.int64]:
        """Return the count of each box and the sums of positions on its sides."""
        cut = self.cuts[question.boxes]
        return cut.counted.sums(cut.found, question)

    def rank_block_sums(self, question: ask.RankBlockSums) -> NDArray[np.int64]:
        """Add up the blocks of ranks of a column, from the counts of its values."""
        return sums_of_ranks(self.grid_counts(question.name, question.grid), question.sizes)

    def grid_counts(self, name: str, grid: Grid) -> NDArray[np.int64]:
        """Count the records at each integer of a column's public grid."""
        integers = partial(_on_grid, name=name, grid=grid)
        return self._counted((name, grid), name, integers, grid.steps + 1)

    def cluster_sums(self, question: ask.ClusterSums) -> NDArray[np.int64]:
        """Add up a column, or all cells of the curve's grid, in each cluster."""
        order = question.order
        names = [*order.grids] if question.name is None else [question.name]
        ordered = self._in_order(order)
        return np.concatenate([ordered.sums(name) for name in names])

    def cluster_concepts(self, question: ask.ClusterConcepts) -> NDArray[np.int64]:
        """Count the concepts of each cluster."""
        return self._in_order(question.order).concepts(question.name)

    def crossed(self, question: Any) -> NDArray[np.int64]:
        """Answer about cells of columns and of pairs of columns."""
        return self._crossed.answer(question)

    def _added_up(self, worker: PieceWorker, names: Sequence[str], size: int) -> NDArray[np.int64]:
        pieces = partial(_piece_answers, worker=worker, size=size)
        return summed(self.table.mapped(pieces, count_types(), names=names), [size])[0]

    def _in_order(self, order: PublicOrder) -> Ordered:
        if id(order) not in self._ordered:
            self._ordered[id(order)] = sorted_records(self.table, order)
        return self._ordered[id(order)]

    def _axis_counts(self, axis: Axis) -> NDArray[np.int64]:
        values = axis.side.edges.size - 1
        return self._counted(axis_scale(axis), axis.name, partial(cells_of, axis=axis), values)

    def _counted(self, key: Any, name: str, integers: Integers, size: int) -> NDArray[np.int64]:
        """Count the integers of a column; another scale (``key``) of it has other integers."""
        if key not in self._counts:
            worker = partial(_value_counts, integers=integers, size=size)
            found = self.table.mapped(worker, count_types(), names=[name])
            self._counts[key] = summed(found, [size])[0]
        return self._counts[key]

    def _written_cells(self, axes: Sequence[Axis]) -> DataFrame:
        """Write the integers of all records down: they are asked for again and again."""
        names, key = [axis.name for axis in axes], tuple(axis_scale(axis) for axis in axes)
        if key not in self._cells:
            types = zeros(**{_axis(j): pl.Int32 for j in range(len(axes))})
            found = self.table.mapped(partial(_all_cells, axes=axes), types, names=names)
            self._cells[key] = self.table.staging.kept(found)
        return self._cells[key]

    def _preferences(self, name: str) -> NDArray[np.float64]:
        types = zeros(**{PREFERENCE: pl.Float64, COUNT: pl.Int64})
        worker = partial(_preference_counts, name=name)
        # A name that is not there is refused by a worker with the others' words.
        known = [name] if name in self.table.frame.columns else None
        found = added_up(self.table.mapped(worker, types, names=known)).sort(PREFERENCE)
        return np.repeat(found[PREFERENCE].to_numpy(), found[COUNT].to_numpy())


_ANSWERS: dict[type, Callable[[SparkRecords, Any], NDArray[np.int64]]] = {
    ask.Size: SparkRecords.size,
    ask.ValueCounts: SparkRecords.value_counts,
    ask.CellCounts: SparkRecords.crossed,
    WeightedCounts: SparkRecords.crossed,
    ask.PairScores: SparkRecords.crossed,
    ask.RankProducts: SparkRecords.crossed,
    ask.BoxSums: SparkRecords.box_sums,
    ask.RankBlockSums: SparkRecords.rank_block_sums,
    ask.ClusterSums: SparkRecords.cluster_sums,
    ask.ClusterConcepts: SparkRecords.cluster_concepts,
}


def all_cells(table: Table, axes: Sequence[Axis]) -> NDArray[np.int32]:
    """Return the integers of some records, a row each."""
    return np.ascontiguousarray(np.column_stack([cells_of(table, axis) for axis in axes]))


def _on_grid(table: Table, *, name: str, grid: Grid) -> NDArray[np.int64]:
    return grid.integers(table.values(name))


def _value_counts(
    tables: Iterator[Table], *, integers: Integers, size: int
) -> Iterator[pl.DataFrame]:
    yield from in_chunks(value_counts(([integers(table)] for table in tables), [size]))


def _piece_answers(
    tables: Iterator[Table], *, worker: PieceWorker, size: int
) -> Iterator[pl.DataFrame]:
    total = np.zeros(size, dtype=np.int64)
    for table in tables:
        total += worker(partial(cells_of, table))
    yield from in_chunks([total])


def _all_cells(tables: Iterator[Table], *, axes: Sequence[Axis]) -> Iterator[pl.DataFrame]:
    for table in tables:
        yield pl.DataFrame({_axis(j): cells_of(table, axis) for j, axis in enumerate(axes)})


def _asked(cells: DataFrame, question: Question, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Ask all records: workers answer for their partitions, and Spark adds the answers up."""
    worker = partial(_answers, question=question, shape=shape)
    found = added_up(mapped(cells, worker, zeros(**{CODE: pl.Int64, COUNT: pl.Int64})))
    return counts_of(found, math.prod(shape)).reshape(shape)


def _answers(
    frames: Iterator[pl.DataFrame], *, question: Question, shape: tuple[int, ...]
) -> Iterator[pl.DataFrame]:
    total = np.zeros(shape, dtype=np.int64)
    for frame in frames:
        columns = [column.to_numpy() for column in frame]
        total += question(np.ascontiguousarray(np.column_stack(columns)))
    codes = np.flatnonzero(total)
    yield pl.DataFrame({CODE: codes, COUNT: total.ravel()[codes]})


def _preference_counts(tables: Iterator[Table], *, name: str) -> Iterator[pl.DataFrame]:
    for table in tables:
        values, counts = np.unique(preferences_of(table, name), return_counts=True)
        yield pl.DataFrame({PREFERENCE: values, COUNT: counts})


def _axis(j: int) -> str:
    return f"({j})"

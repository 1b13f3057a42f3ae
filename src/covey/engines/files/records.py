"""What does a table in files answer?  Counts that add up over pieces, one reading for many.

The first reading counts the values of every column that has a public scale, so that questions
about one column need no other; boxes of several columns need a few, and sums in them one more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.aggregate import sums_of_ranks
from covey.core import questions as ask
from covey.core.claims_weights import WeightedCounts
from covey.engines.files.axes import axis_width, public_axes, uncut_axis
from covey.engines.files.clusters import ClusterTotals, add_up_clusters
from covey.engines.files.rows import SpooledRows, keep_rows
from covey.engines.files.sampled import SampledStream
from covey.engines.shared.cells import axis_scale, cells_of
from covey.engines.shared.counted import CountedBoxes, CountedRecords, CountedValues
from covey.engines.shared.crossed import CrossTables
from covey.engines.shared.draws import drawn_values, sampled_table
from covey.engines.shared.persons import STANDING, WHOSE, FirstOfEach, placed_frames
from covey.engines.shared.pieces import refuse_empty, value_counts
from covey.engines.shared.preferences import preferences_of
from covey.engines.shared.spool import Spool
from covey.engines.shared.typed import typed_rows
from covey.errors import DataError
from covey.table.occurring import Occurring

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from covey.core import Persons
    from covey.core.meter import Draw
    from covey.engines.files.scan import Stream
    from covey.engines.shared.counted import Question
    from covey.engines.shared.crossed import PieceWorker
    from covey.engines.shared.persons import Contributed
    from covey.partition.axis import Axis
    from covey.partition.insensitive import PublicOrder
    from covey.partition.priv_tree import Decide
    from covey.systems import Progress
    from covey.table import Head, Table

VALUE_BYTES, BLOCK_BYTES, PREFERENCE_BYTES = 24, 48, 48
"""Bytes that a value which is counted, a block, and a public preference cost."""

CELL_BYTES = 40
"""Bytes that a value of an axis costs when boxes of several axes are cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyRows:
    """Records on disk of which every value was drawn anew.

    ``totals`` are sums of noisy steps, ``drawn`` how many records drew each candidate.
    """

    rows: SpooledRows = field(repr=False)
    scales: Mapping[str, Fraction]
    totals: Mapping[str, int] = field(repr=False)
    drawn: Mapping[str, NDArray[np.int64]] = field(repr=False)


class StreamRecords:
    """Answers about a table that is read piece by piece, for the meter alone.

    Parameters
    ----------
    stream : Stream or SampledStream
        The table.
    columns : sequence of str, optional
        Those that questions may be about, as far as that is known.
    progress : callable, optional
        Told how many records were read.
    """

    def __init__(
        self,
        stream: Stream | SampledStream,
        columns: Sequence[str] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.stream, self.memory, self._progress = stream, stream.memory, progress
        self._columns = columns
        self._axes = public_axes(stream.head, columns)
        self._n: int | None = None
        self.occurring = Occurring(stream.head.schema)
        self._histograms: dict[Any, NDArray[np.int64]] = {}
        self._boxes: list[CountedBoxes] = []
        self._clusters: list[tuple[PublicOrder, ClusterTotals]] = []
        self._crossed = CrossTables(self._added_up)

    @property
    def n(self) -> int:
        """Return the number of records."""
        if self._n is None:
            self._count(self._axes.values() if self._fit() else ())
        assert self._n is not None  # noqa: S101 — reading has counted them
        return self._n

    def head(self, *, known_n: bool, public_column: str = "") -> Head:
        """Read all records for the first time, and return what is public about them.

        Of a public column its values, sorted, where n is public.
        """
        public = {}
        if public_column:
            # Its records are asked about after coins were tossed, so nothing else is counted.
            public[public_column] = self._preferences(public_column, keep=known_n)
        refuse_empty(self.n)
        head = self.stream.head.head(known_n=False, public=public if known_n else {})
        return replace(head, n=self.n if known_n else None)

    def read(
        self, what: str, names: Sequence[str] | None = None, *, public: str = ""
    ) -> Iterator[Table]:
        """Read some columns of all records; notice if there are others than at the first time."""
        done = 0
        for table in self.stream.pieces(None if self._n is None else names, public=public):
            if self._progress is not None:
                self._progress(what, done, max(self._n or 0, done + table.n))
            done += table.n
            if self._n is None:
                self.occurring.see(table)
            yield table
        if self._n is None:
            self._n = done
        elif done != self._n:
            raise DataError(
                "the files changed while they were read, so their statistics do not belong "
                "together and nothing was published. Start again when nobody writes to them."
            )

    def answer(self, question: Any) -> NDArray[np.int64]:
        """Return the exact answer."""
        return STREAM_ANSWERS[type(question)](self, question)

    def answers(
        self, questions: Sequence[ask.CellCounts | WeightedCounts]
    ) -> list[NDArray[np.int64]]:
        """Return the exact answers to several questions about cells in one reading."""
        return self._crossed.answers(questions)

    def cut(
        self, question: ask.Cuts, decide: Decide
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Cut the domain; one reading counts the boxes of many levels."""
        found = self._counted(question.axes).cut([axis.side for axis in question.axes], decide)
        self._boxes.append(found)
        return found.boxes.low, found.boxes.high, len(self._boxes) - 1

    def perturbed(self, draws: Sequence[Draw]) -> NoisyRows:
        """Draw every value anew, piece by piece, and keep the rows: noise is drawn once."""
        # A promise covers types too, so they are the schema's and not those of the files.
        head, questions = self.stream.head.head(known_n=False), [draw.question for draw in draws]
        totals = {q.name: 0 for q in questions if isinstance(q, ask.RecordValues)}
        drawn = {
            q.name: np.zeros(len(q.candidates), dtype=np.int64)
            for q in questions
            if isinstance(q, ask.RecordConcepts)
        }

        def pieces() -> Iterator[pl.DataFrame]:
            for table in self.read("perturbing records", [q.name for q in questions]):
                columns = {}
                for draw in draws:
                    name = draw.question.name
                    found, columns[name] = drawn_values(table, draw)
                    if name in totals:
                        totals[name] += int(found.sum())
                    else:
                        drawn[name] += np.bincount(found, minlength=drawn[name].size)
                yield typed_rows(head, columns)

        return NoisyRows(
            rows=keep_rows(pieces(), self.memory, in_order=True),
            scales={draw.question.name: draw.scale for draw in draws},
            totals=totals,
            drawn=drawn,
        )

    def sampled(
        self, question: ask.Sample, toss: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None
    ) -> StreamRecords:
        """Toss the coins once, and return the records that take part, which are kept on disk."""
        head, column = self.stream.head, question.column
        spool = Spool(self.memory.spool)
        for table in self.read("tossing coins", question.columns, public=column):
            parts = question.parts(preferences_of(table, column))
            kept = parts > 0 if toss is None else toss(parts)
            spool.write(sampled_table(table, question, kept).frame)
        spool.flush()
        none = np.zeros(0, dtype=np.bool_)
        left = SampledStream(sampled_table(head, question, none), self.memory, spool)
        return StreamRecords(left, question.columns, self._progress)

    def of_persons(self, persons: Persons, key: bytes) -> tuple[StreamRecords, Contributed]:
        """Return the records that are used of each person, which are kept on disk."""
        waiting, spool = Spool(self.memory.spool), Spool(self.memory.spool)
        for frame in placed_frames(self.read("sorting persons", public=persons.column), key):
            waiting.write(frame)
        first = FirstOfEach(persons.most)
        for frame in waiting.sorted_by((WHOSE, STANDING)):
            spool.write(first.kept(frame))
        spool.flush()
        head = self.stream.head
        schema = replace(head.schema, attributes=tuple(a for a in head.schema if not a.is_hidden))
        left = replace(head, schema=schema, frame=head.frame.select(schema.names))
        stream = SampledStream(left, self.memory, spool)
        return StreamRecords(stream, self._columns, self._progress), first.told

    def histogram(self, axis: Axis) -> NDArray[np.int64]:
        """Return how many records have each integer of an axis."""
        if axis_scale(axis) not in self._histograms:
            waiting = [each for each in self._axes.values() if each.name != axis.name]
            self._count([*waiting, axis] if not self._histograms else [axis])
        return self._histograms[axis_scale(axis)]

    def size(self, question: ask.Size) -> NDArray[np.int64]:
        """Return the number of records."""
        del question
        return np.array([self.n])

    def value_counts(self, question: ask.ValueCounts) -> NDArray[np.int64]:
        """Count the records of each category."""
        return self.histogram(question.axis)

    def box_sums(self, question: ask.BoxSums) -> NDArray[np.int64]:
        """Return the count of each box and the sums of positions on its sides."""
        return self._counted(question.axes).sums(self._boxes[question.boxes], question)

    def rank_block_sums(self, question: ask.RankBlockSums) -> NDArray[np.int64]:
        """Add up the blocks of ranks of a column."""
        self.memory.require(BLOCK_BYTES * question.sizes.size, "so many blocks")
        name, grid = question.name, question.grid
        axis = self._axes.get(name)
        if axis is None or axis.grid != grid:
            axis = uncut_axis(name, grid)
        counts, apart = self.histogram(axis), len(axis.special)
        on_grid = counts[apart:].copy()
        # Values that stand apart on the axis are at their places on the grid.
        np.add.at(on_grid, grid.integers(axis.special), counts[:apart])
        return sums_of_ranks(on_grid, question.sizes)

    def cluster_sums(self, question: ask.ClusterSums) -> NDArray[np.int64]:
        """Add up a column, or all cells of the curve's grid, in each cluster."""
        sums = self._clustered(question.order).sums
        return np.concatenate(list(sums.values())) if question.name is None else sums[question.name]

    def cluster_concepts(self, question: ask.ClusterConcepts) -> NDArray[np.int64]:
        """Count the concepts of each cluster."""
        return self._clustered(question.order).concepts[question.name]

    def crossed(self, question: Any) -> NDArray[np.int64]:
        """Answer about cells of columns and of pairs of columns."""
        return self._crossed.answer(question)

    def _added_up(self, worker: PieceWorker, names: Sequence[str], size: int) -> NDArray[np.int64]:
        self.memory.require(VALUE_BYTES * size, "so many cells")
        total = np.zeros(size, dtype=np.int64)
        for table in self.read("counting cells", names):
            total += worker(partial(cells_of, table))
        return total

    def _clustered(self, order: PublicOrder) -> ClusterTotals:
        """Sort the records once for all questions about an order."""
        for known, totals in self._clusters:
            if known is order:
                return totals
        tables = self.read("sorting records", (*order.grids, *order.taxonomies))
        self._clusters.append((order, add_up_clusters(tables, order, self.memory)))
        return self._clusters[-1][1]

    def _fit(self) -> bool:
        return VALUE_BYTES * sum(map(axis_width, self._axes.values())) <= self.memory.free

    def _count(self, axes: Any) -> None:
        """Read all records, and count their values."""
        axes = list(axes)
        sizes = [axis_width(axis) for axis in axes]
        self.memory.require(VALUE_BYTES * sum(sizes), "counting these columns")
        tables = self.read("counting values", [axis.name for axis in axes])
        cells = ([cells_of(table, axis) for axis in axes] for table in tables)
        found = value_counts(cells, sizes)
        self._histograms |= {
            axis_scale(axis): counts for axis, counts in zip(axes, found, strict=True)
        }

    def _preferences(self, name: str, *, keep: bool) -> NDArray[np.float64]:
        preferences_of(self.stream.head, name)  # explains a column that is not there
        found, n = [np.empty(0)], 0
        for table in self.read("reading preferences", public=name):
            values = preferences_of(table, name)
            if keep:
                n += table.n
                self.memory.require(PREFERENCE_BYTES * n, "so many preferences")
                found.append(values)
        return np.sort(np.concatenate(found))

    def _counted(self, axes: Sequence[Axis]) -> CountedValues | CountedRecords:
        """Return what knows the counts of boxes: of one axis all, of several by reading again."""
        if len(axes) == 1:
            return CountedValues(self.histogram(axes[0]))
        self.memory.require(CELL_BYTES * sum(map(axis_width, axes)), "counting these columns")

        def ask_all(question: Question, shape: tuple[int, ...]) -> NDArray[np.int64]:
            total = np.zeros(shape, dtype=np.int64)
            for table in self.read("counting boxes", [axis.name for axis in axes]):
                total += question(np.column_stack([cells_of(table, axis) for axis in axes]))
            return total

        return CountedRecords(ask_all)


STREAM_ANSWERS: dict[type, Callable[[StreamRecords, Any], NDArray[np.int64]]] = {
    ask.Size: StreamRecords.size,
    ask.ValueCounts: StreamRecords.value_counts,
    ask.CellCounts: StreamRecords.crossed,
    WeightedCounts: StreamRecords.crossed,
    ask.PairScores: StreamRecords.crossed,
    ask.RankProducts: StreamRecords.crossed,
    ask.BoxSums: StreamRecords.box_sums,
    ask.RankBlockSums: StreamRecords.rank_block_sums,
    ask.ClusterSums: StreamRecords.cluster_sums,
    ask.ClusterConcepts: StreamRecords.cluster_concepts,
}

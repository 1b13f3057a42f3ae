"""What does a table in memory answer?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_sums, sums_of_ranks
from covey.aggregate.semantic import concept_counts
from covey.core import questions as ask
from covey.core.claims_weights import WeightedCounts
from covey.engines.shared.cells import (
    axis_scale,
    cells_of,
    cluster_labels,
    concept_codes,
    curve_cells,
)
from covey.engines.shared.crossed import CrossTables
from covey.engines.shared.draws import drawn_values, sampled_table
from covey.engines.shared.preferences import preferences_of
from covey.partition.insensitive import PublicOrder
from covey.partition.priv_tree import Boxes, Decide, grow
from covey.table import Head, Table

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from covey.core.meter import Draw
    from covey.partition.axis import Axis
    from covey.postprocess.rows import Link, Values


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyRecords:
    """Records of which every value was drawn anew.

    ``totals`` are sums of noisy steps, ``drawn`` how many records drew each candidate.
    """

    columns: Mapping[str, Values] = field(repr=False)
    scales: Mapping[str, Fraction]
    totals: Mapping[str, int] = field(default_factory=dict, repr=False)
    drawn: Mapping[str, NDArray[np.int64]] = field(default_factory=dict, repr=False)


class TableRecords:
    """Answers about a table, for the meter alone; `became` is for the curator."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._cells: dict[tuple[Any, ...], NDArray[np.int32]] = {}
        self._boxes: list[Boxes] = []
        self._labels: dict[int, tuple[PublicOrder, NDArray[np.int64]]] = {}
        self._crossed = CrossTables(lambda worker, *_: worker(self._integers))
        self._sampled: TableRecords | None = None

    def head(self, *, known_n: bool, public_column: str = "") -> Head:
        """Return what is public; of a public column its values, sorted, where n is public."""
        public = {}
        if public_column and known_n:
            public[public_column] = np.sort(preferences_of(self.table, public_column))
        return self.table.head(known_n=known_n, public=public)

    def answer(self, question: Any) -> NDArray[np.int64]:
        """Return the exact answer."""
        return ANSWERS[type(question)](self, question)

    def answers(
        self, questions: Sequence[ask.CellCounts | WeightedCounts]
    ) -> list[NDArray[np.int64]]:
        """Return the exact answers to several questions about cells."""
        return self._crossed.answers(questions)

    def cut(
        self, question: ask.Cuts, decide: Decide
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Cut the domain level by level."""
        sides = [axis.side for axis in question.axes]
        boxes = grow(self._matrix(question.axes), sides, decide)
        self._boxes.append(boxes)
        return boxes.low, boxes.high, len(self._boxes) - 1

    def perturbed(self, draws: Sequence[Draw]) -> NoisyRecords:
        """Draw every value anew."""
        columns, totals, drawn = dict[str, Any](), {}, {}
        for draw in draws:
            question, name = draw.question, draw.question.name
            found, columns[name] = drawn_values(self.table, draw)
            if isinstance(question, ask.RecordValues):
                totals[name] = int(found.sum())
            else:
                drawn[name] = np.bincount(found, minlength=len(question.candidates))
        scales = {draw.question.name: draw.scale for draw in draws}
        return NoisyRecords(columns=columns, scales=scales, totals=totals, drawn=drawn)

    def sampled(
        self, question: ask.Sample, toss: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None
    ) -> TableRecords:
        """Return the records that take part, a public record in the place of the others."""
        parts = question.parts(preferences_of(self.table, question.column))
        kept = parts > 0 if toss is None else toss(parts)
        self._sampled = TableRecords(sampled_table(self.table, question, kept))
        return self._sampled

    def became(self, link: Link) -> dict[str, NDArray[np.float64]]:
        """Return for each record what the records of its cluster became.  For the curator."""
        from covey.kernels.univariate.ranks import values_by_rank

        if self._sampled is not None:
            return self._sampled.became(link)
        if isinstance(link.clusters, ask.RankBlockSums):
            question = link.clusters
            integers, counts = self._counted(question)
            means = link.columns[question.name]
            return {question.name: values_by_rank(integers, counts, question.sizes, means)}
        if isinstance(link.clusters, PublicOrder):
            labels = self._ordered(link.clusters)
        else:
            boxes = self._boxes[link.clusters]
            filled = np.flatnonzero(boxes.ends > boxes.starts)
            filled = filled[np.argsort(boxes.starts[filled])]
            labels = np.empty(self.table.n, dtype=np.int64)
            labels[boxes.order] = np.repeat(filled, (boxes.ends - boxes.starts)[filled])
        return {name: values[labels] for name, values in link.columns.items()}

    def size(self, question: ask.Size) -> NDArray[np.int64]:
        """Return the number of records."""
        del question
        return np.array([self.table.n])

    def value_counts(self, question: ask.ValueCounts) -> NDArray[np.int64]:
        """Count the records of each category."""
        cells = self._matrix([question.axis])[:, 0]
        return np.bincount(cells, minlength=len(question.axis.values)).astype(np.int64)

    def box_sums(self, question: ask.BoxSums) -> NDArray[np.int64]:
        """Return the count of each box and the sums of positions on its sides."""
        from covey.kernels.boxes.ranges import box_sums

        boxes, cells = self._boxes[question.boxes], self._matrix(question.axes)
        places = np.column_stack([a.places(cells[:, j]) for j, a in enumerate(question.axes)])
        unit = ask.RECORD_UNIT
        ends = (boxes.order, boxes.starts, boxes.ends, question.low, question.high, unit)
        return np.column_stack([(boxes.ends - boxes.starts) * unit, box_sums(places, *ends)])

    def rank_block_sums(self, question: ask.RankBlockSums) -> NDArray[np.int64]:
        """Add up the blocks of ranks of a column."""
        return sums_of_ranks(self._counted(question)[1], question.sizes)

    def cluster_sums(self, question: ask.ClusterSums) -> NDArray[np.int64]:
        """Add up a column, or all cells of the curve's grid, in each cluster."""
        order, table = question.order, self.table
        labels, clusters = self._ordered(order), order.sizes.size
        if question.name is None:
            columns = curve_cells(table, order).T
            return np.concatenate([cluster_sums(part, labels, clusters) for part in columns])
        integers = order.grids[question.name].integers(table.values(question.name))
        return cluster_sums(integers, labels, clusters)

    def cluster_concepts(self, question: ask.ClusterConcepts) -> NDArray[np.int64]:
        """Count the concepts of each cluster."""
        order = question.order
        return concept_counts(
            self._ordered(order),
            concept_codes(self.table, order, question.name),
            clusters=order.sizes.size,
            taxonomy=order.taxonomies[question.name],
        )

    def crossed(self, question: Any) -> NDArray[np.int64]:
        """Answer about cells of columns and of pairs of columns."""
        return self._crossed.answer(question)

    def _matrix(self, axes: Sequence[Axis]) -> NDArray[np.int32]:
        return np.column_stack([self._integers(axis) for axis in axes])

    def _integers(self, axis: Axis) -> NDArray[np.int32]:
        scale = axis_scale(axis)
        if scale not in self._cells:
            self._cells[scale] = cells_of(self.table, axis)
        return self._cells[scale]

    def _counted(self, question: ask.RankBlockSums) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        integers = question.grid.integers(self.table.values(question.name))
        return integers, np.bincount(integers, minlength=question.grid.steps + 1)

    def _ordered(self, order: PublicOrder) -> NDArray[np.int64]:
        if id(order) not in self._labels:
            # The order is kept with them: another one could have its number when it is gone.
            self._labels[id(order)] = order, cluster_labels(self.table, order)
        return self._labels[id(order)][1]


ANSWERS: dict[type, Callable[[TableRecords, Any], NDArray[np.int64]]] = {
    ask.Size: TableRecords.size,
    ask.ValueCounts: TableRecords.value_counts,
    ask.CellCounts: TableRecords.crossed,
    WeightedCounts: TableRecords.crossed,
    ask.PairScores: TableRecords.crossed,
    ask.RankProducts: TableRecords.crossed,
    ask.BoxSums: TableRecords.box_sums,
    ask.RankBlockSums: TableRecords.rank_block_sums,
    ask.ClusterSums: TableRecords.cluster_sums,
    ask.ClusterConcepts: TableRecords.cluster_concepts,
}

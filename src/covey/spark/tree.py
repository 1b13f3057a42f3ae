"""Publish a private tree on Spark: counts of boxes that public cuts could make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.release.release import released_rows
from covey.spark.counts import count_types, in_chunks, summed
from covey.spark.frame import CODE, COUNT, SparkOutcome, added_up, counts_of, mapped, zeros
from covey.stream.base import refuse_empty
from covey.stream.cuts import Cuts, grow_counted, look_ahead
from covey.stream.tree import CountedValues, share_of
from covey.systems.private_tree import (
    asked_tree,
    published_tree,
    refuse_too_little,
    tree_guarantee,
)
from covey.systems.tree_output import as_columns
from covey.systems.tree_records import UNIT

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.partition.tree import Boxes, Decide, Side
    from covey.perturb import NoiseSource
    from covey.privacy import Guarantee
    from covey.spark.frame import SparkTable
    from covey.systems import Progress
    from covey.systems.axes import Axis
    from covey.systems.private_tree import PublishedTree
    from covey.table import Table

AXIS = "(axis)"
PIECE = 50_000
"""About how many rows a worker places at a time."""


def private_tree(
    table: SparkTable, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> SparkOutcome:
    """Write the integers of all records down, count values, boxes level by level, and sums."""
    head = table.head
    asked = asked_tree(head, parameters)
    if progress is not None:
        progress("private-tree: counting values", 0, 3)
    types = zeros(**{_axis(j): pl.Int32 for j in range(len(asked.axes))})
    cells = table.staging.kept(table.mapped(partial(_cells, axes=asked.axes), types))
    values = [axis.side.edges.size - 1 for axis in asked.axes]
    histograms = summed(mapped(cells, partial(_value_counts, values=values), count_types()), values)
    n = int(histograms[0].sum())
    refuse_empty(n)
    refuse_too_little(asked, n)
    records = SparkRecords(cells=cells, n=n, histograms=histograms)
    tree = published_tree(records, asked, source, progress)
    seed = int(source.placement().integers(2**62))
    pieces = max(1, -(-int(tree.clusters.counts.sum()) // PIECE))
    spread = parameters["output"] == "spread"

    def rows(guarantee: Guarantee) -> DataFrame:
        worker = partial(
            _rows,
            head=head,
            tree=tree,
            seed=seed,
            pieces=pieces,
            spread=spread,
            guarantee=guarantee,
        )
        return table.generated(pieces, worker, _types(head, tree, guarantee), least=1)

    return SparkOutcome(
        rows=rows, guarantee=tree_guarantee(head, asked), extras=lambda _: tree.extras
    )


@dataclass(slots=True, kw_only=True)
class SparkRecords:
    """Records of a DataFrame as integers that were written down: every question costs a pass."""

    cells: DataFrame = field(repr=False)
    n: int
    histograms: Sequence[NDArray[np.int64]] = field(repr=False)
    tree: Cuts | None = field(default=None, repr=False)

    def counts(self, j: int, values: int) -> NDArray[np.int64]:
        """Return how many records have each value of an axis, as counted before."""
        del values
        return self.histograms[j]

    def column(self, j: int) -> CountedValues:
        """Return the values of one axis, which are counted already."""
        return CountedValues(self.histograms[j])

    def boxes(self, sides: Sequence[Side], decide: Decide) -> Boxes:
        """Cut the domain with one pass for many levels."""
        found, self.tree = grow_counted(sides, decide, self._count)
        return found

    def _count(self, tree: Cuts, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        if (tree.counts[nodes] < 0).any():
            levels = look_ahead(tree, nodes)
            worker = partial(_node_counts, cuts=(tree.side, tree.cut, tree.children))
            found = added_up(mapped(self.cells, worker, zeros(**{CODE: pl.Int64, COUNT: pl.Int64})))
            tree.counts[:] = counts_of(found, tree.size)
            for level in reversed(levels):
                lower = tree.children[level]
                tree.counts[level] = tree.counts[lower] + tree.counts[lower + 1]
        return tree.counts[nodes]

    def sums(
        self,
        boxes: Boxes,
        axes: Sequence[Axis],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> NDArray[np.int64]:
        """Add the positions of all records up; they are whole numbers."""
        assert self.tree is not None  # noqa: S101 — boxes come before their sums
        number = np.full(self.tree.size, -1, dtype=np.int64)
        number[boxes.order] = np.arange(boxes.order.size)
        worker = partial(
            _box_sums,
            cuts=(self.tree.side, self.tree.cut, self.tree.children),
            number=number,
            axes=axes,
            ends=(low, high),
        )
        types = zeros(**{AXIS: pl.Int64, CODE: pl.Int64, COUNT: pl.Int64})
        found = added_up(mapped(self.cells, worker, types))
        sums = np.zeros(low.shape, dtype=np.int64)
        sums[found[CODE].to_numpy(), found[AXIS].to_numpy()] = found[COUNT].to_numpy()
        return sums


def _cells(tables: Iterator[Table], *, axes: Sequence[Axis]) -> Iterator[pl.DataFrame]:
    for table in tables:
        yield pl.DataFrame({_axis(j): axis.cells(table) for j, axis in enumerate(axes)})


def _value_counts(
    frames: Iterator[pl.DataFrame], *, values: Sequence[int]
) -> Iterator[pl.DataFrame]:
    totals = [np.zeros(size, dtype=np.int64) for size in values]
    for frame in frames:
        for j, column in enumerate(frame):
            totals[j] += np.bincount(column.to_numpy(), minlength=values[j])
    yield from in_chunks(totals)


Nodes = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]"]
"""The side, the cut and the children of each node of a tree of cuts."""


def _node_counts(frames: Iterator[pl.DataFrame], *, cuts: Nodes) -> Iterator[pl.DataFrame]:
    from covey.kernels.descend import ends_of

    total = np.zeros(cuts[0].size, dtype=np.int64)
    for frame in frames:
        total += np.bincount(ends_of(_matrix(frame), *cuts), minlength=total.size)
    codes = np.flatnonzero(total)
    yield pl.DataFrame({CODE: codes, COUNT: total[codes]})


def _box_sums(
    frames: Iterator[pl.DataFrame],
    *,
    cuts: Nodes,
    number: NDArray[np.int64],
    axes: Sequence[Axis],
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> Iterator[pl.DataFrame]:
    from covey.kernels.boxes import box_sums
    from covey.kernels.descend import ends_of

    (side, cut, children), (low, high) = cuts, ends
    sums = np.zeros(low.shape, dtype=np.int64)
    for frame in frames:
        cells = _matrix(frame)
        box = number[ends_of(cells, side, cut, children)]
        order = np.argsort(box, kind="stable")
        borders = np.searchsorted(box[order], np.arange(len(low) + 1))
        places = np.column_stack([axis.places(cells[:, j]) for j, axis in enumerate(axes)])
        sums += box_sums(places, order, borders[:-1], borders[1:], low, high, UNIT)
    boxes, sides = np.nonzero(sums)
    yield pl.DataFrame({AXIS: sides, CODE: boxes, COUNT: sums[boxes, sides]})


def _rows(
    frames: Iterator[pl.DataFrame],
    *,
    head: Table,
    tree: PublishedTree,
    seed: int,
    pieces: int,
    spread: bool,
    guarantee: Guarantee,
) -> Iterator[pl.DataFrame]:
    """Place an even share of each cluster at a time; the same piece falls the same every time."""
    for piece in (int(number) for frame in frames for number in frame["id"]):
        some = share_of(tree.clusters, piece, pieces)
        if some.counts.sum():
            rng = np.random.default_rng([seed, piece])
            columns = as_columns(tree.axes, tree.boxes, some, tree.origin, spread=spread, rng=rng)
            yield released_rows(head, columns, guarantee)


def _types(head: Table, tree: PublishedTree, guarantee: Guarantee) -> pl.DataFrame:
    """Return the types of the rows, by placing the first few."""
    few = share_of(tree.clusters, 0, int(tree.clusters.counts.sum()))
    rng = np.random.default_rng(0)
    columns = as_columns(tree.axes, tree.boxes, few, tree.origin, spread=False, rng=rng)
    return released_rows(head, columns, guarantee).clear()


def _matrix(frame: pl.DataFrame) -> NDArray[np.int32]:
    return np.ascontiguousarray(np.column_stack([column.to_numpy() for column in frame]))


def _axis(j: int) -> str:
    return f"({j})"

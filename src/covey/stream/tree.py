"""Publish a private tree from a stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.stream.base import StreamedOutcome, refuse_empty, told
from covey.stream.cuts import Cuts, grow_counted, look_ahead
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

    from covey.partition.tree import Boxes, Decide, Side
    from covey.perturb import NoiseSource
    from covey.release.leaves import Clusters
    from covey.release.streamed import Piece
    from covey.stream.scan import Stream
    from covey.systems import Progress
    from covey.systems.axes import Axis
    from covey.systems.private_tree import PublishedTree
    from covey.table import Table


def private_tree(
    stream: Stream, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> StreamedOutcome:
    """Count values in one pass, boxes in a few, and sums in a last one."""
    asked = asked_tree(stream.head, parameters)
    values = [axis.side.edges.size - 1 for axis in asked.axes]
    stream.memory.require(40 * sum(values), "counting these columns")
    counts = [np.zeros(size, dtype=np.int64) for size in values]
    n = 0
    for table in told(stream.pieces(), progress, "private-tree: counting values"):
        n += table.n
        for axis, total in zip(asked.axes, counts, strict=True):
            found = np.bincount(axis.cells(table))
            total[: found.size] += found
    refuse_empty(n)
    refuse_too_little(asked, n)
    records = StreamedRecords(
        stream=stream, axes=asked.axes, n=n, histograms=counts, progress=progress
    )
    tree = published_tree(records, asked, source, progress)
    spread = parameters["output"] == "spread"
    return StreamedOutcome(
        pieces=_rows(stream, tree, source.placement(), spread=spread),
        guarantee=tree_guarantee(stream.head, asked),
        extras=lambda: tree.extras,
    )


@dataclass(slots=True, kw_only=True)
class StreamedRecords:
    """Records in a stream: every question costs a pass, but for those about one column."""

    stream: Stream
    axes: Sequence[Axis]
    n: int
    histograms: Sequence[NDArray[np.int64]] = field(repr=False)
    progress: Progress | None = None
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
            tree.counts[:] = 0
            for ends, _ in self._ends(tree):
                tree.counts += np.bincount(ends, minlength=tree.size)
            for level in reversed(levels):
                lower = tree.children[level]
                tree.counts[level] = tree.counts[lower] + tree.counts[lower + 1]
        return tree.counts[nodes]

    def _ends(self, tree: Cuts) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
        from covey.kernels.descend import ends_of

        names = [axis.name for axis in self.axes]
        pieces = self.stream.pieces(names)
        for table in told(pieces, self.progress, "private-tree: counting boxes", self.n):
            cells = _cells(self.axes, table)
            yield ends_of(cells, tree.side, tree.cut, tree.children), cells

    def sums(
        self,
        boxes: Boxes,
        axes: Sequence[Axis],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> NDArray[np.int64]:
        """Add the positions of all records up, piece by piece; they are whole numbers."""
        from covey.kernels.boxes import box_sums

        assert self.tree is not None  # noqa: S101 — boxes come before their sums
        number = np.full(self.tree.size, -1, dtype=np.int64)
        number[boxes.order] = np.arange(boxes.order.size)
        sums = np.zeros(low.shape, dtype=np.int64)
        for ends, cells in self._ends(self.tree):
            box = number[ends]
            order = np.argsort(box, kind="stable")
            borders = np.searchsorted(box[order], np.arange(boxes.order.size + 1))
            places = np.column_stack([axis.places(cells[:, j]) for j, axis in enumerate(axes)])
            sums += box_sums(places, order, borders[:-1], borders[1:], low, high, UNIT)
        return sums


@dataclass(frozen=True, slots=True)
class CountedValues:
    """One column, known by how often each integer of its axis occurs."""

    histogram: NDArray[np.int64] = field(repr=False)

    @property
    def n(self) -> int:
        """Return how many records there are."""
        return int(self.histogram.sum())

    def counts(self, j: int, values: int) -> NDArray[np.int64]:
        """Return the counts."""
        del j, values
        return self.histogram

    def column(self, j: int) -> CountedValues:
        """Return the column itself."""
        del j
        return self

    def boxes(self, sides: Sequence[Side], decide: Decide) -> Boxes:
        """Cut the axis; counts of intervals are differences of cumulated ones."""
        below = np.concatenate(([0], np.cumsum(self.histogram)))

        def count(tree: Cuts, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
            found = below[tree.high[nodes, 0] + 1] - below[tree.low[nodes, 0]]
            tree.counts[nodes] = found
            return np.asarray(found)

        return grow_counted(sides, decide, count)[0]

    def sums(
        self,
        boxes: Boxes,
        axes: Sequence[Axis],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> NDArray[np.int64]:
        """Add positions up, each value as often as it occurs."""
        values = np.arange(self.histogram.size, dtype=np.int32)
        first = np.argsort(boxes.low[:, 0])
        box = first[np.searchsorted(boxes.low[first, 0], values, side="right") - 1]
        width = high[box, 0] - low[box, 0]
        wide = width > 0.0
        middle = 2.0 * axes[0].places(values) - low[box, 0] - high[box, 0]
        offsets = np.clip(middle / np.where(wide, width, 1.0), -1.0, 1.0)
        steps = np.where(wide, np.rint(UNIT * offsets), 0.0).astype(np.int64)
        sums = np.zeros(low.shape, dtype=np.int64)
        np.add.at(sums[:, 0], box, steps * self.histogram)
        return sums


def _cells(axes: Sequence[Axis], table: Table) -> NDArray[np.int32]:
    return np.column_stack([axis.cells(table) for axis in axes])


def _rows(
    stream: Stream, tree: PublishedTree, rng: np.random.Generator, *, spread: bool
) -> Iterator[Piece]:
    """Place the records of the clusters, an even share of each cluster at a time.

    So every piece has the published distribution of each column, where that is imposed.
    """
    clusters = tree.clusters
    rows = stream.memory.rows(8 * len(tree.axes))
    pieces = max(1, -(-int(clusters.counts.sum()) // rows))
    for piece in range(pieces):
        some = share_of(clusters, piece, pieces)
        if some.counts.sum():
            yield (
                stream.head,
                as_columns(tree.axes, tree.boxes, some, tree.origin, spread=spread, rng=rng),
            )


def share_of(clusters: Clusters, piece: int, pieces: int) -> Clusters:
    """Return every so-many-th row of the clusters, beginning with a row of the first ones."""
    ends = np.cumsum(clusters.counts)
    before = (ends - clusters.counts + pieces - 1 - piece) // pieces
    return replace(clusters, counts=(ends + pieces - 1 - piece) // pieces - before)

"""Publish a private tree from a stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.stream.base import StreamedOutcome, refuse_empty, told
from covey.stream.counted import CountedRecords
from covey.stream.pieces import value_counts
from covey.systems.private_tree import (
    asked_tree,
    published_tree,
    refuse_too_little,
    tree_guarantee,
)
from covey.systems.tree_output import as_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource
    from covey.release.leaves import Clusters
    from covey.release.streamed import Piece
    from covey.stream.counted import Ask, Question
    from covey.stream.scan import Stream
    from covey.systems import Progress
    from covey.systems.axes import Axis
    from covey.systems.private_tree import PublishedTree


def private_tree(
    stream: Stream, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> StreamedOutcome:
    """Count values in one pass, boxes in a few, and sums in a last one."""
    asked = asked_tree(stream.head, parameters)
    axes = asked.axes
    values = [axis.side.edges.size - 1 for axis in axes]
    stream.memory.require(40 * sum(values), "counting these columns")
    tables = told(stream.pieces(), progress, "private-tree: counting values")
    histograms = value_counts(([axis.cells(table) for axis in axes] for table in tables), values)
    n = int(histograms[0].sum())
    refuse_empty(n)
    refuse_too_little(asked, n)
    records = CountedRecords(
        n=n, histograms=histograms, ask=_passes(stream, axes, n=n, progress=progress)
    )
    tree = published_tree(records, asked, source, progress)
    spread = parameters["output"] == "spread"
    return StreamedOutcome(
        pieces=_rows(stream, tree, source.placement(), spread=spread),
        guarantee=tree_guarantee(stream.head, asked),
        extras=lambda: tree.extras,
    )


def _passes(stream: Stream, axes: Sequence[Axis], *, n: int, progress: Progress | None) -> Ask:
    """Return how all records are asked: piece by piece, with a pass for each question."""
    names = [axis.name for axis in axes]

    def ask(question: Question, shape: tuple[int, ...]) -> NDArray[np.int64]:
        total = np.zeros(shape, dtype=np.int64)
        for table in told(stream.pieces(names), progress, "private-tree: counting boxes", n):
            total += question(np.column_stack([axis.cells(table) for axis in axes]))
        return total

    return ask


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

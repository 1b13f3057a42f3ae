"""Publish a private tree on Spark: counts of boxes that public cuts could make."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.release.release import released_rows
from covey.spark.counts import count_types, in_chunks, summed
from covey.spark.deviations import brought_together, compared, deviation_types, in_a_row
from covey.spark.frame import CODE, COUNT, SparkOutcome, added_up, counts_of, mapped, zeros
from covey.stream.base import refuse_empty
from covey.stream.counted import CountedRecords
from covey.stream.pieces import value_counts
from covey.stream.tree import share_of
from covey.systems.private_tree import (
    asked_tree,
    published_tree,
    refuse_too_little,
    tree_guarantee,
)
from covey.systems.tree_output import as_columns, centroids, nearest_centres

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.evaluate.deviations import Deviations
    from covey.perturb import NoiseSource
    from covey.privacy import Guarantee
    from covey.spark.frame import SparkTable
    from covey.stream.counted import Nodes, Question
    from covey.systems import Progress
    from covey.systems.axes import Axis
    from covey.systems.private_tree import PublishedTree
    from covey.table import Table

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
    records = CountedRecords(n=n, histograms=histograms, ask=partial(_asked, cells))
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

    def deviations(names: Sequence[str]) -> Deviations:
        cuts = records.tree
        assert cuts is not None  # noqa: S101 — a published tree has been cut
        clusters = np.full(cuts.size, -1, dtype=np.int64)
        clusters[tree.boxes.order[tree.clusters.kept]] = np.arange(tree.clusters.kept.size)
        worker = partial(
            _deviations,
            head=head,
            names=names,
            tree=tree,
            cuts=(cuts.side, cuts.cut, cuts.children),
            clusters=clusters,
            spread=np.array([_spread(counts) for counts in histograms]),
        )
        return brought_together(table.mapped(worker, deviation_types()), len(names))

    return SparkOutcome(
        rows=rows,
        guarantee=tree_guarantee(head, asked),
        extras=lambda _: tree.extras,
        deviations=deviations,
    )


def _cells(tables: Iterator[Table], *, axes: Sequence[Axis]) -> Iterator[pl.DataFrame]:
    for table in tables:
        yield pl.DataFrame({_axis(j): axis.cells(table) for j, axis in enumerate(axes)})


def _value_counts(
    frames: Iterator[pl.DataFrame], *, values: Sequence[int]
) -> Iterator[pl.DataFrame]:
    columns = ([column.to_numpy() for column in frame] for frame in frames)
    yield from in_chunks(value_counts(columns, values))


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


def _deviations(
    tables: Iterator[Table],
    *,
    head: Table,
    names: Sequence[str],
    tree: PublishedTree,
    cuts: Nodes,
    clusters: NDArray[np.int64],
    spread: NDArray[np.float64],
) -> Iterator[pl.DataFrame]:
    """Compare records with the centroids of their clusters, or the nearest if it was dropped."""
    from covey.kernels.descend import ends_of

    means = dict(
        zip((a.name for a in tree.axes), centroids(tree.axes, tree.clusters).T, strict=True)
    )

    def compare(table: Table) -> Deviations:
        cells = np.column_stack([axis.cells(table) for axis in tree.axes])
        found = clusters[ends_of(cells, *cuts)]
        lost = np.flatnonzero(found < 0)
        if lost.size:
            found[lost] = nearest_centres(tree.boxes, tree.clusters, cells[lost], spread)
        return compared(head, names, [(table.values(n), means[n][found]) for n in names])

    yield from in_a_row(map(compare, tables), len(names))


def _spread(counts: NDArray[np.int64]) -> float:
    """Return the standard deviation of integers 0, 1, … with these counts."""
    values = np.arange(counts.size)
    mean = np.average(values, weights=counts)
    return math.sqrt(float(np.average((values - mean) ** 2, weights=counts)))


def _axis(j: int) -> str:
    return f"({j})"

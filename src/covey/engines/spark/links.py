"""What did the records of each cluster become?  For the curator alone.

A link says it for clusters, and the records know which cluster each of them is in.  What leaves
the workers are sums over all records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from covey.aggregate.deviations import Deviations
from covey.aggregate.ranked_means import RankedMeans
from covey.core.questions import RankBlockSums
from covey.engines.spark.deviations import (
    RecordLinks,
    as_released,
    brought_together,
    compared,
    deviation_types,
    exact_of,
    exact_values,
    in_a_row,
    known_beside,
    of_records,
)
from covey.engines.spark.order import Places, sorted_records
from covey.engines.spark.records import all_cells
from covey.partition.insensitive import PublicOrder
from covey.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.engines.shared.counted import CountedBoxes
    from covey.engines.spark.records import SparkRecords
    from covey.partition.axis import Axis
    from covey.postprocess.rows import Link
    from covey.table.grid import Grid

    Floats = NDArray[np.float64]


def of_links(records: SparkRecords, links: Sequence[Link]) -> RecordLinks | None:
    """Return how records are compared with what their clusters became, if links say that."""
    if not links:
        return None
    # A record that does not take part became what the one in its place became.
    records = records.left or records

    def deviations(names: Sequence[str]) -> Deviations:
        found: dict[str, Deviations] = {}
        for link in links:
            own = [name for name in names if name in link.columns]
            if own:
                compare = _COMPARED.get(type(link.clusters), _in_boxes)
                found |= _by_column(own, compare(records, link, own))
        return Deviations.beside(found[name] for name in names)

    return RecordLinks(deviations)


def of_draws(records: SparkRecords) -> RecordLinks | None:
    """Return how records are compared with what was drawn for them, if anything was."""
    beside, head = records.beside, records.table.head
    if beside is None:
        return None
    return RecordLinks(partial(of_records, beside, partial(_drawn, head=head), head))


def _drawn(frame: pl.DataFrame, name: str, *, head: Table) -> tuple[Floats, Floats]:
    return frame[exact_of(name)].to_numpy(), replace(head, frame=frame).values(name)


def _in_rank_blocks(records: SparkRecords, link: Link, names: Sequence[str]) -> Deviations:
    """Compare values with the means of their blocks; ties share theirs in proportion."""
    question: RankBlockSums = link.clusters
    table, name, grid = records.table, question.name, question.grid
    means = as_released(table.head, name, link.columns[name])
    ranked = RankedMeans.of(records.grid_counts(name, grid), question.sizes, means)
    worker = partial(_of_ranks, name=name, grid=grid, ranked=ranked)
    return _asked(records, worker, names, [name])


def _in_boxes(records: SparkRecords, link: Link, names: Sequence[str]) -> Deviations:
    """Compare records with what the boxes became that public cuts lead them to."""
    cut, head = records.cuts[link.clusters], records.table.head
    became = {name: link.columns[name] for name in names}
    worker = partial(_of_boxes, axes=cut.axes, boxes=cut.found, became=became, head=head)
    return _asked(records, worker, names, [axis.name for axis in cut.axes])


def _in_order(records: SparkRecords, link: Link, names: Sequence[str]) -> Deviations:
    """Sort once more, with the values: a release that is not evaluated does without them."""
    ordered = sorted_records(records.table, link.clusters, names)
    became = {name: link.columns[name] for name in names}
    pair = partial(_of_clusters, places=ordered.places, became=became)
    return of_records(ordered.frame, pair, records.table.head, names)


_COMPARED: dict[type, Callable[[SparkRecords, Link, Sequence[str]], Deviations]] = {
    RankBlockSums: _in_rank_blocks,
    PublicOrder: _in_order,
}
"""By what a link calls its clusters; boxes are called by their number."""


def _asked(
    records: SparkRecords,
    worker: Callable[[Iterator[Table]], Iterator[pl.DataFrame]],
    names: Sequence[str],
    needed: Sequence[str],
) -> Deviations:
    beside = known_beside(records.table, names)
    found = records.table.mapped(worker, deviation_types(), names=needed, beside=beside)
    return brought_together(found, len(names))


def _by_column(names: Sequence[str], found: Deviations) -> dict[str, Deviations]:
    return {
        name: replace(found, squared=found.squared[[j]], absolute=found.absolute[[j]])
        for j, name in enumerate(names)
    }


def _of_ranks(
    tables: Iterator[Table], *, name: str, grid: Grid, ranked: RankedMeans
) -> Iterator[pl.DataFrame]:
    parts = (
        ranked.deviations(exact_values(table, name), grid.integers(table.values(name)))
        for table in tables
    )
    yield from in_a_row(parts, 1)


def _of_boxes(
    tables: Iterator[Table],
    *,
    axes: Sequence[Axis],
    boxes: CountedBoxes,
    became: Mapping[str, Floats],
    head: Table,
) -> Iterator[pl.DataFrame]:
    from covey.kernels.boxes.descend import ends_of

    numbers = boxes.numbers

    def compare(table: Table) -> Deviations:
        box = numbers[ends_of(all_cells(table, axes), *boxes.nodes)]
        pairs = [(exact_values(table, name), values[box]) for name, values in became.items()]
        return compared(head, list(became), pairs)

    yield from in_a_row(map(compare, tables), len(became))


def _of_clusters(
    frame: pl.DataFrame, name: str, *, places: Places, became: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Return the values of records, and the centroids of their clusters."""
    return frame[exact_of(name)].to_numpy(), became[name][places.labels(frame)]

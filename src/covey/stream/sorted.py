"""Publish clusters of sorted records from a stream: individual ranking, and a single order.

Records are sorted on disk by the same keys, ties included, as in memory, so they fall into the
same clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.aggregate import cluster_means
from covey.partition import check_k, rank_block_sizes
from covey.partition.embed import constant_attribute
from covey.partition.insensitive import insensitive_sizes
from covey.privacy import Budget
from covey.release import Column, ConceptColumn, NoisyColumn
from covey.release.release import released_rows
from covey.stream.base import StreamedOutcome, refuse_empty, refuse_other_orders, told
from covey.stream.pieces import (
    KEY,
    ROW,
    in_public_order,
    mean_of,
    ranked_values,
    released_order,
    value_of,
    with_means,
)
from covey.systems.insensitive import (
    cluster_size,
    insensitive_guarantee,
    noisy_centroids,
    parts_of,
)
from covey.systems.intervals import mean_table
from covey.systems.kanonymity import k_anonymity_guarantee, sortable_quasi_identifiers
from covey.table.spool import Spool

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource
    from covey.privacy import Guarantee
    from covey.release.streamed import Piece
    from covey.stream.scan import Stream
    from covey.systems import Progress
    from covey.systems.insensitive import Parts


def individual_ranking(
    stream: Stream, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> StreamedOutcome:
    """Sort the records by one quasi-identifier after the other, and replace blocks by means."""
    del source
    quasi = [a.name for a in sortable_quasi_identifiers(stream.head, "individual-ranking")]
    guarantee = k_anonymity_guarantee(
        stream.head, tuple(quasi), k=parameters["k"], joint=len(quasi) == 1
    )
    spool, n = _ranked(stream, quasi, guarantee.untouched, progress)
    sizes = rank_block_sizes(n, check_k(parameters["k"], n))
    stream.memory.require(
        int(sizes.max()) * 24 * len(stream.schema.names) + 16 * sizes.size, "blocks of this size"
    )
    for done, name in enumerate(quasi):
        if progress is not None:
            progress("individual-ranking: sorting columns", done, len(quasi))
        means = Spool(stream.memory.spool)
        # Records that tie in this column fall by their others, then by their row.
        keys = [value_of(name), *map(value_of, quasi), ROW]
        for frame, labels in _whole_blocks(spool.sorted_by(keys), sizes):
            values = frame[value_of(name)].to_numpy()
            found = cluster_means(values, labels, np.bincount(labels))
            means.write(frame.with_columns(pl.Series(mean_of(name), found[labels])))
        spool = means
    return StreamedOutcome(
        pieces=(
            with_means(stream.head, frame, quasi, guarantee.untouched) for frame in spool.frames()
        ),
        guarantee=guarantee,
    )


def insensitive(
    stream: Stream, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> StreamedOutcome:
    """Sort the records by their distance from one corner; clusters are runs of k of them."""
    refuse_other_orders(parameters, "stream")
    head = stream.head
    parts = parts_of(head, parameters)
    whole = Budget.of(parameters["epsilon"])
    spool, n = _distances(stream, parts, progress)
    k = cluster_size(parameters["k"], n, len(parts.attributes), whole)
    sizes = insensitive_sizes(n, k)
    width = len(parts.grids) + 4 * sum(len(t.concepts) for t in parts.taxonomies.values())
    stream.memory.require(48 * sizes.size * width, "so many clusters")
    sums = {name: np.zeros(sizes.size, dtype=np.int64) for name in parts.grids}
    counts = {
        name: np.zeros((sizes.size, len(taxonomy.concepts)), dtype=np.int64)
        for name, taxonomy in parts.taxonomies.items()
    }
    start = 0
    for frame in spool.sorted_by([KEY, *map(value_of, (*parts.grids, *parts.taxonomies))]):
        labels = np.minimum(np.arange(start, start + frame.height) // k, sizes.size - 1)
        for name, total in sums.items():
            np.add.at(total, labels, frame[value_of(name)].to_numpy())
        for name, table in counts.items():
            np.add.at(table, (labels, frame[value_of(name)].to_numpy()), 1)
        start += frame.height
    centroids = noisy_centroids(head, parts, sizes, sums, counts, budget=whole, source=source)
    guarantee = insensitive_guarantee(head, parts, whole, k=k, order="single")
    return StreamedOutcome(
        pieces=_repeated(stream, centroids, sizes, guarantee),
        guarantee=guarantee,
        in_order=True,
        resolved={"k": k},
        extras=lambda: {"accuracy": mean_table(parts.attributes, centroids, n)},
    )


def _ranked(
    stream: Stream, quasi: list[str], untouched: tuple[str, ...], progress: Progress | None
) -> tuple[Spool, int]:
    """Write down what the clusters and the release need of each record, and its row."""
    spool, n = Spool(stream.memory.spool), 0
    ends = dict.fromkeys(quasi, (np.inf, -np.inf))
    for table in told(stream.pieces(), progress, "individual-ranking: reading"):
        kept = ranked_values(table, quasi, untouched)
        for name, (low, high) in ends.items():
            column = kept[value_of(name)].to_numpy()
            ends[name] = min(low, column.min(initial=low)), max(high, column.max(initial=high))
        spool.write(kept.with_columns(pl.Series(ROW, np.arange(n, n + table.n))))
        n += table.n
    refuse_empty(n)
    for name, (low, high) in ends.items():
        if low == high:
            raise constant_attribute(name)
    return spool, n


def _distances(stream: Stream, parts: Parts, progress: Progress | None) -> tuple[Spool, int]:
    """Write down the place of each record in the public order, and its integers and codes."""
    spool, n = Spool(stream.memory.spool), 0
    for table in told(stream.pieces(), progress, "insensitive: reading"):
        spool.write(in_public_order(table, parts))
        n += table.n
    refuse_empty(n)
    return spool, n


def _whole_blocks(
    frames: Iterable[pl.DataFrame], sizes: NDArray[np.int64]
) -> Iterator[tuple[pl.DataFrame, NDArray[np.int64]]]:
    """Cut sorted rows where blocks end, and number the blocks of each cut from 0."""
    ends = np.cumsum(sizes)
    start = done = 0
    kept: list[pl.DataFrame] = []
    for frame in frames:
        kept.append(frame)
        rows = sum(part.height for part in kept)
        last = int(np.searchsorted(ends, start + rows, side="right"))
        if last == done:
            continue
        whole = pl.concat(kept)
        length = int(ends[last - 1]) - start
        blocks = np.repeat(np.arange(last - done), sizes[done:last])
        yield whole[:length], blocks
        kept = [whole[length:]]
        start, done = start + length, last


def _repeated(
    stream: Stream,
    centroids: Mapping[str, Any],
    sizes: NDArray[np.int64],
    guarantee: Guarantee,
) -> Iterator[Piece]:
    """Yield each centroid once for each record of its cluster, sorted by released values."""
    order = released_order(released_rows(stream.head, centroids, guarantee))
    rows = stream.memory.rows(4 * len(centroids))
    ends = np.cumsum(sizes[order])
    for start in range(0, int(ends[-1]), rows):
        place = np.arange(start, min(start + rows, int(ends[-1])))
        clusters = order[np.searchsorted(ends, place, side="right")]
        yield stream.head, {name: _taken(column, clusters) for name, column in centroids.items()}


def _taken(column: Any, clusters: NDArray[np.int64]) -> Column:
    if isinstance(column, ConceptColumn):
        return replace(column, concepts=tuple(np.array(column.concepts)[clusters].tolist()))
    return NoisyColumn(values=column.values[clusters], origin=column.origin)

"""Which systems that see records can see them piece by piece?  Individual ranking.

Records are sorted on disk by the same keys, ties included, as in memory, so they fall into the
same clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.aggregate import cluster_means
from covey.engines.files.rows import SpooledRows, keep_rows
from covey.engines.shared.pieces import (
    ROW,
    mean_column,
    ranked_values,
    refuse_empty,
    value_of,
    with_means,
)
from covey.engines.shared.spool import Spool
from covey.partition import check_k, rank_block_sizes
from covey.partition.embed import constant_attribute
from covey.systems.anonymity.microaggregate import (
    k_anonymity_guarantee,
    sortable_quasi_identifiers,
)
from covey.systems.base import Outcome

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.engines.files.records import StreamRecords
    from covey.systems import Progress


def rank_individually(
    records: StreamRecords, settings: Any, progress: Progress | None
) -> tuple[Outcome, SpooledRows]:
    """Sort the records by one quasi-identifier after the other, and replace blocks by means."""
    stream, memory = records.stream, records.memory
    quasi = [a.name for a in sortable_quasi_identifiers(stream.head.schema, "individual-ranking")]
    guarantee = k_anonymity_guarantee(
        stream.head.schema, tuple(quasi), k=settings.k, joint=len(quasi) == 1
    )
    spool, n = _ranked(records, quasi, guarantee.untouched)
    sizes = rank_block_sizes(n, check_k(settings.k, n))
    width = len(stream.head.schema.names)
    memory.require(int(sizes.max()) * 24 * width + 16 * sizes.size, "blocks of this size")
    for done, name in enumerate(quasi):
        if progress is not None:
            progress("individual-ranking: sorting columns", done, len(quasi))
        means = Spool(memory.spool)
        # Records that tie in this column fall by their others, then by their row.
        keys = [value_of(name), *map(value_of, quasi), ROW]
        for frame, labels in _whole_blocks(spool.sorted_by(keys), sizes):
            values = frame[value_of(name)].to_numpy()
            found = cluster_means(values, labels, np.bincount(labels))
            means.write(frame.with_columns(pl.Series(mean_column(name), found[labels])))
        spool = means
    rows = (with_means(stream.head, frame, quasi, guarantee.untouched) for frame in spool.frames())
    return Outcome(columns={}, guarantee=guarantee), keep_rows(rows, memory, in_order=False)


STREAMED: dict[str, Callable[[Any, Any, Any], tuple[Outcome, SpooledRows]]] = {
    "individual-ranking": rank_individually,
}
"""How each system that sees records, and can see them piece by piece, is run on them."""


def _ranked(
    records: StreamRecords, quasi: Sequence[str], untouched: Sequence[str]
) -> tuple[Spool, int]:
    """Write down what the clusters and the release need of each record, and its row."""
    spool, n = Spool(records.memory.spool), 0
    ends = dict.fromkeys(quasi, (np.inf, -np.inf))
    for table in records.read("individual-ranking: reading"):
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

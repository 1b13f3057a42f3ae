"""What do clusters under public orders add up to, when the records are sorted on disk?

Under one order the clusters are runs of sorted records.  Under the orders of several corners they
take records in turns: the records are sorted once for each corner, and each sorted sequence is
walked once from its front, past the records that other clusters have taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.engines.shared.pieces import KEY, ROW, in_public_order, value_of
from covey.engines.shared.spool import Spool
from covey.partition.insensitive import distance_from_corner, hamming_sequence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.engines.files.limit import Memory
    from covey.partition.insensitive import PublicOrder
    from covey.table import Table

CLUSTER_BYTES = 48
"""Bytes that a number of a cluster costs until it is released."""

AT_ONCE = 1024
"""Records of a sorted sequence that are looked at together, at least."""


@dataclass(frozen=True, slots=True)
class ClusterTotals:
    """Sums of integers and counts of concepts, a row for each cluster."""

    sums: Mapping[str, NDArray[np.int64]] = field(repr=False)
    concepts: Mapping[str, NDArray[np.int64]] = field(repr=False)

    @classmethod
    def none(cls, order: PublicOrder) -> ClusterTotals:
        """Return the totals of no records."""
        clusters = order.sizes.size
        return cls(
            {name: np.zeros(clusters, dtype=np.int64) for name in order.grids},
            {
                name: np.zeros((clusters, len(taxonomy.concepts)), dtype=np.int64)
                for name, taxonomy in order.taxonomies.items()
            },
        )

    def add(self, values: NDArray[np.int64], labels: NDArray[np.int64]) -> None:
        """Add records, whose integers and codes are in the columns, to their clusters."""
        for total, column in zip(self.sums.values(), values.T, strict=False):
            np.add.at(total, labels, column)
        codes = values.T[len(self.sums) :]
        for counts, column in zip(self.concepts.values(), codes, strict=True):
            np.add.at(counts, (labels, column), 1)

    def leave_to_last(self) -> None:
        """Take what all other clusters have away from the last, which has all records."""
        for total in (*self.sums.values(), *self.concepts.values()):
            total[-1] -= total[:-1].sum(axis=0)


def add_up_clusters(tables: Iterable[Table], order: PublicOrder, memory: Memory) -> ClusterTotals:
    """Sort the records of all pieces as a public order says, and add up its clusters."""
    width = len(order.grids) + 4 * sum(len(t.concepts) for t in order.taxonomies.values())
    memory.require(CLUSTER_BYTES * order.sizes.size * width, "so many clusters")
    spool = Spool(memory.spool)
    for table in tables:
        spool.write(in_public_order(table, order))
    if order.kind == "corners":
        return _in_turns(spool, order, memory)
    totals, last, start = ClusterTotals.none(order), order.sizes.size - 1, 0
    for frame in spool.sorted_by([KEY, *_names(order)]):
        places = np.arange(start, start + frame.height)
        totals.add(_matrix(frame, order), np.minimum(places // order.k, last))
        start += frame.height
    return totals


def _in_turns(spool: Spool, order: PublicOrder, memory: Memory) -> ClusterTotals:
    """Let clusters take the first k records that are left under the order of their corner."""
    memory.require(order.n, "knowing which records are taken")
    totals, last = ClusterTotals.none(order), order.sizes.size - 1
    for frame in spool.frames():
        totals.add(_matrix(frame, order), np.full(frame.height, last))
    corners = hamming_sequence(len(_names(order)))[:last]
    # The parts that are held of all sorted sequences together fill a quarter of what may be held.
    share = 4 * memory.spool // max(1, len(corners))
    walks = [_Walk(_sorted_from(corner, spool, order, share), order) for corner in corners]
    taken = np.zeros(order.n, dtype=np.bool_)
    for cluster in range(last):
        found = walks[cluster % len(walks)].take(order.k, taken)
        totals.add(found, np.full(len(found), cluster))
    totals.leave_to_last()
    return totals


def _sorted_from(corner: NDArray[np.int64], spool: Spool, order: PublicOrder, share: int) -> Spool:
    """Sort all records by their distance from a corner; those that tie, by their content."""
    rows, found, start = Spool(spool.memory), Spool(share), 0
    for frame in spool.frames():
        key = pl.Series(KEY, _distances(_matrix(frame, order), corner, order))
        row = pl.Series(ROW, np.arange(start, start + frame.height))
        rows.write(frame.with_columns(key, row))
        start += frame.height
    for frame in rows.sorted_by([KEY, *_names(order)]):
        found.write(frame.drop(KEY))
    return found


def _distances(
    values: NDArray[np.int64], corner: NDArray[np.int64], order: PublicOrder
) -> NDArray[np.float64]:
    numbers = len(order.grids)
    return distance_from_corner(
        values[:, :numbers],
        np.zeros(numbers),
        np.array([float(grid.steps) for grid in order.grids.values()]),
        codes=values[:, numbers:],
        taxonomies=tuple(order.taxonomies.values()),
        corner=corner,
    )


class _Walk:
    """A sorted sequence of records, from the front on."""

    def __init__(self, spool: Spool, order: PublicOrder) -> None:
        self._order, self._frames = order, spool.frames()
        self._rows = np.empty(0, dtype=np.int64)
        self._values = np.empty((0, len(_names(order))), dtype=np.int64)

    def take(self, k: int, taken: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the first k records that are left, and mark them as taken."""
        found = []
        while k > 0:
            if not self._rows.size:
                frame = next(self._frames)
                self._rows, self._values = frame[ROW].to_numpy(), _matrix(frame, self._order)
            near = self._rows[: max(AT_ONCE, 2 * k)]
            free = np.flatnonzero(~taken[near])[:k]
            taken[near[free]] = True
            found.append(self._values[free])
            past = near.size if free.size < k else int(free[-1]) + 1
            self._rows, self._values = self._rows[past:], self._values[past:]
            k -= free.size
        return np.concatenate(found)


def _names(order: PublicOrder) -> list[str]:
    return [value_of(name) for name in (*order.grids, *order.taxonomies)]


def _matrix(frame: pl.DataFrame, order: PublicOrder) -> NDArray[np.int64]:
    """Return integers and codes of records, one row each."""
    return np.asarray(frame.select(_names(order)).to_numpy(), dtype=np.int64)

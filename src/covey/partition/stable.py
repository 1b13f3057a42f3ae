"""Which clusters of a neighbour differ little from those of the data?  Stable microaggregation.

Chapters 4 and 5 of paper 002 take a *pair* of data sets, cluster the first by MDAV, and derive
the clusters of the second by exchanging a few records, so that at most alpha clusters differ, by
one record each.  That is a property of the pair: a release of the second data set alone would
have started from its own MDAV and come to other clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from covey.errors import PartitionError, suggest
from covey.partition.base import check_k, partition_records
from covey.partition.multivariate import MDAV

if TYPE_CHECKING:
    from numpy.typing import NDArray

Search = Literal["sequential", "decisional"]
Record = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialOrder:
    """What earlier exchanges have settled about the order of records (section 5.5).

    Parameters
    ----------
    pairs : frozenset of pairs of records
        The first of a pair comes before the second.
    """

    pairs: frozenset[tuple[Record, Record]] = frozenset()

    def allows(self, lower: Record, upper: Record) -> bool:
        """Return whether ``lower`` may come before ``upper``: no chain says the opposite."""
        reached, todo = {upper}, [upper]
        while todo:
            at = todo.pop()
            later = {after for before, after in self.pairs if before == at} - reached
            reached |= later
            todo += later
        return lower not in reached

    def extended(self, lower: Record, upper: Record) -> PartialOrder:
        """Return the order in which ``lower`` comes before ``upper`` as well."""
        return PartialOrder(pairs=self.pairs | {(lower, upper)})


@dataclass(frozen=True, slots=True, kw_only=True)
class StablePair:
    """Clusters of two data sets that differ in one record; equal labels correspond.

    Parameters
    ----------
    here, there : arrays of int64
        The cluster of each row of the two data sets.
    order : PartialOrder
        The order that the exchanges respected and extended.
    """

    here: NDArray[np.int64]
    there: NDArray[np.int64]
    order: PartialOrder = field(default_factory=PartialOrder, repr=False)


def s_mdav(X: NDArray[np.float64], Y: NDArray[np.float64], *, k: int) -> StablePair:
    """Cluster a pair so that at most two clusters differ (paper 002, Algorithm 1).

    The changed record goes to another cluster if its own is not the nearest any more, and the
    member of that cluster comes in exchange whose departure loses the least information (IL1s,
    here the sum of absolute differences from the means).

    Parameters
    ----------
    X, Y : arrays of shape (n, d)
        Equal but for one row, in units that make attributes comparable.
    k : int
        The smallest cluster.
    """
    row = changed_row(X, Y)
    labels = partition_records(X, MDAV, k=check_k(k, X.shape[0])).labels
    if row is None:
        return StablePair(here=labels, there=labels)
    # As printed, representatives are those of CX, in which the old record still has its place.
    centroids = _centroids(X, labels)
    home = labels[row]
    reach = _distances(centroids, Y[row])
    if int(np.argmin(reach)) == home:
        return StablePair(here=labels, there=labels)
    reach = reach + _distances(centroids, centroids[home])
    reach[home] = np.inf
    target = int(np.argmin(reach))
    losses = []
    candidates = np.flatnonzero(labels == target)
    for candidate in candidates:
        swapped = _swapped(labels, row, int(candidate))
        losses.append(sum(_absolute_loss(Y[swapped == c]) for c in (home, target)))
    best = int(candidates[int(np.argmin(losses))])
    return StablePair(here=labels, there=_swapped(labels, row, best))


def alpha_stable(
    X: NDArray[np.float64],
    Y: NDArray[np.float64],
    *,
    k: int,
    alpha: int,
    search: Search = "sequential",
    order: PartialOrder | None = None,
) -> StablePair:
    """Cluster a pair so that at most alpha clusters differ (paper 002, Algorithms 2 and 3).

    Starting from the changed record, records are exchanged between clusters as long as that
    brings them nearer to the means; a cluster takes part in one exchange as a target, so each
    differs by one record at most.

    Parameters
    ----------
    X, Y : arrays of shape (n, d)
        Equal but for one row, in units that make attributes comparable.
    k : int
        The smallest cluster.
    alpha : int
        The most clusters that may differ, from 1 to n/k.
    search : "sequential" or "decisional"
        Look at all records (Algorithm 2), or find a cluster first and look there (Algorithm 3).
    order : PartialOrder, optional
        What earlier pairs have settled.  It starts empty, and then never forbids anything.

    Notes
    -----
    O(alpha² n) distances for the sequential search, O(alpha² n/k + alpha k) for the decisional.
    """
    find = SEARCHES.get(search)
    if find is None:
        raise PartitionError(f"there is no search {search!r}. {suggest(search, SEARCHES)}")
    n = X.shape[0]
    check_alpha(alpha, n, check_k(k, n))
    row = changed_row(X, Y)
    labels = partition_records(X, MDAV, k=k).labels
    order = order or PartialOrder()
    there = labels.copy()
    if row is None:
        return StablePair(here=labels, there=there, order=order)
    free = np.ones(int(labels.max()) + 1, dtype=np.bool_)
    free[there[row]] = False
    active = [row]
    for _ in range(1, alpha):
        found = find(Y, there, free, active)
        if found is None:
            break
        source, target = found
        lower, upper = _record(Y[source]), _record(Y[target])
        # As printed (lines 15 and 21): an exchange that the order forbids is not made and counts.
        # Which records an exchange relates is said in three ways; this is line 19, UpdateOrder.
        if order.allows(lower, upper):
            free[there[target]] = False
            there = _swapped(there, source, target)
            active.append(target)
            order = order.extended(lower, upper)
    return StablePair(here=labels, there=there, order=order)


def check_alpha(alpha: int, n: int, k: int) -> None:
    """Refuse an alpha that no number of clusters can have."""
    if not 1 <= alpha <= n // k:
        raise PartitionError(
            f"alpha = {alpha} is out of range: it is a number of clusters, and there are "
            f"{n // k} of them. Give a whole number from 1 to {n // k}, which is n/k."
        )


def changed_row(X: NDArray[np.float64], Y: NDArray[np.float64]) -> int | None:
    """Return the row in which two data sets differ, None if they are equal, or refuse."""
    if X.shape != Y.shape:
        raise PartitionError(
            "the two data sets do not have the same number of records and attributes, so they are "
            "no neighbours. Give a neighbour in which one record is replaced."
        )
    rows = np.flatnonzero((X != Y).any(axis=1))
    if rows.size > 1:
        raise PartitionError(
            "the two data sets differ in more than one record, so they are no neighbours. Give a "
            "neighbour in which one record is replaced."
        )
    return int(rows[0]) if rows.size else None


def _nearest_records(
    Y: NDArray[np.float64], labels: NDArray[np.int64], free: NDArray[np.bool_], active: list[int]
) -> tuple[int, int] | None:
    """Search all records of free clusters for the exchange that gains the most (Eq. 5.2)."""
    centroids = _centroids(Y, labels)
    rows = np.flatnonzero(free[labels])
    gains = np.array([_gains(Y, labels, centroids, source, rows) for source in active])
    if gains.size == 0 or gains.max() <= 0:
        return None
    source, target = np.unravel_index(int(np.argmax(gains)), gains.shape)
    return active[int(source)], int(rows[target])


def _nearest_cluster(
    Y: NDArray[np.float64], labels: NDArray[np.int64], free: NDArray[np.bool_], active: list[int]
) -> tuple[int, int] | None:
    """Search the free clusters first (Eq. 5.3), then the records of the best one (Eq. 5.4).

    The gain of a cluster is never positive, by the triangle inequality, so only that of the record
    decides whether an exchange is made.
    """
    if not free.any():
        return None
    centroids = _centroids(Y, labels)
    gains = []
    for source in active:
        home = centroids[labels[source]]
        apart = _distances(centroids, Y[source]) + _distances(centroids, home)
        gains.append(np.where(free, np.linalg.norm(Y[source] - home) - apart, -np.inf))
    at, cluster = np.unravel_index(int(np.argmax(gains)), (len(active), free.size))
    source = active[int(at)]
    rows = np.flatnonzero(labels == cluster)
    record_gains = _gains(Y, labels, centroids, source, rows)
    if record_gains.max() <= 0:
        return None
    return source, int(rows[int(np.argmax(record_gains))])


def _gains(
    Y: NDArray[np.float64],
    labels: NDArray[np.int64],
    centroids: NDArray[np.float64],
    source: int,
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return (z⁺ + y⁻) − (z⁻ + y⁺): how much nearer to the means an exchange brings two records."""
    home, away = centroids[labels[source]], centroids[labels[rows]]
    z_plus = np.linalg.norm(Y[source] - home)
    z_minus = np.linalg.norm(Y[source] - away, axis=1)
    y_minus = np.linalg.norm(Y[rows] - away, axis=1)
    y_plus = np.linalg.norm(Y[rows] - home, axis=1)
    return np.asarray((z_plus + y_minus) - (z_minus + y_plus))


def _centroids(X: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    sizes = np.bincount(labels)
    sums = [np.bincount(labels, weights=column) for column in X.T]
    return np.asarray(np.column_stack(sums) / sizes[:, None])


def _distances(points: NDArray[np.float64], point: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(points - point, axis=1))


def _absolute_loss(members: NDArray[np.float64]) -> float:
    return float(np.abs(members - members.mean(axis=0)).sum())


def _swapped(labels: NDArray[np.int64], a: int, b: int) -> NDArray[np.int64]:
    swapped = labels.copy()
    swapped[a], swapped[b] = labels[b], labels[a]
    return swapped


def _record(row: NDArray[np.float64]) -> Record:
    return tuple(float(value) for value in row)


SEARCHES: dict[str, Callable[..., tuple[int, int] | None]] = {
    "sequential": _nearest_records,
    "decisional": _nearest_cluster,
}
"""How the next exchange is found: Algorithms 2 and 3."""

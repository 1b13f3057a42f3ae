"""Which clusters do a data set and a neighbour of it get together?  `partition_pair`.

The stable algorithms of paper 002, chapters 4 and 5, take two data sets and return clusters of
both.  A release shows those of the first alone, so this is where the exchanges can be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PartitionError, suggest
from covey.partition.base import Partition, as_records, within_range
from covey.partition.stable import PartialOrder, Search, StablePair, alpha_stable, s_mdav
from covey.table import Scale, Table
from covey.table.attribute import GROUPED_ROLES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

PAIR_METHODS = {
    "2-stable": "S-MDAV: at most two clusters differ (paper 002, algorithm 1).",
    "alpha-stable": "At most alpha clusters differ (paper 002, algorithms 2 and 3).",
}
"""Methods for pairs, and what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionPair:
    """Clusters of two data sets that differ in one record; equal labels correspond.

    Parameters
    ----------
    first, second : Partition
        The clusters of each, in the order of its rows.
    differing : tuple of int
        The clusters that do not hold the same rows and records in both.
    order : PartialOrder
        What the exchanges have settled about the order of records (section 5.5), for the next
        pair.
    """

    first: Partition
    second: Partition
    differing: tuple[int, ...]
    order: PartialOrder = field(default_factory=PartialOrder, repr=False)


def partition_pair(
    X: Table | ArrayLike,
    Y: Table | ArrayLike,
    method: str,
    *,
    k: int,
    alpha: int | None = None,
    search: Search = "sequential",
    order: PartialOrder | None = None,
    standardize: bool = True,
) -> PartitionPair:
    """Cluster two data sets that differ in one row, so that few of their clusters differ.

    The first is clustered by MDAV; the clusters of the second follow from these by exchanging
    records.  That is a property of the pair and protects nobody: clustered by itself, the second
    can get quite other clusters.

    Parameters
    ----------
    X, Y : Table or array of float
        Equal but for one row.  Tables are compared by their quasi-identifiers, which must be
        numbers or grades.
    method : str
        ``"2-stable"`` or ``"alpha-stable"``.
    k : int
        The smallest number of records in a cluster.
    alpha : int, optional
        The most clusters that may differ, from 1 to n/k; ``alpha-stable`` needs it.
    search : "sequential" or "decisional"
        How ``alpha-stable`` finds the next exchange: among all records (Algorithm 2), or in the
        cluster that is best in the mean (Algorithm 3).
    order : PartialOrder, optional
        What earlier pairs have settled, from their result.
    standardize : bool
        Whether columns are brought to mean 0 and standard deviation 1 of the first data set.

    Returns
    -------
    PartitionPair
        The clusters of both.

    Examples
    --------
    >>> X = [[0.0], [1.0], [10.0], [11.0]]
    >>> pair = partition_pair(X, [[0.0], [9.0], [10.0], [11.0]], "2-stable", k=2)
    >>> pair.first.labels.tolist(), pair.second.labels.tolist()
    ([0, 0, 1, 1], [0, 1, 1, 0])
    >>> pair.differing
    (0, 1)
    """
    if method not in PAIR_METHODS:
        raise PartitionError(
            f"there is no partitioner {method!r} of pairs. {suggest(method, PAIR_METHODS)}"
        )
    here, there = (within_range(_records(data)) for data in (X, Y))
    if standardize:
        ordered = np.sort(here, axis=0)
        spread = ordered.std(axis=0)
        centre, spread = ordered.mean(axis=0), np.where(spread > 0, spread, 1.0)
        here, there = (here - centre) / spread, (there - centre) / spread
    if method == "2-stable":
        if alpha not in (None, 2):
            raise PartitionError(
                f"alpha = {alpha} was given and '2-stable' lets two clusters differ. Leave it out, "
                f"or use 'alpha-stable'."
            )
        found = s_mdav(here, there, k=k)
    elif alpha is None:
        raise PartitionError(
            "'alpha-stable' needs alpha, the most clusters that may differ, so nothing was "
            "partitioned. Give a whole number from 1 to n/k."
        )
    else:
        found = alpha_stable(here, there, k=k, alpha=alpha, search=search, order=order)
    return _described(here, there, found, method)


def _records(data: Any) -> NDArray[np.float64]:
    if not isinstance(data, Table):
        return as_records(data)
    attributes = data.schema.with_role(*GROUPED_ROLES)
    for attribute in attributes:
        if attribute.scale is Scale.NOMINAL:
            raise PartitionError(
                f"attribute {attribute.name!r} is nominal and stable clusters need means, so there "
                f"is no pair. Give it another role than quasi-identifier."
            )
    return as_records(data.matrix([attribute.name for attribute in attributes]))


def _described(
    X: NDArray[np.float64], Y: NDArray[np.float64], found: StablePair, method: str
) -> PartitionPair:
    moved = (found.here != found.there) | (X != Y).any(axis=1)
    differing = {*found.here[moved].tolist(), *found.there[moved].tolist()}
    first, second = (
        Partition(labels=labels, sizes=np.bincount(labels).astype(np.int64), method=method)
        for labels in (found.here, found.there)
    )
    return PartitionPair(
        first=first, second=second, differing=tuple(sorted(differing)), order=found.order
    )

"""Which records belong together?  What every partitioner takes and gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PartitionError
from covey.kernels.lexicographic import lexicographic_order

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

PartitionProgress = Callable[[int, int], None]
"""Called with (records done, records in total) during long work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """Clusters of records.

    Parameters
    ----------
    labels : array of int64
        The cluster of each record, in input order, numbered 0, 1, … without gaps.
    sizes : array of int64
        The number of records in each cluster.
    method : str
        The partitioner that made it.
    """

    labels: NDArray[np.int64]
    sizes: NDArray[np.int64]
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Partitioner:
    """A published way to form clusters.

    Parameters
    ----------
    name : str
        What it is called in plans and on the command line.
    summary : str
        One sentence.
    paper : str
        The document that describes it.
    run : callable
        ``run(X, progress=…, **parameters)`` takes records sorted by content, returns labels.
    parameters : mapping
        Names and defaults; `REQUIRED` where there is no default.
    univariate : bool
        Whether it partitions one column, by rank.
    semantic : bool
        Whether ``run`` also takes records of numbers and concepts (`Mixed` of the kernels).
    """

    name: str
    summary: str
    paper: str
    run: Callable[..., NDArray[np.int64]]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    univariate: bool = False
    semantic: bool = False


REQUIRED = object()
LARGEST_EXPONENT = 400
"""Squares of values below two to this power can be added up over any number of records."""


def as_records(data: ArrayLike) -> NDArray[np.float64]:
    """Return a copy-free float64 view of records, one row each, or explain why there is none."""
    try:
        X = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise PartitionError(
            "the records are not numbers, so distances between them mean nothing. "
            "Give a float array, or a table whose quasi-identifiers are numeric or ordinal."
        ) from None
    if X.ndim == 1:
        X = X.reshape(-1, 1)
    if X.ndim != 2 or X.shape[0] == 0 or X.shape[1] == 0:  # noqa: PLR2004
        raise PartitionError(
            "the records are empty or no table, so there is nothing to partition. "
            "Give an array with one row for each record and at least one column."
        )
    if not np.isfinite(X).all():
        raise PartitionError(
            "the records hold NaN or infinite values, so distances between them are undefined. "
            "Remove or impute them first."
        )
    return X


def check_k(k: Any, n: int) -> int:
    """Return k as an int if clusters of that size can be formed among n records."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise PartitionError(
            f"k = {k!r} is not a whole number, so no cluster has that size. "
            f"Give a whole number of at least 2."
        )
    if k < 2:  # noqa: PLR2004
        raise PartitionError(
            f"k = {k} is too small: a cluster of one record hides nobody. Give k of at least 2."
        )
    if k > n:
        raise PartitionError(
            f"k = {k} is larger than the number of records, so not even one cluster can be "
            f"formed. Give a smaller k."
        )
    if n < 2 * k:
        raise PartitionError(
            f"k = {k} leaves fewer than 2k records, so all of them would form one cluster and "
            f"nothing but the mean would remain. Give a k of at most half the number of records."
        )
    return int(k)


def standardized(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract the mean of each column and divide by its standard deviation (ddof = 0).

    A constant column becomes zero: it cannot tell records apart.
    """
    X = within_range(X)
    # Sums over sorted values in one layout of memory: in another order of the rows, or column by
    # column, they would differ in the last bit, and records at equal distance change places.
    ordered = np.sort(np.ascontiguousarray(X), axis=0)
    spread = ordered.std(axis=0)
    return np.asarray((X - ordered.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def within_range(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide huge values by a power of two, so that their squares do not overflow.

    The division is exact and the same for all values, so nearer stays nearer.
    """
    _, exponent = np.frexp(np.abs(X).max())
    return X if exponent <= LARGEST_EXPONENT else np.ldexp(X, LARGEST_EXPONENT - exponent)


def partition_records(
    X: NDArray[np.float64],
    partitioner: Partitioner,
    *,
    content: NDArray[np.float64] | None = None,
    progress: PartitionProgress | None = None,
    **parameters: Any,
) -> Partition:
    """Run a partitioner on records in the order of their content.

    Sorting first makes every tie fall by content, so that permuting the rows permutes the
    labels: which of several equal records gets which label is the only freedom left.
    ``content`` is what the records were before they were standardised, because two different
    ones can have become equal.
    """
    return in_order_of(
        X if content is None else content,
        lambda order: partitioner.run(
            np.ascontiguousarray(X[order]), progress=progress, **parameters
        ),
        partitioner,
    )


def in_order_of(
    content: NDArray[np.float64],
    run: Callable[[NDArray[np.int64]], NDArray[np.int64]],
    partitioner: Partitioner,
) -> Partition:
    """Let ``run`` label records that are sorted by their content, and undo the sorting."""
    order = lexicographic_order([*content.T])
    labels = np.empty(len(content), dtype=np.int64)
    labels[order] = run(order)
    labels.setflags(write=False)
    sizes = np.bincount(labels).astype(np.int64)
    sizes.setflags(write=False)
    return Partition(labels=labels, sizes=sizes, method=partitioner.name)

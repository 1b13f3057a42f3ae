"""What someone who knows the people can find out from the release.

Record linkage attacks a release whose rows correspond to those of the original.  The k achieved,
l-diversity and t-closeness look at the release alone: ``quasi`` is (n, q), the released
quasi-identifiers, and ``confidential`` is (n,), one released confidential attribute.  Records
that share all quasi-identifier values form an equivalence class.  Values only need an order, so
numbers, codes and strings will do.
"""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate.deviations import require_aligned
from covey.errors import DataError
from covey.evaluate.metric import Metric, by_name, require_comparable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Labels = NDArray[np.int64]


def record_linkage(original: Floats, released: Floats, scale: ArrayLike = 1.0) -> float:
    """Return the percentage of records that are linked back correctly by distance.

    A released record is linked to the original records nearest to it; if its own is among g of
    them at the same smallest distance, it counts 1/g (Soria-Comas et al. 2014, section 5.2).

    Parameters
    ----------
    original, released : ndarray of shape (n, d)
    scale : array of d positive numbers
        What each attribute is divided by before distances are taken, from
        :func:`covey.evaluate.utility.column_scales`; 1 links on raw values.
    """
    require_comparable(original, released)
    require_aligned(original, released)
    # numba takes its time to load and the other metrics of this module do without it.
    from covey.kernels.linkage import linked_probability

    divisor = np.asarray(scale, dtype=np.float64)
    return 100.0 * float(np.mean(linked_probability(released / divisor, original / divisor)))


def k_achieved(quasi: NDArray[Any]) -> int:
    """Return the size of the smallest equivalence class."""
    return int(np.bincount(equivalence_classes(quasi)).min())


def l_diversity(quasi: NDArray[Any], confidential: NDArray[Any]) -> int:
    """Return the smallest number of distinct confidential values in an equivalence class."""
    classes = equivalence_classes(quasi)
    members, _, _ = _count_pairs(classes, _codes(confidential))
    return int(np.bincount(members).min())


def t_closeness(quasi: NDArray[Any], confidential: NDArray[Any], *, ordered: bool) -> float:
    """Return the largest Earth Mover's Distance between a class and the whole table.

    Parameters
    ----------
    quasi : ndarray of shape (n, q)
    confidential : ndarray of shape (n,)
    ordered : bool
        If true (numeric and ordinal attributes), moving mass from the i-th to the j-th of the s
        distinct values costs |i - j| / (s - 1); if false (nominal), any move costs 1.  These are
        the ordered and the equal distance of Li, Li and Venkatasubramanian (2007).

    Notes
    -----
    O(n log n) for both: no table of classes by values is made.
    """
    classes = equivalence_classes(quasi)
    distance = _ordered_distances if ordered else _equal_distances
    return float(distance(classes, _codes(confidential)).max())


def equivalence_classes(quasi: NDArray[Any]) -> Labels:
    """Return for each record the number of its equivalence class, from 0.

    Columns are folded in one after the other and the numbers are made dense each time: they stay
    below n times the number of values of a column and cannot overflow.
    """
    if quasi.shape[0] == 0:
        raise DataError(
            "the release has no records, so there is no equivalence class to measure. "
            "Give at least one record."
        )
    labels = np.zeros(quasi.shape[0], dtype=np.int64)
    for column in quasi.T:
        codes = _codes(column)
        labels = _codes(labels * (codes.max() + 1) + codes)
    return labels


def _codes(values: NDArray[Any]) -> Labels:
    """Replace values by the ranks of their distinct values, from 0."""
    _, codes = np.unique(values, return_inverse=True)
    return codes.astype(np.int64)


def _count_pairs(classes: Labels, codes: Labels) -> tuple[Labels, Labels, Labels]:
    """Return the class, the value and the count of each pair that occurs, sorted by both."""
    width = codes.max() + 1
    pairs, counts = np.unique(classes * width + codes, return_counts=True)
    return pairs // width, pairs % width, counts.astype(np.int64)


def _equal_distances(classes: Labels, codes: Labels) -> Floats:
    """Return the variational distance of each class: the sum of the positive parts of p - q.

    Only a value that occurs in the class can have p > q, so the pairs that occur suffice.
    """
    n = codes.size
    sizes, totals = np.bincount(classes), np.bincount(codes)
    members, values, counts = _count_pairs(classes, codes)
    excess = np.maximum(counts * n - totals[values] * sizes[members], 0) / sizes[members]
    distances: Floats = np.bincount(members, weights=excess) / n
    return distances


def _ordered_distances(classes: Labels, codes: Labels) -> Floats:
    """Return the mean of |F_class - F| over all distinct values but the last, for each class.

    F_class is constant between two values that occur in the class, and F rises.  So on each such
    stretch the two cross at most once, at a place found by bisection, and both sides of it are
    differences of running sums of F.
    """
    n, n_values = codes.size, int(codes.max()) + 1
    sizes = np.bincount(classes)
    if n_values == 1:
        return np.zeros(sizes.size)
    below = np.cumsum(np.bincount(codes))
    running = np.concatenate(([0], np.cumsum(below)))

    members, values, counts = _count_pairs(classes, codes)
    first = np.concatenate(([True], members[1:] != members[:-1]))
    upto = np.cumsum(counts)
    reached = upto - (upto - counts)[first][members]
    stop = np.where(np.append(first[1:], True), n_values - 1, np.append(values[1:], 0))
    # Before the first value of a class F_class is 0: one more stretch for each class.
    owner = np.concatenate((np.arange(sizes.size), members))
    level = np.concatenate((np.zeros(sizes.size, dtype=np.int64), reached))
    start = np.concatenate((np.zeros(sizes.size, dtype=np.int64), values))
    stop = np.concatenate((values[first], stop))

    crossing = np.searchsorted(below, -(-level * n // sizes[owner]), side="left")
    crossing = np.clip(crossing, start, stop)
    share = level / sizes[owner]
    under = share * (crossing - start) - (running[crossing] - running[start]) / n
    over = (running[stop] - running[crossing]) / n - share * (stop - crossing)
    distances: Floats = np.bincount(owner, weights=under + over) / (n_values - 1)
    return distances


_of_records = partial(Metric, low=0.0, high=inf, aligned=True, kind="risk", memory_only=True)
_of_release = partial(_of_records, low=1.0, better="higher", aligned=False)

RISK_METRICS = by_name(
    _of_records(
        name="rl",
        title="Record linkage (%)",
        explanation="The percentage of released records that someone who holds the original "
        "values would assign to the right record by choosing the nearest one.",
        better="lower",
        high=100.0,
    ),
    _of_records(
        name="rl_f",
        title="Linkage risk against baseline",
        explanation="How many times fewer records can be linked back than in the baseline release.",
        better="higher",
    ),
    _of_release(
        name="k_achieved",
        title="k achieved",
        explanation="The smallest number of released records that share the same combination of "
        "quasi-identifier values.",
    ),
    _of_release(
        name="l_diversity",
        title="l-diversity",
        explanation="The smallest number of different values of a confidential attribute among "
        "records that share their quasi-identifier values.",
    ),
    _of_release(
        name="t_closeness",
        title="t-closeness",
        explanation="How far the distribution of a confidential attribute among records that "
        "share their quasi-identifier values can be from its distribution in the whole table.",
        better="lower",
        low=0.0,
        high=1.0,
    ),
)

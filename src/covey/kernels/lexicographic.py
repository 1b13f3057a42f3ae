"""In which order do records stand that are compared by one key after another?

``np.lexsort`` sorts all records by every key, slowly, since each sort must keep what the last one
did.  Records that differ in their first key need no other.  So all are sorted by the first key, and
only those that tie by the next: the order is the same, and mostly costs one fast sort.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def lexicographic_order(keys: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Return the order by the first key, ties by the second, and so on, and then by row.

    Equals ``np.lexsort(keys[::-1])`` for numbers that are not NaN.

    Parameters
    ----------
    keys : sequence of arrays, shape (n,)
        The most important first; at least one.
    """
    order = np.argsort(keys[0])
    if order.size == 0:
        return order
    first = keys[0][order]
    # Places of the order whose rows tie, and the number of the tie of each.
    places, ties = _tied(first[1:] != first[:-1], np.arange(order.size))
    for key in (*keys[1:], None):
        if places.size == 0:
            break
        rows = order[places]
        # Both factors are at most the number of rows, so the product is far from overflow.
        ranks, distinct = (rows, order.size) if key is None else _ranks(key[rows])
        within = ties * distinct + ranks
        again = np.argsort(within)
        order[places] = rows[again]
        within = within[again]
        places, ties = _tied(within[1:] != within[:-1], places)
    return order


def _tied(
    differ: NDArray[np.bool_], places: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places that tie with one beside them, and for each the number of its tie."""
    starts = np.concatenate(([True], differ))
    ends = np.concatenate((differ, [True]))
    tied = ~(starts & ends)
    return places[tied], np.cumsum(starts[tied]) - 1


def _ranks(values: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    """Return the rank of each value among the distinct ones, and how many these are."""
    order = np.argsort(values)
    ordered = values[order]
    ranks = np.empty(values.size, dtype=np.int64)
    ranks[order] = np.concatenate(([0], np.cumsum(ordered[1:] != ordered[:-1])))
    return ranks, int(ranks[order[-1]]) + 1

"""How likely is each released record linked to the record it was made from?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from covey.kernels import chunks
from covey.kernels.lexicographic import lexicographic_order
from covey.kernels.mdav.kd_tree import Tree, build_tree, nearest
from covey.kernels.mdav.nearest import Nearest, empty_nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

# Records to a leaf of the tree.
_LEAF = 16


def linked_probability(
    released: NDArray[np.float64],
    original: NDArray[np.float64],
    *,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.float64]:
    """Return the probability that each released record is linked to its own original.

    Someone who knows the originals links a released record to the nearest of them.  If g of them
    are at the same smallest Euclidean distance and the right one is among these, the guess is
    right with probability 1/g, else 0: Soria-Comas et al. (2014), section 5.2.  Two distances are
    the same if the sums of squared differences, added attribute by attribute, are.

    Parameters
    ----------
    released, original : float64 arrays of shape (n, d)
        Row i of ``released`` was made from row i of ``original``.  Finite values.
    progress : callable, optional
        Called now and then with the number of distinct released records that are linked, and
        the number that there are.

    Returns
    -------
    float64 array of shape (n,)

    Notes
    -----
    Equal rows are searched once and found once, so that microaggregated releases and constant
    attributes are fast.  A k-d tree of the originals: O(n log n) time for few attributes, and
    O(n) memory.

    Examples
    --------
    >>> original = np.array([[1.0], [3.0], [8.0]])
    >>> linked_probability(np.array([[2.0], [2.0], [8.0]]), original).tolist()
    [0.5, 0.5, 1.0]
    """
    points, _, counts = distinct_rows(original)
    asked, which, _ = distinct_rows(released)
    distance, ties = _ties(asked, points, counts, progress)
    own = np.zeros(released.shape[0])
    for j in range(released.shape[1]):
        own += (original[:, j] - released[:, j]) ** 2
    return np.where(own == distance[which], 1.0 / ties[which], 0.0)


def distinct_rows(
    X: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct rows, the number of the distinct row of each row, and how many it has.

    As ``np.unique`` with ``axis=0``, several times faster.
    """
    order = lexicographic_order([*X.T])
    rows = X[order]
    first = np.ones(len(X), dtype=np.bool_)
    first[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    which = np.empty(len(X), dtype=np.int64)
    which[order] = np.cumsum(first) - 1
    return rows[first], which, np.bincount(which)


def _ties(
    asked: NDArray[np.float64],
    points: NDArray[np.float64],
    counts: NDArray[np.int64],
    progress: Callable[[int, int], object] | None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Find the smallest squared distance of each asked row, and how many originals are there.

    Two neighbours tell most rows that there is one nearest.  The others are asked again for more
    neighbours, until the last of them is farther than the first.
    """
    tree = build_tree(points, np.arange(len(points)), _LEAF)
    distance = np.empty(len(asked))
    ties = np.zeros(len(asked), dtype=np.int64)

    def report(_finished: int, _total: int) -> None:
        if progress is not None:
            progress(int(np.count_nonzero(ties)), len(asked))

    def ask(rows: NDArray[np.int64], neighbours: int) -> None:
        heap = empty_nearest(min(neighbours, len(points)))
        finished = 0

        def advance(steps: int) -> int:
            nonlocal finished
            chunk = rows[finished : finished + steps]
            _link(tree, asked, chunk, counts, heap, distance, ties)
            finished += chunk.size
            return finished

        chunks.run_in_chunks(advance, total=rows.size, progress=report)

    rows = np.arange(len(asked))
    neighbours = 2
    while rows.size:
        ask(rows, neighbours)
        rows = rows[ties[rows] == 0]
        neighbours *= 8
    return distance, ties


@njit(cache=True)
def _link(
    tree: Tree,
    asked: NDArray[np.float64],
    rows: NDArray[np.int64],
    counts: NDArray[np.int64],
    heap: Nearest,
    distance: NDArray[np.float64],
    ties: NDArray[np.int64],
) -> None:
    """Fill ``distance`` and ``ties`` of the rows; leave ties at 0 if there may be more of them."""
    capacity = heap.distances.shape[0]
    for row in rows:
        nearest(tree, asked[row], heap, 0)
        least = heap.distances.min()
        if heap.distances.max() == least and capacity < counts.shape[0]:
            continue
        distance[row] = least
        for slot in range(capacity):
            if heap.distances[slot] == least:
                ties[row] += counts[heap.records[slot]]

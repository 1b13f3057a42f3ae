"""Which whole numbers of edges between classes of nodes give every node its degree?

A table here is square and symmetric, one row for each degree that occurs; its entry (a, b) counts
the edges between two classes of nodes, the entry (a, a) those inside one class.  An edge inside a
class has two ends there, so the ends in row a are the sum of the row plus the entry (a, a).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROUNDS = 300
_NEAR = 1e-4


@njit(cache=True)
def most_edges(sizes: NDArray[np.int64], a: int, b: int) -> int:
    """Count the pairs of nodes of two classes: a simple graph has no more edges between them."""
    if a == b:
        return sizes[a] * (sizes[a] - 1) // 2
    return sizes[a] * sizes[b]


@njit(cache=True)
def fit_ends(table: NDArray[np.float64], ends: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
    """Scale rows and columns alike, in place, until each row has its number of ends or fewer.

    Iterative proportional fitting with an upper limit to each entry; the ratios that the limits
    leave alone stay as they were.  The last step only lowers entries, so that no row is left with
    more ends than it should have.  A table that fits is not touched.

    Notes
    -----
    O(classes²) for each of at most 300 rounds.
    """
    k = ends.shape[0]
    factors = np.empty(k)
    # A table can have its ends and yet more edges between few nodes than these can hold.
    for a in range(k):
        for b in range(k):
            table[a, b] = min(table[a, b], most_edges(sizes, a, b))
    for _ in range(_ROUNDS):
        worst = 0.0
        for a in range(k):
            found = _row_ends(table, a)
            factors[a] = np.sqrt(ends[a] / found) if found > 0.0 else 1.0
            if found > 0.0:
                worst = max(worst, abs(found / ends[a] - 1.0))
        if worst <= _NEAR:
            break
        moved = 0.0
        for a in range(k):
            for b in range(a, k):
                scaled = min(table[a, b] * factors[a] * factors[b], most_edges(sizes, a, b))
                moved = max(moved, abs(scaled - table[a, b]))
                table[a, b] = scaled
                table[b, a] = scaled
        if moved <= _NEAR:
            break
    for a in range(k):
        found = _row_ends(table, a)
        if found > ends[a]:
            factor = ends[a] / found
            for b in range(k):
                table[a, b] *= factor
                table[b, a] = table[a, b]


@njit(cache=True)
def round_up(
    whole: NDArray[np.int64],
    missing: NDArray[np.int64],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> None:
    """Add one edge to each of the given entries in turn, where both rows still miss an end.

    ``whole`` and ``missing``, the ends that each row has too few, are changed in place.
    """
    for i in range(rows.shape[0]):
        a, b = rows[i], columns[i]
        if missing[a] > 0 and missing[b] > (1 if a == b else 0):
            _add(whole, missing, a, b, 1)


def complete(
    whole: NDArray[np.int64], missing: NDArray[np.int64], sizes: NDArray[np.int64]
) -> bool:
    """Add edges, in place, until no row misses an end; return whether that succeeded.

    The two rows that miss most are joined.  Where their nodes are joined already, edges are taken
    out and others put in along an alternating walk between two rows, as one augments a matching.
    The walk is not searched for odd cycles, so that a few small dense tables are given up.
    """
    # Two kernels, because most tables need no walk, and its compilation takes seconds.
    while not _join_most_missing(whole, missing, sizes):
        if not _reroute_any(whole, missing, sizes):
            return False
    return True


@njit(cache=True)
def _join_most_missing(
    whole: NDArray[np.int64], missing: NDArray[np.int64], sizes: NDArray[np.int64]
) -> bool:
    """Join rows as far as they can be; return whether no row misses an end then."""
    while True:
        i = 0
        for j in range(1, missing.shape[0]):
            if missing[j] > missing[i]:
                i = j
        if missing.shape[0] == 0 or missing[i] == 0:
            return True
        j = _partner(whole, missing, sizes, i)
        if j < 0:
            return False
        # Halves, so that one large row does not use up another one that others need.
        step = max(1, min(missing[i], missing[j]) // 2)
        _add(whole, missing, i, j, min(step, most_edges(sizes, i, j) - whole[i, j]))


@njit(cache=True)
def _row_ends(table: NDArray[np.float64], a: int) -> float:
    ends = 0.0
    for b in range(table.shape[1]):
        ends += table[a, b]
    return ends + table[a, a]


@njit(cache=True)
def _add(whole: NDArray[np.int64], missing: NDArray[np.int64], a: int, b: int, count: int) -> None:
    whole[a, b] += count
    if a != b:
        whole[b, a] += count
    missing[a] -= count
    missing[b] -= count


@njit(cache=True)
def _partner(
    whole: NDArray[np.int64], missing: NDArray[np.int64], sizes: NDArray[np.int64], i: int
) -> int:
    """Return the row that misses most among those that row i can still be joined to, or -1."""
    best, most = -1, 0
    for j in range(missing.shape[0]):
        need = missing[j] if j != i else missing[j] - 1
        if need > most and whole[i, j] < most_edges(sizes, i, j):
            best, most = j, need
    return best


@njit(cache=True)
def _reroute_any(
    whole: NDArray[np.int64], missing: NDArray[np.int64], sizes: NDArray[np.int64]
) -> bool:
    for i in np.argsort(-missing):  # noqa: SIM110
        if missing[i] > 0 and _reroute(whole, missing, sizes, i):
            return True
    return False


@njit(cache=True)
def _reroute(
    whole: NDArray[np.int64], missing: NDArray[np.int64], sizes: NDArray[np.int64], i: int
) -> bool:
    """Give row i and another row that misses ends one end each, with an alternating walk.

    Adding an edge i–a leaves row a with one end too many, taking out an edge a–b leaves row b
    with one too few, and so on, until the row with one too many is one that missed some.  The
    shortest such walk is found breadth first: O(classes²).
    """
    k = missing.shape[0]
    # Rows with one end too few, and rows with one too many: which row led to them?
    lacking, exceeding = np.full(k, -1, np.int64), np.full(k, -1, np.int64)
    queue = np.empty(k, np.int64)
    queue[0], size, at = i, 1, 0
    lacking[i] = i
    while at < size:
        x = queue[at]
        at += 1
        for a in range(k):
            if exceeding[a] >= 0 or whole[x, a] >= most_edges(sizes, x, a):
                continue
            exceeding[a] = x
            if missing[a] > (1 if a == i else 0):
                return _walk(whole, missing, sizes, lacking, exceeding, a, i)
            for b in range(k):
                if lacking[b] < 0 and whole[a, b] > 0:
                    lacking[b] = a
                    queue[size] = b
                    size += 1
    return False


@njit(cache=True)
def _walk(
    whole: NDArray[np.int64],
    missing: NDArray[np.int64],
    sizes: NDArray[np.int64],
    lacking: NDArray[np.int64],
    exceeding: NDArray[np.int64],
    end: int,
    start: int,
) -> bool:
    """Add and take out edges along a walk, from its end; undo all if an entry is used up twice."""
    possible = _step_back(whole, missing, sizes, lacking, exceeding, end, start, 1)
    if not possible:
        _step_back(whole, missing, sizes, lacking, exceeding, end, start, -1)
    return possible


@njit(cache=True)
def _step_back(
    whole: NDArray[np.int64],
    missing: NDArray[np.int64],
    sizes: NDArray[np.int64],
    lacking: NDArray[np.int64],
    exceeding: NDArray[np.int64],
    end: int,
    start: int,
    sign: int,
) -> bool:
    """Follow a walk back to its start; say whether all its entries stay between their limits."""
    possible = True
    a = end
    while True:
        x = exceeding[a]
        _add(whole, missing, x, a, sign)
        possible = possible and whole[x, a] <= most_edges(sizes, x, a)
        if x == start:
            return possible
        a = lacking[x]
        _add(whole, missing, a, x, -sign)
        possible = possible and whole[a, x] >= 0

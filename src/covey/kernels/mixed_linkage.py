"""How likely is each released record of numbers and categories linked to its own original?

A box tree (k-d tree) over numbers and categories: each node knows the range of every coordinate
among its originals.  A node is skipped if nothing in it can be as near as what was found.  The
bound of a node is added up by the same operations in the same order as a distance, and
floating-point operations are monotone, so a search finds exactly what comparing all pairs finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels import chunks
from covey.kernels.linkage import distinct_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

BOX_RECORDS = 16
"""Originals in a leaf at most."""


class BoxTree(NamedTuple):
    """Nodes with the ranges of their rows: children of node i are ``2 i`` and ``2 i + 1``."""

    rows: NDArray[np.float64]
    counts: NDArray[np.int64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class SquaredDistances(NamedTuple):
    """Squared distances of categories: all tables in one array, and where each begins.

    A table is square with ``width`` rows, or absent (``begin`` is −1): then two different
    categories are at a squared distance of 1.  ``least`` holds for each category how near another
    one can be, beginning at ``least_begin``.  Differences of numbers are divided by ``units``:
    after they were taken, so that equal differences stay equal and ties are ties.
    """

    units: NDArray[np.float64]
    tables: NDArray[np.float64]
    begin: NDArray[np.int64]
    width: NDArray[np.int64]
    least: NDArray[np.float64]
    least_begin: NDArray[np.int64]


def mixed_linked_probability(
    released: tuple[Floats, Integers],
    original: tuple[Floats, Integers],
    squared: Sequence[Floats | None],
    *,
    units: Floats | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Floats:
    """Return the probability that each released record is linked to its own original.

    As `covey.kernels.linkage.linked_probability`, for the distance of Soria-Comas et al. (2014),
    Eq. (8): squared differences of numbers and squared distances of categories are added up
    attribute by attribute.  Two distances are the same if these sums are.

    Parameters
    ----------
    released, original : float64 array of shape (n, d) and int64 array of shape (n, p)
        Numbers, and codes of categories from 0.  Row i of ``released`` was made from row i of
        ``original``.  Finite values.
    squared : sequence of p square arrays
        The squared distances of the categories of each column; None if any two different ones
        are at a squared distance of 1.
    units : float64 array of shape (d,), optional
        What differences of numbers are divided by; 1 unless given.
    progress : callable, optional
        Called now and then with the number of distinct released records that are linked, and
        the number that there are.

    Returns
    -------
    float64 array of shape (n,)

    Notes
    -----
    Equal rows are searched once and found once.  A search begins with the distance to the right
    original: most of the tree is farther than that.  O(n log n) time for few attributes, and O(n)
    memory for any number of them.

    Examples
    --------
    >>> original = np.array([[1.0], [3.0], [8.0]]), np.array([[0], [1], [1]])
    >>> released = np.array([[2.0], [2.0], [8.0]]), np.array([[0], [0], [1]])
    >>> mixed_linked_probability(released, original, [None]).tolist()
    [1.0, 0.0, 1.0]
    """
    d = original[0].shape[1]
    here, there = _together(*original), _together(*released)
    scales = np.ones(d) if units is None else np.asarray(units, dtype=np.float64)
    distances = _packed(squared, here[:, d:], there[:, d:], scales)
    points, _, counts = distinct_rows(here)
    asked, which, _ = distinct_rows(there)
    own = _own_distances(there, here, d, distances)
    reach = np.full(len(asked), np.inf)
    np.minimum.at(reach, which, own)
    tree = _grown(points, counts, scales)
    ties = np.zeros(len(asked), dtype=np.int64)
    done = 0

    def advance(steps: int) -> int:
        nonlocal done
        stop = min(done + steps, len(asked))
        _search(tree, asked, d, distances, reach, ties, done, stop)
        done = stop
        return done

    chunks.run_in_chunks(advance, total=len(asked), progress=progress)
    return np.where(own == reach[which], 1.0 / ties[which], 0.0)


def _together(numbers: Floats, codes: Integers) -> Floats:
    """Put numbers and codes into one array; codes are exact as floats."""
    return np.ascontiguousarray(np.column_stack([numbers, codes.astype(np.float64)]))


def _packed(
    squared: Sequence[Floats | None], here: Floats, there: Floats, units: Floats
) -> SquaredDistances:
    begins, widths, least_begins = list[int](), list[int](), list[int]()
    tables: list[Floats] = []
    least: list[Floats] = []
    for j, table in enumerate(squared):
        occurring = np.unique(here[:, j]).astype(np.int64)
        size = int(max(here[:, j].max(), there[:, j].max())) + 1
        if table is None:
            begins.append(-1)
            nearest = np.ones(size)
        else:
            begins.append(sum(each.size for each in tables))
            tables.append(np.ascontiguousarray(table, dtype=np.float64).ravel())
            others = table[:size][:, occurring].astype(np.float64)
            others[np.arange(size)[:, None] == occurring] = np.inf
            nearest = others.min(axis=1)
        widths.append(0 if table is None else table.shape[0])
        least_begins.append(sum(each.size for each in least))
        least.append(nearest)
    return SquaredDistances(
        units,
        np.concatenate([*tables, np.empty(0)]),
        np.array(begins, dtype=np.int64),
        np.array(widths, dtype=np.int64),
        np.concatenate([*least, np.empty(0)]),
        np.array(least_begins, dtype=np.int64),
    )


def _grown(points: Floats, counts: Integers, units: Floats) -> BoxTree:
    m, width = points.shape
    levels = 2  # some cuts between categories are far from the middle
    while m >> (levels - 2) > BOX_RECORDS:
        levels += 1
    nodes = 2 << levels
    order = np.arange(m)
    start, stop = np.zeros(nodes, dtype=np.int64), np.zeros(nodes, dtype=np.int64)
    low, high = np.full((nodes, width), np.inf), np.full((nodes, width), -np.inf)
    stop[1] = m
    _cut_nodes(points, units, order, start, stop, low, high)
    return BoxTree(points[order], counts[order], start, stop, low, high)


@njit(cache=True)
def _cut_nodes(
    points: NDArray[np.float64],
    units: NDArray[np.float64],
    order: NDArray[np.int64],
    start: NDArray[np.int64],
    stop: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> None:
    """Cut every inner node in two, between categories or at the median of a number."""
    nodes, width = low.shape
    d = units.size
    for node in range(1, nodes):
        first, last = start[node], stop[node]
        if first == last:
            continue
        wide, spread = -1, 0.0
        for j in range(width):
            total = 0.0
            for i in range(first, last):
                value = points[order[i], j]
                low[node, j] = min(low[node, j], value)
                high[node, j] = max(high[node, j], value)
                total += value
            if low[node, j] == high[node, j]:
                continue
            mean = total / (last - first)
            found = 0.0
            for i in range(first, last):
                if j < d:
                    found += ((points[order[i], j] - mean) / units[j]) ** 2
                elif points[order[i], j] == low[node, j]:
                    found += 1.0
            found /= last - first
            if j >= d:
                # Categories are about 1 apart, whatever their codes are.
                found *= 1.0 - found
            if wide < 0 or found > spread:
                wide, spread = j, found
        if 2 * node >= nodes:
            continue
        middle = (first + last) // 2
        if wide >= 0:
            values = np.empty(last - first)
            for i in range(first, last):
                values[i - first] = points[order[i], wide]
            ranked = np.argsort(values, kind="mergesort")
            order[first:last] = order[first:last][ranked]
            if wide >= d:
                middle = _between(values[ranked], middle - first) + first
        start[2 * node], stop[2 * node] = first, middle
        start[2 * node + 1], stop[2 * node + 1] = middle, last


@njit(cache=True)
def _between(ranked: NDArray[np.float64], middle: int) -> int:
    """Return the place nearest to the middle at which one category ends and another begins."""
    for away in range(ranked.size):
        for at in (middle - away, middle + away):
            if 0 < at < ranked.size and ranked[at - 1] != ranked[at]:
                return at
    return middle


@njit(cache=True)
def _category(distances: SquaredDistances, j: int, one: float, other: float) -> float:
    if one == other:
        return 0.0
    if distances.begin[j] < 0:
        return 1.0
    return distances.tables[distances.begin[j] + int(one) * distances.width[j] + int(other)]


@njit(cache=True)
def _distance(
    asked: NDArray[np.float64],
    row: NDArray[np.float64],
    d: int,
    distances: SquaredDistances,
    reach: float,
) -> float:
    """Return the squared distance, or any number above ``reach`` if it is larger than that."""
    total = 0.0
    for j in range(d):
        difference = (row[j] - asked[j]) / distances.units[j]
        total += difference * difference
        if total > reach:
            return total
    for j in range(d, row.shape[0]):
        if total > reach:
            return total
        total += _category(distances, j - d, asked[j], row[j])
    return total


@njit(cache=True)
def _own_distances(
    released: NDArray[np.float64],
    original: NDArray[np.float64],
    d: int,
    distances: SquaredDistances,
) -> NDArray[np.float64]:
    own = np.empty(released.shape[0])
    for i in range(released.shape[0]):
        own[i] = _distance(released[i], original[i], d, distances, np.inf)
    return own


@njit(cache=True)
def _bound(
    asked: NDArray[np.float64], tree: BoxTree, node: int, d: int, distances: SquaredDistances
) -> float:
    """Bound from below the squared distances of a node's rows."""
    total = 0.0
    for j in range(d):
        x = asked[j]
        gap = (x - min(max(x, tree.low[node, j]), tree.high[node, j])) / distances.units[j]
        total += gap * gap
    for j in range(d, asked.shape[0]):
        if not tree.low[node, j] <= asked[j] <= tree.high[node, j]:
            total += distances.least[distances.least_begin[j - d] + int(asked[j])]
    return total


@njit(cache=True)
def _search(
    tree: BoxTree,
    asked: NDArray[np.float64],
    d: int,
    distances: SquaredDistances,
    reach: NDArray[np.float64],
    ties: NDArray[np.int64],
    first: int,
    last: int,
) -> None:
    """Bring ``reach`` down to the smallest distance of each row, and count who is there."""
    nodes = tree.low.shape[0]
    stack = np.empty(2 * 64, dtype=np.int64)
    bounds = np.empty(2 * 64)
    for query in range(first, last):
        point = asked[query]
        best, found = reach[query], 0
        stack[0], bounds[0] = 1, 0.0
        depth = 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if bounds[depth] > best:
                continue
            if 2 * node >= nodes:
                for i in range(tree.start[node], tree.stop[node]):
                    distance = _distance(point, tree.rows[i], d, distances, best)
                    if distance < best:
                        best, found = distance, tree.counts[i]
                    elif distance == best:
                        found += tree.counts[i]
                continue
            left, right = 2 * node, 2 * node + 1
            near = far = np.inf
            if tree.start[left] < tree.stop[left]:
                near = _bound(point, tree, left, d, distances)
            if tree.start[right] < tree.stop[right]:
                far = _bound(point, tree, right, d, distances)
            if far < near:
                left, right, near, far = right, left, far, near
            if far <= best:
                stack[depth], bounds[depth] = right, far
                depth += 1
            if near <= best:
                stack[depth], bounds[depth] = left, near
                depth += 1
        reach[query], ties[query] = best, found

"""How far apart are records of numbers and concepts, and which record is their centroid?

The distance is that of Soria-Comas et al. (2014), Eq. (8).  The centroid holds the mean of each
number and the least marginal concept of each category, Eq. (5).  Marginalities are kept in whole
steps while records leave, so that they are what adding up anew would give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.mdav.centroid import add_record
from covey.kernels.mdav.nearest import Nearest, offer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

MARGINALITY_STEPS = 2**30
"""Distances of concepts in a marginality are rounded to this many steps."""

_FLAT = -1


class Concepts(NamedTuple):
    """The concepts of all categorical columns, packed.

    ``squared``, ``steps`` and ``above`` hold a square table for each column, from ``begin`` on;
    a column without a table (``begin`` is −1) knows equal and different alone.  What is kept for
    single concepts begins at ``first``; ``width`` says how many concepts there are.
    """

    squared: NDArray[np.float64]
    steps: NDArray[np.int64]
    above: NDArray[np.bool_]
    begin: NDArray[np.int64]
    first: NDArray[np.int64]
    width: NDArray[np.int64]


class Mixed(NamedTuple):
    """Records in the order of their content: numbers, codes, and what the codes stand for."""

    X: NDArray[np.float64]
    C: NDArray[np.int64]
    concepts: Concepts


class Totals(NamedTuple):
    """What records add up to: numbers, and for each concept its marginality and its values.

    ``held`` counts the values that are the concept or below it: without any, the concept is no
    candidate for the centroid.
    """

    sums: NDArray[np.float64]
    away: NDArray[np.int64]
    held: NDArray[np.int64]


def packed(
    widths: Sequence[int],
    distances: Sequence[Floats | None],
    ancestors: Sequence[NDArray[np.bool_] | None],
    units: Sequence[float],
) -> Concepts:
    """Lay out tables of distances and ancestors, one for each categorical column.

    Parameters
    ----------
    widths : sequence of int
        How many concepts each column has.
    distances, ancestors : sequence of square tables
        None for a column whose categories are equal or different, and nothing else.
    units : sequence of float
        What the distances of each column are divided by where records are compared.
    """
    tables = [table for table in distances if table is not None]
    sizes = np.array([0 if table is None else table.size for table in distances], dtype=np.int64)
    begin = np.where(sizes > 0, np.cumsum(sizes) - sizes, _FLAT)
    width = np.array(widths, dtype=np.int64)
    scaled = [
        np.square(table / unit).ravel()
        for table, unit in zip(distances, units, strict=True)
        if table is not None
    ]
    return Concepts(
        squared=np.concatenate([np.empty(0), *scaled]),
        steps=np.concatenate(
            [
                np.empty(0, np.int64),
                *(np.rint(t * MARGINALITY_STEPS).astype(np.int64).ravel() for t in tables),
            ]
        ),
        above=np.concatenate(
            [np.empty(0, np.bool_), *(table.ravel() for table in ancestors if table is not None)]
        ),
        begin=begin.astype(np.int64),
        first=(np.cumsum(width) - width).astype(np.int64),
        width=width,
    )


def no_totals(records: Mixed) -> Totals:
    """Return the totals of no records."""
    concepts = int(records.concepts.width.sum())
    return Totals(
        np.zeros((2, records.X.shape[1])),
        np.zeros(concepts, dtype=np.int64),
        np.zeros(concepts, dtype=np.int64),
    )


@njit(cache=True)
def add_up(records: Mixed, totals: Totals, i: int, sign: int) -> None:
    """Add record ``i`` to the totals, or take it away if ``sign`` is −1."""
    add_record(totals.sums, records.X[i], float(sign))
    concepts = records.concepts
    for j in range(concepts.width.shape[0]):
        code, first, width = records.C[i, j], concepts.first[j], concepts.width[j]
        if concepts.begin[j] == _FLAT:
            totals.away[first + code] -= sign
            totals.held[first + code] += sign
            continue
        row = concepts.begin[j] + code * width
        for concept in range(width):
            totals.away[first + concept] += sign * concepts.steps[row + concept]
            totals.held[first + concept] += sign * concepts.above[row + concept]


@njit(cache=True)
def centroid(
    records: Mixed, totals: Totals, count: int, x: NDArray[np.float64], c: NDArray[np.int64]
) -> None:
    """Write the centroid of ``count`` records that were added up to ``x`` and ``c``."""
    for j in range(x.shape[0]):
        x[j] = totals.sums[0, j] / count
    concepts = records.concepts
    for j in range(c.shape[0]):
        best, least = -1, 0
        for concept in range(concepts.width[j]):
            at = concepts.first[j] + concept
            if totals.held[at] > 0 and (best < 0 or totals.away[at] < least):
                best, least = concept, totals.away[at]
        c[j] = best


@njit(cache=True)
def distance(records: Mixed, i: int, x: NDArray[np.float64], c: NDArray[np.int64]) -> float:
    """Add up squared differences of numbers and squared distances of concepts, in order."""
    total = 0.0
    for j in range(x.shape[0]):
        difference = records.X[i, j] - x[j]
        total += difference * difference
    concepts = records.concepts
    for j in range(c.shape[0]):
        code = records.C[i, j]
        if concepts.begin[j] == _FLAT:
            total += 0.0 if code == c[j] else 1.0
        else:
            total += concepts.squared[concepts.begin[j] + code * concepts.width[j] + c[j]]
    return total


@njit(cache=True)
def farthest_mixed(
    records: Mixed,
    rest: NDArray[np.int64],
    x: NDArray[np.float64],
    c: NDArray[np.int64],
) -> tuple[int, float]:
    """Return the record of ``rest`` that is farthest from a point, and its squared distance."""
    best, who = -1.0, -1
    for i in rest:
        away = distance(records, i, x, c)
        if away > best:
            best, who = away, i
    return who, best


@njit(cache=True)
def nearest_mixed(
    records: Mixed,
    rest: NDArray[np.int64],
    x: NDArray[np.float64],
    c: NDArray[np.int64],
    heap: Nearest,
) -> int:
    """Fill the heap with the records of ``rest`` that are nearest to a point; return how many."""
    size = 0
    for i in rest:
        size = offer(heap, size, distance(records, i, x, c), i)
    return size


@njit(cache=True)
def without(rest: NDArray[np.int64], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the records of ``rest`` that have no label yet, in order."""
    left = 0
    for i in rest:
        if labels[i] < 0:
            rest[left] = i
            left += 1
    return rest[:left]

"""Which moments stand for a cluster?  Mean, covariance and coskewness of paper 003.

A coefficient is named by the attributes whose deviations it multiplies: (i,) is a mean, (i, j)
a covariance, (i, j, l) a coskewness.  What is published of a cluster of c records is c times
the unbiased coefficient, Eqs. (1) and (2), because one record moves that by an amount that does
not depend on c (docs/proofs/moments.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate.centroid import cluster_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

Index = tuple[int, ...]

MEAN, COVARIANCE, COSKEWNESS = 1, 2, 3
"""The order of a coefficient is the number of its attributes."""

_HALF_PRODUCT = 2**20
"""A product of two grid values is split here, so that sums of triple products fit 64 bits."""


def moment_indices(attributes: int, order: int, *, cross: bool) -> tuple[Index, ...]:
    """Name the distinct coefficients of one order: all of them, or one for each attribute.

    Examples
    --------
    >>> moment_indices(2, COVARIANCE, cross=True)
    ((0, 0), (0, 1), (1, 1))
    >>> moment_indices(2, COSKEWNESS, cross=False)
    ((0, 0, 0), (1, 1, 1))
    """
    if cross:
        return tuple(combinations_with_replacement(range(attributes), order))
    return tuple((attribute,) * order for attribute in range(attributes))


def moment_sums(
    integers: NDArray[np.int64],
    steps: Sequence[int],
    labels: NDArray[np.int64],
    sizes: NDArray[np.int64],
    indices: Sequence[Index],
    *,
    resolution: int,
) -> NDArray[np.int64]:
    """Return size times each coefficient of each cluster, exact but for one final rounding.

    Values are shares of their public range, so that a coefficient of any order has no unit.
    The rounding is ⌊y + ½⌋, which moves by at most s whenever y moves by at most an integer s:
    it costs no privacy.  Costs one pass over the records for each distinct product of columns.

    Parameters
    ----------
    integers : array of int64 of shape (records, attributes)
        Values on the public grids, attribute i in 0 … ``steps[i]``, at most 2²⁰.
    steps : sequence of int
        Number of steps of each grid.
    labels, sizes
        The clusters; a coefficient of order r needs at least r records in each.
    indices : sequence of Index
        Which coefficients, the attributes of each in rising order.
    resolution : int
        Number of steps of the result that stand for 1.

    Returns
    -------
    array of int64 of shape (clusters, coefficients)

    Examples
    --------
    >>> x = np.array([[0], [1], [1]])
    >>> moment_sums(x, [1], np.zeros(3, int), np.array([3]), [(0,), (0, 0)], resolution=10)
    array([[20, 10]])
    """
    needed = {
        part
        for index in indices
        for order in range(MEAN, len(index) + 1)
        for part in combinations(index, order)
    }
    sums = {part: _product_sums(integers, labels, sizes.size, part) for part in needed}
    n = sizes.astype(object)
    columns = []
    for index in indices:
        numerator, denominator = _central(sums, index, n)
        for attribute in index:
            denominator = denominator * int(steps[attribute])
        columns.append((2 * resolution * numerator + denominator) // (2 * denominator))
    return np.column_stack(columns).astype(np.int64)


def unit_moments(
    sums: NDArray[np.int64], sizes: NDArray[np.int64], *, resolution: int
) -> NDArray[np.float64]:
    """Turn (noisy) moment sums into coefficients on the unit scale."""
    return np.asarray(sums / (sizes[:, None] * float(resolution)))


def as_matrices(
    coefficients: NDArray[np.float64], indices: Sequence[Index], attributes: int
) -> NDArray[np.float64]:
    """Write coefficients of order 2 into symmetric matrices, zero where none was published."""
    matrices = np.zeros((coefficients.shape[0], attributes, attributes))
    for column, (i, j) in enumerate(indices):
        matrices[:, i, j] = matrices[:, j, i] = coefficients[:, column]
    return matrices


def decomposed(
    matrices: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return eigenvalues, largest first, and eigenvectors in the columns, of symmetric matrices.

    The entry of largest size in each eigenvector is positive: a rule for readers.  It is not
    continuous, and no rule is, so it must not be used before noise is added.
    """
    values, vectors = np.linalg.eigh(matrices)
    values, vectors = values[..., ::-1], vectors[..., ::-1]
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=-2, keepdims=True), axis=-2)
    return values, vectors * np.where(largest < 0, -1.0, 1.0)


def inverse_gaps(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 over the distance of each eigenvalue to the nearest other one (section 4.2).

    Infinite where an eigenvalue is multiple.

    Examples
    --------
    >>> inverse_gaps(np.array([5.0, 3.0, 2.5]))
    array([0.5, 2. , 2. ])
    """
    steps = np.abs(np.diff(values, axis=-1))
    wall = np.full((*values.shape[:-1], 1), np.inf)
    below = np.concatenate([steps, wall], axis=-1)
    above = np.concatenate([wall, steps], axis=-1)
    with np.errstate(divide="ignore"):
        return np.asarray(1.0 / np.minimum(below, above))


def _product_sums(
    integers: NDArray[np.int64], labels: NDArray[np.int64], clusters: int, index: Index
) -> NDArray[Any]:
    """Return the sums of a product of up to three columns as Python integers, exactly."""
    columns = [integers[:, attribute] for attribute in index]
    if len(columns) < COSKEWNESS:
        return cluster_sums(np.prod(columns, axis=0), labels, clusters).astype(object)
    high, low = np.divmod(columns[0] * columns[1], _HALF_PRODUCT)
    parts = [
        cluster_sums(half * columns[2], labels, clusters).astype(object) for half in (high, low)
    ]
    return np.asarray(parts[0] * _HALF_PRODUCT + parts[1])


def _central(
    sums: Mapping[Index, NDArray[Any]], index: Index, n: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return n times the unbiased coefficient as a fraction of integers."""
    if len(index) == MEAN:
        return sums[index], n * 0 + 1
    if len(index) == COVARIANCE:
        i, j = index
        return n * sums[i, j] - sums[(i,)] * sums[(j,)], n - 1
    i, j, l = index  # noqa: E741 — the paper's letter
    crossed = sums[(i,)] * sums[j, l] + sums[(j,)] * sums[i, l] + sums[(l,)] * sums[i, j]
    cubed = 2 * sums[(i,)] * sums[(j,)] * sums[(l,)]
    return n * n * sums[i, j, l] - n * crossed + cubed, (n - 1) * (n - 2)

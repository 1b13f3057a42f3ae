"""In which order the Hilbert curve visits records, and how far clusters along it can move.

A curve that fills the domain keeps records near each other in every attribute at once, so the
clusters of one order move less together than those of the distance to a point.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import PartitionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The chain is computed over the whole grid, for every one of 2**attributes signs.
MOST_ATTRIBUTES = 6
MOST_BITS = 20
DEFAULT_BITS = 16


def hilbert_bits(attributes: int, bits: int | None = None) -> int:
    """Return how many times the grid halves each attribute, by default or as asked for.

    The default depends on the number of attributes alone: 2 ** 16 cells in all at most.
    """
    if not 1 <= attributes <= MOST_ATTRIBUTES:
        raise PartitionError(
            f"the Hilbert curve is for 1 to {MOST_ATTRIBUTES} numeric attributes, because its grid "
            f'becomes too coarse beyond. Use order="corners", or fewer attributes.'
        )
    if bits is None:
        return DEFAULT_BITS // attributes
    if not 1 <= bits <= MOST_BITS // attributes:
        raise PartitionError(
            f"bits = {bits} does not give a usable grid for {attributes} attributes. "
            f"Give 1 to {MOST_BITS // attributes}."
        )
    return bits


def grid_cells(
    X: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    *,
    bits: int | None = None,
) -> NDArray[np.int64]:
    """Move records to the grid: number the nearest of ``2**bits`` values from bound to bound.

    Cell ``c`` stands for ``low + c * (high - low) / (2**bits - 1)``.  Values outside of the
    bounds go to the nearest bound.
    """
    last = (1 << hilbert_bits(X.shape[1], bits)) - 1
    unit = np.clip((X - low) / scale_of(low, high), 0.0, 1.0)
    return np.asarray(np.rint(unit * last), dtype=np.int64)


def scale_of(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the width of each attribute; infinite if it has one value, which tells nothing."""
    return np.where(high > low, high - low, np.inf)


def hilbert_keys(
    X: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    *,
    bits: int | None = None,
) -> NDArray[np.int64]:
    """Return the position on the curve of the cell of each record."""
    from covey.kernels.hilbert import hilbert_index

    bits = hilbert_bits(X.shape[1], bits)
    keys: NDArray[np.int64] = hilbert_index(grid_cells(X, low, high, bits=bits), bits)
    return keys


@lru_cache(maxsize=64)
def hilbert_chain(clusters: int, attributes: int, bits: int | None = None) -> float:
    """Return how far the sums of all clusters along the curve can move together.

    Under one order the clusters are blocks of ranks.  Replacing a record by a later one makes
    each block in between lose its first record and gain the first of the next block, so the
    records that move form a chain along the curve, with at most one step for each cluster.
    The sum of a cluster changes by one step of the chain.  The result is the greatest L1 length
    of any such chain through the grid, the width of each attribute being 1; no mean moves by
    more than its step divided by ``k``, so all means together move by this divided by ``k``.

    The records must have been moved to the grid by ``grid_cells``: within a cell the curve says
    nothing about the distance of records.

    Exact, by dynamic programming in whole numbers (``longest_chains``); the result grows like
    ``clusters ** (1 - 1 / attributes)``, where the distance to a point allows
    ``clusters * attributes``.

    Examples
    --------
    >>> hilbert_chain(10, 1)
    1.0
    >>> round(hilbert_chain(32, 2), 1)
    15.4
    """
    from covey.kernels.hilbert import hilbert_index, longest_chains

    bits = hilbert_bits(attributes, bits)
    axes = np.meshgrid(*[np.arange(1 << bits)] * attributes, indexing="ij")
    cells = np.stack(axes, axis=-1).reshape(-1, attributes)
    points = np.empty_like(cells)
    points[hilbert_index(cells, bits)] = cells
    signs = np.stack(np.meshgrid(*[[-1, 1]] * attributes), axis=-1).reshape(-1, attributes)
    longest = longest_chains(points @ signs.T, max(clusters, 1))[-1]
    return int(longest) / ((1 << bits) - 1)

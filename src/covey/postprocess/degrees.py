"""How many nodes have each degree, judging from noisy counts?  Post-processing only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Noisy


def from_sorted_sums(noisy: Noisy, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return numbers of nodes by degree from noisy sums of falling degrees over rank blocks.

    The true block means fall with the rank, so the noisy ones are replaced by the nearest
    falling sequence.  A block whose mean lies between two whole degrees holds both, in the
    proportion that gives the mean: for most blocks there are no others in it.
    """
    from scipy.optimize import isotonic_regression

    means = noisy.values / sizes
    falling = isotonic_regression(means, weights=sizes.astype(np.float64) ** 2, increasing=False).x
    falling = np.clip(falling, 0, sizes.sum() - 1)
    lower = np.floor(falling).astype(np.int64)
    # Rounding in the running total keeps the sum of degrees, whatever the sizes of the blocks.
    total = np.cumsum((falling - lower) * sizes)
    upper = np.minimum(np.diff(np.round(total), prepend=0.0).astype(np.int64), sizes)
    upper = np.maximum(upper, 0)
    nodes = np.bincount(lower, weights=sizes - upper, minlength=int(lower.max()) + 2)
    nodes += np.bincount(lower + 1, weights=upper, minlength=len(nodes))
    return _trimmed(nodes.astype(np.int64))


def from_cumulative(noisy: Noisy) -> NDArray[np.int64]:
    """Return numbers of nodes by degree from noisy numbers of nodes of at most each degree."""
    from scipy.optimize import isotonic_regression

    rising = np.maximum(isotonic_regression(noisy.values.astype(np.float64)).x, 0.0)
    return _trimmed(np.diff(np.round(rising), prepend=0.0).astype(np.int64))


def from_histogram(noisy: Noisy) -> NDArray[np.int64]:
    """Return numbers of nodes by degree from noisy ones: those that stand out from the noise.

    Most degrees do not occur in a real graph.  A count that may well be noise is set to zero,
    or all the empty degrees together would hold many nodes that do not exist.
    """
    kept = noisy.values > STANDS_OUT * noisy.scales
    return _trimmed(np.where(kept, noisy.values, 0))


STANDS_OUT = 2.0
"""How many noise scales a count of nodes must exceed; noise alone does so in one of 15 cells."""


def _trimmed(nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    occurring = np.flatnonzero(nodes)
    return nodes[: int(occurring[-1]) + 1] if occurring.size else nodes[:1]

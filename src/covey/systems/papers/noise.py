"""How do the papers add Laplace noise?  With whatever sensitivity they print, or that is proven.

On the same exact draws as the meter's, but whoever calls this sees the records and chooses the
scale, so it carries no differential promise: no sound system may use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InternalError, UnprovenError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Budget, NoiseSource
    from covey.table.grid import Grid


@dataclass(frozen=True, slots=True, kw_only=True)
class PerturbedSums:
    """Noisy integers on a public grid.

    Parameters
    ----------
    steps : array of int64
        Noisy statistics in steps of the grid.
    grid : Grid
        The public grid that they live on.
    scale : Fraction
        Scale of the discrete Laplace noise, in steps.
    """

    steps: NDArray[np.int64]
    grid: Grid
    scale: Fraction

    def means(self, sizes: NDArray[np.int64] | int = 1) -> NDArray[np.float64]:
        """Return noisy sums over public group sizes as values between the public bounds."""
        return self.grid.values(self.steps / sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedCounts:
    """Counts with noise; they may be negative.

    Parameters
    ----------
    values : array of int64
        The noisy counts.
    scales : array of float64
        The scale of the discrete Laplace noise of each.
    """

    values: NDArray[np.int64]
    scales: NDArray[np.float64]


def add_laplace(
    integers: NDArray[np.int64],
    *,
    grid: Grid,
    sensitivity: int,
    budget: Budget,
    source: NoiseSource,
) -> PerturbedSums:
    """Add discrete Laplace noise of scale ``sensitivity / epsilon`` to a vector of integers.

    Two inputs that move the vector by at most ``sensitivity`` in L1 lead to any output with
    probabilities within a factor of exp(epsilon) (docs/proofs/discrete-laplace.md).
    """
    if sensitivity <= 0:
        raise UnprovenError(
            "the sensitivity is not positive, so no noise would be added. "
            "Check the public bounds: they must enclose at least one step of the grid."
        )
    scale = sensitivity / budget.epsilon
    noisy = source.laplace(integers, scale=scale, l1=sensitivity, epsilon=budget.epsilon)
    return PerturbedSums(steps=noisy, grid=grid, scale=scale)


def add_printed_noise(
    counts: NDArray[np.int64],
    *,
    sensitivity: int,
    epsilons: Sequence[Fraction],
    source: NoiseSource,
) -> PrintedCounts:
    """Add noise of scale ``sensitivity / epsilon`` with an epsilon of its own for each count."""
    if sensitivity <= 0 or len(epsilons) != len(counts) or any(e <= 0 for e in epsilons):
        raise InternalError("printed noise needs a positive sensitivity and epsilons.")
    noisy = np.empty(len(counts), dtype=np.int64)
    places: dict[Fraction, list[int]] = {}
    for place, epsilon in enumerate(epsilons):
        places.setdefault(epsilon, []).append(place)
    for epsilon, where in places.items():
        scale = sensitivity / epsilon
        noisy[where] = source.laplace(counts[where], scale=scale, l1=sensitivity, epsilon=epsilon)
    scales = np.array([float(sensitivity / epsilon) for epsilon in epsilons], dtype=np.float64)
    return PrintedCounts(values=noisy, scales=scales)

"""How is noise added to a count and several sums at once?

One record adds (1, u) with every |u_j| ≤ 1 to the vector of one cluster.  All such vectors lie
in a cube, so noise whose density falls with the largest coordinate protects the count and all
sums together for the price that Laplace noise asks for one of them
(docs/proofs/cube-noise.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import PlanError, UnprovenError
from covey.perturb.exact import geometric
from covey.perturb.uniform import uniform_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb.source import NoiseSource
    from covey.perturb.uniform import RandomBytes
    from covey.privacy import Budget, PrivacyUnit, Sensitivity

LARGEST_SCALE = 2**50
"""Beyond it, sums of noise would not fit into 64-bit integers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeNoisy:
    """Noisy integer vectors, with the account of their cost.  Only `add_cube` makes one.

    Parameters
    ----------
    vectors : tuple of arrays of int64
        Groups of rows; the rows of a group have the same number of coordinates.
    scale : int
        The noise z of a row has probability ∝ exp(−max|z| / scale).
    epsilon : Fraction
        What all of them together cost.
    unit, claim, secure
        As in `Perturbed`.
    """

    vectors: tuple[NDArray[np.int64], ...]
    scale: int
    epsilon: Fraction
    unit: PrivacyUnit
    claim: str
    secure: bool


def add_cube(
    vectors: Sequence[NDArray[np.int64]],
    *,
    sensitivity: Sensitivity,
    budget: Budget,
    source: NoiseSource,
) -> CubeNoisy:
    """Add noise with probability ∝ exp(−max|z| / scale) to each row, scale = sensitivity/ε.

    ``sensitivity.l1`` bounds the sum, over all rows of all groups, of the largest change of a
    coordinate.
    """
    if sensitivity.l1 <= 0:
        raise UnprovenError("the sensitivity is not positive, so no noise would be added.")
    scale = math.ceil(Fraction(sensitivity.l1) / budget.epsilon)
    if scale > LARGEST_SCALE:
        raise PlanError(
            "epsilon is too small for exact noise, which would not fit into 64 bits. Give a larger "
            "epsilon, or publish fewer columns."
        )
    noisy = tuple(rows + cube_noise(scale, rows.shape, source.random_bytes) for rows in vectors)
    return CubeNoisy(
        vectors=noisy,
        scale=scale,
        epsilon=budget.epsilon,
        unit=sensitivity.unit,
        claim=sensitivity.claim,
        secure=source.secure,
    )


def cube_noise(scale: int, shape: tuple[int, ...], random_bytes: RandomBytes) -> NDArray[np.int64]:
    """Draw rows z of D integers with probability ∝ exp(−max|z| / scale), exactly.

    A row is uniform in the cube of integers of size at most t, with t of weight
    (2t + 1)^D · exp(−t/scale): summing over t ≥ max|z| leaves exp(−max|z|/scale).  And t is a
    sum of D + 1 geometric draws, which has weight (t+1)…(t+D)·exp(−t/scale), accepted with
    probability (t+½)^D / ((t+1)…(t+D)).
    """
    rows, dimensions = shape
    sizes = np.empty(rows, dtype=np.int64)
    pending = np.arange(rows)
    while pending.size:
        draws = geometric(scale, pending.size * (dimensions + 1), random_bytes)
        sums = draws.reshape(pending.size, dimensions + 1).sum(axis=1)
        accepted = np.ones(pending.size, dtype=np.bool_)
        for i in range(1, dimensions + 1):
            accepted &= uniform_below(2 * sums + 2 * i, random_bytes) < 2 * sums + 1
        sizes[pending[accepted]] = sums[accepted]
        pending = pending[~accepted]
    bounds = np.repeat(2 * sizes + 1, dimensions)
    return uniform_below(bounds, random_bytes).reshape(shape) - sizes[:, None]

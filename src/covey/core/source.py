"""Where does the randomness come from?  Every draw that privacy rests on is made here."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import numpy as np

from covey.core.digits import FARTHEST, laplace_noise
from covey.core.exact import COIN_PARTS, choice, cube_noise, cut_boxes, uniform_below
from covey.core.gauss import gaussian_noise
from covey.errors import InternalError

if TYPE_CHECKING:
    from numpy.typing import NDArray


_BOUND = FARTHEST // 2


class NoiseSource(Protocol):
    """Draws what each mechanism needs; an audit brings sources that record, weaken or blind."""

    @property
    def secure(self) -> bool:
        """Return whether nobody can repeat the draws."""
        ...

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Return the integers plus independent discrete Laplace noise of this scale."""
        ...

    def gaussian(
        self, values: NDArray[np.int64], *, variance: Fraction, squares: int, rho: Fraction
    ) -> NDArray[np.int64]:
        """Return the integers plus independent discrete Gaussian noise of this variance."""
        ...

    def cube(self, rows: NDArray[np.int64], *, scale: int) -> NDArray[np.int64]:
        """Return the rows plus noise z of probability ∝ exp(−max|z| / scale) for each of them."""
        ...

    def cut(self, counts: NDArray[np.int64], *, depth: int, scale: Fraction) -> NDArray[np.bool_]:
        """Return which boxes of one depth are cut, as `covey.core.exact.cut_boxes` says."""
        ...

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Return one column for each row, with probability ∝ exp(−rate · loss)."""
        ...

    def coins(self, parts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return true with probability part/`COIN_PARTS`."""
        ...

    def placement(self) -> np.random.Generator:
        """Return a generator for post-processing, on which no privacy rests."""
        ...


@dataclass(frozen=True, slots=True)
class SecureNoise:
    """Exact samplers on the operating system's generator."""

    secure: bool = True

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Add exact noise, if the scale pays for the sensitivity."""
        if l1 > epsilon * scale:
            raise InternalError("the price disagrees with the noise scale.")
        return _added(laplace_noise(scale, values.size, os.urandom), values)

    def gaussian(
        self, values: NDArray[np.int64], *, variance: Fraction, squares: int, rho: Fraction
    ) -> NDArray[np.int64]:
        """Add exact noise, if the variance pays for the squares."""
        if squares > 2 * rho * variance:
            raise InternalError("the price disagrees with the variance of the noise.")
        return _added(gaussian_noise(variance, values.size, os.urandom), values)

    def cube(self, rows: NDArray[np.int64], *, scale: int) -> NDArray[np.int64]:
        """Add exact noise."""
        return rows + cube_noise(scale, rows.shape, os.urandom)

    def cut(self, counts: NDArray[np.int64], *, depth: int, scale: Fraction) -> NDArray[np.bool_]:
        """Test exactly."""
        return cut_boxes(counts, depth, scale, os.urandom)

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Choose exactly, by rejection from a uniform candidate."""
        # Subtracting the smallest loss scales all weights alike; it saves work, changes nothing.
        above = (losses - losses.min(axis=1, keepdims=True)).tolist()
        return np.array([choice(row, rate, secrets.randbelow) for row in above], dtype=np.int64)

    def coins(self, parts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Toss exactly."""
        return uniform_below(np.full(parts.size, COIN_PARTS), os.urandom) < parts

    def placement(self) -> np.random.Generator:
        """Start from fresh entropy."""
        return np.random.default_rng()


def _added(noise: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    # Nothing that is counted comes near these bounds; with them, no sum can leave 64 bits.
    noisy = noise.reshape(values.shape) + np.clip(values, -_BOUND, _BOUND)
    return noisy.clip(-_BOUND, _BOUND)

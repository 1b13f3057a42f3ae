"""How is an experiment repeated?  Noise from a seed, which whoever knows it can subtract."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.core.exact import COIN_PARTS, cube_noise, cut_boxes, uniform_below
from covey.core.gauss import gaussian_noise

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SeededNoise:
    """Repeatable noise for experiments.

    A release made with it is stamped "not for publication: seeded".
    """

    generator: np.random.Generator
    secure: bool = False

    @classmethod
    def of(cls, seed: int) -> SeededNoise:
        """Start a generator from a seed."""
        return cls(np.random.default_rng(seed))

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Add the difference of two geometric variables, which is discrete Laplace."""
        del l1, epsilon
        p = -np.expm1(-1.0 / float(scale))
        return (
            values
            + self.generator.geometric(p, values.shape)
            - self.generator.geometric(p, values.shape)
        )

    def gaussian(
        self, values: NDArray[np.int64], *, variance: Fraction, squares: int, rho: Fraction
    ) -> NDArray[np.int64]:
        """Add noise of the exact law."""
        del squares, rho
        drawn = gaussian_noise(variance, values.size, self.generator.bytes)
        return values + drawn.reshape(values.shape)

    def cube(self, rows: NDArray[np.int64], *, scale: int) -> NDArray[np.int64]:
        """Add noise of the exact law."""
        return rows + cube_noise(scale, rows.shape, self.generator.bytes)

    def cut(self, counts: NDArray[np.int64], *, depth: int, scale: Fraction) -> NDArray[np.bool_]:
        """Test by the exact law."""
        return cut_boxes(counts, depth, scale, self.generator.bytes)

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Choose the largest weight plus Gumbel noise, which has the same law."""
        return np.asarray(
            np.argmax(self.generator.gumbel(size=losses.shape) - float(rate) * losses, axis=1),
            dtype=np.int64,
        )

    def coins(self, parts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Toss by the exact law."""
        return uniform_below(np.full(parts.size, COIN_PARTS), self.generator.bytes) < parts

    def placement(self) -> np.random.Generator:
        """Go on from the seed."""
        return self.generator

"""What would an audit say if the noise were too small?  A source that makes it so."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource


@dataclass(frozen=True, slots=True, kw_only=True)
class WeakNoise:
    """Divides every scale: a copy of a mechanism that an audit with any power must refute.

    Mechanisms that draw from random bytes choose their own scale and are not weakened.
    """

    source: NoiseSource
    shrink: int

    @property
    def secure(self) -> bool:
        """Return whether the draws of the source behind it are."""
        return self.source.secure

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Add noise that is too small, at a price that is too high to be told."""
        return self.source.laplace(
            values, scale=scale / self.shrink, l1=l1, epsilon=epsilon * self.shrink
        )

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Choose good candidates too often."""
        return self.source.choices(losses, rate=rate * self.shrink)

    def random_bytes(self, count: int) -> bytes:
        """Return the random bytes of the source behind it."""
        return self.source.random_bytes(count)

    def placement(self) -> np.random.Generator:
        """Return the generator of the source behind it."""
        return self.source.placement()

"""Where does the randomness come from?"""

from __future__ import annotations

import functools
import os
import secrets
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from covey.errors import InternalError
from covey.perturb.exact import choice

if TYPE_CHECKING:
    from numpy.typing import NDArray


class NoiseSource(Protocol):
    """Draws discrete Laplace noise and random choices."""

    @property
    def secure(self) -> bool:
        """Return whether nobody can repeat the draws."""
        ...

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Return the integers plus independent discrete Laplace noise of this scale."""
        ...

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Return one column for each row, with probability ∝ exp(−rate · loss)."""
        ...

    def random_bytes(self, count: int) -> bytes:
        """Return so many random bytes."""
        ...

    def placement(self) -> np.random.Generator:
        """Return a generator for post-processing, on which no privacy rests."""
        ...


@dataclass(frozen=True, slots=True)
class SecureNoise:
    """OpenDP's exact discrete Laplace from the operating system's generator."""

    secure: bool = True

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Add noise, after OpenDP itself confirmed that the scale pays for the sensitivity."""
        measurement = _opendp_laplace(_float_not_below(scale))
        if Fraction(measurement.map(l1)) > epsilon * (1 + Fraction(1, 2**48)):
            raise InternalError("OpenDP's own accounting disagrees with the noise scale.")
        return np.asarray(measurement(values.tolist()), dtype=np.int64)

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Choose exactly, by rejection from a uniform candidate."""
        # Subtracting the smallest loss scales all weights alike; it saves work, changes nothing.
        above = (losses - losses.min(axis=1, keepdims=True)).tolist()
        drawn = [choice(row, rate, secrets.randbelow) for row in above]
        return np.array(drawn, dtype=np.int64)

    def random_bytes(self, count: int) -> bytes:
        """Ask the operating system."""
        return os.urandom(count)

    def placement(self) -> np.random.Generator:
        """Start from fresh entropy."""
        return np.random.default_rng()


@dataclass(frozen=True, slots=True)
class SeededNoise:
    """Repeatable noise for experiments.  Whoever knows the seed can subtract it.

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

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Choose the largest weight plus Gumbel noise, which has the same law."""
        return np.asarray(
            np.argmax(self.generator.gumbel(size=losses.shape) - float(rate) * losses, axis=1),
            dtype=np.int64,
        )

    def random_bytes(self, count: int) -> bytes:
        """Draw from the seed."""
        return self.generator.bytes(count)

    def placement(self) -> np.random.Generator:
        """Go on from the seed."""
        return self.generator


def _float_not_below(scale: Fraction) -> float:
    value = float(scale)
    return value if Fraction(value) >= scale else float(np.nextafter(value, np.inf))


@functools.lru_cache(maxsize=64)
def _opendp_laplace(scale: float) -> Any:
    # Not its prelude, which imports scikit-learn and pandas for seconds.
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_laplace
    from opendp.metrics import l1_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    space = vector_domain(atom_domain(T="i64")), l1_distance(T="i64")
    return make_laplace(*space, scale=scale)

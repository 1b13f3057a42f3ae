"""Where does the randomness come from?  Every draw that privacy rests on is made here."""

from __future__ import annotations

import functools
import os
import secrets
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from covey.core.exact import COIN_PARTS, choice, cube_noise, cut_boxes, uniform_below
from covey.errors import InternalError

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    """Exact samplers on the operating system's generator; discrete Laplace from OpenDP."""

    secure: bool = True

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Add noise, after OpenDP itself confirmed that the scale pays for the sensitivity."""
        measurement = _opendp_laplace(_float_not_below(scale))
        if Fraction(measurement.map(l1)) > epsilon * (1 + Fraction(1, 2**48)):
            raise InternalError("OpenDP's own accounting disagrees with the noise scale.")
        return np.asarray(measurement(values.tolist()), dtype=np.int64)

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

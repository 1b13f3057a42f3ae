"""Which values may be published?  Those that a mechanism of this folder made."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb.grid import Grid
    from covey.privacy import PrivacyUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Perturbed:
    """Noisy integers on a public grid, with the account of how they came about.

    Only the functions of `covey.perturb` make one (a test reads the imports), and a release
    with a differential guarantee accepts nothing else.

    Parameters
    ----------
    steps : array of int64
        Noisy statistics in steps of the grid.
    grid : Grid
        The public grid that they live on.
    scale : Fraction
        Scale of the discrete Laplace noise, in steps.
    epsilon : Fraction
        What it cost.
    unit : PrivacyUnit
        The neighbour relation that the cost holds for.
    claim : str
        The proof page of the sensitivity.
    secure : bool
        False if the noise came from a seeded generator.
    """

    steps: NDArray[np.int64]
    grid: Grid
    scale: Fraction
    epsilon: Fraction
    unit: PrivacyUnit
    claim: str
    secure: bool

    def means(self, sizes: NDArray[np.int64] | int = 1) -> NDArray[np.float64]:
        """Return noisy sums over public group sizes as values between the public bounds."""
        return self.grid.values(self.steps / sizes)

    def noise_sd(self, sizes: NDArray[np.int64] | int = 1) -> NDArray[np.float64]:
        """Return the standard deviation that the noise gives each mean, in raw units."""
        sd = float(self.scale) * np.sqrt(2.0) * self.grid.step
        return np.asarray(sd / np.asarray(sizes, dtype=np.float64))

"""How do real values become integers, so that noise can be exact?

Float noise is not differentially private: the set of floats that a noisy value can take
depends on the value.  So values are clamped to public bounds and rounded to a public grid;
statistics are integer sums, noise is an integer, and floats come back only after the noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import BoundsError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

FINEST = 2**20
"""Number of steps between the bounds where the attribute itself asks for no other."""

PIECE = 2**14
"""Values that fit into the nearest cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Integers 0 … steps that stand for values between two public bounds.

    Parameters
    ----------
    low, high : float
        The public bounds.
    steps : int
        The number of steps between them.
    """

    low: float
    high: float
    steps: int

    def __post_init__(self) -> None:
        """Refuse bounds between which no grid fits: a value outside it would break every claim."""
        if not (0 < self.high - self.low < float("inf") and self.steps > 0):
            raise BoundsError(
                f"the bounds [{self.low:g}, {self.high:g}] are not the ends of a finite interval, "
                f"so no grid of integers lies between them. Give bounds with a finite distance."
            )

    @classmethod
    def between(
        cls, low: float, high: float, *, integer: bool = False, step: float | None = None
    ) -> Grid:
        """Choose a grid from public knowledge: the attribute's own steps, or fine ones.

        ``step`` divides the distance of the bounds, as a schema makes sure; ``integer`` is a step
        of 1 if the bounds are whole.  More than `FINEST` steps are too many.
        """
        width = high - low
        if step is None and integer and float(low).is_integer() and float(high).is_integer():
            step = 1.0
        steps = FINEST if step is None or width / step > FINEST else round(width / step)
        return cls(low=float(low), high=float(high), steps=steps)

    @property
    def step(self) -> float:
        """Return the width of one step in raw units."""
        return (self.high - self.low) / self.steps

    def integers(self, values: ArrayLike) -> NDArray[np.int64]:
        """Clamp values to the bounds and round them to the grid."""
        values = np.asarray(values, dtype=np.float64)
        found = np.empty(values.size, dtype=np.int64)
        # Piece by piece: columns are long, and memory is slower than the arithmetic.
        for start in range(0, values.size, PIECE):
            piece = slice(start, start + PIECE)
            share = np.clip(values.ravel()[piece], self.low, self.high) - self.low
            share /= self.high - self.low
            found[piece] = np.clip(np.rint(share * self.steps), 0, self.steps)
        return found.reshape(values.shape)

    def values(self, steps: ArrayLike) -> NDArray[np.float64]:
        """Turn positions on the grid into raw values, clamped to the bounds."""
        share = np.clip(np.asarray(steps, dtype=np.float64) / self.steps, 0.0, 1.0)
        # Clipped again, because the sum may round to just beyond the bound.
        return np.clip(self.low + share * (self.high - self.low), self.low, self.high)

"""What can be audited?  Two inputs of one mechanism, and a number drawn from each run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource

RECORDED = "recorded law"
"""Noise is drawn in blocks around the centres that the system's own code computed."""

REAL = "real runs"
"""The system is run from beginning to end, once for each draw."""

SPECIMEN = "specimen"
"""A mechanism that is no system of covey, written down to be audited."""


class Subject(Protocol):
    """A mechanism with two neighbouring inputs and a statistic T of its output."""

    @property
    def words(self) -> str:
        """Return how the inputs differ."""
        ...

    @property
    def how(self) -> str:
        """Return where the draws come from: `RECORDED`, `REAL` or `SPECIMEN`."""
        ...

    @property
    def exact(self) -> float:
        """Return the exact loss of the pair, or a lower bound on it; nan if none is known."""
        ...

    @property
    def at_least(self) -> bool:
        """Return whether ``exact`` is a lower bound only."""
        ...

    @property
    def decimals(self) -> int | None:
        """Return to how many digits T is rounded; None for full precision."""
        ...

    def draw(
        self, side: int, runs: int, source: NoiseSource, *, shrink: int = 1
    ) -> NDArray[np.float64]:
        """Return T of so many runs on input 0 or 1, with noise scales divided by ``shrink``."""
        ...

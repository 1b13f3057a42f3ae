"""What comes out if a system is run from beginning to end, again and again?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.audit.law import DECIMALS
from covey.audit.pairs import Pair
from covey.audit.subject import REAL
from covey.audit.weak import WeakNoise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource
    from covey.systems import Outcome, System

Statistic = Callable[["Outcome"], float]
"""Turns what a system releases into the one number T."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealRuns:
    """A system, run on a pair with the noise that it publishes with.

    Parameters
    ----------
    system : System
        What is run.
    parameters : mapping
        Its parameters.
    pair : Pair
        Its two inputs.
    statistic : callable
        T, a function of the outcome alone.
    exact : float
        The exact loss of the pair, if it is known.
    weakened : mapping
        Parameters for the copy with noise that is too small, for a system that draws from
        random bytes and so chooses its scales itself.
    """

    system: System
    parameters: Mapping[str, Any]
    pair: Pair
    statistic: Statistic
    exact: float = math.nan
    at_least: bool = False
    weakened: Mapping[str, Any] = field(default_factory=dict)
    how: str = REAL
    decimals: int | None = DECIMALS

    @property
    def words(self) -> str:
        """Return how the inputs differ."""
        return self.pair.words

    def draw(
        self, side: int, runs: int, source: NoiseSource, *, shrink: int = 1
    ) -> NDArray[np.float64]:
        """Run the system on one side; a system without noise is run once."""
        data = (self.pair.here, self.pair.there)[side]
        weak = self.weakened if shrink > 1 else {}
        settings = self.system.settings({**self.parameters, **weak})
        if shrink > 1 and not self.weakened:
            source = WeakNoise(source=source, shrink=shrink)
        if self.system.deterministic:
            return np.full(runs, self.statistic(self.system.run(data, settings, source, None)))
        outcomes = (self.system.run(data, settings, source, None) for _ in range(runs))
        return np.array([self.statistic(outcome) for outcome in outcomes])

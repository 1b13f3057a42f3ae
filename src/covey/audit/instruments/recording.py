"""What does a system draw, from which exact values?  Sources that record, explore, add nothing.

Outputs are made with them to be replayed on neighbouring inputs (`instruments/replay.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.audit.instruments.drawn import Drawn
from covey.core.exact import GAMMA
from covey.seeded import SeededNoise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource


LOUD = 0.5
"""How often noise is added to a draw that would tell more without."""


class AuditNoise:
    """A noise source all of whose draws go one way.

    It pretends to be secure, so that systems run as they do for publication, and post-processing
    always gets the same generator.
    """

    secure = True

    def draw(self, mechanism: str, exact: NDArray[Any], **public: Any) -> NDArray[Any]:
        """Return what a mechanism gives out."""
        raise NotImplementedError

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Draw noisy integers."""
        return self.draw("laplace", values, scale=scale, l1=l1, epsilon=epsilon)

    def gaussian(
        self, values: NDArray[np.int64], *, variance: Fraction, squares: int, rho: Fraction
    ) -> NDArray[np.int64]:
        """Draw noisy integers."""
        return self.draw("gaussian", values, variance=variance, squares=squares, rho=rho)

    def cube(self, rows: NDArray[np.int64], *, scale: int) -> NDArray[np.int64]:
        """Draw noisy rows."""
        return self.draw("cube", rows, scale=scale)

    def cut(self, counts: NDArray[np.int64], *, depth: int, scale: Fraction) -> NDArray[np.bool_]:
        """Draw which boxes are cut."""
        return self.draw("cut", counts, depth=depth, scale=scale)

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Draw a column for each row."""
        return self.draw("choices", losses, rate=rate)

    def coins(self, parts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Draw which coins fall on the right side."""
        return self.draw("coins", parts)

    def placement(self) -> np.random.Generator:
        """Return a generator for post-processing."""
        return np.random.default_rng(0)


class SilentNoise(AuditNoise):
    """Adds nothing, and takes what is likeliest: at such an output Laplace noise tells most."""

    def draw(self, mechanism: str, exact: NDArray[Any], **public: Any) -> NDArray[Any]:
        """Return the exact values, the best candidates, or the likelier outcomes."""
        if mechanism == "cut":
            return np.asarray(exact > float(public["scale"] * public["depth"] * GAMMA))
        if mechanism == "choices":
            return np.asarray(np.argmin(exact, axis=1))
        return np.asarray(exact > 0) if mechanism == "coins" else exact.copy()


class ExploringNoise(AuditNoise):
    """Adds noise to some draws and none to others: possible outputs of all kinds.

    An unlikely output counts as much as any other for a bound that holds for all of them.  The
    first draws repeat those of an earlier output, if there is one to start from.
    """

    def __init__(self, rng: np.random.Generator, start: Sequence[Drawn] = ()) -> None:
        self._rng, self._noise, self._silent = rng, SeededNoise(rng), SilentNoise()
        self._start = list(start)

    def draw(self, mechanism: str, exact: NDArray[Any], **public: Any) -> NDArray[Any]:
        """Repeat, draw, or add nothing."""
        if self._start and mechanism != "coins":
            earlier = self._start.pop(0)
            if earlier.request == Drawn(mechanism, exact, public, exact).request:
                return earlier.result
            # Coins fell in another way this time, and led elsewhere.
            self._start = []
        loud = mechanism == "cut" or self._rng.random() < LOUD
        source: Any = self._noise if loud else self._silent
        return np.asarray(getattr(source, mechanism)(exact, **public))


@dataclass(slots=True)
class RecordingNoise(AuditNoise):
    """Remembers what it was asked for; the draws are those of another source."""

    source: NoiseSource = field(default_factory=SilentNoise)
    asked: list[Drawn] = field(default_factory=list)

    def draw(self, mechanism: str, exact: NDArray[Any], **public: Any) -> NDArray[Any]:
        """Draw and remember."""
        result = getattr(self.source, mechanism)(exact, **public)
        self.asked.append(Drawn(mechanism, exact.copy(), public, result))
        return np.asarray(result).copy()

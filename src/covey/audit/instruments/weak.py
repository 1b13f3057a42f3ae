"""What would an audit say if the noise were too small?  A source that makes it so.

A system runs on it as it ships: the meter believes its own scales, and the draws are narrower.
An audit that does not refute such a copy could not have seen the mistake.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.audit.instruments.recording import AuditNoise
from covey.core.exact import THOUSANDTHS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource

WEAKER = Fraction(5, 4)
"""The copy that an audit must refute has noise that is 20 % too small."""


@dataclass(frozen=True, slots=True)
class WeakNoise(AuditNoise):
    """Divides every scale, and hands the draw on; coins fall as they should."""

    source: NoiseSource
    shrink: Fraction = WEAKER

    def draw(self, mechanism: str, exact: NDArray[Any], **public: Any) -> NDArray[Any]:
        """Draw with less noise than was asked for."""
        if mechanism == "laplace":
            # At a price to match, because a source may check it.
            public["epsilon"] *= self.shrink
            public["scale"] /= self.shrink
        elif mechanism == "gaussian":
            public["rho"] *= self.shrink**2
            public["variance"] /= self.shrink**2
        elif mechanism == "cube":
            public["scale"] = math.ceil(public["scale"] / self.shrink)
        elif mechanism == "cut":
            thousandths = math.ceil(public["scale"] * THOUSANDTHS / self.shrink)
            public["scale"] = Fraction(thousandths, THOUSANDTHS)
        elif mechanism == "choices":
            public["rate"] *= self.shrink
        return np.asarray(getattr(self.source, mechanism)(exact, **public))

    def placement(self) -> np.random.Generator:
        """Return the generator of the source behind it."""
        return self.source.placement()

"""Does anything reach a release but through noise?

With noise that replaces what it is given, two inputs that have nothing in common but what is
public must lead to the same release: whatever differs has gone past the noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.audit.instruments.recording import AuditNoise, SilentNoise
from covey.audit.instruments.replay import difference

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.audit.instruments.replay import Shipped

DEEPEST = 5
"""Boxes are cut at random down to this depth."""

SPREAD = 3
"""Rows of a cube lie so many scales around nothing."""


@dataclass(slots=True)
class BlindNoise(AuditNoise):
    """Answers without looking at the values: as if the noise were so large that it hid them."""

    asked: int = field(default=0)

    def draw(self, mechanism: str, exact: NDArray[Any], **public: Any) -> NDArray[Any]:
        """Return something that depends on how often it was asked, and on nothing else."""
        self.asked += 1
        rng = np.random.default_rng(self.asked)
        if mechanism == "laplace":
            # Sums between 0 and the sensitivity have means inside the bounds.
            return rng.integers(0, public["l1"], size=exact.shape, endpoint=True)
        if mechanism == "gaussian":
            return rng.integers(0, math.isqrt(public["squares"]) + 1, size=exact.shape)
        if mechanism == "cube":
            reach = SPREAD * public["scale"]
            return rng.integers(-reach, reach, size=exact.shape, endpoint=True)
        if mechanism == "choices":
            return rng.integers(0, exact.shape[1], size=len(exact))
        return np.asarray(rng.random(exact.shape) < float(public.get("depth", 0) < DEEPEST) / 2)


def interference(here: Shipped, there: Shipped) -> str:
    """Name what differs between blind releases of unrelated inputs; nothing, if nothing does."""
    return difference(here.release(BlindNoise()), there.release(BlindNoise()))


def sees_a_difference(here: Shipped, there: Shipped) -> bool:
    """Return whether the inputs are such that without noise their releases would differ."""
    return bool(difference(here.release(SilentNoise()), there.release(SilentNoise())))

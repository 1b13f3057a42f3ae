"""What is a system that sees records about to perturb, and what does it give away beside it?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.core.stand_ins import Silent

if TYPE_CHECKING:
    import polars as pl

    from covey.systems import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Integers that were to be perturbed, and how."""

    integers: tuple[int, ...]
    scale: Fraction
    l1: int
    epsilon: Fraction

    @property
    def public(self) -> tuple[object, ...]:
        """Return what must not depend on the data."""
        return (len(self.integers), self.scale, self.l1, self.epsilon)

    def loss(self, other: Sums) -> Fraction:
        """Return the exact privacy loss between two inputs that were to get the same noise."""
        pairs = zip(self.integers, other.integers, strict=True)
        return sum(abs(here - there) for here, there in pairs) / self.scale


@dataclass
class RecordingNoise(Silent):
    """Adds nothing, and remembers the sums that it was asked for."""

    asked: list[Any] = field(default_factory=list)

    def laplace(self, values, *, scale, l1, epsilon):
        """Return the values as they are."""
        integers = tuple(int(value) for value in values)
        self.asked.append(Sums(integers=integers, scale=scale, l1=l1, epsilon=epsilon))
        return np.array(values, dtype=np.int64)


def graph_loss(here: Outcome, there: Outcome) -> float:
    """Return the exact loss between two releases of degrees that were made without noise.

    Infinite if rows, clusters or scales tell them apart; otherwise it is Σ |Δ| / scale.
    """
    frames = [outcome.extras["measured"] for outcome in (here, there)]
    if _bare(here) != _bare(there):
        return math.inf
    counts = [_noisy(frame).to_numpy() for frame in frames]
    return float((np.abs(counts[0] - counts[1]) / frames[0]["noise_scale"].to_numpy()).sum())


def _bare(outcome: Outcome) -> tuple[object, ...]:
    measured, clusters = outcome.extras["measured"], outcome.extras.get("clusters")
    *degrees, _ = outcome.columns.values()
    return (
        [column.tolist() for column in degrees],
        measured.drop(_noisy(measured).name).rows(),
        None if clusters is None else clusters.rows(),
    )


def _noisy(measured: pl.DataFrame) -> pl.Series:
    (name,) = (name for name in measured.columns if name.startswith("noisy_"))
    return measured[name]

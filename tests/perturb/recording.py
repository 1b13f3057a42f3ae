"""A source of no noise that remembers what it was asked for, to compute exact privacy losses."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
        return ("sums", len(self.integers), self.scale, self.l1, self.epsilon)

    def loss(self, other: Sums) -> Fraction:
        """Return the exact privacy loss between two inputs that were to get the same noise."""
        pairs = zip(self.integers, other.integers, strict=True)
        return sum(abs(here - there) for here, there in pairs) / self.scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Losses of candidates that were to be chosen from, and the rate."""

    losses: tuple[tuple[int, ...], ...]
    rate: Fraction

    @property
    def public(self) -> tuple[object, ...]:
        """Return what must not depend on the data."""
        return ("choices", len(self.losses), len(self.losses[0]), self.rate)

    def loss(self, other: Choices) -> float:
        """Return the privacy loss of all choices together, at the worst combination."""
        pairs = zip(self.losses, other.losses, strict=True)
        return sum(self._row_loss(here, there) for here, there in pairs)

    def largest_move(self, other: Choices) -> int:
        """Return how far the loss of a candidate moved at most."""
        rows = zip(self.losses, other.losses, strict=True)
        return max(abs(a - b) for row in rows for a, b in zip(*row, strict=True))

    def _row_loss(self, here: tuple[int, ...], there: tuple[int, ...]) -> float:
        logs = [self._log_probabilities(row) for row in (here, there)]
        return max(abs(a - b) for a, b in zip(*logs, strict=True))

    def _log_probabilities(self, losses: tuple[int, ...]) -> list[float]:
        logs = [-float(self.rate * (loss - min(losses))) for loss in losses]
        whole = math.log(math.fsum(math.exp(log) for log in logs))
        return [log - whole for log in logs]


@dataclass(slots=True)
class RecordingNoise:
    """Adds nothing; pretends to be secure, so that systems run as they would for publication."""

    secure: bool = True
    asked: list[Sums | Choices] = field(default_factory=list)

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Return the integers as they are."""
        integers = tuple(int(value) for value in values)
        self.asked.append(Sums(integers=integers, scale=scale, l1=l1, epsilon=epsilon))
        return np.array(values, dtype=np.int64)

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Return the best candidate of each row."""
        rows = tuple(tuple(int(loss) for loss in row) for row in losses)
        self.asked.append(Choices(losses=rows, rate=rate))
        return np.argmin(losses, axis=1).astype(np.int64)

    def random_bytes(self, count: int) -> bytes:
        """Return bytes that are not random, for mechanisms whose noise cannot be left out."""
        return np.random.default_rng(count).bytes(count)

    def placement(self) -> np.random.Generator:
        """Return a generator for post-processing."""
        return np.random.default_rng(0)

    def permutation(self, n: int) -> NDArray[np.int64]:
        """Return the order that the rows have."""
        return np.arange(n)

"""What would a system perturb, and what does it publish without noise?

Two stand-ins for noise.  `RecordingNoise` adds nothing and remembers what it was asked for, so
that exact privacy losses can be computed.  `BlindNoise` remembers as well, and answers with
numbers that do not depend on the data at all: whatever still differs between two neighbours is
published without noise, and a later request can depend on an earlier answer.
"""

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
        return math.fsum(self._row_loss(here, there) for here, there in pairs)

    def largest_move(self, other: Choices) -> int:
        """Return how far the loss of a candidate moved at most."""
        rows = zip(self.losses, other.losses, strict=True)
        return max(abs(a - b) for row in rows for a, b in zip(*row, strict=True))

    def log_probabilities(self, row: int, *, rate: Fraction | None = None) -> list[float]:
        """Return the logarithm of the probability of each candidate of a row."""
        return _log_probabilities(self.losses[row], self.rate if rate is None else rate)

    def _row_loss(self, here: tuple[int, ...], there: tuple[int, ...]) -> float:
        logs = [_log_probabilities(row, self.rate) for row in (here, there)]
        return max(abs(a - b) for a, b in zip(logs[0], logs[1], strict=True))


Request = Sums | Choices
"""One call of a noise source."""


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
        return np.asarray(np.argmin(losses, axis=1), dtype=np.int64)

    def random_bytes(self, count: int) -> bytes:
        """Return bytes that are not random, for mechanisms whose noise cannot be left out."""
        return np.random.default_rng(count).bytes(count)

    def placement(self) -> np.random.Generator:
        """Return a generator for post-processing."""
        return np.random.default_rng(0)


@dataclass(slots=True)
class BlindNoise:
    """Answers without looking at the values: as if the noise were so large that it hid them."""

    secure: bool = True
    asked: list[Sums | Choices] = field(default_factory=list)

    def laplace(
        self, values: NDArray[np.int64], *, scale: Fraction, l1: int, epsilon: Fraction
    ) -> NDArray[np.int64]:
        """Return different integers between 0 and the sensitivity, the same for every input.

        The sensitivity of sums is the number of steps of their grid, so that a mean of them is
        not clamped, and entries that are repeated in the release can be told apart.
        """
        integers = tuple(int(value) for value in values)
        self.asked.append(Sums(integers=integers, scale=scale, l1=l1, epsilon=epsilon))
        rng = np.random.default_rng(len(self.asked))
        return rng.integers(0, l1, size=values.shape, endpoint=True, dtype=np.int64)

    def choices(self, losses: NDArray[np.int64], *, rate: Fraction) -> NDArray[np.int64]:
        """Return the candidates in turn."""
        rows = tuple(tuple(int(loss) for loss in row) for row in losses)
        self.asked.append(Choices(losses=rows, rate=rate))
        return np.asarray(np.arange(losses.shape[0]) % losses.shape[1], dtype=np.int64)

    def random_bytes(self, count: int) -> bytes:
        """Return bytes that are not random."""
        return np.random.default_rng(count).bytes(count)

    def placement(self) -> np.random.Generator:
        """Return a generator for post-processing."""
        return np.random.default_rng(0)


def _log_probabilities(losses: tuple[int, ...], rate: Fraction) -> list[float]:
    logs = [-float(rate * (loss - min(losses))) for loss in losses]
    whole = math.log(math.fsum(math.exp(log) for log in logs))
    return [log - whole for log in logs]

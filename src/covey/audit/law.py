"""How does the log likelihood ratio of a release fall, run after run?

Where a mechanism is a labelled vector plus noise, its law is known once its centres and scales
are recorded.  Drawing noise in blocks around them replaces hundreds of thousands of runs of the
system; what it cannot find is a sampler that draws another law, which is what real runs are for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.audit.pairs import Recorded, pair_loss, unordered_log_ratio, unordered_loss
from covey.audit.recording import Choices, Sums
from covey.audit.subject import RECORDED, SPECIMEN
from covey.perturb import Grid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource

BLOCK = 2**21
"""So many draws are made at a time."""

DECIMALS = 6
"""Log likelihood ratios are rounded to this many digits, so that the lattice of the floats in
which they are computed is not what is audited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyVector:
    """Integers that get discrete Laplace noise, and what they stand for.

    Parameters
    ----------
    centres : array of int64
        The integers.
    scales : array of float64
        The scale of the noise of each.
    lows, steps : array of float64
        Integer i stands for the value low + i · step.
    """

    centres: NDArray[np.int64]
    scales: NDArray[np.float64]
    lows: NDArray[np.float64]
    steps: NDArray[np.float64]

    @classmethod
    def of(cls, centres: Sequence[int], scales: Sequence[float]) -> NoisyVector:
        """Return counts, which stand for themselves."""
        size = len(centres)
        return cls(
            centres=np.array(centres, dtype=np.int64),
            scales=np.array(scales, dtype=np.float64),
            lows=np.zeros(size),
            steps=np.ones(size),
        )

    def same(self, other: NoisyVector) -> NDArray[np.bool_]:
        """Return which entries have the same law in both."""
        return np.asarray(
            (self.centres == other.centres)
            & (self.scales == other.scales)
            & (self.lows == other.lows)
            & (self.steps == other.steps)
        )

    def at(self, entries: NDArray[np.bool_]) -> NoisyVector:
        """Return some of the entries."""
        return NoisyVector(
            centres=self.centres[entries],
            scales=self.scales[entries],
            lows=self.lows[entries],
            steps=self.steps[entries],
        )

    def loss(self, other: NoisyVector) -> float:
        """Return the exact loss between two: infinite if scales or units differ."""
        alike = np.array_equal(self.scales, other.scales) and np.array_equal(
            [self.lows, self.steps], [other.lows, other.steps]
        )
        if not alike:
            return math.inf
        return float((np.abs(self.centres - other.centres) / self.scales).sum())

    def draw(self, runs: int, rng: np.random.Generator, *, shrink: int) -> NDArray[np.float64]:
        """Return noisy values, one row for each run."""
        shape = (runs, self.centres.size)
        p = -np.expm1(-shrink / self.scales)
        noise = rng.geometric(p, shape) - rng.geometric(p, shape)
        return self.lows + (self.centres + noise) * self.steps

    def log_density(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the log density of each row, up to a constant that is the same for all laws."""
        widths = self.scales * self.steps
        centres = self.lows + self.centres * self.steps
        return np.asarray((-np.abs(values - centres) / widths - np.log(widths)).sum(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorLaw:
    """A vector with noise of its own, given by numbers; T is the log likelihood ratio."""

    words: str
    here: NoisyVector
    there: NoisyVector
    how: str = SPECIMEN
    at_least: bool = False
    decimals: int | None = DECIMALS

    @property
    def exact(self) -> float:
        """Return the exact loss."""
        return self.here.loss(self.there)

    def draw(
        self, side: int, runs: int, source: NoiseSource, *, shrink: int = 1
    ) -> NDArray[np.float64]:
        """Draw T from the law of one side."""
        changed = ~self.here.same(self.there)
        sides = self.here.at(changed), self.there.at(changed)
        if not changed.any():
            return np.zeros(runs)
        rng = source.placement()
        ratios = []
        for part in blocks(runs, int(changed.sum())):
            y = sides[side].draw(part, rng, shrink=shrink)
            ratios.append(sides[0].log_density(y) - sides[1].log_density(y))
        return np.concatenate(ratios)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedLaw:
    """A system whose requests for noise were recorded on both inputs.

    ``unordered`` is for releases that do not say which cluster is which.
    """

    words: str
    here: Recorded
    there: Recorded
    unordered: bool = False
    how: str = RECORDED
    decimals: int | None = DECIMALS

    @property
    def exact(self) -> float:
        """Return the exact loss, or a lower bound on it for unordered clusters."""
        if not self.unordered:
            return pair_loss(self.here, self.there)
        return max(unordered_loss(self.here, self.there), unordered_loss(self.there, self.here))

    @property
    def at_least(self) -> bool:
        """Return whether the loss was computed at one output only."""
        return self.unordered and math.isfinite(self.exact)

    def draw(
        self, side: int, runs: int, source: NoiseSource, *, shrink: int = 1
    ) -> NDArray[np.float64]:
        """Draw T from the law of one side."""
        if self.here.visible != self.there.visible:
            # Anyone can read off the release which of the two inputs it came from.
            return np.full(runs, float(side))
        rng = source.placement()
        if self.unordered:
            return self._unordered(side, runs, rng, shrink)
        sides = _vector(self.here), _vector(self.there)
        law = VectorLaw(words=self.words, here=sides[0], there=sides[1])
        ratios = law.draw(side, runs, source, shrink=shrink)
        pairs = zip(self.here.asked, self.there.asked, strict=True)
        for mine, other in pairs:
            if isinstance(mine, Choices) and isinstance(other, Choices):
                ratios += _choice_ratios((mine, other), side, runs, rng, shrink)
        return ratios

    def _unordered(
        self, side: int, runs: int, rng: np.random.Generator, shrink: int
    ) -> NDArray[np.float64]:
        here, there = self.here.centres, self.there.centres
        centres, scales = (here, there)[side], self.here.scales
        p = -np.expm1(-shrink / np.broadcast_to(scales, centres.shape))
        ratios = []
        # Every matching of the clusters is tried, so blocks are smaller.
        for part in blocks(runs, centres.size * math.factorial(len(centres))):
            shape = (part, *centres.shape)
            y = centres + rng.geometric(p, shape) - rng.geometric(p, shape)
            ratios.append(unordered_log_ratio(y, here, there, scales))
        return np.concatenate(ratios)


def blocks(runs: int, entries: int) -> Iterator[int]:
    """Cut so many runs into parts that fit into memory."""
    most = max(1, BLOCK // max(1, entries))
    for start in range(0, runs, most):
        yield min(most, runs - start)


def _vector(recorded: Recorded) -> NoisyVector:
    """Put all noisy sums of a run one after the other, in raw units where each has a grid."""
    sums = [request for request in recorded.asked if isinstance(request, Sums)]
    grids = [grid for grid in recorded.grids if isinstance(grid, Grid)]
    one_each = len(grids) == len(sums)
    lengths = [len(part.integers) for part in sums]
    lows = [grid.low for grid in grids] if one_each else [0.0] * len(sums)
    steps = [grid.step for grid in grids] if one_each else [1.0] * len(sums)
    return NoisyVector(
        centres=np.array([i for part in sums for i in part.integers], dtype=np.int64),
        scales=np.repeat([float(part.scale) for part in sums], lengths),
        lows=np.repeat(lows, lengths),
        steps=np.repeat(steps, lengths),
    )


def _choice_ratios(
    sides: tuple[Choices, Choices], side: int, runs: int, rng: np.random.Generator, shrink: int
) -> NDArray[np.float64]:
    """Draw the choices of one side and add up the log ratios of their probabilities."""
    ratios = np.zeros(runs)
    for row, (mine, other) in enumerate(zip(sides[0].losses, sides[1].losses, strict=True)):
        if mine == other:
            continue
        logs = [np.array(part.log_probabilities(row)) for part in sides]
        drawn_from = sides[side]
        law = np.exp(drawn_from.log_probabilities(row, rate=shrink * drawn_from.rate))
        ratios += (logs[0] - logs[1])[rng.choice(law.size, size=runs, p=law / law.sum())]
    return ratios

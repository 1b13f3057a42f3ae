"""How does the log likelihood ratio of draws fall, run after run?

The draws of one recorded output are made again and again around the exact values of both inputs,
in blocks and by the samplers of a source.  So hundreds of thousands of runs take seconds, and a
sampler that draws another law than was believed shows in what comes out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from covey.audit.instruments.drawn import LAWS, Drawn
from covey.errors import InternalError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource

LARGEST_BLOCK = 2**21
"""So many draws are made at a time."""

_DECIMALS = 6
"""Log likelihood ratios are rounded to this many digits, so that the lattice of the floats in
which they are computed is not what is audited."""

MOST_CLUSTERS = 6
"""Beyond it, adding up over all ways to match clusters takes too long."""


class Law(Protocol):
    """A number T whose distribution differs between two inputs."""

    @property
    def exact(self) -> float:
        """Return the largest loss that T can show."""
        ...

    @property
    def entries(self) -> int:
        """Return how many numbers a source draws for one T."""
        ...

    def draw(self, side: int, runs: int, source: NoiseSource) -> NDArray[np.float64]:
        """Return T of so many runs on input 0 or 1."""
        ...


@dataclass(frozen=True, slots=True)
class Apart:
    """Inputs whose releases nobody could mistake for each other."""

    exact: float = math.inf
    entries: int = 0

    def draw(self, side: int, runs: int, source: NoiseSource) -> NDArray[np.float64]:
        """Return the number of the input."""
        del source
        return np.full(runs, float(side))


@dataclass(frozen=True, slots=True)
class DrawLaw:
    """Draws around the exact values of two inputs, one pair for each; T is the log ratio."""

    pairs: Sequence[tuple[Drawn, Drawn]]

    @property
    def exact(self) -> float:
        """Return the largest log ratio over all results, in either direction."""
        if any(here.request != there.request for here, there in self.pairs):
            return math.inf
        ratios = [_extreme_ratios(here, there) for here, there in self._changed()]
        ways = ([part.max(axis=0) for part in ratios], [-part.min(axis=0) for part in ratios])
        return max(math.fsum(float(part.sum()) for part in way) for way in ways)

    @property
    def entries(self) -> int:
        """Return how many entries differ."""
        return sum(len(here.exact) for here, _ in self._changed())

    def draw(self, side: int, runs: int, source: NoiseSource) -> NDArray[np.float64]:
        """Draw the entries that differ, and add up their log ratios."""
        ratios = np.zeros(runs)
        for pair in self._changed():
            size, done = len(pair[side].exact), 0
            for part in blocks(runs, pair[side].exact.size):
                exact = [np.concatenate([drawn.exact] * part) for drawn in pair]
                result = getattr(source, pair[side].mechanism)(exact[side], **pair[side].public)
                here, there = (
                    LAWS[drawn.mechanism](values, result, **drawn.public)
                    for drawn, values in zip(pair, exact, strict=True)
                )
                ratios[done : done + part] += (here - there).reshape(part, size).sum(axis=1)
                done += part
        return np.round(ratios, _DECIMALS)

    def _changed(self) -> Iterator[tuple[Drawn, Drawn]]:
        for here, there in self.pairs:
            differs = here.exact != there.exact
            rows = differs.any(axis=1) if differs.ndim > 1 else differs
            # Noise of another scale tells even where the values are the same.
            rows = rows | (here.request != there.request)
            if rows.any():
                yield tuple(  # type: ignore[misc]
                    Drawn(part.mechanism, part.exact[rows], part.public, part.result[rows])
                    for part in (here, there)
                )


def _extreme_ratios(here: Drawn, there: Drawn) -> NDArray[np.float64]:
    """Return the log ratios of each entry at the results where they are largest and smallest."""
    results: list[Any]
    if here.mechanism == "choices":
        results = [np.full(len(here.exact), column) for column in range(here.exact.shape[1])]
    elif here.mechanism == "cut":
        results = [np.full(len(here.exact), cut) for cut in (True, False)]
    else:
        results = [here.exact, there.exact]
    law = LAWS[here.mechanism]
    return np.array(
        [
            law(here.exact, result, **here.public) - law(there.exact, result, **there.public)
            for result in results
        ]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnorderedLaw:
    """Noisy sums of clusters that are published in no order; T adds up over all matchings.

    Parameters
    ----------
    here, there : array of shape (clusters, columns)
        The exact sums.
    scales : array of float64
        The scale of the noise of each column, the same on both sides.
    """

    here: NDArray[np.float64]
    there: NDArray[np.float64]
    scales: NDArray[np.float64]

    @classmethod
    def of(cls, pairs: Sequence[tuple[Drawn, Drawn]]) -> UnorderedLaw:
        """Take the draws of columns, each of the same clusters."""
        columns = {drawn.exact.shape for pair in pairs for drawn in pair}
        if len(columns) != 1 or columns.pop()[0] > MOST_CLUSTERS:
            raise InternalError("these clusters cannot be matched in any order.")
        here, there = (
            np.column_stack([pair[side].exact for pair in pairs]).astype(np.float64)
            for side in (0, 1)
        )
        scales = np.array([float(pair[0].public["scale"]) for pair in pairs])
        return cls(here=here, there=there, scales=scales)

    @property
    def exact(self) -> float:
        """Return a lower bound on the loss: at the exact sums of either input."""
        return max(float(self._ratio(self.here[None])[0]), -float(self._ratio(self.there[None])[0]))

    @property
    def entries(self) -> int:
        """Return how many sums there are."""
        return self.here.size

    def draw(self, side: int, runs: int, source: NoiseSource) -> NDArray[np.float64]:
        """Draw noisy sums, and match them in all ways."""
        rng, centres = source.placement(), (self.here, self.there)[side]
        p = -np.expm1(-1.0 / np.broadcast_to(self.scales, centres.shape))
        ratios = []
        for part in blocks(runs, centres.size * math.factorial(len(centres))):
            shape = (part, *centres.shape)
            ratios.append(self._ratio(centres + rng.geometric(p, shape) - rng.geometric(p, shape)))
        return np.asarray(np.round(np.concatenate(ratios), _DECIMALS))

    def _ratio(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._log_density(y, self.here) - self._log_density(y, self.there)

    def _log_density(
        self, y: NDArray[np.float64], centres: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        clusters = range(len(centres))
        distances = [
            [(np.abs(y[:, i] - centres[j]) / self.scales).sum(axis=1) for j in clusters]
            for i in clusters
        ]
        matched = [
            -np.sum([distances[i][j] for i, j in enumerate(order)], axis=0)
            for order in permutations(clusters)
        ]
        return np.asarray(np.logaddexp.reduce(matched, axis=0), dtype=np.float64)


def blocks(runs: int, entries: int) -> Iterator[int]:
    """Cut so many runs into parts that fit into memory."""
    most = max(1, LARGEST_BLOCK // max(1, entries))
    for start in range(0, runs, most):
        yield min(most, runs - start)

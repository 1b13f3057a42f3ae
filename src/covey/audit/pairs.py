"""By how much can two neighbours be told apart, exactly?

A system is run on both without noise, and what it was about to perturb is compared.  If what is
published without noise differs (labels, sizes, supports, scales, the number of draws), the loss
is infinite; otherwise it is Σ |Δ| / scale for noisy sums and the worst ratio of probabilities
for random choices.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.audit.recording import BlindNoise, Choices, Request, Sums
from covey.errors import InternalError
from covey.release.column import ConceptColumn, GroupedColumn, UntouchedColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.systems import Outcome, System

MOST_CLUSTERS = 6
"""Beyond it, adding up over all ways to match clusters takes too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two neighbouring inputs, tables or graphs, and how they differ in words."""

    words: str
    here: Any
    there: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a system does with one input.

    Parameters
    ----------
    asked : tuple of Request
        What it was about to perturb, in order.
    bare : tuple
        What is published without noise: labels, and centroids of systems that add none.
    grids : tuple
        The grid of each column, and the scales of the noise of each count.
    sizes : tuple of int
        How often each combination of released values occurs, rising.
    """

    asked: tuple[Request, ...]
    bare: tuple[object, ...]
    grids: tuple[object, ...]
    sizes: tuple[int, ...]

    @property
    def public(self) -> tuple[object, ...]:
        """Return everything that must not depend on the data."""
        requests = tuple(request.public for request in self.asked)
        return (requests, self.grids, self.visible)

    @property
    def visible(self) -> tuple[object, ...]:
        """Return what anyone can read off the release with certainty."""
        lengths = tuple(request.public[:2] for request in self.asked)
        return (lengths, self.bare, self.sizes)

    @property
    def centres(self) -> NDArray[np.float64]:
        """Return the noiseless sums with one row for each cluster and one column a request."""
        return np.column_stack([np.array(sums.integers, dtype=np.float64) for sums in self._sums()])

    @property
    def scales(self) -> NDArray[np.float64]:
        """Return the scale of the noise of each request."""
        return np.array([float(sums.scale) for sums in self._sums()])

    def _sums(self) -> list[Sums]:
        sums = [request for request in self.asked if isinstance(request, Sums)]
        if len(sums) < len(self.asked) or len({len(part.integers) for part in sums}) != 1:
            raise InternalError("only sums of the same clusters can be matched in any order.")
        if len(sums[0].integers) > MOST_CLUSTERS:
            raise InternalError("so many clusters cannot be matched in any order.")
        return sums


def recorded(system: System, data: Any, parameters: Mapping[str, Any]) -> Recorded:
    """Run a system on one input with answers that do not depend on it.

    Both inputs of a pair get the same answers, so that requests that follow from them agree.
    """
    source = BlindNoise()
    outcome = system.run(data, system.settings(parameters), source, None)
    counted = system.data == "graph"
    return Recorded(
        asked=tuple(source.asked),
        # Counts of a graph are published with their labels; rows of a table in no order.
        bare=_labels(outcome) if counted else _bare(outcome),
        grids=_grids(outcome),
        sizes=() if counted else _sizes(outcome),
    )


def pair_loss(here: Recorded, there: Recorded) -> float:
    """Return the exact privacy loss of all that is perturbed, entry by entry.

    It is the loss of a release whose entries carry public labels.  One that hides which entry
    is which can have a smaller loss: see `unordered_loss`.
    """
    if here.public != there.public:
        return math.inf
    return float(sum(map(_request_loss, here.asked, there.asked)))


def unordered_loss(here: Recorded, there: Recorded) -> float:
    """Return a lower bound on the loss of clusters that are published in no order.

    The exact difference of the log densities at the noiseless sums of ``here``, added up over
    all ways to match clusters.  The noise of all clusters has the same scale, so that constant
    factors cancel; sizes, if they are published as well, can only tell more.
    """
    if here.public != there.public:
        return math.inf
    y = here.centres
    ratios = unordered_log_ratio(y[None], here.centres, there.centres, here.scales)
    return float(ratios[0])


def unordered_log_ratio(
    y: NDArray[np.float64],
    here: NDArray[np.float64],
    there: NDArray[np.float64],
    scales: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the log ratio of the densities of noisy clusters (runs, clusters, columns)."""
    return _unordered_log_density(y, here, scales) - _unordered_log_density(y, there, scales)


def _request_loss(mine: Request, other: Request) -> float:
    if isinstance(mine, Choices) and isinstance(other, Choices):
        return mine.loss(other)
    if isinstance(mine, Sums) and isinstance(other, Sums):
        return float(mine.loss(other))
    return math.inf


def _unordered_log_density(
    y: NDArray[np.float64], centres: NDArray[np.float64], scales: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Add up exp(−distance) over all ways to match clusters, smallest distance first aside."""
    clusters = range(len(centres))
    distances = [
        [(np.abs(y[:, i] - centres[j]) / scales).sum(axis=1) for j in clusters] for i in clusters
    ]
    matched = [
        np.sum([distances[i][j] for i, j in enumerate(order)], axis=0)
        for order in permutations(clusters)
    ]
    least = np.min(matched, axis=0)
    density = np.zeros(len(y))
    for total in matched:
        density += np.exp(least - total)
    return np.asarray(np.log(density) - least)


def _bare(outcome: Outcome) -> tuple[object, ...]:
    exact = [
        (name, tuple(sorted(column.values.tolist())))
        for name, column in outcome.columns.items()
        if isinstance(column, GroupedColumn)
    ]
    return (tuple(outcome.columns), *exact)


def _labels(blind: Outcome) -> tuple[object, ...]:
    return tuple((name, tuple(_values(blind, name).tolist())) for name in blind.columns)


def _grids(outcome: Outcome) -> tuple[object, ...]:
    origins = [getattr(column, "origin", None) for column in outcome.columns.values()]
    scales = [getattr(origin, "scales", None) for origin in origins]
    return tuple(
        getattr(origin, "grid", None) if part is None else tuple(part.tolist())
        for origin, part in zip(origins, scales, strict=True)
    )


def _sizes(blind: Outcome) -> tuple[int, ...]:
    columns = [
        _values(blind, name)
        for name, column in blind.columns.items()
        if not isinstance(column, UntouchedColumn)
    ]
    counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)[1]
    return tuple(sorted(counts.tolist()))


def _values(outcome: Outcome, name: str) -> NDArray[np.float64]:
    column = outcome.columns[name]
    if isinstance(column, ConceptColumn):
        return np.unique(column.concepts, return_inverse=True)[1].astype(np.float64)
    return np.asarray(getattr(column, "values", ()), dtype=np.float64)

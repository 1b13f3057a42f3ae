"""How are the results of paper 002, chapter 5, computed?  Over random neighbours."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from covey.aggregate import cluster_means
from covey.aggregate.deviations import Deviations
from covey.aggregate.running_moments import RunningMoments
from covey.evaluate.risk import record_linkage
from covey.evaluate.utility import il1s_sum
from covey.partition.pair import partition_pair
from covey.reproduce.data import load
from covey.reproduce.judged import Spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.reproduce.entries import PaperEntry

NEIGHBOURS = 20


def neighbour(X: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Replace one record by one whose attributes are those of other records, at random."""
    changed = X.copy()
    changed[rng.integers(len(X))] = [rng.choice(column) for column in X.T]
    return changed


@lru_cache(maxsize=512)
def _over_neighbours(
    paper: str, data: str, k: int, alpha: int, search: Literal["sequential", "decisional"]
) -> tuple[Spread, Spread]:
    """Return IL1s and linkage of the clusters of a neighbour, over several neighbours."""
    X = load(paper, data)
    losses, linked = [], []
    for seed in range(NEIGHBOURS):
        Y = neighbour(X, np.random.default_rng(seed))
        pair = partition_pair(X, Y, "alpha-stable", k=k, alpha=alpha, search=search)
        labels, sizes = pair.second.labels, pair.second.sizes
        released = np.column_stack([cluster_means(c, labels, sizes)[labels] for c in Y.T])
        losses.append(il1s_sum(Deviations.of(Y, released), RunningMoments.of(Y).variances))
        linked.append(record_linkage(Y, released))
    return Spread.of(losses, of=1), Spread.of(linked, of=1)


def _found(entry: PaperEntry) -> tuple[Spread, Spread]:
    settings, n = entry.settings, len(load(entry.paper, entry.data))
    k, alpha = settings["k"], settings["alpha"]
    alpha = n // k if alpha == "n/k" else alpha
    return _over_neighbours(entry.paper, entry.data, k, alpha, settings["search"])


PAIR_RECIPES: dict[str, Callable[[PaperEntry], float | Spread]] = {
    "pair-il1s": lambda entry: _found(entry)[0],
    "pair-rl": lambda entry: _found(entry)[1],
}

"""How is each published number computed?  One function for each kind, over the public names."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate.deviations import Deviations
from covey.aggregate.running_moments import RunningMoments
from covey.evaluate.risk import record_linkage
from covey.evaluate.utility import column_scales, il1s_sum, il_percent, sse
from covey.partition import partition
from covey.reproduce.data import load
from covey.reproduce.judged import Spread
from covey.reproduce.plain import aggregated, in_domain
from covey.reproduce.recipes_graphs import GRAPH_RECIPES
from covey.reproduce.recipes_moments import MOMENT_RECIPES
from covey.reproduce.recipes_noise import NOISE_RECIPES
from covey.reproduce.recipes_pairs import PAIR_RECIPES
from covey.reproduce.recipes_scores import SCORE_RECIPES, changes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.reproduce.entries import PaperEntry

SIMULATIONS = 20
SIMULATED_RECORDS = 1000
SIMULATED_RANGE = 10_000.0
CLUSTER_REACH = 160.0
"""How far a record lies from the centre of its cluster: chosen by one cell of Table I."""


@lru_cache(maxsize=256)
def _microaggregated(
    paper: str, data: str, method: str, k: int, gamma: float | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    X = load(paper, data)
    settings: dict[str, Any] = {"k": k}
    if gamma is not None:
        settings["gamma"] = gamma
    if method == "mdav" and paper == "001":
        settings["loop"] = "2k"
    if method == "insensitive":
        # As evaluated in [002, ch. 5]: corners of the standardised data, in opposite pairs.
        settings["sequence"] = "paired"
    found = partition(X, method, **settings)
    return X, aggregated(X, found.labels, found.sizes)


def _release(entry: PaperEntry) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    settings = entry.settings
    return _microaggregated(
        entry.paper, entry.data, entry.method, settings["k"], settings.get("gamma")
    )


def _sse(entry: PaperEntry) -> float:
    X, released = _release(entry)
    scales = column_scales(RunningMoments.of(X).variances, "standard")
    return sse(Deviations.of(X, released), scales)


def _il_percent(entry: PaperEntry) -> float:
    X, released = _release(entry)
    variances = RunningMoments.of(X).variances
    scales = column_scales(variances, "standard")
    return il_percent(Deviations.of(X, released), variances, scales)


def scattered_records(rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw 1,000 records with two attributes, as [001, section VI] says."""
    return rng.uniform(-SIMULATED_RANGE, SIMULATED_RANGE, size=(SIMULATED_RECORDS, 2))


def clustered_records(rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw 1,000 records in clusters of 3 to 5, as [001, section VI] says.

    How wide the clusters are is not said.
    """
    sizes = rng.integers(3, 6, size=SIMULATED_RECORDS // 3 + 1)
    centres = rng.uniform(-SIMULATED_RANGE, SIMULATED_RANGE, size=(sizes.size, 2))
    around = np.repeat(centres, sizes, axis=0)[:SIMULATED_RECORDS]
    return around + rng.uniform(-CLUSTER_REACH, CLUSTER_REACH, size=around.shape)


def _simulated(
    entry: PaperEntry, draw: Callable[[np.random.Generator], NDArray[np.float64]]
) -> Spread:
    errors = []
    for seed in range(SIMULATIONS):
        X = draw(np.random.default_rng(seed))
        found = partition(X, entry.method, **entry.settings)
        scales = column_scales(RunningMoments.of(X).variances, "standard")
        errors.append(sse(Deviations.of(X, aggregated(X, found.labels, found.sizes)), scales))
    return Spread.of(errors, of=1)


def _sse_scattered(entry: PaperEntry) -> Spread:
    return _simulated(entry, scattered_records)


def _sse_clustered(entry: PaperEntry) -> Spread:
    return _simulated(entry, clustered_records)


def _il1s_sum(entry: PaperEntry) -> float:
    X, released = _release(entry)
    return il1s_sum(Deviations.of(X, released), RunningMoments.of(X).variances)


def _rl_raw(entry: PaperEntry) -> float:
    return record_linkage(*_release(entry))


def _domain_sse(entry: PaperEntry) -> float:
    X, released, _ = in_domain(entry.paper, entry.data, entry.method, entry.settings["k"])
    return sse(Deviations.of(X, released))


def _domain_rl(entry: PaperEntry) -> float:
    X, released, domain = in_domain(entry.paper, entry.data, entry.method, entry.settings["k"])
    return record_linkage(X, released, domain)


def _domain_change(entry: PaperEntry) -> float:
    X, released, _ = in_domain(entry.paper, entry.data, entry.method, entry.settings["k"])
    statistic, column = entry.settings["statistic"], entry.settings["column"]
    return changes(X, released)[statistic, column]


def _unchanged(entry: PaperEntry) -> float:
    """Return how much varies where nothing is changed, or lost where each stands alone."""
    del entry
    return 0.0


RECIPES: dict[str, Callable[[PaperEntry], float | Spread]] = {
    "sse": _sse,
    "il-percent": _il_percent,
    "sse-scattered": _sse_scattered,
    "sse-clustered": _sse_clustered,
    "il1s-sum": _il1s_sum,
    "rl-raw": _rl_raw,
    "domain-sse": _domain_sse,
    "domain-rl": _domain_rl,
    "domain-change": _domain_change,
    "unchanged": _unchanged,
    **NOISE_RECIPES,
    **PAIR_RECIPES,
    **SCORE_RECIPES,
    **MOMENT_RECIPES,
    **GRAPH_RECIPES,
}

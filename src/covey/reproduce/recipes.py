"""How is each published number computed?  One function for each kind, over the public names."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_means
from covey.aggregate.deviations import Deviations
from covey.aggregate.running_moments import RunningMoments
from covey.evaluate.risk import record_linkage
from covey.evaluate.utility import column_scales, il1s_sum, il_percent, sse, variation
from covey.partition import partition
from covey.reproduce.data import COLUMNS, load
from covey.reproduce.recipes_graphs import GRAPH_RECIPES
from covey.reproduce.recipes_moments import MOMENT_RECIPES
from covey.reproduce.recipes_noise import NOISE_RECIPES, as_evaluated

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.reproduce.entries import PaperEntry

SIMULATIONS = 20
SIMULATED_RANGE = 10_000.0
_RUNS = 100


def aggregated(
    X: NDArray[np.float64], labels: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Replace each record by the mean of its cluster."""
    return np.column_stack([cluster_means(column, labels, sizes)[labels] for column in X.T])


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


def _sse_scattered(entry: PaperEntry) -> float:
    """Average over simulated data: 1,000 uniform records with two attributes."""
    settings = {name: value for name, value in entry.settings.items() if name != "runs"}
    total = 0.0
    for seed in range(SIMULATIONS):
        rng = np.random.default_rng(seed)
        X = rng.uniform(-SIMULATED_RANGE, SIMULATED_RANGE, size=(1000, 2))
        found = partition(X, entry.method, **settings)
        scales = column_scales(RunningMoments.of(X).variances, "standard")
        total += sse(Deviations.of(X, aggregated(X, found.labels, found.sizes)), scales)
    return total / SIMULATIONS


def _il1s_sum(entry: PaperEntry) -> float:
    X, released = _release(entry)
    return il1s_sum(Deviations.of(X, released), RunningMoments.of(X).variances)


def _rl_raw(entry: PaperEntry) -> float:
    return record_linkage(*_release(entry))


@lru_cache(maxsize=64)
def _in_domain(
    paper: str, data: str, method: str, k: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Microaggregate with distances divided by domains from 0 to 1.5 times the maximum."""
    X = load(paper, data)
    domain = 1.5 * X.max(axis=0)
    scaled = X / domain
    if method == "mdav":
        found = partition(scaled, "mdav", standardize=False, k=k)
    elif method == "insensitive":
        found = partition(scaled, "insensitive", standardize=False, k=k, sequence="paired")
    else:
        bounds = [(0.0, 1.0)] * X.shape[1]
        found = partition(scaled, "insensitive", standardize=False, k=k, bounds=bounds)
    return X, aggregated(X, found.labels, found.sizes), domain


def _domain_sse(entry: PaperEntry) -> float:
    X, released, _ = _in_domain(entry.paper, entry.data, entry.method, entry.settings["k"])
    return sse(Deviations.of(X, released))


def _domain_rl(entry: PaperEntry) -> float:
    X, released, domain = _in_domain(entry.paper, entry.data, entry.method, entry.settings["k"])
    return record_linkage(X, released, domain)


def _domain_change(entry: PaperEntry) -> float:
    X, released, _ = _in_domain(entry.paper, entry.data, entry.method, entry.settings["k"])
    return _change(entry, X, released)


def _change(entry: PaperEntry, X: NDArray[np.float64], released: NDArray[np.float64]) -> float:
    old, new = RunningMoments.of(X), RunningMoments.of(released)
    changes = {
        "mean": variation(old.means, new.means),
        "variance": variation(old.variances, new.variances),
    }
    column = COLUMNS[entry.paper, entry.data].index(entry.settings["column"])
    return float(changes[entry.settings["statistic"]][column])


def _average(entry: PaperEntry, score: Callable[[NDArray[np.float64]], float]) -> float:
    """Average a score over seeded runs of the paper's noisy mechanisms."""
    scores = [score(as_evaluated(entry, seed)) for seed in range(_RUNS)]
    return float(np.mean(scores))


def _noise_sse(entry: PaperEntry) -> float:
    X = load(entry.paper, entry.data)
    return _average(entry, lambda released: sse(Deviations.of(X, released)))


def _noise_rl(entry: PaperEntry) -> float:
    X = load(entry.paper, entry.data)
    domain = 1.5 * X.max(axis=0)
    return _average(entry, lambda released: record_linkage(X, released, domain))


def _noise_change(entry: PaperEntry) -> float:
    X = load(entry.paper, entry.data)
    return _average(entry, lambda released: _change(entry, X, released))


RECIPES: dict[str, Callable[[PaperEntry], float]] = {
    "sse": _sse,
    "il-percent": _il_percent,
    "sse-scattered": _sse_scattered,
    "il1s-sum": _il1s_sum,
    "rl-raw": _rl_raw,
    "domain-sse": _domain_sse,
    "domain-rl": _domain_rl,
    "domain-change": _domain_change,
    "noise-sse": _noise_sse,
    "noise-rl": _noise_rl,
    "noise-change": _noise_change,
    **NOISE_RECIPES,
    **MOMENT_RECIPES,
    **GRAPH_RECIPES,
}

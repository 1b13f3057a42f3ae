"""How are the results of paper 003 computed?"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.deviations import Deviations
from covey.core import Budget
from covey.evaluate.utility import sse
from covey.partition import PARTITIONERS, Partition, partition_records
from covey.postprocess.sampling import sample_records
from covey.publish import publish
from covey.reproduce.data import load
from covey.reproduce.recipes_noise import aligned, domain_table
from covey.seeded import SeededNoise
from covey.systems import SYSTEMS
from covey.systems.papers.p003.methods import design_of, expected_log2_sse
from covey.systems.papers.p003.noise import UNIT, Spending, noisy_moments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.reproduce.entries import PaperEntry

_RUNS = 20
WITH_VARIANCES, MEANS_ALONE = 3, 1
_STEPS = {"Census": 20, "EIA": 80}
"""How finely k is searched for the smallest one from which variances pay."""


def _expected_log2_sse(entry: PaperEntry) -> float:
    X = load(entry.paper, entry.data)
    return expected_log2_sse(X.shape[0], list(_domain(X)), entry.settings["epsilon"])


def _log2_sse(entry: PaperEntry) -> float:
    """Return the logarithm of the SSE of one of the numbered methods."""
    X, k = load(entry.paper, entry.data), entry.settings["k"]
    table = domain_table(entry.paper, entry.data)
    if "epsilon" not in entry.settings:
        _, trace = publish(table, "cross-moment", method=entry.method, k=k, paper=True, trace=True)
        return math.log2(sse(Deviations.of(X, aligned(trace))))
    labels = partition_records(scaled_to_domain(X), PARTITIONERS["mdav"], k=k).labels
    errors = []
    for seed in range(2 * _RUNS):
        _, trace = publish(
            table,
            "cross-moment",
            method=entry.method,
            k=k,
            epsilon=entry.settings["epsilon"],
            paper=True,
            random_state=seed,
            trace=True,
        )
        matched = _matched_by_rank(X, aligned(trace), labels)
        errors.append(sse(Deviations.of(X, matched)))
    return math.log2(float(np.mean(errors)))


def _k_min(entry: PaperEntry) -> float:
    """Return the k from which publishing variances beside the means pays; NaN if none does."""
    X = load(entry.paper, entry.data)
    around = entry.expected or entry.printed or X.shape[0] / 4
    step = _STEPS[entry.data.split()[0]]
    searched = range(int(0.6 * around), min(int(1.5 * around), X.shape[0] // 2) + 1, step)
    pays = {}
    for k in searched:
        found = partition_records(scaled_to_domain(X), PARTITIONERS["mdav"], k=k)
        with_variances, means_alone = (
            mean_sse(X, found, method=method, k=k, epsilon=entry.settings["epsilon"])
            for method in (WITH_VARIANCES, MEANS_ALONE)
        )
        pays[k] = with_variances < means_alone
    first = min((k for k in searched if pays[k]), default=math.nan)
    last = max((k for k in searched if not pays[k]), default=math.nan)
    return (first + last) / 2


def mean_sse(
    X: NDArray[np.float64], found: Partition, *, method: int, k: int, epsilon: float
) -> float:
    """Return the average SSE of a numbered method over seeded runs, in raw units."""
    settings = SYSTEMS["cross-moment"].settings({"method": method, "k": k, "epsilon": epsilon})
    source = SeededNoise.of(method * k)
    spending = Spending(
        design=design_of(settings), k=k, budget=Budget.of(epsilon), source=source, printed=True
    )
    scaled, steps = scaled_to_domain(X), [UNIT.steps] * X.shape[1]
    errors = []
    for _ in range(_RUNS):
        moments = noisy_moments(UNIT.integers(scaled), steps, found, spending)
        if moments.covariances is None:
            released = moments.means[found.labels]
        else:
            sampled = np.empty_like(scaled)
            sampled[np.argsort(found.labels, kind="stable")] = sample_records(
                moments.means, moments.covariances, moments.sizes, source.generator
            )
            released = _matched_by_rank(X, np.clip(sampled, 0.0, 1.0), found.labels)
        errors.append(sse(Deviations.of(X, released * _domain(X))))
    return float(np.mean(errors))


def _matched_by_rank(
    X: NDArray[np.float64], sampled: NDArray[np.float64], labels: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Give each record, attribute by attribute, the sampled value of its rank in its cluster.

    As evaluated in [003]: a device to compute an SSE of sampled records; no release does this.
    """
    matched = np.empty_like(sampled)
    for j in range(X.shape[1]):
        own, drawn = (np.lexsort((values[:, j], labels)) for values in (X, sampled))
        matched[own, j] = sampled[drawn, j]
    return matched


def _domain(X: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.5 * X.max(axis=0))


def scaled_to_domain(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide values by the papers' domains, 0 to 1.5 times the maximum."""
    domain = _domain(X)
    return np.asarray(np.clip(X, 0.0, domain) / domain)


MOMENT_RECIPES: dict[str, Callable[[PaperEntry], float]] = {
    "expected-log2-sse": _expected_log2_sse,
    "log2-sse": _log2_sse,
    "k-min": _k_min,
}

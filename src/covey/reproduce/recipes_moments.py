"""How are the results of paper 003 computed?"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.deviations import Deviations
from covey.core import Budget
from covey.evaluate.ranked import matched_by_rank
from covey.evaluate.utility import sse
from covey.partition import PARTITIONERS, Partition, partition_records
from covey.postprocess.sampling import sample_records
from covey.publish import publish
from covey.reproduce.data import load
from covey.reproduce.judged import Spread
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
_SEARCHES = 8
"""How often the smallest k from which variances pay is searched."""


def _expected_log2_sse(entry: PaperEntry) -> float:
    X = load(entry.paper, entry.data)
    return expected_log2_sse(X.shape[0], list(_domain(X)), entry.settings["epsilon"])


def _log2_sse(entry: PaperEntry) -> float | Spread:
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
        matched = _matched(X, aligned(trace), labels)
        errors.append(sse(Deviations.of(X, matched)))
    single = Spread.of([math.log2(error) for error in errors], of=1)
    return replace(single, mean=math.log2(float(np.mean(errors))))


def _k_min(entry: PaperEntry) -> float | Spread:
    """Return the k from which publishing variances beside the means pays; NaN if none does.

    The range from 3 to n/2 is halved again and again, several times with noise of its own: near
    the crossing the two errors differ by less than they vary.
    """
    X = load(entry.paper, entry.data)
    searches = (_crossing(X, float(entry.settings["epsilon"]), seed) for seed in range(_SEARCHES))
    found = [k for k in searches if not math.isnan(k)]
    if len(found) <= _SEARCHES // 2:
        return math.nan
    spread = Spread.of(found, of=1)
    return replace(spread, low=max(3.0, spread.low), high=min(X.shape[0] / 2, spread.high))


def _crossing(X: NDArray[np.float64], epsilon: float, seed: int) -> float:
    half = X.shape[0] // 2
    # Two clusters of half the records each are coarse: variances may pay earlier and not there.
    ends = (int(part * half) for part in (1.0, 0.9, 0.8, 0.7))
    high = next((k for k in ends if _pays(X, k, epsilon, seed)), None)
    if high is None:
        return math.nan
    low = 3
    while high - low > 1:
        middle = (low + high) // 2
        if _pays(X, middle, epsilon, seed):
            high = middle
        else:
            low = middle
    return float(high)


def _pays(X: NDArray[np.float64], k: int, epsilon: float, seed: int) -> bool:
    found = _clusters(X.shape, X.tobytes(), k)
    with_variances, means_alone = (
        mean_sse(X, found, method=method, k=k, epsilon=epsilon, seed=seed)
        for method in (WITH_VARIANCES, MEANS_ALONE)
    )
    return with_variances < means_alone


@lru_cache(maxsize=128)
def _clusters(shape: tuple[int, int], content: bytes, k: int) -> Partition:
    X = np.frombuffer(content).reshape(shape)
    return partition_records(scaled_to_domain(X), PARTITIONERS["mdav"], k=k)


def mean_sse(
    X: NDArray[np.float64],
    found: Partition,
    *,
    method: int,
    k: int,
    epsilon: float,
    seed: int = 0,
) -> float:
    """Return the average SSE of a numbered method over seeded runs, in raw units."""
    settings = SYSTEMS["cross-moment"].settings({"method": method, "k": k, "epsilon": epsilon})
    source = SeededNoise.of((seed * X.shape[0] + k) * method)
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
            released = _matched(X, np.clip(sampled, 0.0, 1.0), found.labels)
        errors.append(sse(Deviations.of(X, released * _domain(X))))
    return float(np.mean(errors))


def _matched(
    X: NDArray[np.float64], sampled: NDArray[np.float64], labels: NDArray[np.int64]
) -> NDArray[np.float64]:
    return np.column_stack(
        [matched_by_rank(own, drawn, labels) for own, drawn in zip(X.T, sampled.T, strict=True)]
    )


def _domain(X: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.5 * X.max(axis=0))


def scaled_to_domain(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide values by the papers' domains, 0 to 1.5 times the maximum."""
    domain = _domain(X)
    return np.asarray(np.clip(X, 0.0, domain) / domain)


MOMENT_RECIPES: dict[str, Callable[[PaperEntry], float | Spread]] = {
    "expected-log2-sse": _expected_log2_sse,
    "log2-sse": _log2_sse,
    "k-min": _k_min,
}

"""How are the noisy results of paper 000 computed?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_means
from covey.aggregate.deviations import Deviations
from covey.evaluate.utility import sse
from covey.partition import partition
from covey.publish import publish
from covey.reproduce.data import COLUMNS, load
from covey.reproduce.judged import Spread
from covey.systems.papers.p000.expected_sse import expected_sse
from covey.table import Attribute, Schema, Table, read_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.release import Trace
    from covey.reproduce.entries import PaperEntry

_RUNS = 20
SEARCHED = range(10, 401, 10)


@lru_cache(maxsize=8)
def domain_table(paper: str, data: str) -> Table:
    """Return a table whose bounds are the papers' domains: 0 to 1.5 times the maximum."""
    X = load(paper, data)
    names = COLUMNS[paper, data]
    attributes = [
        Attribute(name, bounds=(0.0, 1.5 * float(column.max())))
        for name, column in zip(names, X.T, strict=True)
    ]
    return read_table(X, Schema(tuple(attributes)))


def aligned(trace: Trace) -> NDArray[np.float64]:
    """Return what became of each record, which these systems keep in memory."""
    assert trace.aligned is not None  # noqa: S101
    return trace.aligned.to_numpy().astype(np.float64)


def _noisy_errors(
    entry: PaperEntry, system: str, runs: Iterable[int], **parameters: Any
) -> list[float]:
    table = domain_table(entry.paper, entry.data)
    X = load(entry.paper, entry.data)
    traces = (
        publish(table, system, random_state=seed, trace=True, **parameters)[1] for seed in runs
    )
    return [sse(Deviations.of(X, aligned(trace))) for trace in traces]


def _noisy_sse(entry: PaperEntry, system: str, runs: Iterable[int], **parameters: Any) -> float:
    return float(np.mean(_noisy_errors(entry, system, runs, **parameters)))


def _best_k(entry: PaperEntry) -> Spread:
    """Return the k with the least average SSE, and all k that cannot be told from it.

    The curve is flat around its minimum, and the paper reads the best k off a figure.
    """
    epsilon = entry.settings["epsilon"]
    errors = {
        k: np.array(
            _noisy_errors(entry, entry.method, range(_RUNS), epsilon=epsilon, k=k, split="range")
        )
        for k in SEARCHED
    }
    best = min(SEARCHED, key=lambda k: errors[k].mean())
    near = [k for k in SEARCHED if Spread.of(list(errors[k] - errors[best]), of=_RUNS).low <= 0.0]
    return Spread(float(best), float(min(near)), float(max(near)), _RUNS)


def _expected_sse(entry: PaperEntry) -> float:
    table = domain_table(entry.paper, entry.data)
    return expected_sse(
        table, entry.method, epsilon=entry.settings["epsilon"], split=entry.settings["split"]
    )


def _smallest_k_above_opt(entry: PaperEntry) -> float:
    """Return the smallest k at which plain microaggregation loses more than noisy OPT_DP."""
    table = domain_table(entry.paper, entry.data)
    target = expected_sse(table, "opt-dp", epsilon=entry.settings["epsilon"], split="range")
    return _smallest_k_above(entry, target)


def _smallest_k_above_clamped_opt(entry: PaperEntry) -> float:
    """Return the same with releases that are clamped to the bounds, as [000, 8.2] makes them."""
    epsilon = entry.settings["epsilon"]
    runs = range(2 * _RUNS)
    target = _noisy_sse(entry, "opt-dp", runs, epsilon=epsilon, split="range")
    return _smallest_k_above(entry, target)


def _smallest_k_above(entry: PaperEntry, target: float) -> float:
    X = load(entry.paper, entry.data)
    for k in range(2, X.shape[0] // 2):
        if plain_sse(X, entry.method, k) > target:
            return float(k)
    return float("nan")


def plain_sse(X: NDArray[np.float64], method: str, k: int) -> float:
    """Return what microaggregation without noise loses, in the papers' domains."""
    scaled = X / (1.5 * X.max(axis=0))
    if method == "mdav":
        found = partition(scaled, "mdav", standardize=False, k=k)
        parts = [found] * X.shape[1]
    else:
        # As evaluated in [000]: individual ranking is MDAV on one attribute.
        parts = [partition(column, "mdav", standardize=False, k=k) for column in scaled.T]
    columns = [
        cluster_means(column, part.labels, part.sizes)[part.labels]
        for column, part in zip(X.T, parts, strict=True)
    ]
    return sse(Deviations.of(X, np.column_stack(columns)))


def _ratio_to_insensitive(entry: PaperEntry) -> Spread:
    """Return the SSE of MDAV_IR_DP at epsilon 1 over that of the evaluated INS_DP at 10."""
    k, runs = entry.settings["k"], range(_RUNS)
    ours = _noisy_errors(entry, "mdav-ir-dp", runs, epsilon=1.0, k=k, split="range")
    theirs = _noisy_errors(entry, "insensitive", runs, epsilon=10.0, k=k, paper=True)
    single = Spread.of([a / b for a, b in zip(ours, theirs, strict=True)], of=1)
    return replace(single, mean=float(np.mean(ours) / np.mean(theirs)))


NOISE_RECIPES: dict[str, Callable[[PaperEntry], float | Spread]] = {
    "best-k": _best_k,
    "expected-sse": _expected_sse,
    "smallest-k-above-opt": _smallest_k_above_opt,
    "smallest-k-above-clamped-opt": _smallest_k_above_clamped_opt,
    "ratio-to-insensitive": _ratio_to_insensitive,
}

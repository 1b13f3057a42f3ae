"""How is the evaluation of paper 004 repeated, for numbers, categories and both?"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate.running_moments import RunningMoments
from covey.evaluate.mixed import MixedRecords
from covey.evaluate.risk import record_linkage
from covey.evaluate.utility import variation
from covey.publish import publish
from covey.reproduce.adult import ADULT, adult_table
from covey.reproduce.judged import Spread
from covey.reproduce.plain import in_domain
from covey.reproduce.recipes_noise import domain_table
from covey.table import Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.release import Trace
    from covey.reproduce.entries import PaperEntry
    from covey.table import Table

_RUNS = {"Census": 100, "Adult-Categorical": 6, "Adult-Numerical-Categorical": 4}
"""Of ours; few where one takes many seconds.  The paper means over three."""
PRINTED_RUNS = 3

_Score = str | tuple[str, str]


def evaluated(paper: str, data: str) -> Table:
    """Return one of the three tables of paper 004, with its domains as bounds."""
    return adult_table(data) if data in ADULT else domain_table(paper, data)


def scores(table: Table, trace: Trace) -> dict[_Score, float]:
    """Return SSE, RL and how far means and variances moved, as section 5 defines them.

    Numbers alone count in raw units; beside categories in parts of their domain, because
    semantic distances lie between 0 and 1.
    """
    assert trace.aligned is not None  # noqa: S101 — these systems keep it in memory
    released = replace(table, frame=trace.aligned)
    records = MixedRecords.of(table, released, table.schema.names)
    widths = np.array([a.width for a in table.schema if a.scale is not Scale.NOMINAL])
    units = widths if records.categories else np.ones(widths.size)
    squares = np.square((records.numbers - records.released_numbers) / units).sum()
    for j, each in enumerate(records.categories):
        found = each.deviations(records.codes[:, j], records.released_codes[:, j])
        squares += float(found.squared.sum())
    moved: dict[_Score, float] = {}
    if not records.categories:
        moved |= changes(records.numbers, records.released_numbers, table.schema.names)
    return {"sse": float(squares), "rl": records.linkage(widths, "bounds"), **moved}


def changes(
    X: NDArray[np.float64],
    released: NDArray[np.float64],
    names: tuple[str, ...] = ("FEDTAX", "POTHVAL", "INTVAL", "FICA"),
) -> dict[_Score, float]:
    """Return how far the mean and the variance of each column moved, [004, section 5.4]."""
    old, new = RunningMoments.of(X), RunningMoments.of(released)
    means, variances = variation(old.means, new.means), variation(old.variances, new.variances)
    return {
        (statistic, name): float(value)
        for statistic, values in (("mean", means), ("variance", variances))
        for name, value in zip(names, values, strict=True)
    }


@lru_cache(maxsize=64)
def plain_scores(paper: str, data: str, k: int) -> dict[_Score, float]:
    """Return the scores of MDAV, for categories over their taxonomies."""
    table = evaluated(paper, data)
    if data not in ADULT:
        X, released, domain = in_domain(paper, data, "mdav", k)
        squares = float(np.square(X - released).sum())
        return {"sse": squares, "rl": record_linkage(X, released, domain)}
    _, trace = publish(table, "mdav", k=k, trace=True)
    return scores(table, trace)


@lru_cache(maxsize=64)
def noisy_scores(
    paper: str, data: str, method: str, k: int | None, epsilon: float
) -> dict[_Score, tuple[float, ...]]:
    """Return the scores of seeded releases of the evaluation, one after the other.

    As evaluated in [004]: every attribute spends the whole epsilon.
    """
    table = evaluated(paper, data)
    parameters: dict[str, Any] = {"epsilon": epsilon, "k": k, "paper": True}
    if method == "laplace":
        parameters = {"epsilon": epsilon * len(table.schema.names)}
    runs = []
    for seed in range(_RUNS[data]):
        _, trace = publish(table, method, random_state=seed, trace=True, **parameters)
        runs.append(scores(table, trace))
    return {name: tuple(run[name] for run in runs) for name in runs[0]}


def _noisy(entry: PaperEntry, score: _Score, *, method: str = "") -> Spread:
    """Return the mean of a score over our runs, and where the mean of three lies."""
    method = method or entry.method
    k = entry.settings["k"] if method == "insensitive" else None
    found = noisy_scores(entry.paper, entry.data, method, k, float(entry.settings["epsilon"]))
    spread = Spread.of(found[score], of=PRINTED_RUNS)
    return replace(spread, low=max(0.0, spread.low))


def _baseline(entry: PaperEntry, score: _Score) -> Spread:
    if entry.settings["against"] == "mdav":
        value = plain_scores(entry.paper, entry.data, entry.settings["k"])[score]
        return Spread(value, value, value, 1)
    return _noisy(entry, score, method=entry.settings["against"])


def _factor(entry: PaperEntry, score: _Score) -> Spread:
    """Return how many times better a score is than the baseline's, [004, section 5.2]."""
    before, after = _baseline(entry, score), _noisy(entry, score)
    power = 0.5 if score == "sse" else 1.0
    return Spread(
        mean=_ratio(before.mean, after.mean) ** power,
        low=_ratio(before.low, after.high) ** power,
        high=_ratio(before.high, after.low) ** power,
        runs=after.runs,
    )


def _score(entry: PaperEntry) -> Spread:
    loss, risk = _factor(entry, "sse"), _factor(entry, "rl")
    return Spread(loss.mean * risk.mean, loss.low * risk.low, loss.high * risk.high, loss.runs)


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else math.inf


def _changed(entry: PaperEntry) -> Spread:
    return _noisy(entry, (entry.settings["statistic"], entry.settings["column"]))


SCORE_RECIPES: dict[str, Callable[[PaperEntry], float | Spread]] = {
    "noise-sse": lambda entry: _noisy(entry, "sse"),
    "noise-rl": lambda entry: _noisy(entry, "rl"),
    "noise-change": _changed,
    "sse-0": lambda entry: plain_scores(entry.paper, entry.data, entry.settings["k"])["sse"],
    "rl-0": lambda entry: plain_scores(entry.paper, entry.data, entry.settings["k"])["rl"],
    "sse-factor": lambda entry: _factor(entry, "sse"),
    "rl-factor": lambda entry: _factor(entry, "rl"),
    "score": _score,
}

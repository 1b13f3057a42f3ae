"""What do the weighted results of a survey look like before and after?  For the curator alone."""

from __future__ import annotations

import math
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from covey.evaluate.metric import Metric, by_name
from covey.table import Role, Scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.evaluate.result import Evaluation
    from covey.table import Table

WEIGHTED_METRICS = by_name(
    Metric(
        name="weighted_total_error",
        title="Error of the weighted total",
        explanation="By which share the sum of all survey weights is off.",
        better="lower",
        low=0.0,
        high=inf,
        aligned=False,
        kind="utility",
        memory_only=True,
    ),
    Metric(
        name="weighted_mean_error",
        title="Error of weighted means",
        explanation="By how many standard deviations weighted means of numbers are off, on average "
        "over columns.",
        better="lower",
        low=0.0,
        high=inf,
        aligned=False,
        kind="utility",
        memory_only=True,
        columns="numbers",
    ),
    Metric(
        name="weighted_tv_1way",
        title="Misplaced weight",
        explanation="The share of all weight that stands in a wrong category, on average over "
        "columns.",
        better="lower",
        low=0.0,
        high=1.0,
        aligned=False,
        kind="utility",
        memory_only=True,
    ),
)
"""Scores that count what records stand for, where a survey weight is published."""


def weight_of(table: Table, columns: Sequence[str]) -> str | None:
    """Return the survey weight among some published columns, the first of several."""
    names = [each.name for each in table.schema.with_role(Role.WEIGHT)]
    return next((name for name in names if name in columns), None)


def with_weights(
    found: Evaluation, original: Table, released: Table, columns: Sequence[str]
) -> Evaluation:
    """Add the weighted results to an evaluation, if a survey weight was published."""
    weight = weight_of(original, columns)
    if weight is None:
        return found
    scores, rows = weighted_scores(original, released, columns, weight)
    looks = tuple(replace(each, weighted=rows.get(each.name, ())) for each in found.looks)
    note = (
        f"Scores called weighted count each record as often as {weight} says; others count it once."
    )
    return replace(found, scores={**found, **scores}, looks=looks, notes=(*found.notes, note))


def weighted_scores(
    original: Table, released: Table, columns: Sequence[str], weight: str
) -> tuple[dict[str, float], dict[str, tuple[tuple[str, float, float], ...]]]:
    """Compare the weighted results of two tables.

    Returns the scores, and for each column the rows that belong into the first look.
    """
    weights = [_weights(table, weight) for table in (original, released)]
    totals = [float(each.sum()) for each in weights]
    scores = {"weighted_total_error": abs(totals[1] - totals[0]) / (totals[0] or 1.0)}
    rows: dict[str, tuple[tuple[str, float, float], ...]] = {}
    means, moved = [], []
    for name in columns:
        if name == weight:
            continue
        if original.schema[name].scale is Scale.NOMINAL:
            texts_of = [table.texts(name) for table in (original, released)]
            shares = [_shares(*each) for each in zip(texts_of, weights, strict=True)]
            texts = sorted({*shares[0], *shares[1]})
            pairs = {text: tuple(each.get(text, 0.0) for each in shares) for text in texts}
            moved.append(sum(abs(one - other) for one, other in pairs.values()) / 2.0)
            top = max(pairs, key=lambda text: (pairs[text][0], text))
            rows[name] = ((f"weighted {top}", pairs[top][0], pairs[top][1]),)
        else:
            codes = original.schema[name].special_codes
            both = [_without(table.values(name), codes) for table in (original, released)]
            before, after = (_mean(*each) for each in zip(both, weights, strict=True))
            if math.isnan(before) or math.isnan(after):
                continue  # nobody has a value
            spread = float(np.nanstd(both[0])) or 1.0
            means.append(abs(after - before) / spread)
            rows[name] = (("mean", before, after),)
    if means:
        scores["weighted_mean_error"] = float(np.mean(means))
    if moved:
        scores["weighted_tv_1way"] = float(np.mean(moved))
    return scores, rows


def _weights(table: Table, name: str) -> NDArray[np.float64]:
    return np.nan_to_num(np.asarray(table.values(name), dtype=np.float64))


def _without(values: NDArray[np.float64], codes: Sequence[float]) -> NDArray[np.float64]:
    return np.where(np.isin(values, codes), np.nan, values) if codes else values


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    known = ~np.isnan(values)
    total = float(weights[known].sum())
    return float((values[known] * weights[known]).sum()) / total if total else float("nan")


def _shares(values: Sequence[str], weights: NDArray[np.float64]) -> dict[str, float]:
    texts, place = np.unique(np.array(values, dtype=np.str_), return_inverse=True)
    sums = np.bincount(place, weights, minlength=texts.size)
    total = float(sums.sum()) or 1.0
    return dict(zip(texts.tolist(), (sums / total).tolist(), strict=True))

"""Which figures of the papers can be drawn again, and from which points?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.deviations import Deviations
from covey.aggregate.running_moments import RunningMoments
from covey.evaluate.utility import il1s_sum, sse
from covey.partition import PARTITIONERS, partition, partition_records
from covey.publish import publish
from covey.report.plan_charts import line_chart
from covey.reproduce.data import available, load
from covey.reproduce.recipes_moments import (
    MEANS_ALONE,
    WITH_VARIANCES,
    mean_sse,
    scaled_to_domain,
)
from covey.reproduce.recipes_noise import aligned, domain_table, plain_sse
from covey.systems.papers.p000.expected_sse import expected_sse
from covey.table import Attribute, Schema, read_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

EPSILONS = (0.01, 0.1, 1.0, 10.0)
_SIZES = (1290, 2580, 5160, 10320, 20640)
CURVE = (2, 5, 10, 20, 40, 60, 80, 100, 140, 180, 220)
_SEED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure as points (x, y) of several lines."""

    paper: str
    title: str
    data: str
    x: str
    y: str
    points: Callable[[], Iterator[tuple[str, float, float]]]

    def draw(self) -> str:
        """Compute the points and draw them as SVG."""
        rows = [{"line": line, "x": x, "y": y} for line, x, y in self.points()]
        return line_chart(rows, self.x, self.y, self.title)


def _record_perturbation(epsilon: float) -> Iterator[tuple[str, float, float]]:
    table, X = domain_table("000", "Census"), load("000", "Census")
    for k in CURVE:
        yield "MDAV, no noise", k, plain_sse(X, "mdav", k)
        yield "MDAV_IR, no noise", k, plain_sse(X, "individual-ranking", k)
        yield "MDAV_DP", k, expected_sse(table, "mdav-dp", epsilon=epsilon, k=k, split="range")
        for name, split in (("MDAV_IR_DP_1", "even"), ("MDAV_IR_DP_2", "range")):
            yield name, k, expected_sse(table, "mdav-ir-dp", epsilon=epsilon, k=k, split=split)
    for name, split in (("OPT_DP_1", "even"), ("OPT_DP_2", "range")):
        optimum = expected_sse(table, "opt-dp", epsilon=epsilon, split=split)
        for k in (CURVE[0], CURVE[-1]):
            yield name, k, optimum


def _insensitive_sse() -> Iterator[tuple[str, float, float]]:
    table, X = domain_table("004", "Census"), load("004", "Census")
    scaled = X / (1.5 * X.max(axis=0))
    for k in CURVE:
        plain = partition(scaled, "mdav", standardize=False, k=k)
        yield "MDAV", k, sse(Deviations.of(X, _means(X, plain.labels)))
        ordered = partition(scaled, "insensitive", standardize=False, k=k, sequence="paired")
        yield "insensitive", k, sse(Deviations.of(X, _means(X, ordered.labels)))
        for epsilon in EPSILONS:
            yield f"epsilon {epsilon:g}", k, sse(Deviations.of(X, _noisy(table, epsilon, k)))


def _insensitive_il1s() -> Iterator[tuple[str, float, float]]:
    table, X = domain_table("002", "Census"), load("002", "Census")
    variances = RunningMoments.of(X).variances
    for k in CURVE:
        for epsilon in EPSILONS:
            errors = Deviations.of(X, _noisy(table, epsilon, k))
            yield f"epsilon {epsilon:g}", k, il1s_sum(errors, variances)


def _error_over_size() -> Iterator[tuple[str, float, float]]:
    prices = load("000", "California_housing")[:, [-1]]
    order = np.random.default_rng(_SEED).permutation(len(prices))
    schema = Schema((Attribute("price", bounds=(0.0, 1.5 * float(prices.max()))),))
    for n in _SIZES:
        table = read_table(prices[order[:n]], schema)
        optimum = expected_sse(table, "opt-dp", epsilon=1.0 / 3.0) / n
        for k in (10, 20, 40, 80, 160, 320, 640):
            # Three attributes share epsilon evenly; the price gets a third.
            error = expected_sse(table, "mdav-ir-dp", epsilon=1.0 / 3.0, k=k) / n
            yield f"MDAV_IR_DP_1, n = {n:,}", k, error
        for k in (10, 640):
            yield f"OPT_DP_1, n = {n:,}", k, optimum


def _smallest_k() -> Iterator[tuple[str, float, float]]:
    X = load("003", "Census 2")
    for k in range(60, 400, 30):
        found = partition_records(scaled_to_domain(X), PARTITIONERS["mdav"], k=k)
        for name, method in (("means and variances", WITH_VARIANCES), ("means", MEANS_ALONE)):
            yield name, k, mean_sse(X, found, method=method, k=k, epsilon=2.0)


def _means(X: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    from covey.reproduce.recipes import aggregated

    return aggregated(X, labels, np.bincount(labels).astype(np.int64))


def _noisy(table: object, epsilon: float, k: int) -> NDArray[np.float64]:
    _, trace = publish(
        table, "insensitive", epsilon=epsilon, k=k, paper=True, random_state=_SEED, trace=True
    )
    return aligned(trace)


FIGURES = (
    Figure(
        paper="000",
        title="Figure 3, top: SSE over k at epsilon 1 (expected, before clamping)",
        data="Census",
        x="k",
        y="SSE",
        points=lambda: _record_perturbation(1.0),
    ),
    Figure(
        paper="000",
        title="Figure 3, bottom: SSE over k at epsilon 2 (expected, before clamping)",
        data="Census",
        x="k",
        y="SSE",
        points=lambda: _record_perturbation(2.0),
    ),
    Figure(
        paper="000",
        title="Figures 4 and 5: expected MSE of the house price over k and n",
        data="California_housing",
        x="k",
        y="MSE",
        points=_error_over_size,
    ),
    Figure(
        paper="002",
        title="Figure 4.5: IL1s over k of insensitive microaggregation with noise",
        data="Census",
        x="k",
        y="IL1s",
        points=_insensitive_il1s,
    ),
    Figure(
        paper="003",
        title="k_min: from which k publishing variances pays, at epsilon 2",
        data="Census 2",
        x="k",
        y="SSE",
        points=_smallest_k,
    ),
    Figure(
        paper="004",
        title="Figure 4: SSE over k with and without noise, as evaluated",
        data="Census",
        x="k",
        y="SSE",
        points=_insensitive_sse,
    ),
)


def figures_of(paper: str | None) -> list[Figure]:
    """Return the figures of one paper, or of all, for which the data are there."""
    return [
        figure for figure in FIGURES if paper in (None, figure.paper) and available(figure.data)
    ]

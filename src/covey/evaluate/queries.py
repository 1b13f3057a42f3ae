"""How wrong the counts are that people would ask the release for.

A range query asks which share of the records has two attributes inside two intervals.  Queries
with a tiny answer say little about a release and those with a huge one are easy, so only queries
whose true answer lies between 5 % and 50 % count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import PlanError
from covey.evaluate.metric import Metric, by_name, require_comparable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SHARE_ASKED = (0.05, 0.50)
BATCHES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeQueries:
    """Queries for low <= value <= high in two columns; every array has shape (queries, 2)."""

    columns: NDArray[np.int64]
    low: Floats
    high: Floats

    def __getitem__(self, chosen: NDArray[np.intp]) -> RangeQueries:
        """Return the chosen queries."""
        return RangeQueries(
            columns=self.columns[chosen], low=self.low[chosen], high=self.high[chosen]
        )


def range_query_error(
    original: Floats, released: Floats, rng: np.random.Generator, n_queries: int = 500
) -> float:
    """Return the mean absolute error of random range queries, as a share of the records.

    Parameters
    ----------
    original : ndarray of shape (n, d)
    released : ndarray of shape (m, d)
        Answers are shares of n and of m, so the two may differ.
    rng : numpy.random.Generator
        Draws the queries; the same state gives the same queries for every release.
    n_queries : int
        How many queries with a suitable answer to average over.

    Notes
    -----
    With one attribute the queries are intervals of that attribute.  If the data have fewer
    suitable queries than asked for, those found count; if they have none (all attributes
    constant, say), all queries drawn do.
    A query costs one pass over the records inside its first interval; memory is O(n + m).
    """
    require_comparable(original, released)
    if n_queries < 1:
        raise PlanError(
            "n_queries is below 1, so there is no query to average over. Ask at least one."
        )
    queries, truth = _suitable_queries(original, rng, n_queries)
    return float(np.mean(np.abs(answer(released, queries) - truth)))


def draw_queries(original: Floats, rng: np.random.Generator, n_queries: int) -> RangeQueries:
    """Draw pairs of distinct columns, and for each column an interval between two of its values.

    Ends are values of the original, so that intervals are short where records are dense and a
    long tail does not make most queries empty.
    """
    n, d = original.shape
    columns = np.zeros((n_queries, 2), dtype=np.int64)
    columns[:, 0] = rng.integers(d, size=n_queries)
    if d > 1:
        columns[:, 1] = (columns[:, 0] + rng.integers(1, d, size=n_queries)) % d
    ends = original[rng.integers(n, size=(2, n_queries, 2)), columns]
    if d == 1:
        # A second, independent interval on the same column would not be a 1-way range.
        ends[:, :, 1] = ends[:, :, 0]
    return RangeQueries(columns=columns, low=ends.min(axis=0), high=ends.max(axis=0))


def answer(values: Floats, queries: RangeQueries) -> Floats:
    """Return the share of the records of ``values`` that each query asks for."""
    counts = np.zeros(queries.columns.shape[0], dtype=np.int64)
    for first in np.unique(queries.columns[:, 0]):
        order = np.argsort(values[:, first])
        ranked = values[order, first]
        for second in np.unique(queries.columns[queries.columns[:, 0] == first, 1]):
            asked = np.flatnonzero((queries.columns == (first, second)).all(axis=1))
            start = np.searchsorted(ranked, queries.low[asked, 0], side="left")
            stop = np.searchsorted(ranked, queries.high[asked, 0], side="right")
            others = values[order, second]
            for query, i, j in zip(asked, start, stop, strict=True):
                inside = others[i:j]
                counts[query] = np.count_nonzero(
                    (inside >= queries.low[query, 1]) & (inside <= queries.high[query, 1])
                )
    shares: Floats = counts / values.shape[0]
    return shares


def _suitable_queries(
    original: Floats, rng: np.random.Generator, n_queries: int
) -> tuple[RangeQueries, Floats]:
    """Draw batches until enough queries have an answer within ``SHARE_ASKED``."""
    batches: list[RangeQueries] = []
    truths: list[Floats] = []
    found = 0
    while found < n_queries and len(batches) < BATCHES:
        batches.append(draw_queries(original, rng, n_queries))
        truths.append(answer(original, batches[-1]))
        found += int(np.count_nonzero(_is_suitable(truths[-1])))
    queries = RangeQueries(
        columns=np.concatenate([batch.columns for batch in batches]),
        low=np.concatenate([batch.low for batch in batches]),
        high=np.concatenate([batch.high for batch in batches]),
    )
    truth = np.concatenate(truths)
    chosen = np.flatnonzero(_is_suitable(truth))[:n_queries]
    if chosen.size == 0:
        return queries, truth
    return queries[chosen], truth[chosen]


def _is_suitable(truth: Floats) -> NDArray[np.bool_]:
    smallest, largest = SHARE_ASKED
    return (truth >= smallest) & (truth <= largest)


QUERY_METRICS = by_name(
    Metric(
        name="range_query_error",
        title="Error of range queries",
        explanation="The average error in the share of records for which two attributes lie "
        "within given intervals, over random questions whose true answer is 5 to 50 percent.",
        better="lower",
        low=0.0,
        high=1.0,
        aligned=False,
        kind="utility",
        memory_only=True,
        columns="numbers",
    ),
)

"""How wrong are released rows?  One-, two- and three-way tables, queries, dependence, moments.

All systems answer the same questions.  Numbers are binned at the deciles of held-out records,
which no system has seen; special values and categories are bins of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, wasserstein_distance

from benchmarks.rivals.tables import Columns, Split, columns_of, is_number

BINS = 10
TRIPLES = 120
QUERIES = 500
DRAWN = 20 * QUERIES
SHARE_ASKED = (0.02, 0.5)
"""Only queries whose true answer lies between count."""

QUESTIONS_SEED = 20261119

Codes = Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A column lies between two numbers, or is one of some categories."""

    column: str
    low: float = 0.0
    high: float = 0.0
    among: NDArray[np.int64] | None = None

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        """Return for which rows it does."""
        values = columns[self.column]
        if self.among is not None:
            return np.isin(values, self.among)
        return np.asarray((values >= self.low) & (values <= self.high))


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """What every release of one table is held against."""

    original: Columns
    numbers: tuple[str, ...]
    cuts: Mapping[str, NDArray[np.float64]]
    special: Mapping[str, tuple[float, ...]]
    sizes: Mapping[str, int]
    triples: Sequence[tuple[str, ...]]
    queries: Sequence[tuple[Condition, ...]]
    answers: NDArray[np.float64]

    @classmethod
    def of(cls, split: Split) -> Yardstick:
        """Draw bins and questions from the held-out records."""
        rng = np.random.default_rng(QUESTIONS_SEED)
        original, held = columns_of(split.train), columns_of(split.test)
        special = {a.name: a.special or () for a in split.attributes if is_number(a)}
        cuts = {name: _deciles(held[name], special[name]) for name in special}
        sizes = {
            name: len(special[name]) + cuts[name].size + 1
            if name in special
            else len(split.domain(name))
            for name in original
        }
        triples = list(combinations(original, 3))
        chosen = rng.permutation(len(triples))[:TRIPLES]
        queries = [_query(held, special, sizes, rng) for _ in range(DRAWN)]
        asked, answers = _suitable(original, queries)
        return cls(
            original=original,
            numbers=tuple(special),
            cuts=cuts,
            special=special,
            sizes=sizes,
            triples=[triples[place] for place in np.sort(chosen)],
            queries=asked,
            answers=answers,
        )

    def bins(self, columns: Columns) -> Codes:
        """Return the bin of every value."""
        return {
            name: binned(values, self.cuts[name], self.special[name])
            if name in self.cuts
            else values.astype(np.int64)
            for name, values in columns.items()
        }

    def scores(self, released: Columns) -> dict[str, float]:
        """Return all errors; those that need a column which was not released are left out."""
        numbers = [name for name in self.numbers if name in released]
        found = {}
        if numbers:
            found |= moment_errors([(self.original[n], released[n]) for n in numbers])
        if len(numbers) > 1:
            old, new = ({n: c[n] for n in numbers} for c in (self.original, released))
            found |= {
                "pearson": correlation_gap(old, new),
                "spearman": correlation_gap(_ranks(old), _ranks(new)),
            }
        if set(released) == set(self.original):
            old_bins, new_bins = self.bins(self.original), self.bins(released)
            tables = {1: [(n,) for n in released], 2: list(combinations(released, 2))}
            for ways, chosen in {**tables, 3: self.triples}.items():
                if chosen:
                    gaps = [distance(old_bins, new_bins, names, self.sizes) for names in chosen]
                    found[f"tv{ways}"] = float(np.mean(gaps))
            found["cramer"] = float(
                np.mean(
                    [
                        abs(
                            cramer(*(old_bins[n] for n in pair))
                            - cramer(*(new_bins[n] for n in pair))
                        )
                        for pair in tables[2]
                    ]
                )
            )
            given = np.array([share(released, query) for query in self.queries])
            found["queries"] = float(np.mean(np.abs(given - self.answers)))
        return found


def binned(
    values: NDArray[np.float64], cuts: NDArray[np.float64], special: tuple[float, ...]
) -> NDArray[np.int64]:
    """Return the bin of each number: special values first, then the pieces between the cuts."""
    bins = np.searchsorted(cuts, values, side="left") + len(special)
    for place, value in enumerate(special):
        bins[values == value] = place
    return np.asarray(bins, dtype=np.int64)


def distance(old: Codes, new: Codes, names: Sequence[str], sizes: Mapping[str, int]) -> float:
    """Return the total variation distance between two tables of the same columns."""
    shapes = [sizes[name] for name in names]
    tables = []
    for codes in (old, new):
        flat = np.ravel_multi_index([codes[name] for name in names], shapes)
        counts = np.bincount(flat, minlength=int(np.prod(shapes)))
        tables.append(counts / max(counts.sum(), 1))
    return float(np.abs(tables[0] - tables[1]).sum() / 2)


def cramer(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Return Cramér's V of two columns, over the categories that occur."""
    rows, columns = (np.unique(codes, return_inverse=True)[1] for codes in (first, second))
    table = np.zeros((rows.max(initial=0) + 1, columns.max(initial=0) + 1))
    np.add.at(table, (rows, columns), 1.0)
    least = min(table.shape) - 1
    if least < 1:
        return 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    squares = ((table - expected) ** 2 / expected).sum() / table.sum()
    return float(np.sqrt(squares / least))


def correlation_gap(old: Columns, new: Columns) -> float:
    """Return the mean absolute difference of correlations over all pairs of columns."""
    upper = np.triu_indices(len(old), 1)
    before, after = (_correlations(columns)[upper] for columns in (old, new))
    return float(np.mean(np.abs(before - after)))


def moment_errors(pairs: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> dict[str, float]:
    """Return mean errors of means (in standard deviations), spreads and distributions."""
    errors = []
    for old, new in pairs:
        sd = float(np.std(old)) or 1.0
        errors.append(
            (
                abs(np.mean(new) - np.mean(old)) / sd,
                abs(np.std(new) / sd - 1.0),
                wasserstein_distance(old, new) / sd,
            )
        )
    return dict(zip(("mean", "sd", "wasserstein"), np.mean(errors, axis=0).tolist(), strict=True))


def share(columns: Columns, query: Sequence[Condition]) -> float:
    """Return the share of rows for which all conditions hold."""
    return float(np.mean(np.logical_and.reduce([part.holds(columns) for part in query])))


def _correlations(columns: Columns) -> NDArray[np.float64]:
    """Return correlations; a column with one value has none, and counts as independent."""
    X = np.column_stack([np.asarray(values, dtype=np.float64) for values in columns.values()])
    X = X - X.mean(axis=0)
    lengths = np.sqrt((X**2).sum(axis=0))
    X /= np.where(lengths > 0, lengths, 1.0)
    return np.asarray(X.T @ X)


def _ranks(columns: Columns) -> Columns:
    return {name: rankdata(values) for name, values in columns.items()}


def _deciles(held: NDArray[np.float64], special: tuple[float, ...]) -> NDArray[np.float64]:
    ordinary = np.sort(held[~np.isin(held, special)])
    if ordinary.size == 0:
        return np.empty(0)
    marks = np.quantile(ordinary, np.arange(1, BINS) / BINS, method="inverted_cdf")
    marks = np.unique(marks[marks < ordinary[-1]])
    # Halfway to the next value: a number that was moved by a hair keeps its bin.
    above = ordinary[np.searchsorted(ordinary, marks, side="right")]
    return np.asarray((marks + above) / 2)


def _query(
    held: Columns,
    special: Mapping[str, Any],
    sizes: Mapping[str, int],
    rng: np.random.Generator,
) -> tuple[Condition, ...]:
    """Draw a question about two or three columns."""
    names = rng.permutation(list(held))[: rng.integers(2, 4)]
    asked = []
    for name in map(str, names):
        if name in special:
            low, high = np.sort(rng.choice(held[name], 2))
            asked.append(Condition(column=name, low=float(low), high=float(high)))
        else:
            few = rng.permutation(sizes[name])[: max(1, sizes[name] // 2)]
            # One that occurs is among them, or rare categories would make most questions empty.
            few = np.unique(np.append(few, rng.choice(held[name])))
            asked.append(Condition(column=name, among=few.astype(np.int64)))
    return tuple(asked)


def _suitable(
    original: Columns, queries: Sequence[tuple[Condition, ...]]
) -> tuple[list[tuple[Condition, ...]], NDArray[np.float64]]:
    asked, answers = [], []
    for query in queries:
        truth = share(original, query)
        if SHARE_ASKED[0] <= truth <= SHARE_ASKED[1]:
            asked.append(query)
            answers.append(truth)
        if len(asked) == QUERIES:
            break
    return asked, np.array(answers)

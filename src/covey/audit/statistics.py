"""Which number is read off a release, when a system is run from beginning to end?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from covey.release.column import ConceptColumn, UntouchedColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.systems import Outcome


def released(outcome: Outcome) -> NDArray[np.float64]:
    """Return the released numbers, one column for each attribute."""
    columns = [_numbers(outcome, name) for name in outcome.columns]
    return np.column_stack([column for column in columns if column.size])


def first_value(outcome: Outcome) -> float:
    """Return the first value of the first column."""
    return float(released(outcome)[0, 0])


def largest_value(outcome: Outcome) -> float:
    """Return the largest value of the first column."""
    return float(released(outcome)[:, 0].max())


def total(outcome: Outcome) -> float:
    """Return the sum of the first column."""
    return float(released(outcome)[:, 0].sum())


def first_concept(concept: str) -> Callable[[Outcome], float]:
    """Return a statistic: whether the first row of the first column is this category."""

    def statistic(outcome: Outcome) -> float:
        column = next(iter(outcome.columns.values()))
        return float(isinstance(column, ConceptColumn) and column.concepts[0] == concept)

    return statistic


def largest_group(outcome: Outcome) -> float:
    """Return how often the most frequent value of the first column occurs."""
    return float(np.unique(released(outcome)[:, 0], return_counts=True)[1].max())


def smaller_group(outcome: Outcome) -> float:
    """Return the value of the first column that occurs least often."""
    values, counts = np.unique(released(outcome)[:, 0], return_counts=True)
    return float(values[np.argmin(counts)])


def measured(table: str, column: str, row: int) -> Callable[[Outcome], float]:
    """Return a statistic: one noisy number of a table that is published beside the data."""

    def statistic(outcome: Outcome) -> float:
        return float(outcome.extras[table][column][row])

    return statistic


def occurs(degree: int) -> Callable[[Outcome], float]:
    """Return a statistic: whether a degree is among those that are published."""

    def statistic(outcome: Outcome) -> float:
        return float(degree in _numbers(outcome, "degree"))

    return statistic


def distance_to(*point: float) -> Callable[[Outcome], float]:
    """Return a statistic: how near the nearest released row comes to a point."""
    target = np.array(point)

    def statistic(outcome: Outcome) -> float:
        return float(np.abs(released(outcome) - target).sum(axis=1).min())

    return statistic


def _numbers(outcome: Outcome, name: str) -> NDArray[np.float64]:
    column = outcome.columns[name]
    if isinstance(column, (ConceptColumn, UntouchedColumn)):
        return np.empty(0)
    return np.asarray(column.values, dtype=np.float64)

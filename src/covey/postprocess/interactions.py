"""Which tables without contradictions are nearest to noisy ones?  Least squares by interactions.

A table is the sum of its interactions (analysis of variance): a part for each subset of its
columns, which adds up to nothing along each of them.  Tables agree on their common margins if they
have the same parts in common.  All cells of a measured table have the same independent noise, so
the parts that it tells are uncorrelated with each other, and least squares weighted by inverse
variances is the weighted mean of what the tables say about each part, by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Names = tuple[str, ...]
"""Columns of a table; none for the number of records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyTable:
    """A measured cross table: one axis for each column, and the variance of each cell's noise."""

    names: Names
    values: NDArray[Any] = field(repr=False)
    variance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """A table that agrees with all others.

    Parameters
    ----------
    names : tuple of str
        Its columns.
    values : array of float64
        The best estimate of each cell: errs to either side alike, and can be below 0.
    sd : float
        The standard deviation of its error.
    raw_sd : float
        That of the most accurate measured table that it is a margin of, by itself.  No weighted
        sum of the cells errs more than it would with independent errors of this size: least
        squares are the best of all unbiased estimates of any such sum.
    """

    names: Names
    values: NDArray[np.float64] = field(repr=False)
    sd: float
    raw_sd: float


def subsets(names: Names) -> list[Names]:
    """Return all selections of columns, the smallest first."""
    return [part for size in range(len(names) + 1) for part in combinations(names, size)]


def all_margins(tables: Iterable[Names]) -> list[Names]:
    """Return every margin of some tables once: the smallest first, the earliest among equals."""
    tables = list(tables)
    order = list(dict.fromkeys(name for names in tables for name in names))
    found = dict.fromkeys(
        part for names in tables for part in subsets(tuple(sorted(names, key=order.index)))
    )
    return sorted(found, key=len)


def consistent(tables: Sequence[NoisyTable], total: int | None) -> dict[Names, Margin]:
    """Return all margins of the tables, free of contradictions; ``total`` where it is public."""
    sizes = {
        name: size
        for table in tables
        for name, size in zip(table.names, table.values.shape, strict=True)
    }
    family = all_margins(table.names for table in tables)
    effects = {part: _effect(part, tables, sizes, total) for part in family}
    return {names: _margin(names, effects, tables, sizes) for names in family}


def _effect(
    part: Names, tables: Sequence[NoisyTable], sizes: Mapping[str, int], total: int | None
) -> tuple[NDArray[np.float64], float]:
    """Return the interaction of some columns, and the variance of its cells before centring."""
    if not part and total is not None:
        return np.array(float(total)), 0.0
    weighted, weights = np.zeros([sizes[name] for name in part]), 0.0
    for table in tables:
        if set(part) <= set(table.names):
            weight = 1.0 / _variance(part, table, sizes)
            weighted += weight * margin_over(table.values.astype(np.float64), table.names, part)
            weights += weight
    effect = weighted / weights
    for axis in range(effect.ndim):
        effect = effect - effect.mean(axis=axis, keepdims=True)
    return effect, 1.0 / weights


def _variance(part: Names, table: NoisyTable, sizes: Mapping[str, int]) -> float:
    others = (sizes[name] for name in table.names if name not in part)
    return table.variance * math.prod(others)


def _margin(
    names: Names,
    effects: Mapping[Names, tuple[NDArray[np.float64], float]],
    tables: Sequence[NoisyTable],
    sizes: Mapping[str, int],
) -> Margin:
    values, variance = np.zeros([sizes[name] for name in names]), 0.0
    for part in subsets(names):
        effect, spread = effects[part]
        apart = math.prod(sizes[name] for name in names if name not in part)
        shape = [sizes[name] if name in part else 1 for name in names]
        values = values + effect.reshape(shape) / apart
        centred = math.prod(1.0 - 1.0 / sizes[name] for name in part)
        variance += spread * centred / apart**2
    raw = min(_variance(names, t, sizes) for t in tables if set(names) <= set(t.names))
    return Margin(names=names, values=values, sd=math.sqrt(variance), raw_sd=math.sqrt(raw))


def margin_over(values: NDArray[Any], names: Names, onto: Names) -> NDArray[Any]:
    """Return the margin of a table over some of its columns, in their order."""
    kept = [name for name in names if name in onto]
    margin = values.sum(axis=tuple(at for at, name in enumerate(names) if name not in onto))
    return np.asarray(margin).transpose([kept.index(name) for name in onto])

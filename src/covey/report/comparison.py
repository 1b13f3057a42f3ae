"""Which numbers stand side by side in the curator's edition?  Computed on the originals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.running_moments import RunningMoments
from covey.release import as_table
from covey.table import Scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from covey.release import Release
    from covey.table import Table

    Floats = NDArray[np.float64]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

BY_RECORD = (
    "Each original record is compared with what became of it. "
    "Aggregation is its distance to the mean of all records that share its published value; noise "
    "is the distance of that mean to the published value, rounding and clamping included."
)
BY_RANK = (
    "A saved release holds no link to the original records, so the values of each column are "
    "compared rank by rank, the smallest with the smallest. "
    "Aggregation is the distance to the mean of all values of the ranks that share a published "
    "value; noise is the distance of that mean to the published value, rounding and clamping "
    "included."
)
NO_SPLIT = (
    "The error cannot be split: the release does not repeat one value for the records of a group, "
    "or it does not hold as many records as the original."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The error of one column in percent of its variance; total is the sum of the parts."""

    name: str
    aggregation: float
    noise: float
    total: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Statistics of one column, the original's first and the release's second."""

    name: str
    unit: str
    rows: tuple[tuple[str, tuple[float, ...]], ...]


def numeric_columns(table: Table, release: Release) -> list[str]:
    """Return the published columns that have means: numbers and ordered categories."""
    known = (table.schema[name] for name in release.frame.columns)
    return [each.name for each in known if each.scale is not Scale.NOMINAL]


def statistics(table: Table, release: Release) -> list[Statistics]:
    """Return number, mean, standard deviation and quantiles of each column, before and after."""
    released = as_table(table, release)
    return [
        Statistics(
            name=name,
            unit=table.schema[name].unit,
            rows=(
                ("original", _summary(table.values(name))),
                ("released", _summary(released.values(name))),
            ),
        )
        for name in numeric_columns(table, release)
    ]


def correlations(table: Table, names: Sequence[str]) -> Floats:
    """Return the correlation matrix, 0 beside constant columns and 1 on the diagonal."""
    return RunningMoments.of(table.matrix(names)).correlations


def split_errors(
    table: Table, release: Release, aligned: pl.DataFrame | None = None
) -> tuple[list[Split], str]:
    """Split the squared error of each column into aggregation and noise.

    Records that share a published value form a group.  With a the mean of the group's originals,
    Σ(x - x')² = Σ(x - a)² + Σ(a - x')²: the cross term is 0 because x' is one value.

    Returns
    -------
    splits : list of Split
        Empty if the error cannot be split.
    how : str
        What was compared with what, or why nothing was.
    """
    names = [name for name in numeric_columns(table, release) if name in release.guarantee.columns]
    if aligned is not None:
        names = [name for name in names if name in aligned.columns]
        after = replace(table, frame=aligned)
        splits = [_split(name, table.values(name), after.values(name)) for name in names]
        return splits, BY_RECORD
    after = as_table(table, release)
    if after.n != table.n or not all(_repeats(after.values(name)) for name in names):
        return [], NO_SPLIT
    splits = [
        _split(name, np.sort(table.values(name)), np.sort(after.values(name))) for name in names
    ]
    return splits, BY_RANK


def _split(name: str, original: Floats, released: Floats) -> Split:
    known = ~(np.isnan(original) | np.isnan(released))
    original, released = original[known], released[known]
    if not original.size:
        return Split(name=name, aggregation=0.0, noise=0.0, total=0.0)
    _, group = np.unique(released, return_inverse=True)
    means = (np.bincount(group, weights=original) / np.bincount(group))[group]
    variance = float(original.var()) * original.size

    def share(errors: Floats) -> float:
        # A variance may be so small that nothing is a number but 0.
        return 100.0 * float(np.sum(errors**2)) / variance if variance > 0.0 else 0.0

    return Split(
        name=name,
        aggregation=share(original - means),
        noise=share(means - released),
        total=share(original - released),
    )


def _repeats(values: Floats) -> bool:
    """Return whether values come in groups: without them everything would be called noise."""
    return bool(np.unique(values).size * 2 <= values.size)


def _summary(values: Floats) -> tuple[float, ...]:
    values = values[~np.isnan(values)]
    if not values.size:
        return (0.0, *[np.nan] * (2 + len(QUANTILES)))
    return (
        float(values.size),
        float(values.mean()),
        float(values.std()),
        *(float(value) for value in np.quantile(values, QUANTILES)),
    )

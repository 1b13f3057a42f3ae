"""Which tables stand beside the rows?  What was measured, with an interval for every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.postprocess.intervals import Interval, as_frame, size_interval, sum_within
from covey.systems.sound.column_model.named import MOST_NAMED
from covey.table import Scale
from covey.table.attribute import MISSING_CATEGORY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.postprocess.model_rows import ModelColumn
    from covey.systems.sound.column_model.coarse import CoarseColumn
    from covey.systems.sound.column_model.correlations import MeasuredCorrelations
    from covey.systems.sound.column_model.counted import Structure
    from covey.systems.sound.column_model.measure import MeasuredModel
    from covey.table import Attribute
    from covey.table.grid import Grid

TABLE_SCHEMA = {
    "column_1": pl.String(),
    "cell_1": pl.String(),
    "column_2": pl.String(),
    "cell_2": pl.String(),
    "column_3": pl.String(),
    "cell_3": pl.String(),
    "estimate": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
}
MOST_RANKS = 2**18
"""A mean over more ranks is the same to all digits that are shown."""

REST = "(other)"
"""The cell of categories that are too rare to be counted with other columns."""


def accuracy_table(
    coarse: Sequence[CoarseColumn],
    columns: Sequence[ModelColumn],
    measured: MeasuredModel,
    n: int,
    *,
    known_n: bool,
) -> pl.DataFrame:
    """Return the interval of each category's count, of each number's mean, and of n."""
    found: list[Interval] = []
    for column, model in zip(coarse, columns, strict=True):
        level, axis = column.column.level, column.column.axis
        if model.counts is not None:
            within = sum_within(np.array([level.noise**2])) + 0.5
            most = float(n) if known_n else np.inf
            rows = zip(axis.values, model.counts.tolist(), level.counts.tolist(), strict=True)
            found += [
                _holding(
                    axis.name,
                    "count",
                    kept,
                    (noisy - within, noisy + within),
                    possible=(0.0, most),
                    category=value,
                )
                for value, kept, noisy in rows
            ]
            continue
        apart = _apart(axis.special, axis.grid)
        if apart:
            # The mean of those whose value is known is no mean over all records, and a code such
            # as 9999 is no year.
            most = float(n) if known_n else np.inf
            found += [_count_at(column, model, n, at, possible=(0.0, most)) for at in apart]
            continue
        ends = np.append(level.starts[1:], axis.side.edges.size - 1) - 1
        values = np.sort(np.column_stack([axis.at(level.starts), axis.at(ends)]), axis=1)
        mean = _mean(model, n)
        # Records that do not lie on the grid were rounded to it.
        rounding = 0.0 if axis.exact or axis.grid is None else axis.grid.step / 2.0
        low, high = values[:, 0] - rounding, values[:, 1] + rounding
        span = _mean_span(low, high, column, n if known_n else measured.n, mean, known_n=known_n)
        possible = (float(values.min()), float(values.max()))
        found.append(_holding(axis.name, "mean", mean, span, possible=possible))
    if measured.size is not None:
        found.append(size_interval(measured.size))
    return as_frame(found)


def _apart(special: Sequence[float], grid: Grid | None) -> list[int]:
    """Return the places of a missing value and of special ones that lie outside the bounds."""
    low, high = (-np.inf, np.inf) if grid is None else (grid.low, grid.high)
    return [at for at, value in enumerate(special) if not low <= value <= high]


def _count_at(
    column: CoarseColumn, model: ModelColumn, n: int, place: int, *, possible: tuple[float, float]
) -> Interval:
    """Return how many records lack a number or have a special one, from its own noisy count."""
    assert model.density is not None  # noqa: S101 — a number
    level, axis = column.column.level, column.column.axis
    own = (np.arange(level.starts.size) == place).astype(np.float64)
    within = sum_within(level.variances(own)) + 0.5
    noisy = float(level.counts[place])
    below, above = model.density.below(np.array([place, place + 1])).tolist()
    span = (noisy - within, noisy + within)
    kept = n * (above - below)
    value = axis.special[place]
    category = MISSING_CATEGORY if np.isnan(value) else f"{value:.15g}"
    return _holding(axis.name, "count", kept, span, possible=possible, category=category)


def _mean(model: ModelColumn, n: int) -> float:
    """Return the mean of the rows of a numeric column."""
    assert model.density is not None  # noqa: S101 — a number
    rows = min(n, MOST_RANKS)
    at = (np.arange(rows) + 0.5) / rows
    return float(model.axis.at(model.density.at_ranks(at)).mean())


def _mean_span(
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    column: CoarseColumn,
    n: float,
    mean: float,
    *,
    known_n: bool,
) -> tuple[float, float]:
    """Return between which bounds the mean lies: all records at one end of their cell, and noise.

    Values are measured from a centre that the noise on the number of records matters least for.
    """
    level = column.column.level
    ends = []
    for values, sign in ((low, -1.0), (high, 1.0)):
        centre = float(values.mean()) if known_n else mean
        weights = values - centre
        within = sum_within(level.variances(weights)) / n
        ends.append(centre + float((weights * level.counts).sum()) / n + sign * within)
    return ends[0], ends[1]


def _holding(
    name: str,
    statistic: str,
    estimate: float,
    span: tuple[float, float],
    *,
    possible: tuple[float, float],
    category: str | None = None,
) -> Interval:
    """Return the interval of a published number; it holds what the rows say, too.

    One that lies outside the possible would be cut to a single point, which nobody should believe:
    then it is as wide as ever, from where the possible begins.
    """
    low, high = np.clip(span, *possible)
    if low == high and span[0] < span[1]:
        within = (span[1] - span[0]) / 2.0
        low, high = np.clip([low - within, high + within], *possible)
    low, high = min(float(low), estimate), max(float(high), estimate)
    return Interval(
        column=name,
        statistic=statistic,
        category=category,
        estimate=float(estimate),
        within=max(high - estimate, estimate - low),
        low=low,
        high=high,
    )


def published_tables(
    coarse: Sequence[CoarseColumn],
    columns: Sequence[ModelColumn],
    names: Sequence[Sequence[str]],
    structure: Structure | None,
    fitted: Mapping[tuple[int, ...], NDArray[np.float64]],
    *,
    n: int,
) -> pl.DataFrame:
    """Return the tables of columns and of pairs that were measured, one line for each cell.

    ``names`` are those of the coarse cells of each column.  Only where tables of three columns were
    measured do lines have a third column and its cell.
    """
    frames = []
    for column, model, coarse_names in zip(coarse, columns, names, strict=True):
        axis, level = column.column.axis, column.column.level
        if model.counts is not None:
            within = np.full(model.counts.size, sum_within(np.array([level.noise**2])) + 0.5)
            estimate, noisy, cells = model.counts.astype(float), level.counts, list(axis.values)
        else:
            estimate, noisy, cells = column.mass * n, column.counts, list(coarse_names)
            within = np.array([sum_within(np.array([each])) for each in column.variance]) + 0.5
        frames.append(_lines((axis.name,), [cells], estimate=estimate, noisy=noisy, within=within))
    measured = [*structure.measured.values(), *structure.triples] if structure is not None else []
    for table in measured:
        within = np.full(table.noisy.size, sum_within(np.array([table.noise**2])) + 0.5)
        frames.append(
            _lines(
                tuple(coarse[j].column.axis.name for j in table.columns),
                [names[j] for j in table.columns],
                estimate=(fitted[table.columns] * n).ravel(),
                noisy=table.noisy.ravel(),
                within=within,
            )
        )
    whole = pl.concat(frames)
    if structure is None or not structure.triples:
        whole = whole.drop("column_3", "cell_3")
    return whole


def _lines(
    about: tuple[str, ...],
    cells: Sequence[Sequence[str]],
    *,
    estimate: NDArray[np.float64],
    noisy: NDArray[np.float64],
    within: NDArray[np.float64],
) -> pl.DataFrame:
    combined = zip(*product(*cells), strict=True)
    told = dict(enumerate(zip(about, combined, strict=True), start=1))
    lines: dict[str, Any] = {}
    for place in range(1, MOST_NAMED + 1):
        name, own = told.get(place, ("", [""] * estimate.size))
        lines |= {f"column_{place}": [name] * estimate.size, f"cell_{place}": list(own)}
    lines |= {
        "estimate": estimate,
        "low": np.minimum(np.maximum(noisy - within, 0.0), estimate),
        "high": np.maximum(noisy + within, estimate),
    }
    return pl.DataFrame(lines, schema=TABLE_SCHEMA)


def cell_names(attribute: Attribute, column: CoarseColumn) -> list[str]:
    """Return what the coarse cells of a column are called: categories, values or ranges."""
    axis, of = column.column.axis, column.cells.of
    if axis.grid is None:
        single = np.bincount(of) == 1
        found = [REST] * column.cells.size
        for value, cell in zip(axis.values, of.tolist(), strict=True):
            if single[cell]:
                found[cell] = value
        return found
    first = np.searchsorted(of, np.arange(column.cells.size))
    last = np.append(first[1:], of.size) - 1
    ends = zip(axis.at(first).tolist(), axis.at(last).tolist(), strict=True)
    return [
        _told(attribute, low)
        if low == high or np.isnan(low)
        else f"{_told(attribute, low)} to {_told(attribute, high)}"
        for low, high in ends
    ]


def _told(attribute: Attribute, value: float) -> str:
    """Return a value as it is written: a grade, a point in time, a number."""
    if np.isnan(value):
        return MISSING_CATEGORY
    if attribute.scale is Scale.ORDINAL and attribute.categories is not None:
        return attribute.categories[round(value)]
    return f"{value:.6g}" if attribute.kind is None else attribute.told(value)


def correlation_table(
    coarse: Sequence[CoarseColumn], measured: MeasuredCorrelations
) -> pl.DataFrame:
    """Return the correlation of the ranks of each pair of numeric columns, with its interval.

    Ranks are those in the published columns, cut to the middle half, and deviations are those of
    the published columns: public numbers, so that noise alone separates estimate and truth.
    """
    names = [coarse[j].column.axis.name for j in measured.columns]
    spread = []
    for place, j in enumerate(measured.columns):
        mass, ranks = coarse[j].column.mass, measured.ranks[place]
        spread.append(max(float(np.sqrt((mass * ranks**2).sum())), 1e-9))
    upper = np.column_stack(np.triu_indices(len(names), 1))
    lines = []
    for i, j in upper.tolist():
        unit = spread[i] * spread[j]
        estimate, within = measured.means[i, j] / unit, measured.within / unit
        lines.append(
            {
                "column_1": names[i],
                "column_2": names[j],
                "estimate": float(np.clip(estimate, -1.0, 1.0)),
                "within": float(within),
                "low": float(np.clip(estimate - within, -1.0, 1.0)),
                "high": float(np.clip(estimate + within, -1.0, 1.0)),
            }
        )
    return pl.DataFrame(lines)

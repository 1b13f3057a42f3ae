"""Which means, quantiles and cumulated shares do counts of bins tell, and how surely?

Where in its bin a value lies, the counts do not tell: intervals of means are widened by half a
bin, and those of quantiles end where bins do.  Special values have no part in any of this.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.postprocess.ratio_intervals import ratios
from covey.postprocess.tidy_tables import CELL_LOWER, CELL_UPPER, tidy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition.bins import TableBins
    from covey.postprocess.interactions import Margin, Names

PUBLISHED_QUANTILES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
"""Which quantiles are published."""

MEAN_OF, MEAN_BY, MEAN_VALUE = "column", "by", "mean"


def mean_frame(
    margins: Mapping[Names, Margin], bins: Mapping[str, TableBins]
) -> pl.DataFrame | None:
    """Return the mean of each number, overall and in each group that a table shows, or None."""
    labels = {name: each.labels for name, each in bins.items()}
    frames = []
    for column, each in bins.items():
        if each.numeric:
            groups = {
                tuple(name for name in names if name != column): _means(margin, column, each)
                for names, margin in margins.items()
                if column in names
            }
            found = pl.DataFrame(tidy(labels, groups, key=MEAN_BY))
            frames.append(found.select(pl.lit(column).alias(MEAN_OF), pl.all()))
    return pl.concat(frames) if frames else None


def _means(margin: Margin, column: str, bins: TableBins) -> dict[str, NDArray[np.float64]]:
    counts = np.moveaxis(margin.values, margin.names.index(column), -1)[..., bins.special :]
    middle, half = (bins.low + bins.high) / 2.0, float((bins.high - bins.low).max()) / 2.0
    half += 0.0 if bins.axis.exact else _grid_step(bins) / 2.0
    ends = (float(bins.low[0]), float(bins.high[-1]))
    flat = counts.reshape(-1, middle.size)
    found = ratios(flat, middle, margin.raw_sd, (float(middle[0]), float(middle[-1])))
    low, high = (np.clip(end, *ends) for end in (found.low - half, found.high + half))
    shape = counts.shape[:-1]
    return {
        MEAN_VALUE: found.values.reshape(shape),
        CELL_LOWER: low.reshape(shape),
        CELL_UPPER: high.reshape(shape),
    }


def _grid_step(bins: TableBins) -> float:
    return 0.0 if bins.axis.grid is None else bins.axis.grid.step


def quantile_frame(
    margins: Mapping[Names, Margin],
    published: Mapping[Names, NDArray[np.int64]],
    bins: Mapping[str, TableBins],
) -> pl.DataFrame | None:
    """Return quantiles and cumulated shares of each number; None if there are none."""
    rows = []
    for column, each in bins.items():
        if each.numeric:
            counts = published[column,][each.special :].astype(np.float64)
            rows += _rows(column, each, margins[column,], counts)
    kinds = dict.fromkeys(("at", "value", CELL_LOWER, CELL_UPPER), pl.Float64())
    schema = {MEAN_OF: pl.String(), "statistic": pl.String(), **kinds}
    return pl.DataFrame(rows, schema=schema, orient="row") if rows else None


def _rows(
    column: str, bins: TableBins, margin: Margin, counts: NDArray[np.float64]
) -> list[tuple[str, str, float, float | None, float, float]]:
    estimated = margin.values[bins.special :]
    size = estimated.size
    whole = max(float(counts.sum()), 1.0)
    shares = np.cumsum(counts) / whole
    # A share is the mean of an indicator: of being in one of the first bins.
    held = [
        ratios(estimated[None, :], (np.arange(size) < upto).astype(float), margin.raw_sd, (0, 1))
        for upto in range(1, size)
    ]
    low = np.array([*(float(each.low[0]) for each in held), 1.0])
    high = np.array([*(float(each.high[0]) for each in held), 1.0])
    # Published shares are of whole counts that were moved, so intervals may have to reach them.
    low, high = np.minimum(low, shares), np.maximum(high, shares)
    rows = [
        (column, "quantile", at, *_quantile(at, bins, counts, (low, high)))
        for at in PUBLISHED_QUANTILES
    ]
    return rows + [
        (column, "cumulated share", *each)
        for each in zip(bins.high.tolist(), shares, low, high, strict=True)
    ]


def _quantile(
    at: float,
    bins: TableBins,
    counts: NDArray[np.float64],
    band: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> tuple[float | None, float, float]:
    """Return a quantile and its interval.

    It lies above all of the first bins whose shares are surely too small, and below all of the
    last ones whose shares are surely large enough: the first bin for which that is not so decides,
    so one share errs on either side, whatever the others do.
    """
    low, high = band
    too_small, enough = high < at, low >= at
    first = int(np.argmin(too_small)) if not too_small.all() else too_small.size - 1
    # From the end: the last bin always holds all records.
    last = enough.size - int(np.argmin(enough[::-1])) if not enough.all() else 0
    last = min(max(last, first), enough.size - 1)
    whole = float(counts.sum())
    if whole <= 0:
        return None, float(bins.low[first]), float(bins.high[last])
    reached = np.cumsum(counts)
    inside = int(np.searchsorted(reached, at * whole, side="left"))
    before = reached[inside] - counts[inside]
    share = (at * whole - before) / counts[inside]
    value = float(bins.low[inside] + share * (bins.high[inside] - bins.low[inside]))
    value = float(np.rint(value)) if bins.axis.exact else value
    first, last = min(first, inside), max(last, inside)
    return value, float(bins.low[first]), float(bins.high[last])

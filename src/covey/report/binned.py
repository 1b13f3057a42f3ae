"""How are many values counted in a few bins, so that a chart stays small whatever the data?

A chart holds counts, never records: its size does not grow with the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.table import Scale

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.table import Attribute

    Floats = NDArray[np.float64]

BINS = 24
"""About so many bars fit into a small chart."""

CATEGORIES = 12
"""So many categories are drawn; the others are added up."""

MISSING = "(missing)"

LARGEST = 1e300
"""Larger values are drawn here: the width of all floats is not a float."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How often values occur in one or several sets of records.

    Parameters
    ----------
    name, unit : str
        The column and its unit of measurement.
    edges : array of float64, optional
        Limits of the bins of a numeric column.
    labels : tuple of str
        Categories otherwise.
    counts : mapping
        From the name of a set of records ("original", "released") to a number for each bin.
    """

    name: str
    unit: str = ""
    edges: Floats | None = None
    labels: tuple[str, ...] = ()
    counts: Mapping[str, NDArray[np.int64]]

    @property
    def title(self) -> str:
        """Return the name with its unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


def count_column(attribute: Attribute, columns: Mapping[str, pl.Series]) -> Counts | None:
    """Count the values of a column, for one or several sets of records on the same bins.

    Values outside the public bounds are counted at the nearer bound, where they are published.

    Parameters
    ----------
    attribute : Attribute
        What the schema says about the column.
    columns : mapping
        From the name of a set of records to its values.

    Returns
    -------
    Counts or None
        None if no value is there to be drawn.
    """
    numeric = attribute.scale is Scale.NUMERIC or (
        attribute.scale is Scale.ORDINAL and attribute.categories is None
    )
    if numeric and all(column.dtype.is_numeric() for column in columns.values()):
        return _numeric(attribute, {name: _floats(column) for name, column in columns.items()})
    return _categories(attribute, columns)


def _floats(column: pl.Series) -> Floats:
    values = column.drop_nulls().cast(pl.Float64).to_numpy()
    return np.asarray(np.clip(values[np.isfinite(values)], -LARGEST, LARGEST))


def _numeric(attribute: Attribute, columns: Mapping[str, Floats]) -> Counts | None:
    if attribute.bounds is not None:
        columns = {name: np.clip(values, *attribute.bounds) for name, values in columns.items()}
    there = [values for values in columns.values() if values.size]
    if not there:
        return None
    low, high = min(v.min() for v in there), max(v.max() for v in there)
    whole = attribute.integer or all(bool((np.rint(v) == v).all()) for v in there)
    edges = bin_edges(float(low), float(high), whole=whole)
    return Counts(
        name=attribute.name,
        unit=attribute.unit,
        edges=edges,
        counts={name: np.histogram(v, bins=edges)[0] for name, v in columns.items()},
    )


def bin_edges(low: float, high: float, *, whole: bool) -> Floats:
    """Return round limits of bins that hold all values from low to high.

    Whole numbers get bins of a whole width with a number in the middle, so that no bar holds
    more possible values than its neighbour.

    Examples
    --------
    >>> bin_edges(0, 3, whole=True).tolist()
    [-0.5, 0.5, 1.5, 2.5, 3.5]
    >>> bin_edges(0.1, 0.9, whole=False)[[0, 1, -1]].round(2).tolist()
    [0.1, 0.15, 0.9]
    """
    rough = (high - low) / BINS or abs(high) / BINS or 1.0 / BINS
    # Narrower bins than floats can tell apart would be empty.
    step = max(_round_step(max(rough, 1 / LARGEST)), 4 * float(np.spacing(max(-low, high))))
    if whole:
        step = float(max(1, math.ceil(step)))
        first = math.floor(low / step) * step - 0.5
    else:
        first = math.floor(low / step + 1e-9) * step
    bins = max(1, math.ceil((high - first) / step - 1e-9))
    edges = first + step * np.arange(bins + 1)
    edges[[0, -1]] = min(edges[0], low), max(edges[-1], high)
    return np.asarray(edges, dtype=np.float64)


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999)


def _categories(attribute: Attribute, columns: Mapping[str, pl.Series]) -> Counts | None:
    found = {name: _tally(column) for name, column in columns.items()}
    totals: dict[str, int] = {}
    for tally in found.values():
        for label, count in tally.items():
            totals[label] = totals.get(label, 0) + count
    if not totals:
        return None
    listed = [label for label in attribute.categories or () if label in totals]
    frequent = sorted(totals, key=lambda label: (-totals[label], label))
    # An order that a person has given is kept; otherwise the most frequent come first.
    labels = listed if len(listed) == len(totals) <= CATEGORIES else frequent[:CATEGORIES]
    rest = [label for label in totals if label not in set(labels)]
    counts = {
        name: np.array(
            [tally.get(label, 0) for label in labels]
            + ([sum(tally.get(label, 0) for label in rest)] if rest else []),
            dtype=np.int64,
        )
        for name, tally in found.items()
    }
    shown = (*labels, f"{len(rest)} others") if rest else tuple(labels)
    return Counts(name=attribute.name, unit=attribute.unit, labels=shown, counts=counts)


def _tally(column: pl.Series) -> dict[str, int]:
    texts = column.alias("text").cast(pl.String).fill_null(MISSING)
    counted = texts.value_counts(name="count")
    return dict(zip(counted["text"].to_list(), counted["count"].to_list(), strict=True))

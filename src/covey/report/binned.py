"""How are many values counted in a few bins, so that a chart stays small whatever the data?

A chart holds counts, never records: its size does not grow with the table.  Nor does the memory
for counting: rows are read some at a time, once to find the ranges and once to fill the bins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.table import Scale
from covey.table.table import numbers_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from covey.table import Attribute

    Floats = NDArray[np.float64]

BINS = 24
"""About so many bars fit into a small chart."""

CATEGORIES = 12
"""So many categories are drawn; the others are added up."""

MOST_LABELS = 2**17
"""A column with more texts than this has names, not categories, and is not drawn."""

MISSING = "(missing)"

_LARGEST = 1e300
"""Larger values are drawn here: the width of all floats is not a float."""

_ROWS, _VALUES = 2**16, 2**22
"""So many rows, and values of all columns, are looked at together."""


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


def count_columns(
    attributes: Iterable[Attribute], sets: Mapping[str, pl.LazyFrame]
) -> dict[str, Counts]:
    """Count the values of columns, of one or several sets of records in the same bins.

    Values outside the public bounds are counted at the nearer bound, where they are published.

    Parameters
    ----------
    attributes : iterable of Attribute
        What the schema says about each column.
    sets : mapping
        From the name of a set of records to its rows.

    Returns
    -------
    dict
        From the name of a column to its counts, in the order of the attributes.  A column without
        a value to be drawn is left out.

    Notes
    -----
    Two passes over the rows of each set, with a few million values in memory.
    """
    attributes = tuple(attributes)
    types = [rows.collect_schema() for rows in sets.values()]
    ranges = {
        a.name: _Range(attribute=a)
        for a in attributes
        if _has_numbers(a) and all(own[a.name].is_numeric() for own in types)
    }
    texts = [a.name for a in attributes if a.name not in ranges]
    found = {name: {of: _Tally() for of in sets} for name in texts}
    for of, rows in sets.items():
        for frame in _pieces(rows, [*ranges, *texts]):
            for name, seen in ranges.items():
                seen.add(_floats(seen.attribute, frame[name]))
            for name in texts:
                found[name][of].add(frame[name])
    bins = {name: seen.edges() for name, seen in ranges.items() if seen.low <= seen.high}
    counts = {
        name: {of: np.zeros(edges.size - 1, dtype=np.int64) for of in sets}
        for name, edges in bins.items()
    }
    for of, rows in sets.items() if bins else ():
        for frame in _pieces(rows, list(bins)):
            for name, edges in bins.items():
                values = _floats(ranges[name].attribute, frame[name])
                counts[name][of] += np.histogram(values, bins=edges)[0]
    drawn = {
        a.name: Counts(name=a.name, unit=a.unit, edges=bins[a.name], counts=counts[a.name])
        if a.name in bins
        else _categories(a, found.get(a.name, {}))
        for a in attributes
    }
    return {name: counted for name, counted in drawn.items() if counted is not None}


@dataclass(slots=True, kw_only=True)
class _Range:
    """From where to where the values of a column go, as far as it was read."""

    attribute: Attribute
    low: float = math.inf
    high: float = -math.inf
    whole: bool = True

    def add(self, values: Floats) -> None:
        if values.size:
            self.low = min(self.low, float(values.min()))
            self.high = max(self.high, float(values.max()))
            self.whole = self.whole and bool((np.rint(values) == values).all())

    def edges(self) -> Floats:
        return bin_edges(self.low, self.high, whole=self.attribute.is_whole or self.whole)


@dataclass(slots=True, kw_only=True)
class _Tally:
    """How often each text of a column occurs, as far as it was read; too many are not kept."""

    parts: list[pl.DataFrame] = field(default_factory=list)
    waiting: int = 0
    too_many: bool = False

    def add(self, column: pl.Series) -> None:
        if self.too_many:
            return
        texts = column.alias("text").cast(pl.String).fill_null(MISSING)
        self.parts.append(texts.value_counts(name="count"))
        self.waiting += self.parts[-1].height
        if self.waiting > MOST_LABELS:
            self._merge()

    def counts(self) -> dict[str, int]:
        self._merge()
        return {} if not self.parts else dict(self.parts[0].iter_rows())

    def _merge(self) -> None:
        if self.parts:
            counted = pl.concat(self.parts).group_by("text").agg(pl.sum("count"))
            self.too_many = counted.height > MOST_LABELS
            self.parts, self.waiting = [] if self.too_many else [counted], 0


def _has_numbers(attribute: Attribute) -> bool:
    return attribute.scale is Scale.NUMERIC or (
        attribute.scale is Scale.ORDINAL and attribute.categories is None
    )


def _pieces(rows: pl.LazyFrame, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    at_a_time = max(1, min(_ROWS, _VALUES // max(len(names), 1)))
    return rows.select(names).collect_batches(chunk_size=at_a_time, lazy=True, engine="streaming")


def _floats(attribute: Attribute, column: pl.Series) -> Floats:
    values = numbers_of(attribute, column.drop_nulls())
    finite = np.isfinite(values)
    low, high = attribute.limits or (-_LARGEST, _LARGEST)
    kept = values if finite.all() else values[finite]
    return np.asarray(np.clip(kept, max(low, -_LARGEST), min(high, _LARGEST)))


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
    step = max(_round_step(max(rough, 1 / _LARGEST)), 4 * float(np.spacing(max(-low, high))))
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


def _categories(attribute: Attribute, found: Mapping[str, _Tally]) -> Counts | None:
    tallies = {of: tally.counts() for of, tally in found.items()}
    totals: dict[str, int] = {}
    for tally in tallies.values():
        for label, count in tally.items():
            totals[label] = totals.get(label, 0) + count
    if not totals or any(tally.too_many for tally in found.values()):
        return None
    listed = [label for label in attribute.categories or () if label in totals]
    frequent = sorted(totals, key=lambda label: (-totals[label], label))
    # An order that a person has given is kept; otherwise the most frequent come first.
    labels = listed if len(listed) == len(totals) <= CATEGORIES else frequent[:CATEGORIES]
    rest = totals.keys() - set(labels)
    counts = {
        of: np.array(
            [tally.get(label, 0) for label in labels]
            + ([sum(tally.get(label, 0) for label in rest)] if rest else []),
            dtype=np.int64,
        )
        for of, tally in tallies.items()
    }
    shown = (*labels, f"{len(rest)} others") if rest else tuple(labels)
    return Counts(name=attribute.name, unit=attribute.unit, labels=shown, counts=counts)

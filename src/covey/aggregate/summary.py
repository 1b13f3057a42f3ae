"""What must be known of a table that is seen piece by piece, so that it can be compared?

Moments and counts add up over pieces, wherever these are; a table in memory is one piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.aggregate.histogram import Histogram
from covey.aggregate.running_moments import RunningMoments
from covey.table.attribute import MISSING_CATEGORY

if TYPE_CHECKING:
    from covey.aggregate.histogram import Cells
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What is known of some records.

    Parameters
    ----------
    moments : RunningMoments
        Of the attributes that are compared.
    histograms : tuple of Histogram
        One for each of them, or none at all.
    frequencies : mapping
        How often each category of a nominal attribute occurs, by its text.
    dropped : int
        How many incomplete records were left out.
    outside : mapping
        How many values of each column lie outside its public bounds.
    """

    moments: RunningMoments
    histograms: tuple[Histogram, ...] = ()
    frequencies: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    dropped: int = 0
    outside: Mapping[str, int] = field(default_factory=dict)

    def merged(self, other: Summary) -> Summary:
        """Return what is known of both sets of records together."""
        # Counters drop what is 0 when they are added, but not when they are updated.
        outside = Counter(self.outside)
        outside.update(other.outside)
        counted = {name: Counter(counts) for name, counts in self.frequencies.items()}
        for name, counts in other.frequencies.items():
            counted.setdefault(name, Counter()).update(counts)
        pairs = zip(self.histograms, other.histograms, strict=True)
        return Summary(
            moments=self.moments.merged(other.moments),
            histograms=tuple(mine.merged(theirs) for mine, theirs in pairs),
            frequencies={name: dict(counts) for name, counts in counted.items()},
            dropped=self.dropped + other.dropped,
            outside=dict(outside),
        )


def summarise(
    tables: Iterable[Table],
    names: Sequence[str],
    cells: Sequence[Cells],
    categories: Sequence[str] = (),
) -> Summary:
    """Look at some attributes of tables, one table after the other.

    Parameters
    ----------
    tables : iterable of Table
        Each of the same schema.
    names : sequence of str
        The attributes with an order.
    cells : sequence of Cells
        Where to count each of them, or none at all.
    categories : sequence of str
        The nominal attributes.
    """
    moments = RunningMoments.of(np.empty((0, len(names))))
    histograms = tuple(map(Histogram.empty, cells))
    frequencies = {name: Counter[str]() for name in categories}
    dropped, outside = 0, Counter[str]()
    for table in tables:
        values = table.matrix(names)
        moments = moments.merged(RunningMoments.of(values))
        for histogram, column in zip(histograms, values.T, strict=False):
            histogram.add(column)
        for name, counts in frequencies.items():
            counts.update(category_counts(table, name))
        dropped += table.dropped
        outside.update(table.outside_bounds())
    return Summary(
        moments=moments,
        histograms=histograms,
        frequencies={name: dict(counts) for name, counts in frequencies.items()},
        dropped=dropped,
        outside=dict(outside),
    )


def category_counts(table: Table, name: str) -> dict[str, int]:
    """Count the categories that occur in a column, a missing one as one of its own."""
    texts = table.frame[name].cast(pl.String).fill_null(MISSING_CATEGORY)
    return dict(texts.value_counts().iter_rows())


def summarise_rows(
    head: Table,
    frames: Iterable[pl.DataFrame],
    names: Sequence[str],
    cells: Sequence[Cells],
    categories: Sequence[str] = (),
) -> Summary:
    """Look at released rows, of which these attributes are read and no other.

    Parameters
    ----------
    head : Table
        Of the originals, with or without its records: tells what the attributes are.
    frames : iterable of polars.DataFrame
        The rows.
    names, cells, categories
        As in `summarise`.
    """
    tables = tables_of(head, frames, [*names, *categories])
    return summarise(tables, names, cells, categories)


def tables_of(head: Table, frames: Iterable[pl.DataFrame], names: Sequence[str]) -> Iterator[Table]:
    """Return released rows as tables with the schema of some attributes."""
    schema = replace(head.schema, attributes=tuple(head.schema[name] for name in names))
    return (replace(head, schema=schema, frame=frame, dropped=0) for frame in frames)

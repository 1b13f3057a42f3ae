"""What must be known of a table that is seen piece by piece, so that it can be compared?

Moments and counts add up over pieces, wherever these are; a table in memory is one piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.histogram import Histogram
from covey.aggregate.running_moments import RunningMoments

if TYPE_CHECKING:
    import polars as pl

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
    dropped : int
        How many incomplete records were left out.
    outside : mapping
        How many values of each column lie outside its public bounds.
    """

    moments: RunningMoments
    histograms: tuple[Histogram, ...] = ()
    dropped: int = 0
    outside: Mapping[str, int] = field(default_factory=dict)

    def merged(self, other: Summary) -> Summary:
        """Return what is known of both sets of records together."""
        # Counters drop what is 0 when they are added, but not when they are updated.
        outside = Counter(self.outside)
        outside.update(other.outside)
        pairs = zip(self.histograms, other.histograms, strict=True)
        return Summary(
            moments=self.moments.merged(other.moments),
            histograms=tuple(mine.merged(theirs) for mine, theirs in pairs),
            dropped=self.dropped + other.dropped,
            outside=dict(outside),
        )


def summarise(tables: Iterable[Table], names: Sequence[str], cells: Sequence[Cells]) -> Summary:
    """Look at some attributes of tables, one table after the other.

    Parameters
    ----------
    tables : iterable of Table
        Each of the same schema.
    names : sequence of str
        What to look at.
    cells : sequence of Cells
        Where to count each of them, or none at all.
    """
    moments = RunningMoments.of(np.empty((0, len(names))))
    histograms = tuple(map(Histogram.empty, cells))
    dropped, outside = 0, Counter[str]()
    for table in tables:
        values = table.matrix(names)
        moments = moments.merged(RunningMoments.of(values))
        for histogram, column in zip(histograms, values.T, strict=False):
            histogram.add(column)
        dropped += table.dropped
        outside.update(table.outside_bounds())
    return Summary(moments=moments, histograms=histograms, dropped=dropped, outside=dict(outside))


def summarise_rows(
    head: Table, frames: Iterable[pl.DataFrame], names: Sequence[str], cells: Sequence[Cells]
) -> Summary:
    """Look at released rows, of which these attributes are read and no other.

    Parameters
    ----------
    head : Table
        Of the originals, with or without its records: tells what the attributes are.
    frames : iterable of polars.DataFrame
        The rows.
    names, cells
        As in `summarise`.
    """
    schema = replace(head.schema, attributes=tuple(head.schema[name] for name in names))
    tables = (replace(head, schema=schema, frame=frame, dropped=0) for frame in frames)
    return summarise(tables, names, cells)

"""How far are values from the means of the blocks of ranks that they fall into?

Ranks need not be known for that: how many records have each value of a grid tells which blocks a
value falls into.  Records with the same value of the grid share its blocks in proportion, as if
all orders of them had been tried.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.deviations import Deviations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMeans:
    """The means that each value of a grid gets, and how many of its records get each.

    A run is what one value gets: segments of ranks with one mean each, from ``starts`` on.

    Parameters
    ----------
    values : array of int
        The integer of each run, rising.
    starts : array of int
        Where each run begins among the segments, and where the last one ends.
    means : array of float
        The mean of each segment; they never fall.
    ends : array of int
        The rank at which each segment ends, after a 0.
    centres, variances : arrays of float
        Of the means of each run.
    offsets : array of float
        How far means are from the centre of their run, added up over ranks, after a 0.  They add
        up to 0 in each run, so they stay small and lose no digits.
    """

    values: Counts = field(repr=False)
    starts: Counts = field(repr=False)
    means: Floats = field(repr=False)
    ends: Counts = field(repr=False)
    centres: Floats = field(repr=False)
    variances: Floats = field(repr=False)
    offsets: Floats = field(repr=False)

    @classmethod
    def of(cls, counts: Counts, sizes: Counts, means: Floats) -> RankedMeans:
        """Cut ranks wherever a value or a block ends.

        Parameters
        ----------
        counts : array
            How many records have the values 0, 1, …
        sizes, means : arrays
            How many ranks each block has, and its mean; means never fall.
        """
        by_value, by_block = np.cumsum(counts), np.cumsum(sizes)
        ends = np.append(0, np.union1d(by_value[counts > 0], by_block))
        values, starts = np.unique(np.searchsorted(by_value, ends[1:]), return_index=True)
        segments = np.diff(starts, append=ends.size - 1)
        given, ranks = means[np.searchsorted(by_block, ends[1:])], np.diff(ends)
        weights = np.add.reduceat(ranks, starts)
        # Around the first mean of a run: most runs have no other.
        apart = given - given[starts].repeat(segments)
        centres = given[starts] + np.add.reduceat(ranks * apart, starts) / weights
        offsets = given - centres.repeat(segments)
        return cls(
            values=values,
            starts=np.append(starts, ends.size - 1),
            means=given,
            ends=ends,
            centres=centres,
            variances=np.add.reduceat(ranks * offsets**2, starts) / weights,
            offsets=np.append(0.0, np.cumsum(ranks * offsets)),
        )

    def deviations(self, values: Floats, integers: Counts) -> Deviations:
        """Return the deviations of records of one attribute, averaged over orders of ties.

        Costs two bisections for each record, however many blocks its value falls into.

        Parameters
        ----------
        values : array of shape (n,)
            Their values.
        integers : array of shape (n,)
            Their places on the grid.
        """
        run = np.minimum(np.searchsorted(self.values, integers), self.values.size - 1)
        first, last = self.starts[run], self.starts[run + 1]
        split = np.clip(np.searchsorted(self.means, values, side="right"), first, last)
        n = self.ends[last] - self.ends[first]
        below = self.ends[split] - self.ends[first]
        apart = values - self.centres[run]
        absolute = (apart * (2 * below - n) - 2.0 * (self.offsets[split] - self.offsets[first])) / n
        return Deviations(
            n=values.size,
            squared=np.array([np.sum(apart**2 + self.variances[run])]),
            absolute=np.array([np.sum(absolute)]),
        )

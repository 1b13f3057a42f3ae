"""How are rows drawn from a published model of columns, pairs of columns and correlations?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.clique_rows import Clique, drawn_codes
from covey.postprocess.recouple import even_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition.axis import Axis
    from covey.postprocess.density import Density
    from covey.postprocess.rows import Values

LEAST_RANK = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelColumn:
    """A published column: its axis, its coarse cells, and what is inside them.

    Parameters
    ----------
    axis : Axis
        What its integers mean.
    of : array of int32
        The coarse cell of each integer.
    mass : array of float64
        The share of the records in each coarse cell.
    density : Density, optional
        Of a number: where inside the cells.
    counts : array of int64, optional
        Of a category: how many rows have each value.
    """

    axis: Axis
    of: NDArray[np.int32] = field(repr=False)
    mass: NDArray[np.float64] = field(repr=False)
    density: Density | None = field(default=None, repr=False)
    counts: NDArray[np.int64] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRows:
    """Rows of a model.

    Parameters
    ----------
    columns : sequence of ModelColumn
        The published columns.
    cliques : sequence of Clique
        How columns depend on each other, in the order of drawing.
    coupled : tuple of int
        The columns whose ranks are coupled anew.
    coupling : array, optional
        The map of their normal scores; None leaves them as they are.
    total : int
        How many rows there are.
    """

    columns: Sequence[ModelColumn]
    cliques: Sequence[Clique]
    coupled: tuple[int, ...]
    coupling: NDArray[np.float64] | None = field(repr=False)
    total: int

    @property
    def n(self) -> int:
        """Return how many there are."""
        return self.total

    def place(self, piece: int, pieces: int, rng: np.random.Generator) -> dict[str, Values]:
        """Draw an even share of the rows, with the published distribution of each column."""
        rows = (self.total + pieces - 1 - piece) // pieces
        shares = {
            j: share_of_counts(column.counts, piece, pieces)
            for j, column in enumerate(self.columns)
            if column.counts is not None
        }
        codes = self.codes(rows, rng, shares)
        scores = self.scores(codes, rng)
        if self.coupling is not None:
            mixed = np.column_stack([scores[j] for j in self.coupled])
            mixed = mixed @ self.coupling.astype(np.float32)
            scores.update(zip(self.coupled, mixed.T, strict=True))
        found: dict[str, Values] = {}
        for j, column in enumerate(self.columns):
            axis = column.axis
            if column.density is not None:
                integers = column.density.at_ranks(even_order(rows, piece, pieces))
                values = np.empty(rows)
                values[np.argsort(scores.pop(j))] = axis.at(integers)
                found[axis.name] = values
            else:
                inside = _inside(codes.pop(j), column.of, shares[j], rng)
                found[axis.name] = np.array(axis.values, dtype=object)[inside]
        return found

    def codes(
        self, rows: int, rng: np.random.Generator, shares: Mapping[int, NDArray[np.int64]]
    ) -> dict[int, NDArray[np.int32]]:
        """Draw coarse cells; categories as often as ``shares`` of their values say."""
        quotas = {
            j: np.bincount(column.of, weights=shares[j], minlength=column.mass.size).astype(int)
            for j, column in enumerate(self.columns)
            if j in shares
        }
        return drawn_codes(self.cliques, rows, rng, quotas)

    def scores(
        self, codes: Mapping[int, NDArray[np.int32]], rng: np.random.Generator
    ) -> dict[int, NDArray[np.float32]]:
        """Return normal scores of numbers: anywhere in their coarse cell."""
        from scipy.special import ndtri

        found = {}
        for j, column in enumerate(self.columns):
            if column.density is not None:
                ends = np.cumsum(column.mass)
                low = ((ends - column.mass) / ends[-1]).astype(np.float32)
                width = (column.mass / ends[-1]).astype(np.float32)
                at = low[codes[j]] + width[codes[j]] * rng.random(codes[j].size, dtype=np.float32)
                found[j] = ndtri(np.clip(at, LEAST_RANK, 1.0 - LEAST_RANK))
        return found


def share_of_counts(counts: NDArray[np.int64], piece: int, pieces: int) -> NDArray[np.int64]:
    """Return how many of each value a piece gets that takes every so-many-th row."""
    ends = np.cumsum(counts)
    reach = pieces - 1 - piece
    return np.asarray((ends + reach) // pieces - (ends - counts + reach) // pieces)


def _inside(
    codes: NDArray[np.int32],
    of: NDArray[np.int32],
    counts: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return the value of each row: that of its cell, or one of several as often as they occur."""
    first = np.zeros(int(of.max()) + 1, dtype=np.int64)
    first[of[::-1]] = np.arange(of.size)[::-1]
    found = first[codes]
    for cell in np.flatnonzero(np.bincount(of) > 1).tolist():
        rows, members = np.flatnonzero(codes == cell), np.flatnonzero(of == cell)
        often = counts[members]
        ends = np.cumsum(often) if often.sum() else np.arange(1, members.size + 1)
        place = (np.arange(rows.size) + 0.5) / max(rows.size, 1) * ends[-1]
        found[rng.permutation(rows)] = members[np.searchsorted(ends, place, side="right")]
    return found

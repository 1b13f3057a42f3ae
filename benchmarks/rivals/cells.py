"""Into which public cells are numbers put for systems that know categories alone?

Special values are apart; all others share cells of equal width on the scale on which Covey's own
systems cut, which is bent so that cells are narrow near zero.  Whole numbers with few values have
a cell each.  A released cell becomes one of the grid's values inside it, all equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.rivals.tables import Columns, Split, is_number
from covey.partition.axis import axis_of
from covey.table import Grid

CELLS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """The cells of a numeric column: special values first, then pieces of the grid.

    ``starts`` holds the first integer of each piece, and one beyond the last.
    """

    grid: Grid
    special: tuple[float, ...]
    starts: NDArray[np.int64]

    @property
    def size(self) -> int:
        """Return the number of cells."""
        return len(self.special) + self.starts.size - 1

    def encode(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the cell of each value."""
        pieces = np.searchsorted(self.starts, self.grid.integers(values), side="right") - 1
        cells = pieces + len(self.special)
        for place, value in enumerate(self.special):
            cells[values == value] = place
        return np.asarray(cells, dtype=np.int64)

    def decode(self, cells: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
        """Return a value inside each cell."""
        pieces = np.maximum(cells - len(self.special), 0)
        drawn = rng.integers(self.starts[pieces], self.starts[pieces + 1])
        values = self.grid.values(drawn)
        for place, value in enumerate(self.special):
            values[cells == place] = value
        return values


def cells_of(split: Split, count: int = CELLS) -> dict[str, Cells]:
    """Return the cells of all numeric columns: a function of the schema alone."""
    head = split.train.head(known_n=False)
    found = {}
    for attribute in split.attributes:
        if not is_number(attribute):
            continue
        axis = axis_of(head, attribute)
        assert axis.grid is not None  # noqa: S101 — it is a number
        # The scale without the special values, which lie before the grid.
        edges = axis.side.edges[len(axis.special) :]
        marks = edges[0] + (edges[-1] - edges[0]) * np.arange(count) / count
        starts = np.unique(np.searchsorted(edges, marks - 1e-9 * (edges[-1] - edges[0])))
        starts = np.append(starts[starts < edges.size - 1], edges.size - 1)
        found[attribute.name] = Cells(grid=axis.grid, special=axis.special, starts=starts)
    return found


def encoded(split: Split, columns: Columns) -> tuple[dict[str, NDArray[np.int64]], dict[str, int]]:
    """Return all columns as positions in a public domain, and the sizes of the domains."""
    cells = cells_of(split)
    codes = {name: cells[name].encode(v) if name in cells else v for name, v in columns.items()}
    sizes = {
        name: cells[name].size if name in cells else len(split.domain(name)) for name in columns
    }
    return codes, sizes


def decoded(split: Split, codes: Columns, rng: np.random.Generator) -> Columns:
    """Return released positions as values again."""
    cells = cells_of(split)
    return {
        name: cells[name].decode(found, rng) if name in cells else found
        for name, found in codes.items()
    }

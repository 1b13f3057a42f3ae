"""How well are frequencies and two- and three-way tables kept, over columns of every kind?

Numbers are put into public bins, so that releases are measured alike; categories are counted as
they are, the rare ones of a long list together.  Counts add up over pieces of a table.  Tables are
compared by total variation: the share of records that would have to change their cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from covey.evaluate.metric import Metric, by_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.table import Table

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Names = tuple[str, ...]

WAY_BINS = {1: 8, 2: 8, 3: 4}
"""Numbers are put into so many bins of equal public width, by how many columns are crossed."""

CROSSED_CATEGORIES = 63
"""So many categories have cells of their own in tables of two or more columns."""

MOST_CROSSED = {2: 1000, 3: 30}
"""At most so many pairs and triples are crossed, chosen by the names of the columns alone."""

CROSSED_SEED = 20261118

ONE_CELL = (
    "In the public bins of {names} nearly all originals share one: two- and three-way tables say "
    "little about them. Narrower public bounds would."
)
CHOSEN_CROSSED = "{what} were compared on {some:,} of {all:,}, chosen by the columns' names alone."


@dataclass(frozen=True, slots=True, kw_only=True)
class Bins:
    """The cells of one column.

    Parameters
    ----------
    name : str
        The column.
    ends : (float, float), optional
        Between which bins of equal width lie; values beyond fall into the first or the last.
    special : tuple of float
        Values with a cell of their own.
    texts : tuple of str, optional
        Categories with a cell of their own, instead of bins; all others share one.
    """

    name: str
    ends: tuple[float, float] = (0.0, 1.0)
    special: tuple[float, ...] = ()
    texts: tuple[str, ...] | None = None

    def size(self, bins: int) -> int:
        """Return the number of cells; the last is for what is missing, or for other categories."""
        return bins + len(self.special) + 1 if self.texts is None else len(self.texts) + 1

    def cells(self, table: Table, bins: int) -> Integers:
        """Return the cell of each record."""
        if self.texts is not None:
            position = {text: code for code, text in enumerate(self.texts)}
            other = len(position)
            found = [position.get(text, other) for text in table.texts(self.name)]
            return np.array(found, dtype=np.int64)
        values = table.values(self.name)
        low, high = self.ends
        lacking = np.isnan(values)
        shares = (np.clip(np.where(lacking, low, values), low, high) - low) / (high - low)
        cells = np.minimum((shares * bins).astype(np.int64), bins - 1)
        for number, value in enumerate(self.special):
            cells[values == value] = bins + number
        cells[lacking] = bins + len(self.special)
        return cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed:
    """Counts of combined cells, and sums of numbers in the cells of categories."""

    counts: Mapping[Names, Integers]
    sums: Mapping[Names, Floats]


def crossed_sets(names: Sequence[str]) -> tuple[list[Names], list[str]]:
    """Return which columns are crossed: all or a public choice; and what was not."""
    sets: list[Names] = [(name,) for name in names]
    notes = list[str]()
    rng = np.random.default_rng(CROSSED_SEED)
    for way, most in MOST_CROSSED.items():
        possible = comb(len(names), way)
        if possible <= most:
            sets += list(combinations(names, way))
            continue
        chosen: set[Names] = set()
        while len(chosen) < most:
            drawn = sorted(rng.choice(len(names), size=way, replace=False))
            chosen.add(tuple(names[int(j)] for j in drawn))
        sets += sorted(chosen)
        what = {2: "Two-way tables", 3: "Three-way tables"}[way]
        notes.append(CHOSEN_CROSSED.format(what=what, some=most, all=possible))
    return sets, notes


def cross(
    tables: Iterable[Table],
    bins: Mapping[str, Bins],
    sets: Sequence[Names],
    means: Mapping[str, float],
) -> Crossed:
    """Count combined cells over pieces of a table.

    Parameters
    ----------
    tables : iterable of Table
        The pieces.
    bins : mapping
        The cells of each column.
    sets : sequence
        Which columns to cross.
    means : mapping
        A number near each numeric column, from which sums are taken so that no digits are lost.
    """
    counts = {names: np.zeros(_shape(names, bins), dtype=np.int64) for names in sets}
    mixed = [
        _number_first(names, bins)
        for names in sets
        if len(names) == 2 and sum(bins[name].texts is None for name in names) == 1  # noqa: PLR2004
    ]
    sums = {names: np.zeros((3, bins[names[1]].size(0))) for names in mixed}
    for table in tables:
        cells = {
            (name, width): each.cells(table, width)
            for name, each in bins.items()
            for width in set(WAY_BINS.values())
        }
        for names, found in counts.items():
            at = tuple(cells[name, WAY_BINS[len(names)]] for name in names)
            flat = np.ravel_multi_index(at, found.shape)
            counts[names] = found + np.bincount(flat, minlength=found.size).reshape(found.shape)
        values = {name: table.values(name) - means[name] for name in {names[0] for names in mixed}}
        for (number, category), added in sums.items():
            known = ~np.isnan(values[number])
            groups, moved = cells[category, WAY_BINS[2]][known], values[number][known]
            for row, weights in enumerate((None, moved, np.square(moved))):
                added[row] += np.bincount(groups, weights=weights, minlength=added.shape[1])
    return Crossed(counts=counts, sums=sums)


def total_variation(x: NDArray[np.integer], y: NDArray[np.integer]) -> float:
    """Return half the sum of the gaps between two tables of shares."""
    here, there = x / max(int(x.sum()), 1), y / max(int(y.sum()), 1)
    return min(float(np.abs(here - there).sum() / 2.0), 1.0)


def frequency_error(x: Mapping[str, int], y: Mapping[str, int]) -> float:
    """Return the total variation of two lists of frequencies."""
    texts = sorted({*x, *y})
    here, there = (np.array([counts.get(text, 0) for text in texts]) for counts in (x, y))
    return total_variation(here, there)


def cramers_v(counts: Integers) -> float:
    """Return Cramér's V of a two-way table; 0 if one of the columns is constant.

    Examples
    --------
    >>> cramers_v(np.array([[5, 0], [0, 5]])), cramers_v(np.array([[4, 4], [2, 2]]))
    (1.0, 0.0)
    """
    table = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0].astype(np.float64)
    if min(table.shape, default=0) < 2:  # noqa: PLR2004 — one row or column depends on nothing
        return 0.0
    n = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    chi = float((np.square(table - expected) / expected).sum())
    return min(float(np.sqrt(chi / n / (min(table.shape) - 1))), 1.0)


def correlation_ratio(sums: Floats) -> float:
    """Return eta: the root of the share of a number's variance that lies between categories.

    Parameters
    ----------
    sums : array of shape (3, categories)
        How many values, their sum and the sum of their squares.

    Examples
    --------
    >>> correlation_ratio(np.array([[2.0, 2.0], [2.0, 6.0], [2.0, 18.0]]))
    1.0
    """
    n, total, squares = sums.sum(axis=1)
    if n == 0:
        return 0.0
    counts = np.maximum(sums[0], 1.0)
    within = float(np.maximum(sums[2] - np.square(sums[1]) / counts, 0.0).sum())
    whole = float(squares - total * total / n)
    # What rounding leaves of a constant number is no variance.
    if whole <= 1e-12 * max(float(squares), 1e-300):
        return 0.0
    return float(np.sqrt(min(max(1.0 - within / whole, 0.0), 1.0)))


def associations(crossed: Crossed, bins: Mapping[str, Bins]) -> dict[Names, float]:
    """Return how strongly two columns hang together, for pairs with a nominal one."""
    found: dict[Names, float] = {}
    for names, counts in crossed.counts.items():
        if len(names) == 2 and all(bins[name].texts is not None for name in names):  # noqa: PLR2004
            found[names] = cramers_v(counts)
    for names, sums in crossed.sums.items():
        found[names] = correlation_ratio(sums)
    return found


def _number_first(names: Names, bins: Mapping[str, Bins]) -> Names:
    return names if bins[names[0]].texts is None else names[::-1]


def _shape(names: Names, bins: Mapping[str, Bins]) -> tuple[int, ...]:
    return tuple(bins[name].size(WAY_BINS[len(names)]) for name in names)


_of_shares = partial(
    Metric, better="lower", low=0.0, high=1.0, aligned=False, kind="utility", columns="all"
)

CROSSED_METRICS = by_name(
    _of_shares(
        name="tv_1way",
        title="Error of frequencies",
        explanation="The share of records that would have to change their category, or their "
        "public bin, for the frequencies of a column to be right, averaged over the columns.",
    ),
    _of_shares(
        name="tv_2way",
        title="Error of two-way tables",
        explanation="The share of records that are in the wrong cell of a two-way table, averaged "
        "over pairs of columns.",
    ),
    _of_shares(
        name="tv_3way",
        title="Error of three-way tables",
        explanation="The share of records that are in the wrong cell of a three-way table, "
        "averaged over triples of columns that their names alone have chosen.",
    ),
    _of_shares(
        name="association_error",
        title="Error of associations",
        explanation="By how much the worst preserved association with a category has changed: "
        "Cramér's V of two categories, the correlation ratio eta of a number and a category.",
    ),
)

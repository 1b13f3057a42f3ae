"""Which part of epsilon or rho does each question of a column model get?  By public rules.

Noise on a table of k cells costs k/ε in total variation, so shares grow with the square root of
k; Gaussian noise costs k/√rho, and they grow with the power 2/3.  Whether pairs are measured at
all, and how many, follows from the number of records and from the budget alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from covey.core import Budget, PrivacyUnit
from covey.systems.sound.column_model.named import NOTHING_NAMED, NamedTables, joined_pairs

if TYPE_CHECKING:
    from covey.partition.axis import Axis

EPSILON_PARTS = 2**40
"""Epsilon is spent in whole numbers of these parts."""

SIZE_PERCENT, COLUMNS_PERCENT, TARGET_COLUMNS_PERCENT, CHOICE_PERCENT = 1, 55, 45, 6
LEAST_PRODUCTS, MOST_PRODUCTS, PER_PRODUCT = 20, 80, 2
"""Correlations get so many thousandths of epsilon: at least, at most, and more for each pair."""

ALONE = 30.0
TWO_PARENTS = 90.0
TARGET_CELLS = 15.0
"""How many standard deviations of a pair's noise all records must be worth for a tree, for two
parents, and, for each cell of the target, for pairs given the target."""

LEAST_TARGET = 2
PAIR_CELLS, FEWEST_CELLS, MOST_CELLS = 0.375, 3, 32
"""Cells of a number in pairs: √(PAIR_CELLS · n / noise), within bounds; in tables of three columns
the third root, of a third of the noise, because they get what their three pairs would."""

MOST_VALUES = 32
"""More values of a number do not ask for more of the budget."""

CELL_SIGNAL = 4.0
"""A cell says something if it holds so many standard deviations of its noise."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a model is measured: parts of epsilon, and which pairs.

    ``model`` is "columns", "named", "tree", "two parents" or "target"; a numeric target is cut
    into at most ``target_cells``; so many ``tables`` of pairs share what is there for pairs.
    """

    model: str
    columns: int
    choice: int
    products: int
    pairs: int
    target_cells: int
    tables: int


@dataclass(frozen=True, slots=True)
class Purse:
    """An epsilon in `EPSILON_PARTS`, and what the noise of a count is for a part of it."""

    budget: Budget
    unit: PrivacyUnit

    def of(self, parts: int) -> Budget:
        """Return so many parts."""
        return self.budget.times(Fraction(parts, EPSILON_PARTS))

    def noise(self, parts: float) -> float:
        """Return the standard deviation of the noise on counts that cost so many parts."""
        moved = 2.0 if self.unit is PrivacyUnit.REPLACE_RECORD else 1.0
        paid = max(parts, 1.0) * float(self.budget.amount) / EPSILON_PARTS
        if self.budget.delta is not None:
            return math.sqrt(moved / (2.0 * paid))
        return moved * math.sqrt(2.0) / paid

    def parts_for(self, noise: float) -> int:
        """Return what counts cost whose noise has no larger standard deviation than this."""
        moved = 2.0 if self.unit is PrivacyUnit.REPLACE_RECORD else 1.0
        gaussian = self.budget.delta is not None
        price = moved / (2.0 * noise**2) if gaussian else moved * math.sqrt(2.0) / noise
        return math.ceil(price * EPSILON_PARTS / float(self.budget.amount))

    def weight(self, cells: float) -> int:
        """Return what a table of so many cells gets beside others, for the least error in all.

        Errors add up to Σ cells/ε of Laplace and to Σ cells/√rho of Gaussian noise.
        """
        if self.budget.delta is not None:
            return int(1000 * cells ** (2 / 3))
        return math.isqrt(round(10**6 * cells))


def percent(share: int) -> int:
    """Return parts of epsilon."""
    return EPSILON_PARTS * share // 100


def layout_of(
    purse: Purse,
    axes: Sequence[Axis],
    n: float,
    *,
    target: int | None,
    named: NamedTables = NOTHING_NAMED,
) -> Layout:
    """Return how a table of so many records is measured.

    ``target`` is the column that matters, and ``named`` are tables that are measured for sure; one
    of three columns counts as its three pairs.
    """
    known_n = purse.unit is PrivacyUnit.REPLACE_RECORD
    left = EPSILON_PARTS - (0 if known_n else percent(SIZE_PERCENT))
    alone = Layout("columns", left, 0, 0, 0, 0, 0)
    count = len(axes)
    if count == 1:
        return alone
    numbers = sum(axis.measured for axis in axes)
    products = numbers * (numbers - 1) // 2
    thousandths = min(MOST_PRODUCTS, LEAST_PRODUCTS + PER_PRODUCT * products) if products else 0
    together = EPSILON_PARTS * thousandths // 1000
    choice = percent(CHOICE_PERCENT) if count > 2 else 0  # noqa: PLR2004 — one pair: no choice
    if target is not None:
        columns = percent(TARGET_COLUMNS_PERCENT)
        pairs = left - columns - choice - together
        others = joined_pairs(named.around(target), two=False)
        tables = 2 * count - 3 + len(others.apart)
        cells = math.floor(n / purse.noise(pairs / tables) / TARGET_CELLS)
        least = len(axes[target].values) if axes[target].grid is None else LEAST_TARGET
        if cells >= least:
            return Layout("target", columns, choice, together, pairs, cells, tables)
    columns = percent(COLUMNS_PERCENT)
    pairs = left - columns - choice - together
    tables = 2 * count - 3 + len(joined_pairs(named.all_pairs, two=True).apart)
    if n >= TWO_PARENTS * purse.noise(pairs / tables) and count > 2:  # noqa: PLR2004 — three are two
        return Layout("two parents", columns, choice, together, pairs, 0, tables)
    joined = joined_pairs(named.all_pairs, two=False, triples=named.triples)
    tables = count - 1 + joined.triangles + len(joined.apart)
    if n >= ALONE * purse.noise(pairs / tables):
        return Layout("tree", columns, choice, together, pairs, 0, tables)
    if named:
        # Each gets no more than in a tree: the columns need what is left.
        tables = len(named.all_pairs)
        pairs = (left - columns) * tables // max(tables, count - 1)
        return Layout("named", left - pairs, 0, 0, pairs, 0, tables)
    return alone


def cells_wanted(n: float, noise: float, *, triple: bool = False) -> int:
    """Return into how many cells of equal mass a number is cut for pairs with such noise.

    If a table of three columns holds it, for that.
    """
    root = math.cbrt(3.0 * PAIR_CELLS * n / noise) if triple else math.sqrt(PAIR_CELLS * n / noise)
    return min(max(math.floor(root), FEWEST_CELLS), MOST_CELLS)


def column_parts(purse: Purse, axes: Sequence[Axis], parts: int, n: float) -> list[int]:
    """Share parts among columns by the square root of the cells that they can tell apart."""
    told = n / (CELL_SIGNAL * purse.noise(parts / len(axes)))
    weights = [purse.weight(min(values_of(axis), max(2.0, told))) for axis in axes]
    shares = [parts * weight // sum(weights) for weight in weights]
    # What rounding leaves over, some parts of 2^40, goes to the first: all of epsilon is spent.
    shares[0] += parts - sum(shares)
    return shares


def values_of(axis: Axis) -> int:
    """Return how many values an axis has, up to what matters."""
    if axis.grid is None:
        return len(axis.values)
    apart = len(axis.special)
    return apart + min(axis.side.edges.size - 1 - apart, MOST_VALUES)

"""Which pairs of columns are published?  Chosen one by one, each measured by one noisy table.

Prim's algorithm with private choices: a new column joins the one that it depends on most, by how
far their table is from what is known already.  With a target, all columns are measured with it,
and further pairs are chosen by what they say beyond the target.  Pairs that the plan names are
measured before anything is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import CellCounts, PairScores
from covey.postprocess.raking import conditional
from covey.postprocess.table_fit import fitted_table
from covey.systems.sound.column_model.coarse import CoarseColumn
from covey.systems.sound.column_model.named import ColumnPair, joined_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Meter
    from covey.systems.sound.column_model.shares import Layout, Purse

PENALTY = 0.1
"""Each cell of a pair must say so many standard deviations of its noise to be worth it."""

TARGET_WEIGHT = 2
"""A pair with a target gets so many times the share of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPair:
    """The noisy table of two columns; the first has the smaller number."""

    pair: ColumnPair
    noisy: NDArray[np.float64] = field(repr=False)
    noise: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """Which columns depend on which: a column and its parents, in the order of drawing.

    Pairs that were named and measured, but that no column depends by, are ``apart``.
    """

    order: tuple[tuple[int, tuple[int, ...]], ...]
    measured: Mapping[ColumnPair, MeasuredPair]
    apart: tuple[ColumnPair, ...]


def measured_pairs(
    meter: Meter,
    columns: Sequence[CoarseColumn],
    purse: Purse,
    *,
    layout: Layout,
    n: float,
    targets: Sequence[int],
    named: Sequence[ColumnPair],
) -> Structure:
    """Choose and measure pairs, and spend exactly what the layout has for them."""
    chooser = _Chooser(meter, columns, purse, layout=layout, n=n, targets=targets, named=named)
    if layout.model == "target":
        return chooser.around(targets[0])
    if layout.model == "named":
        return chooser.only_named()
    return chooser.tree(two=layout.model == "two parents")


class _Chooser:
    """What was chosen and measured so far, and what is left to spend."""

    def __init__(
        self,
        meter: Meter,
        columns: Sequence[CoarseColumn],
        purse: Purse,
        *,
        layout: Layout,
        n: float,
        targets: Sequence[int],
        named: Sequence[ColumnPair],
    ) -> None:
        self.meter, self.columns, self.purse, self.n = meter, columns, purse, n
        self.targets = set(targets)
        self.asked = tuple(column.cells for column in columns)
        count, target = len(columns), layout.model == "target"
        self.sure = [pair for pair in named if not target or targets[0] not in pair]
        self.named = joined_pairs(self.sure, two=layout.model == "two parents")
        self.tables = layout.tables
        choices = {"named": 0, "tree": count - 1, "target": count - 2}.get(
            layout.model, 2 * count - 3
        )
        self.each = layout.choice // max(choices, 1)
        # What need not be chosen is left for tables.
        self.choices = max(0, choices - len(self.named.edges) - self.named.triangles)
        self.left = layout.pairs + layout.choice
        self.noise = purse.noise(layout.pairs / self.tables)
        weights = [self.weight(pair) for pair in combinations(range(count), 2)]
        self.mean = sum(weights) // len(weights)
        self.found: dict[ColumnPair, MeasuredPair] = {}
        self.fitted: dict[ColumnPair, NDArray[np.float64]] = {}

    def weight(self, pair: ColumnPair) -> int:
        first, second = (self.columns[j].cells.size for j in pair)
        times = TARGET_WEIGHT if self.targets & set(pair) else 1
        return times * math.isqrt(10**6 * first * second)

    def table(self, i: int, j: int) -> NDArray[np.float64]:
        """Return the fitted shares of a measured pair, the first column along the rows."""
        return self.fitted[i, j] if i < j else self.fitted[j, i].T

    def measure(self, pairs: Sequence[ColumnPair]) -> None:
        """Measure some pairs at once, with their share of what is left for all."""
        if not pairs:
            return
        ordered = [(min(pair), max(pair)) for pair in pairs]
        later = self.tables - len(self.found) - len(ordered)
        weights = [self.weight(pair) for pair in ordered]
        spendable = self.left - self.each * (self.choices if later else 0)
        planned = sum(weights) + later * self.mean
        shares = [spendable * weight // planned for weight in weights]
        if not later:
            shares[-1] += spendable - sum(shares)
        self.left -= sum(shares)
        questions = [CellCounts((self.asked[i], self.asked[j])) for i, j in ordered]
        budgets = [self.purse.of(share) for share in shares]
        if len(ordered) == 1:
            answers = [self.meter.counts(questions[0], budgets[0])]
        else:
            answers = self.meter.counts_of(questions, budgets)
        for pair, noisy in zip(ordered, answers, strict=True):
            shape = tuple(self.asked[j].size for j in pair)
            self.found[pair] = MeasuredPair(
                pair=pair,
                noisy=noisy.values.reshape(shape).astype(float),
                noise=math.sqrt(2.0) * float(noisy.scale),
            )
            first, second = (self.columns[j] for j in pair)
            self.fitted[pair] = fitted_table(
                self.found[pair].noisy,
                self.found[pair].noise,
                first.mass,
                second.mass,
                n=self.n,
                ordered=(first.ordered, second.ordered),
            )

    def choose(
        self, pairs: Sequence[ColumnPair], model: Callable[[int, int], NDArray[np.float64]]
    ) -> ColumnPair:
        """Choose a pair whose table is far from the model; a single candidate costs nothing."""
        self.choices -= 1
        if len(pairs) == 1:
            return pairs[0]
        models = tuple(np.rint(self.n * model(i, j)).astype(np.int64) for i, j in pairs)
        penalties = tuple(round(PENALTY * self.noise * table.size) for table in models)
        question = PairScores(self.asked, tuple(pairs), models, penalties)
        chosen = self.meter.choice(question, self.purse.of(self.each))
        self.left -= self.each
        return pairs[chosen]

    def alone(self, i: int, j: int) -> NDArray[np.float64]:
        """Return what independence says about a pair."""
        return np.outer(self.columns[i].mass, self.columns[j].mass)

    def given(self, parent: int) -> Callable[[int, int], NDArray[np.float64]]:
        """Return what two columns' pairs with a parent say about them together."""

        def model(i: int, j: int) -> NDArray[np.float64]:
            first = conditional(self.table(parent, i), self.columns[i].mass)
            return np.asarray(first.T @ self.table(parent, j))

        return model

    def joins(
        self, members: Sequence[int], model: Callable[[int, int], NDArray[np.float64]]
    ) -> Iterator[tuple[int, int | None]]:
        """Yield each column with the one before it that it joins, as named or as chosen."""
        placed: set[int] = set()
        if self.named.edges:
            joining = self.named.along(self.named.edges[0][0], None)
        else:
            first = self.choose(list(combinations(members, 2)), model)
            self.measure([first])
            joining = [(first[0], None), (first[1], first[0])]
        while True:
            placed |= {child for child, _ in joining}
            yield from joining
            new = [j for j in members if j not in placed]
            if not new:
                return
            child, parent = self.choose([(v, a) for v in new for a in sorted(placed)], model)
            self.measure([(child, parent)])
            joining = self.named.along(child, parent)

    def tree(self, *, two: bool) -> Structure:
        """Join every column to one that is there already, or to two that belong together."""
        self.measure(self.sure)
        order: list[tuple[int, tuple[int, ...]]] = []
        beside: dict[int, list[int]] = {}
        for child, parent in self.joins(range(len(self.columns)), self.alone):
            parents = [] if parent is None else [parent]
            if two and parent is not None and len(order) > 1:
                parents.append(self.second(child, parent, sorted(beside[parent])))
            beside[child] = []
            for each in parents:
                beside[child].append(each)
                beside[each].append(child)
            order.append((child, tuple(parents)))
        return Structure(order=tuple(order), measured=self.found, apart=self.named.apart)

    def second(self, child: int, parent: int, beside: Sequence[int]) -> int:
        """Return a second parent: the named one, or one that is chosen and measured."""
        named = self.named.second(child, parent, beside)
        if named is not None:
            return named
        # A named pair that is no second parent by itself was measured and is paid for already.
        others = [(child, b) for b in beside if (min(child, b), max(child, b)) not in self.found]
        chosen = self.choose(others, self.given(parent))
        self.measure([chosen])
        return chosen[1]

    def around(self, target: int) -> Structure:
        """Measure all columns with the target, and choose a second parent for each but one."""
        others = [j for j in range(len(self.columns)) if j != target]
        self.measure([*((v, target) for v in others), *self.sure])
        order: list[tuple[int, tuple[int, ...]]] = [(target, ())]
        if len(others) == 1:
            order.append((others[0], (target,)))
        else:
            for child, parent in self.joins(others, self.given(target)):
                order.append((child, (target,) if parent is None else (target, parent)))
        return Structure(order=tuple(order), measured=self.found, apart=self.named.apart)

    def only_named(self) -> Structure:
        """Measure the named pairs alone; columns that they do not join stay by themselves."""
        self.measure(self.sure)
        order: dict[int, tuple[int, ...]] = {}
        for j in range(len(self.columns)):
            if j not in order:
                for child, parent in self.named.along(j, None):
                    order[child] = () if parent is None else (parent,)
        return Structure(order=tuple(order.items()), measured=self.found, apart=self.named.apart)

"""Which pairs of columns are published?  Chosen one by one, each measured by one noisy table.

Prim's algorithm with private choices: a new column joins the one that it depends on most, by how
far their table is from what is known already.  With a target, all columns are measured with it,
and further pairs are chosen by what they say beyond the target.  Tables that the plan names are
measured before anything is chosen; one of three columns says something about its three pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import PairScores
from covey.postprocess.raking import conditional
from covey.postprocess.table_fit import fitted_table
from covey.systems.sound.column_model.coarse import CoarseColumn
from covey.systems.sound.column_model.counted import (
    MeasuredTable,
    Structure,
    counted_tables,
    margin_in,
)
from covey.systems.sound.column_model.named import ColumnPair, NamedTables, joined_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Meter
    from covey.systems.sound.column_model.shares import Layout, Purse

PENALTY = 0.1
"""Each cell of a pair must say so many standard deviations of its noise to be worth it."""

TARGET_WEIGHT = 2
"""A pair with a target gets so many times the share of another."""


def measured_pairs(
    meter: Meter,
    columns: Sequence[CoarseColumn],
    purse: Purse,
    *,
    layout: Layout,
    n: float,
    targets: Sequence[int],
    named: NamedTables,
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
        named: NamedTables,
    ) -> None:
        self.meter, self.columns, self.purse, self.n = meter, columns, purse, n
        self.targets = set(targets)
        self.asked = tuple(column.cells for column in columns)
        count, target = len(columns), layout.model == "target"
        two = layout.model == "two parents"
        self.sure = named
        self.named = (
            joined_pairs(named.around(targets[0]), two=False)
            if target
            else joined_pairs(named.all_pairs, two=two, triples=named.triples)
        )
        self.tables = layout.tables
        choices = {"named": 0, "tree": count - 1, "target": count - 2}.get(
            layout.model, 2 * count - 3
        )
        self.each = layout.choice // max(choices, 1)
        # What need not be chosen is left for tables.
        known = len(self.named.edges) + (self.named.triangles if two else 0)
        self.choices = max(0, choices - known)
        self.left = layout.pairs + layout.choice
        self.noise = purse.noise(layout.pairs / self.tables)
        weights = [self.weight(pair) for pair in combinations(range(count), 2)]
        self.mean = sum(weights) // len(weights)
        self.paid: list[MeasuredTable] = []
        self.found: dict[ColumnPair, MeasuredTable] = {}
        self.fitted: dict[ColumnPair, NDArray[np.float64]] = {}

    def weight(self, pair: ColumnPair) -> int:
        first, second = (self.columns[j].cells.size for j in pair)
        times = TARGET_WEIGHT if self.targets & set(pair) else 1
        return times * self.purse.weight(first * second)

    def table(self, i: int, j: int) -> NDArray[np.float64]:
        """Return the fitted shares of a measured pair, the first column along the rows."""
        return self.fitted[i, j] if i < j else self.fitted[j, i].T

    def measure(self, tables: Sequence[tuple[int, ...]]) -> None:
        """Measure some tables at once, with their share of what is left for all pairs."""
        if not tables:
            return
        ordered = [tuple(sorted(table)) for table in tables]
        new = sorted({pair for table in ordered for pair in combinations(table, 2)})
        later = self.tables - len(self.found) - len(new)
        weights = [self.table_weight(table) for table in ordered]
        spendable = self.left - self.each * (self.choices if later else 0)
        planned = sum(weights) + later * self.mean
        shares = [spendable * weight // planned for weight in weights]
        if not later:
            shares[-1] += spendable - sum(shares)
        self.left -= sum(shares)
        budgets = [self.purse.of(share) for share in shares]
        self.paid += counted_tables(self.meter, self.asked, ordered, budgets)
        for pair in new:
            found = self.found[pair] = margin_in(self.paid, pair)
            first, second = (self.columns[j] for j in pair)
            self.fitted[pair] = fitted_table(
                found.noisy,
                found.noise,
                first.mass,
                second.mass,
                n=self.n,
                ordered=(first.ordered, second.ordered),
            )

    def table_weight(self, table: tuple[int, ...]) -> int:
        """Return what a table gets: as much as its pairs, shared by the tables that hold them."""
        shared = self.sure.triples_with
        return sum(
            self.weight(pair) // max(1, shared.get(pair, 1)) for pair in combinations(table, 2)
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
        self.measure([*self.sure.triples, *self.sure.pairs])
        order: list[tuple[int, tuple[int, ...]]] = []
        beside: dict[int, list[int]] = {}
        for child, parent in self.joins(range(len(self.columns)), self.alone):
            parents = [] if parent is None else [parent]
            if parent is not None and len(order) > 1:
                parents += self.seconds(child, parent, sorted(beside[parent]), two=two)
            beside[child] = []
            for each in parents:
                beside[child].append(each)
                beside[each].append(child)
            order.append((child, tuple(parents)))
        return self.structure(order)

    def seconds(self, child: int, parent: int, beside: Sequence[int], *, two: bool) -> list[int]:
        """Return a second parent: the named one, or one that is chosen and measured."""
        named = self.named.second(child, parent, beside)
        if named is not None:
            return [named]
        if not two:
            return []
        # A named pair that is no second parent by itself was measured and is paid for already.
        others = [(child, b) for b in beside if (min(child, b), max(child, b)) not in self.found]
        chosen = self.choose(others, self.given(parent))
        self.measure([chosen])
        return [chosen[1]]

    def around(self, target: int) -> Structure:
        """Measure all columns with the target, and choose a second parent for each but one."""
        others = [j for j in range(len(self.columns)) if j != target]
        within = self.sure.triples_with
        pairs = [(min(v, target), max(v, target)) for v in others]
        tables = [*self.sure.triples, *(pair for pair in pairs if pair not in within)]
        self.measure([*tables, *(pair for pair in self.sure.pairs if target not in pair)])
        order: list[tuple[int, tuple[int, ...]]] = [(target, ())]
        if len(others) == 1:
            order.append((others[0], (target,)))
        else:
            for child, parent in self.joins(others, self.given(target)):
                order.append((child, (target,) if parent is None else (target, parent)))
        return self.structure(order)

    def only_named(self) -> Structure:
        """Measure the named pairs alone; columns that they do not join stay by themselves."""
        self.measure([*self.sure.triples, *self.sure.pairs])
        order: dict[int, tuple[int, ...]] = {}
        for j in range(len(self.columns)):
            if j not in order:
                for child, parent in self.named.along(j, None):
                    parents = [] if parent is None else [parent]
                    if parent is not None:
                        parents += self.seconds(child, parent, list(order), two=False)
                    order[child] = tuple(parents)
        return self.structure(list(order.items()))

    def structure(self, order: Sequence[tuple[int, tuple[int, ...]]]) -> Structure:
        return Structure(
            order=tuple(order),
            asked=tuple(self.paid),
            measured=self.found,
            apart=self.named.apart,
        )

"""Which tables does the plan name, and where does a model of small cliques use them?

Named tables are public, and hold two or three columns.  Pairs that close no cycle are edges of the
tree; a pair that closes a triangle with two edges gives a column its second parent, if the model
has two parents or if a named table holds all three.  The others are measured and published, but
rows do not follow them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from covey.errors import PlanError, suggest

ColumnPair = tuple[int, int]
ColumnTriple = tuple[int, int, int]
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class NamedTables:
    """Tables of two and of three columns, each as numbers in ascending order.

    No pair is part of a triple: it would be measured twice.
    """

    pairs: tuple[ColumnPair, ...] = ()
    triples: tuple[ColumnTriple, ...] = ()

    def __len__(self) -> int:
        """Return how many tables are named."""
        return len(self.pairs) + len(self.triples)

    @property
    def all_pairs(self) -> tuple[ColumnPair, ...]:
        """Return the pairs of triples, those in most of them first, and then the pairs alone."""
        shared = self.triples_with
        return (*sorted(shared, key=lambda pair: (-shared[pair], pair)), *self.pairs)

    @property
    def triples_with(self) -> Mapping[ColumnPair, int]:
        """Return how many triples hold a pair, for each pair of a triple."""
        return Counter(pair for triple in self.triples for pair in combinations(triple, 2))

    def around(self, target: int) -> tuple[ColumnPair, ...]:
        """Return the pairs without a target; those that a triple joins to it come first."""
        joined = {tuple(j for j in triple if j != target) for triple in self.triples}
        others = [pair for pair in self.all_pairs if target not in pair]
        return tuple(sorted(others, key=lambda pair: pair not in joined))


NOTHING_NAMED = NamedTables()


def read_named(tables: Sequence[str], known: Sequence[str]) -> NamedTables:
    """Return what products of columns name."""
    found: list[tuple[int, ...]] = []
    for text in tables:
        names = text.split("*")
        for name in names:
            if name not in known:
                raise PlanError(
                    f"the table {text!r} names {name!r}, which is none of the published columns, "
                    f"so nothing was published. {suggest(name, list(known))}"
                )
        if len(set(names)) == 1:
            raise PlanError(
                f"the table {text!r} holds one column, and every column is published by itself "
                f"already, so nothing was published. Leave it out, or name two columns."
            )
        columns = tuple(sorted(known.index(name) for name in set(names)))
        if len(columns) < len(names):
            raise PlanError(
                f"the table {text!r} names a column twice, so nothing was published. Name each "
                f"of its columns once."
            )
        if len(columns) > MOST_NAMED:
            raise PlanError(
                f"the table {text!r} holds more than three columns, and a column model measures "
                f"tables of two and three, so nothing was published. Name smaller tables, or "
                f"publish this one without rows (system 'tables')."
            )
        if columns in found:
            raise PlanError(
                f"the table {text!r} is listed twice and would be paid for twice, so nothing was "
                f"published. List it once."
            )
        found.append(columns)
    pairs = tuple((each[0], each[1]) for each in found if len(each) < MOST_NAMED)
    triples = tuple((each[0], each[1], each[2]) for each in found if len(each) == MOST_NAMED)
    _refuse_margins(pairs, triples, known)
    return NamedTables(pairs, triples)


def _refuse_margins(
    pairs: Sequence[ColumnPair], triples: Sequence[ColumnTriple], known: Sequence[str]
) -> None:
    for pair, triple in product(pairs, triples):
        if set(pair) <= set(triple):
            within, around = ("*".join(known[j] for j in each) for each in (pair, triple))
            raise PlanError(
                f"the table {within!r} is a margin of {around!r} and would be paid for twice, "
                f"so nothing was published. Leave it out: it is published with the larger one."
            )


@dataclass(frozen=True, slots=True)
class NamedPairs:
    """Named pairs by what the model makes of them.

    ``edges`` close no cycle; ``thirds`` are pairs of neighbours of a column, by that column;
    ``apart`` are those that the model does not use.
    """

    edges: tuple[ColumnPair, ...] = ()
    thirds: Mapping[int, Sequence[ColumnPair]] = field(default_factory=dict)
    apart: tuple[ColumnPair, ...] = ()

    @property
    def triangles(self) -> int:
        """Return how many second parents are named."""
        return sum(map(len, self.thirds.values()))

    def along(self, start: int, parent: int | None) -> list[tuple[int, int | None]]:
        """Return all columns that named edges join to one, each with the column that it joins."""
        found = [(start, parent)]
        for column, before in found:
            beside = sorted(_beside(self.edges, column) - {before})
            # Neighbours that are joined follow each other, so each finds at most one before it.
            joined = self.thirds.get(column, ())
            first = [before] if before is not None else []
            order: list[int] = []
            while len(order) < len(beside):
                near = {each for known in (*first, *order) for each in _beside(joined, known)}
                left = [each for each in beside if each not in order]
                order.append(next((each for each in left if each in near), left[0]))
            found += [(each, column) for each in order]
        return found

    def second(self, child: int, parent: int, placed: Sequence[int]) -> int | None:
        """Return the named second parent of a column among those that are placed, if any."""
        named = _beside(self.thirds.get(parent, ()), child)
        return next((each for each in placed if each in named), None)


def joined_pairs(
    pairs: Sequence[ColumnPair], *, two: bool, triples: Sequence[ColumnTriple] = ()
) -> NamedPairs:
    """Return what a tree, or a model of two parents, makes of pairs; those listed first go first.

    A tree has a place for second parents only where a triple is named.

    Examples
    --------
    >>> triangle = [(0, 1), (1, 2), (0, 2)]
    >>> joined_pairs(triangle, two=False).apart
    ((0, 2),)
    >>> joined_pairs(triangle, two=True).thirds
    {1: [(0, 2)]}
    >>> joined_pairs(triangle, two=False, triples=[(0, 1, 2)]).thirds
    {1: [(0, 2)]}
    """
    edges = _without_cycle(pairs)
    thirds: dict[int, list[ColumnPair]] = {}
    apart = []
    for pair in pairs:
        if pair in edges:
            continue
        common = _beside(edges, pair[0]) & _beside(edges, pair[1])
        # Edges have no cycle, so two columns have one neighbour in common at most.
        middle = next(iter(common), None)
        if middle is not None and (two or tuple(sorted((*pair, middle))) in triples):
            known = thirds.get(middle, [])
            # Without a cycle among neighbours, each has one before it, wherever one begins.
            if len(_without_cycle([*known, pair])) > len(known):
                thirds[middle] = [*known, pair]
                continue
        apart.append(pair)
    return NamedPairs(edges=tuple(edges), thirds=thirds, apart=tuple(apart))


def _without_cycle(pairs: Sequence[ColumnPair]) -> list[ColumnPair]:
    """Return the pairs that close no cycle with those before them."""
    group: dict[int, int] = {}
    found = []
    for first, second in pairs:
        ends = group.setdefault(first, first), group.setdefault(second, second)
        if ends[0] != ends[1]:
            group = {column: ends[0] if of == ends[1] else of for column, of in group.items()}
            found.append((first, second))
    return found


def _beside(pairs: Sequence[ColumnPair], column: int) -> set[int]:
    """Return what a column is paired with."""
    return {b if a == column else a for a, b in pairs if column in (a, b)}

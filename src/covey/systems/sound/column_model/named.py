"""Which tables of pairs does the plan name, and where does a model of small cliques use them?

Named pairs are public.  Those that close no cycle are edges of the tree; with two parents, a pair
that closes a triangle with two edges gives a column its second parent.  The others are measured
and published, but rows do not follow them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from covey.errors import PlanError, suggest

ColumnPair = tuple[int, int]


def read_pairs(tables: Sequence[str], known: Sequence[str]) -> tuple[ColumnPair, ...]:
    """Return the pairs that products of columns name, each as numbers in ascending order."""
    found: list[ColumnPair] = []
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
        if len(names) != 2:  # noqa: PLR2004 — a pair
            pairs = sorted({f"{a}*{b}" for a in names for b in names if a < b})
            raise PlanError(
                f"the table {text!r} holds more than two columns, and a column model measures "
                f"pairs, so nothing was published. Name the pairs {', '.join(pairs)}, or publish "
                f"the table without rows (system 'tables')."
            )
        first, second = sorted(known.index(name) for name in names)
        if (first, second) in found:
            raise PlanError(
                f"the table {text!r} is listed twice and would be paid for twice, so nothing was "
                f"published. List it once."
            )
        found.append((first, second))
    return tuple(found)


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


def joined_pairs(pairs: Sequence[ColumnPair], *, two: bool) -> NamedPairs:
    """Return what a tree, or a model of two parents, makes of pairs; those listed first go first.

    Examples
    --------
    >>> triangle = [(0, 1), (1, 2), (0, 2)]
    >>> joined_pairs(triangle, two=False).apart
    ((0, 2),)
    >>> joined_pairs(triangle, two=True).thirds
    {1: [(0, 2)]}
    """
    edges = _without_cycle(pairs)
    thirds: dict[int, list[ColumnPair]] = {}
    apart = []
    for pair in pairs:
        if pair in edges:
            continue
        common = _beside(edges, pair[0]) & _beside(edges, pair[1])
        if two and common:
            # Edges have no cycle, so two columns have one neighbour in common at most.
            (middle,) = common
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

"""A bound in one unit counts in another as often as steps of the one make a step of the other."""

from __future__ import annotations

from collections import deque
from itertools import combinations, product

import pytest

from covey.core import PrivacyUnit
from covey.ledger import in_unit

RECORDS = (PrivacyUnit.REPLACE_RECORD, PrivacyUnit.ADD_REMOVE_RECORD)
GRAPHS = (PrivacyUnit.EDGE, PrivacyUnit.NODE)


def tables() -> list[tuple[str, ...]]:
    return [
        rows for n in range(4) for rows in product("ab", repeat=n) if list(rows) == sorted(rows)
    ]


def graphs() -> list[tuple[frozenset[int], frozenset[tuple[int, int]]]]:
    found = []
    for size in range(4):
        for nodes in combinations(range(3), size):
            pairs = list(combinations(nodes, 2))
            found += [
                (frozenset(nodes), frozenset(edges))
                for count in range(len(pairs) + 1)
                for edges in combinations(pairs, count)
            ]
    return found


def removed(rows: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {rows[:i] + rows[i + 1 :] for i in range(len(rows))}


def node_removed(graph, node: int):
    nodes, edges = graph
    return nodes - {node}, frozenset(edge for edge in edges if node not in edge)


def neighbours(unit: str, x, y) -> bool:
    """Return whether two inputs are one step of a unit apart, straight from its definition."""
    if unit == PrivacyUnit.ADD_REMOVE_RECORD:
        return y in removed(x) or x in removed(y)
    if unit == PrivacyUnit.REPLACE_RECORD:
        return x != y and len(x) == len(y) and bool(removed(x) & removed(y))
    if unit == PrivacyUnit.EDGE:
        return x[0] == y[0] and len(x[1] ^ y[1]) == 1
    return any(node_removed(x, node) == y for node in x[0]) or any(
        node_removed(y, node) == x for node in y[0]
    )


def steps(unit: str, inputs: list, x, y) -> int | None:
    """Return how many steps of a unit lead from one input to another."""
    far, queue = {x: 0}, deque([x])
    while queue:
        here = queue.popleft()
        for other in inputs:
            if other not in far and neighbours(unit, here, other):
                far[other] = far[here] + 1
                queue.append(other)
    return far.get(y)


@pytest.mark.parametrize(
    ("inputs", "units"), [(tables(), RECORDS), (graphs(), GRAPHS)], ids=["tables", "graphs"]
)
def test_a_bound_counts_as_often_as_steps_of_its_unit_lead_to_a_neighbour(inputs, units) -> None:
    for given_unit, asked in product(units, repeat=2):
        pairs = [(x, y) for x, y in combinations(inputs, 2) if neighbours(asked, x, y)]
        counted = {steps(given_unit, inputs, x, y) for x, y in pairs}

        most = None if None in counted else max(counted)

        assert in_unit(given_unit, asked) == most, (given_unit, asked)


def test_records_and_graphs_say_nothing_about_each_other() -> None:
    for unit, other in (*product(RECORDS, GRAPHS), *product(GRAPHS, RECORDS)):
        assert in_unit(unit, other) is None

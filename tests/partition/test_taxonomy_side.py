"""Categories lie next to their kin, each once, and every cut follows the taxonomy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.partition.priv_tree import Side, grow
from covey.partition.taxonomy_side import taxonomy_side
from covey.table.taxonomy import Taxonomy

# The shape of the relationship attribute of the Adult data: one concept has two parents, and
# inner concepts are values themselves.
RELATION = Taxonomy.from_edges(
    "relation",
    [
        ("any", ""),
        ("family", "any"),
        ("stranger", "any"),
        ("other", "any"),
        ("married", "family"),
        ("single", "family"),
        ("husband", "married"),
        ("wife", "married"),
        ("child", "husband"),
        ("child", "wife"),
    ],
)


@st.composite
def taxonomies(draw) -> tuple[Taxonomy, tuple[str, ...]]:
    """Draw a directed acyclic graph under one root, and some of its concepts as values."""
    names = [f"c{i:02d}" for i in range(draw(st.integers(1, 25)))]
    names = draw(st.permutations(names))
    edges = [(names[0], "")]
    for i, name in enumerate(names[1:], start=1):
        above = draw(st.sets(st.integers(0, i - 1), min_size=1, max_size=2))
        edges += [(name, names[parent]) for parent in above]
    taxonomy = Taxonomy.from_edges("drawn", edges)
    values = draw(st.sets(st.sampled_from(sorted(names)), min_size=1))
    return taxonomy, tuple(sorted(values))


def below(taxonomy: Taxonomy, code: int) -> set[int]:
    """Return a concept and what lies below it, each concept under its first parent."""
    found = {code}
    for child, above in enumerate(taxonomy.parents):
        if above and above[0] == code:
            found |= below(taxonomy, child)
    return found


@given(drawn=taxonomies())
def test_each_value_has_one_place_and_nothing_else_has(drawn) -> None:
    taxonomy, values = drawn

    side, order = taxonomy_side(taxonomy, values)

    assert sorted(order) == sorted(values)
    assert side.edges.size == len(values) + 1
    assert (side.edges[0], side.edges[-1]) == (0.0, 1.0)
    assert (np.diff(side.edges) > 0).all()
    assert side.finest == 0.0


@given(drawn=taxonomies())
def test_kin_lie_side_by_side(drawn) -> None:
    taxonomy, values = drawn

    _, order = taxonomy_side(taxonomy, values)

    place = {value: i for i, value in enumerate(order)}
    for code in range(len(taxonomy.concepts)):
        kin = {taxonomy.concepts[below_it] for below_it in below(taxonomy, code)} & set(values)
        places = sorted(place[value] for value in kin)
        assert places == list(range(places[0], places[0] + len(places))) if places else True


@given(drawn=taxonomies())
def test_a_value_comes_before_its_specialisations(drawn) -> None:
    taxonomy, values = drawn

    _, order = taxonomy_side(taxonomy, values)

    for code, concept in enumerate(taxonomy.concepts):
        special = {taxonomy.concepts[other] for other in below(taxonomy, code)} - {concept}
        if concept in values:
            places = [order.index(value) for value in special & set(values)]
            assert all(order.index(concept) < place for place in places)


def halvings(side: Side, order: tuple[str, ...]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the two groups of every cut that a tree would make on this side."""
    found = []
    boxes = [(0, len(order) - 1)]
    while boxes:
        low, high = boxes.pop()
        if low == high:
            continue
        middle = (side.edges[low] + side.edges[high + 1]) / 2
        cut = int(np.searchsorted(side.edges, middle))
        assert side.edges[cut] == middle, "a cut that is not the middle of the piece"
        found.append((order[low:cut], order[cut : high + 1]))
        boxes += [(low, cut - 1), (cut, high)]
    return found


@given(drawn=taxonomies())
def test_every_cut_falls_exactly_on_the_middle_of_a_piece(drawn) -> None:
    side, order = taxonomy_side(*drawn)

    assert len(halvings(side, order)) == len(order) - 1


@given(drawn=taxonomies())
def test_every_cut_separates_whole_branches(drawn) -> None:
    taxonomy, values = drawn
    side, order = taxonomy_side(taxonomy, values)
    branches = [
        {taxonomy.concepts[code] for code in below(taxonomy, top)} & set(values)
        for top in range(len(taxonomy.concepts))
    ]

    for halves in halvings(side, order):
        whole = {*halves[0], *halves[1]}
        for branch in (branch for branch in branches if branch < whole):
            assert branch <= set(halves[0]) or branch <= set(halves[1])


def test_the_tree_makes_these_very_cuts() -> None:
    side, order = taxonomy_side(RELATION, RELATION.concepts)

    boxes = grow(
        np.zeros((1, 1), dtype=np.int32),
        [side],
        lambda counts, depth: np.full(counts.size, depth < 80),
    )

    assert boxes.low[:, 0].size == len(order)


def test_a_concept_with_two_parents_stays_under_the_first_and_inner_values_have_a_place() -> None:
    _, order = taxonomy_side(RELATION, RELATION.concepts)

    assert order == (
        "any",
        "family",
        "married",
        "husband",
        "child",
        "wife",
        "single",
        "other",
        "stranger",
    )


def test_concepts_that_are_no_values_leave_no_trace() -> None:
    side, order = taxonomy_side(RELATION, ("child", "wife", "other"))

    assert order == ("child", "wife", "other")
    assert side.edges.tolist() == [0.0, 0.25, 0.5, 1.0]


@pytest.mark.parametrize("number", [1, 2, 3, 8, 13, 100])
def test_a_flat_list_is_halved_evenly(number) -> None:
    values = tuple(f"v{i:03d}" for i in range(number))

    side, order = taxonomy_side(Taxonomy.flat("list", values), values)

    assert order == values
    for first, second in halvings(side, order):
        assert abs(len(first) - len(second)) <= 1
    if number == 8:
        assert side.edges.tolist() == [i / 8 for i in range(9)]


def test_the_branches_of_a_concept_are_halved_by_their_numbers_of_values() -> None:
    edges = [("root", ""), ("a", "root"), ("b", "root"), ("c", "root")]
    edges += [(f"a{i}", "a") for i in range(6)]
    taxonomy = Taxonomy.from_edges("lopsided", edges)

    side, order = taxonomy_side(taxonomy, (*(f"a{i}" for i in range(6)), "b", "c"))

    assert max(halvings(side, order), key=lambda halves: len(halves[0]) + len(halves[1])) == (
        tuple(f"a{i}" for i in range(6)),
        ("b", "c"),
    )

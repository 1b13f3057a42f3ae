"""Boxes cover the domain, hold each record once, and are cut where the box alone says."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.partition import priv_tree as tree
from covey.partition.priv_tree import Boxes, Side, bent, bent_side, even_side, grow

Decide = Callable[[np.ndarray, int], np.ndarray]


def down_to(depth: int) -> Decide:
    """Cut every box above some depth."""
    return lambda counts, h: np.full(counts.size, h < depth)


def crowded(counts: np.ndarray, depth: int) -> np.ndarray:
    """Cut boxes with many records, the more so the deeper they are."""
    return counts > 1 + depth // 2


def by_lot(seed: int) -> Decide:
    """Cut boxes at random, whatever they hold."""
    rng = np.random.default_rng(seed)
    return lambda counts, depth: rng.random(counts.size) < 0.6 - 0.02 * depth


@st.composite
def sides_strategy(draw) -> list[Side]:
    """Draw one to three sides: even, bent, of a single value, or with arbitrary edges."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        values = draw(st.integers(1, 12))
        kind = draw(st.sampled_from(["even", "bent", "any"]))
        finest = draw(st.sampled_from([0.0, 0.0, 0.2]))
        if kind == "any":
            steps = draw(st.lists(st.floats(0.01, 1.0), min_size=values, max_size=values))
            edges = np.concatenate(([0.0], np.cumsum(steps) / np.sum(steps)))
            apart = draw(st.integers(0, min(3, values - 1)))
            found.append(Side(edges=edges, finest=finest, apart=apart))
        else:
            found.append((even_side if kind == "even" else bent_side)(values, finest=finest))
    return found


@st.composite
def domains(draw) -> tuple[list[Side], np.ndarray]:
    sides = draw(sides_strategy())
    record = st.tuples(*[st.integers(0, side.edges.size - 2) for side in sides])
    records = draw(st.lists(record, min_size=1, max_size=40))
    return sides, np.array(records, dtype=np.int32)


DECIDERS = st.one_of(
    st.integers(0, 8).map(down_to), st.just(crowded), st.integers(0, 10**6).map(by_lot)
)


@settings(max_examples=150)
@given(domain=domains(), decide=DECIDERS)
def test_every_record_is_in_exactly_one_box_and_inside_it(domain, decide) -> None:
    sides, cells = domain

    boxes = grow(cells, sides, decide)

    assert sorted(boxes.order.tolist()) == list(range(len(cells)))
    spans = sorted(zip(boxes.starts.tolist(), boxes.ends.tolist(), strict=True))
    assert spans[0][0] == 0
    assert spans[-1][1] == len(cells)
    assert all(here[1] == there[0] for here, there in itertools.pairwise(spans))
    for b in range(boxes.starts.size):
        held = cells[boxes.order[boxes.starts[b] : boxes.ends[b]]]
        assert (held >= boxes.low[b]).all()
        assert (held <= boxes.high[b]).all()


@settings(max_examples=150)
@given(domain=domains(), decide=DECIDERS)
def test_boxes_cover_each_cell_of_the_domain_once(domain, decide) -> None:
    sides, cells = domain

    boxes = grow(cells, sides, decide)

    covered = np.zeros([side.edges.size - 1 for side in sides], dtype=int)
    for low, high in zip(boxes.low, boxes.high, strict=True):
        covered[tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))] += 1
    assert (covered == 1).all()


def box_list(boxes: Boxes) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [
        (tuple(low), tuple(high))
        for low, high in zip(boxes.low.tolist(), boxes.high.tolist(), strict=True)
    ]


@settings(max_examples=100)
@given(domain=domains(), seed=st.integers(0, 10**6), data=st.data())
def test_where_boxes_are_cut_does_not_depend_on_the_records(domain, seed, data) -> None:
    sides, cells = domain
    record = st.tuples(*[st.integers(0, side.edges.size - 2) for side in sides])
    others = np.array(data.draw(st.lists(record, min_size=1, max_size=40)), dtype=np.int32)

    here, there = (grow(records, sides, by_lot(seed)) for records in (cells, others))

    assert box_list(here) == box_list(there)


@settings(max_examples=100)
@given(domain=domains(), decide=st.one_of(st.integers(0, 8).map(down_to), st.just(crowded)))
def test_the_order_of_the_records_changes_nothing_but_their_order(domain, decide) -> None:
    sides, cells = domain
    shuffled = np.random.default_rng(1).permutation(len(cells))

    here, there = grow(cells, sides, decide), grow(cells[shuffled], sides, decide)

    assert box_list(here) == box_list(there)
    assert here.starts.tolist() == there.starts.tolist()
    assert here.ends.tolist() == there.ends.tolist()
    for start, end in zip(here.starts, here.ends, strict=True):
        records = (here.order[start:end].tolist(), shuffled[there.order[start:end]].tolist())
        assert sorted(records[0]) == sorted(records[1])


@given(domain=domains(), decide=DECIDERS)
def test_the_records_are_left_alone(domain, decide) -> None:
    sides, cells = domain
    before = cells.copy()

    grow(cells, sides, decide)

    assert (cells == before).all()


@settings(max_examples=100)
@given(domain=domains(), decide=DECIDERS)
def test_a_box_is_asked_about_once_with_its_count_and_depth_if_it_may_be_cut(
    domain, decide
) -> None:
    sides, cells = domain
    asked: list[list[int]] = []
    cut: list[int] = []

    def record(counts: np.ndarray, depth: int) -> np.ndarray:
        verdicts = decide(counts, depth)
        assert depth == len(asked)
        asked.append(counts.tolist())
        cut.append(int(verdicts.sum()))
        return verdicts

    boxes = grow(cells, sides, record)

    roots = math.prod(side.apart + 1 for side in sides)
    assert boxes.starts.size == sum(cut) + roots
    assert asked[0] in ([], [len(cells)]) if roots == 1 else sum(asked[0]) <= len(cells)
    # A level holds the children of the boxes that were cut on the level above; some are leaves.
    for parents, counts in zip(cut, asked[1:], strict=False):
        assert len(counts) <= 2 * parents
        assert sum(counts) <= len(cells)


@given(domain=domains(), decide=DECIDERS)
def test_a_value_that_stands_apart_shares_no_box_with_another(domain, decide) -> None:
    sides, cells = domain

    boxes = grow(cells, sides, decide)

    for j, side in enumerate(sides):
        alone = boxes.low[:, j] < side.apart
        assert (boxes.low[alone, j] == boxes.high[alone, j]).all()


def test_values_that_stand_apart_are_cut_off_without_a_test() -> None:
    sides = [Side(edges=np.array([-2.0, -1.0, 0.0, 0.5, 1.0]), apart=2), even_side(1)]
    cells = np.array([[0, 0], [2, 0], [3, 0], [1, 0], [0, 0]], dtype=np.int32)
    asked: list[tuple[list[int], int]] = []

    def decide(counts: np.ndarray, depth: int) -> np.ndarray:
        asked.append((counts.tolist(), depth))
        return np.zeros(counts.size, dtype=np.bool_)

    boxes = grow(cells, sides, decide)

    counts = boxes.ends - boxes.starts
    sizes = {int(low): int(n) for low, n in zip(boxes.low[:, 0], counts, strict=True)}
    assert sizes == {0: 2, 1: 1, 2: 2}
    assert asked == [([2], 0)]


def test_the_widest_side_is_cut_first_and_among_equals_the_first() -> None:
    cells = np.zeros((1, 2), dtype=np.int32)
    quarter = Side(edges=np.array([0.0, 0.25, 0.5, 0.75, 1.0]))
    uneven = Side(edges=np.array([0.0, 0.5, 0.55, 0.6, 1.0]))

    equal = grow(cells, [quarter, quarter], down_to(1))
    second = grow(cells, [quarter, uneven], down_to(2))

    assert box_list(equal) == [((0, 0), (1, 3)), ((2, 0), (3, 3))]
    # First the first side; then the second, which is now wider, at its middle, 0.5.
    assert box_list(second) == [
        ((0, 0), (1, 0)),
        ((2, 0), (3, 0)),
        ((0, 1), (1, 3)),
        ((2, 1), (3, 3)),
    ]


def test_a_cut_is_the_first_value_that_begins_in_the_upper_half_and_leaves_no_part_empty() -> None:
    cells = np.zeros((1, 1), dtype=np.int32)
    heavy_end = Side(edges=np.array([0.0, 0.1, 0.2, 1.0]))
    heavy_start = Side(edges=np.array([0.0, 0.8, 0.9, 1.0]))

    assert box_list(grow(cells, [heavy_end], down_to(1))) == [((0,), (1,)), ((2,), (2,))]
    assert box_list(grow(cells, [heavy_start], down_to(1))) == [((0,), (0,)), ((1,), (2,))]


def test_a_side_of_a_single_value_is_never_cut() -> None:
    single, pair = even_side(1), even_side(2)

    alone = grow(np.zeros((3, 1), dtype=np.int32), [single], down_to(5))
    beside = grow(np.zeros((3, 2), dtype=np.int32), [single, pair], down_to(5))

    assert box_list(alone) == [((0,), (0,))]
    assert sorted(box_list(beside)) == [((0, 0), (0, 0)), ((0, 1), (0, 1))]


def test_a_box_that_may_not_be_cut_is_not_tested() -> None:
    asked = []

    def decide(counts: np.ndarray, depth: int) -> np.ndarray:
        asked.append((depth, counts.tolist()))
        return np.ones(counts.size, dtype=np.bool_)

    # Three values: 0, 1 | 2, and then 0 | 1; single values are never asked about.
    boxes = grow(np.array([[0], [2], [2]], dtype=np.int32), [even_side(3)], decide)

    assert sorted(box_list(boxes)) == [((0,), (0,)), ((1,), (1,)), ((2,), (2,))]
    assert [(depth, counts) for depth, counts in asked if counts] == [(0, [3]), (1, [1])]


@pytest.mark.parametrize(("finest", "widest"), [(0.25, 0.25), (0.2, 0.125), (0.0, 1 / 64)])
def test_a_piece_that_is_not_wider_than_the_finest_is_not_cut(finest, widest) -> None:
    side = even_side(64, finest=finest)

    boxes = grow(np.zeros((1, 1), dtype=np.int32), [side], down_to(80))

    widths = side.edges[boxes.high[:, 0] + 1] - side.edges[boxes.low[:, 0]]
    assert widths.tolist() == [widest] * round(1 / widest)


def test_the_number_of_levels_is_capped(monkeypatch) -> None:
    monkeypatch.setattr(tree, "MOST_LEVELS", 3)

    boxes = grow(np.zeros((1, 1), dtype=np.int32), [even_side(64)], down_to(80))

    assert boxes.starts.size == 2**3


def test_a_level_with_too_many_boxes_is_the_last_whatever_the_records(monkeypatch) -> None:
    monkeypatch.setattr(tree, "MOST_BOXES", 8)

    sizes = [
        grow(np.full((n, 1), n, dtype=np.int32), [even_side(1024)], down_to(80)).starts.size
        for n in (1, 50)
    ]

    # A level of 8 boxes may still be cut, one of 16 may not.
    assert sizes == [16, 16]


def test_no_more_than_eighty_levels_and_a_bounded_number_of_boxes_are_the_public_caps() -> None:
    assert (tree.MOST_LEVELS, tree.MOST_BOXES) == (80, 2**17)


@pytest.mark.parametrize("values", [1, 2, 7, 2**20 + 1])
def test_the_bent_scale_rises_from_0_to_1_and_is_symmetric(values) -> None:
    edges = bent_side(values).edges

    assert edges.size == values + 1
    assert (edges[0], edges[-1]) == (0.0, pytest.approx(1.0, abs=1e-15))
    assert (np.diff(edges) > 0).all()
    assert np.allclose(edges + edges[::-1], 1.0)


def test_the_bent_scale_looks_closely_at_both_ends() -> None:
    t = np.array([0.01, 0.5, 0.99])

    found = bent(t)

    expected = [
        (x + np.log(1 + 1024 * x) / np.log(1025) + 1 - np.log(1 + 1024 * (1 - x)) / np.log(1025))
        / 3
        for x in t
    ]
    assert found == pytest.approx(expected)
    assert found[0] > 10 * t[0]


def test_an_even_side_gives_every_value_the_same_width() -> None:
    assert even_side(5).edges == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])

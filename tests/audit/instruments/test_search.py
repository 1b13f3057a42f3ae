"""The search starts from hard cases, stays among neighbours, climbs, and can be repeated."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.audit.cases.neighbours import (
    double_star,
    matching_plus_hub,
    random_graphs,
    random_pair,
    stars_plus_hub,
    two_degrees,
)
from covey.audit.instruments.search import flip_edge, move_records, worst_pair
from covey.errors import InternalError
from covey.graph import joint_degrees


def distance(arrays) -> float:
    here, there = arrays
    return float(np.abs(np.sort(here, axis=0) - np.sort(there, axis=0)).sum())


@given(seed=st.integers(0, 10**6), n=st.integers(1, 8), d=st.integers(1, 3))
def test_records_that_are_moved_stay_neighbours_between_the_bounds(seed, n, d) -> None:
    rng = np.random.default_rng(seed)
    pair = random_pair(n, d, rng)

    for _ in range(20):
        pair = move_records(pair, rng)

    assert ((pair[0] != pair[1]).any(axis=1)).sum() <= 1
    assert all(((X >= 0) & (X <= 1)).all() for X in pair)


@pytest.mark.parametrize("nodes", [0, 1], ids=["edge", "node"])
@given(seed=st.integers(0, 10**6))
def test_graphs_whose_edges_are_flipped_stay_neighbours(nodes, seed) -> None:
    rng = np.random.default_rng(seed)
    pair = matching_plus_hub(3) if nodes else random_graphs(8, rng)
    apart = pair[1].n_edges - pair[0].n_edges

    for _ in range(20):
        pair = flip_edge(pair, rng)

    here, there = ({tuple(edge) for edge in graph.edges().tolist()} for graph in pair)
    assert here <= there
    assert len(there - here) == apart
    assert pair[1].n_nodes - pair[0].n_nodes == nodes


def test_the_search_climbs_above_its_seeds_and_can_be_repeated() -> None:
    seeds = [("random", random_pair(6, 2, np.random.default_rng(5)))]

    runs = [
        worst_pair(seeds, distance, move_records, rng=np.random.default_rng(1), steps=200)
        for _ in range(2)
    ]

    assert runs[0].loss == runs[1].loss
    assert np.array_equal(runs[0].pair[1], runs[1].pair[1])
    assert runs[0].loss > distance(seeds[0][1])
    assert runs[0].loss == pytest.approx(2.0, abs=0.2)


def test_an_infinite_loss_ends_the_search() -> None:
    seeds = [("first", random_pair(4, 1, np.random.default_rng(1)))] * 3

    found = worst_pair(
        seeds, lambda _: math.inf, move_records, rng=np.random.default_rng(1), steps=9
    )

    assert (found.loss, found.tried) == (math.inf, 1)


def test_a_search_without_seeds_is_a_bug() -> None:
    with pytest.raises(InternalError, match="at least one seed"):
        worst_pair([], distance, move_records, rng=np.random.default_rng(1), steps=9)


def test_progress_is_told_for_each_seed() -> None:
    told = []
    seeds = [(name, random_pair(3, 1, np.random.default_rng(1))) for name in ("one", "two")]

    worst_pair(
        seeds,
        distance,
        move_records,
        rng=np.random.default_rng(1),
        steps=1,
        progress=lambda what, done, total: told.append((what, done, total)),
    )

    assert told == [
        ("searching neighbours from one", 0, 2),
        ("searching neighbours from two", 1, 2),
    ]


def moved(pair) -> int:
    cells = [
        dict(zip(map(tuple, dk.keys.tolist()), dk.counts.tolist(), strict=True))
        for dk in map(joint_degrees, pair)
    ]
    return sum(abs(cells[0].get(c, 0) - cells[1].get(c, 0)) for c in cells[0].keys() | cells[1])


@pytest.mark.parametrize("degree", [2, 3, 5, 8])
def test_the_double_star_attains_the_bound_of_an_edge(degree) -> None:
    assert moved(double_star(degree - 1)) == 4 * degree - 3


@pytest.mark.parametrize("theta", [2, 3, 4])
def test_stars_and_a_hub_attain_the_bound_of_a_node(theta) -> None:
    pair = stars_plus_hub(theta)

    assert moved(pair) == theta * (2 * theta - 1)
    assert max(graph.degrees.max() for graph in pair) == theta


def test_the_two_degrees_differ_in_one_edge() -> None:
    here, there = two_degrees()

    assert (here.degrees - there.degrees).tolist() == [-1, -1, 0, 0, 0, 0]

"""A box is cut with exactly the probability that the proof of the private tree speaks of."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from covey.core.exact import GAMMA, cut_boxes
from covey.core.meter import LARGEST_TEST, SMALLEST_TEST
from tests.core.frequencies import happens

SCALES = [Fraction(1443, 1000), Fraction(2), Fraction(144, 10), Fraction(40)]


def decider(scale: Fraction) -> Callable[[np.ndarray, int], np.ndarray]:
    return partial(cut_boxes, scale=scale, random_bytes=os.urandom)


def probability(count: float, depth: int, scale: float, gamma: float = 0.7) -> float:
    """Return P(s) as `cut_boxes` states it."""
    s = max(count / scale - depth * gamma, -gamma)
    return math.exp(s) / 2 if s <= 0 else 1 - math.exp(-s) / 2


@pytest.mark.parametrize("scale", SCALES, ids=str)
@pytest.mark.parametrize("depth", [0, 1, 2, 7, 79])
def test_counts_around_the_threshold_are_cut_with_their_probability(depth, scale) -> None:
    # From well below the threshold to four scales above it, and what lies exactly on it.
    steps = [-3.0, -0.7, -0.4, 0.0, 0.3, 1.0, 2.0, 4.0]
    counts = {max(0, round(float(scale) * (0.7 * depth + step))) for step in steps}
    decide = decider(scale)

    for count in counts:
        cut = decide(np.full(4_000, count, dtype=np.int64), depth)
        assert happens(cut, probability(count, depth, float(scale)), among=160)


@pytest.mark.parametrize("factor", [0.8, 1.2])
@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_scale_and_no_scale_a_fifth_off_explains_the_cuts(scale, factor) -> None:
    count = round(float(scale) * (0.7 * 6 + 0.5))

    cut = decider(scale)(np.full(20_000, count, dtype=np.int64), 6)

    assert happens(cut, probability(count, 6, float(scale)))
    assert not happens(cut, probability(count, 6, factor * float(scale)))


def test_the_threshold_rises_by_seven_tenths_of_a_scale_and_not_by_ln_2() -> None:
    count, depth, scale = 280, 20, 20.0

    cut = decider(Fraction(20))(np.full(40_000, count, dtype=np.int64), depth)

    assert happens(cut, 0.5)
    assert not happens(cut, probability(count, depth, scale, gamma=math.log(2)))


@pytest.mark.parametrize("depth", [1, 2, 80])
def test_few_records_and_none_are_cut_alike_because_the_excess_is_clipped(depth) -> None:
    decide = decider(Fraction(10))
    clipped = math.exp(-0.7) / 2

    for count in (0, 7 * (depth - 1)):
        assert happens(decide(np.full(20_000, count, dtype=np.int64), depth), clipped)
    assert not happens(decide(np.full(20_000, 7 * depth, dtype=np.int64), depth), clipped)


def test_empty_boxes_have_less_than_one_cut_child_on_average_so_empty_trees_end() -> None:
    assert 2 * math.exp(-GAMMA) / 2 < 0.5


def test_a_box_without_records_at_the_top_is_cut_by_a_fair_coin() -> None:
    cut = decider(Fraction(10))(np.zeros(20_000, dtype=np.int64), 0)

    assert happens(cut, 0.5)


def test_very_many_records_are_always_cut_and_boxes_of_one_call_do_not_mix() -> None:
    counts = np.tile([0, 10**9, 28], 20_000)

    cut = decider(Fraction(40))(counts, 1).reshape(-1, 3)

    assert cut[:, 1].all()
    assert happens(cut[:, 0], math.exp(-0.7) / 2)
    assert happens(cut[:, 2], 0.5)
    assert happens(cut[:, 0] & cut[:, 2], math.exp(-0.7) / 4)


def test_no_boxes_are_cut_if_there_are_none() -> None:
    cut = decider(Fraction(10))(np.zeros(0, dtype=np.int64), 3)

    assert cut.dtype == np.bool_
    assert cut.size == 0


def test_the_largest_scale_is_exact_at_any_depth() -> None:
    decide = decider(Fraction(LARGEST_TEST))
    cut = decide(np.full(20_000, round(0.7 * 79 * LARGEST_TEST), dtype=np.int64), 79)

    assert happens(cut, 0.5)
    assert happens(decide(np.zeros(20_000, dtype=np.int64), 80), math.exp(-0.7) / 2)


def test_the_smallest_scale_keeps_the_condition_of_the_proof() -> None:
    assert SMALLEST_TEST * GAMMA > 1

"""A box is cut with exactly the probability that the proof of the private tree speaks of."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from covey.errors import PlanError
from covey.perturb import SecureNoise, SeededNoise, split_test
from covey.perturb.splits import GAMMA, SMALLEST_SCALE, SplitTest, largest_epsilon
from covey.privacy import Budget, PrivacyUnit, sensitivity
from tests.perturb.frequencies import happens

STRUCTURE = sensitivity("private-tree", "structure")
ADD_REMOVE = sensitivity("private-tree", "structure-add-remove")
SCALES = [Fraction(1443, 1000), Fraction(2), Fraction(144, 10), Fraction(40)]


def decider(scale: Fraction) -> SplitTest:
    found = split_test(
        sensitivity=STRUCTURE, budget=Budget(Fraction(36, 10) / scale), source=SecureNoise()
    )
    assert found.scale == scale
    return found


def probability(count: float, depth: int, scale: float, gamma: float = 0.7) -> float:
    """Return P(s) as the module's first lines state it."""
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


def test_no_boxes_need_no_randomness() -> None:
    def random_bytes(count: int) -> bytes:
        raise AssertionError(count)

    decide = replace(decider(Fraction(10)), random_bytes=random_bytes)

    cut = decide(np.zeros(0, dtype=np.int64), 3)

    assert cut.dtype == np.bool_
    assert cut.size == 0


@pytest.mark.parametrize("epsilon", ["0.001", "0.1", "0.2", "1/3", "1", "1.8"])
@pytest.mark.parametrize(("claim", "price"), [(STRUCTURE, "3.6"), (ADD_REMOVE, "2.6")])
def test_the_scale_pays_for_the_claim_and_is_rounded_up_to_a_thousandth(
    claim, price, epsilon
) -> None:
    found = split_test(sensitivity=claim, budget=Budget.of(epsilon), source=SecureNoise())

    exact = Fraction(price) / Fraction(epsilon)
    assert exact <= found.scale < exact + Fraction(1, 1000)
    assert (found.scale * 1000).denominator == 1


def test_the_account_names_cost_unit_claim_and_source() -> None:
    found = split_test(sensitivity=ADD_REMOVE, budget=Budget.of("0.2"), source=SeededNoise.of(1))

    assert found.epsilon == Fraction(1, 5)
    assert found.unit is PrivacyUnit.ADD_REMOVE_RECORD
    assert found.claim == "private-tree"
    assert not found.secure


@pytest.mark.parametrize(
    ("claim", "most"), [(STRUCTURE, "2.49"), (ADD_REMOVE, "1.8")], ids=["replace", "add-remove"]
)
def test_an_epsilon_beyond_the_proof_is_refused_and_the_largest_one_is_named(claim, most) -> None:
    with pytest.raises(PlanError, match=rf"too large.*would get 2\.5, and at most {most} is"):
        split_test(sensitivity=claim, budget=Budget.of("2.5"), source=SecureNoise())

    named = split_test(sensitivity=claim, budget=Budget.of(most), source=SecureNoise())
    assert named.scale >= SMALLEST_SCALE


def test_the_largest_scale_is_exact_at_any_depth_and_a_larger_one_is_refused() -> None:
    scale = 2**40

    decide = decider(Fraction(scale))
    cut = decide(np.full(20_000, round(0.7 * 79 * scale), dtype=np.int64), 79)

    assert happens(cut, 0.5)
    assert happens(decide(np.zeros(20_000, dtype=np.int64), 80), math.exp(-0.7) / 2)
    with pytest.raises(PlanError, match="too small for exact tests"):
        decider(Fraction(scale + 1))


@pytest.mark.parametrize("claim", [STRUCTURE, ADD_REMOVE], ids=["replace", "add-remove"])
def test_the_smallest_scale_keeps_the_condition_of_the_proof(claim) -> None:
    found = split_test(
        sensitivity=claim, budget=Budget(largest_epsilon(claim)), source=SecureNoise()
    )

    assert found.scale * GAMMA >= 1
    assert SMALLEST_SCALE * GAMMA > 1

"""Choices pay for what one record can change: all rows, or one of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from covey.audit.recording import RecordingNoise
from covey.errors import UnprovenError
from covey.perturb import SecureNoise, SeededNoise, choose
from covey.privacy import Budget, PrivacyUnit, Sensitivity
from tests.perturb.frequencies import fits


def of(l1: int) -> Sensitivity:
    return Sensitivity(l1=l1, unit=PrivacyUnit.REPLACE_RECORD, claim="insensitive")


def asked(losses: np.ndarray, *, l1: int = 3, epsilon: str = "1", **keywords):
    source = RecordingNoise()
    found = choose(losses, sensitivity=of(l1), budget=Budget.of(epsilon), source=source, **keywords)
    return found, source.asked[0]


@pytest.mark.parametrize("rows", [1, 4])
def test_rows_that_one_record_may_touch_together_share_the_budget(rows) -> None:
    _, choices = asked(np.zeros((rows, 2), dtype=np.int64), epsilon="0.6")

    assert choices.rate == Fraction(6, 10) / rows / (2 * 3)


def test_rows_of_which_one_record_touches_one_get_the_whole_budget_each() -> None:
    _, choices = asked(np.zeros((4, 2), dtype=np.int64), epsilon="0.6", touched="one")

    assert choices.rate == Fraction(6, 10) / (2 * 3)


def test_the_loss_of_all_rows_together_stays_within_epsilon() -> None:
    rng = np.random.default_rng(8)
    for _ in range(100):
        here = rng.integers(0, 40, (5, 4))
        there = np.maximum(0, here + rng.integers(-3, 4, here.shape))

        losses = [asked(losses)[1] for losses in (here, there)]

        assert losses[0].loss(losses[1]) <= 1 + 1e-12


def test_the_bound_is_nearly_attained_when_one_candidate_rises_and_all_others_fall() -> None:
    # One row of many candidates: the weights' sum moves almost as much as the weight itself.
    here = np.full((1, 1000), 3, dtype=np.int64)
    there = here + 3
    here[0, 0], there[0, 0] = 3, 0

    losses = [asked(losses)[1] for losses in (here, there)]

    assert 0.99 < losses[0].loss(losses[1]) <= 1


def test_the_chosen_candidates_follow_the_exponential_law() -> None:
    losses = np.tile(np.array([0, 2, 9], dtype=np.int64), (10_000, 1))

    found = choose(
        losses, sensitivity=of(1), budget=Budget.of(1), source=SecureNoise(), touched="one"
    )

    weights = np.exp(-losses[0] / 2)
    assert found.codes.dtype == np.int64
    assert fits(found.codes, dict(enumerate(weights / weights.sum())))
    wrong = np.exp(-losses[0] / 1.6)
    assert not fits(found.codes, dict(enumerate(wrong / wrong.sum())))


def test_the_account_names_cost_unit_claim_and_source() -> None:
    found = choose(
        np.zeros((2, 2), dtype=np.int64),
        sensitivity=of(1),
        budget=Budget.of("0.1"),
        source=SeededNoise.of(1),
    )

    assert found.epsilon == Fraction(1, 10)
    assert found.unit is PrivacyUnit.REPLACE_RECORD
    assert found.claim == "insensitive"
    assert not found.secure


@pytest.mark.parametrize("l1", [0, -1])
def test_a_sensitivity_that_would_leave_nothing_to_chance_is_refused(l1) -> None:
    with pytest.raises(UnprovenError, match="the choice would not be random"):
        asked(np.zeros((1, 2), dtype=np.int64), l1=l1)

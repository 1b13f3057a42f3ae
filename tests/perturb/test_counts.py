"""Noise in proportion to public weights."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from covey.audit.recording import RecordingNoise
from covey.errors import InternalError, UnprovenError
from covey.perturb import SecureNoise, add_count_noise, add_printed_noise
from covey.privacy import Budget, PrivacyUnit, sensitivity

BOXES = sensitivity("joint-degrees", "boxes")
COUNTS = np.array([5, 0, 7, 1])
WEIGHTS = np.array([1, 8, 8, 2])


def test_each_count_gets_a_scale_of_weight_times_sensitivity_over_epsilon() -> None:
    source = RecordingNoise()

    noisy = add_count_noise(
        COUNTS, weights=WEIGHTS, sensitivity=BOXES, budget=Budget.of(2), source=source
    )

    assert {call.scale: call.integers for call in source.asked} == {
        2: (5,),
        4: (1,),
        16: (0, 7),
    }
    assert noisy.counts.tolist() == COUNTS.tolist()
    assert noisy.scales.tolist() == [2.0, 16.0, 16.0, 4.0]
    assert (noisy.epsilon, noisy.unit, noisy.claim) == (2, PrivacyUnit.EDGE, "joint-degrees")


def test_without_weights_all_counts_get_the_same_noise() -> None:
    source = RecordingNoise()

    add_count_noise(COUNTS, sensitivity=BOXES, budget=Budget.of(1), source=source)

    assert [(call.scale, len(call.integers)) for call in source.asked] == [(4, 4)]


@pytest.mark.parametrize("weights", [[1, 0, 1, 1], [1, -1, 1, 1], [1, 1, 1]])
def test_a_count_without_a_positive_weight_is_refused(weights) -> None:
    with pytest.raises(UnprovenError, match="positive"):
        add_count_noise(
            COUNTS,
            weights=np.array(weights),
            sensitivity=BOXES,
            budget=Budget.of(1),
            source=RecordingNoise(),
        )


def test_real_noise_has_the_spread_of_its_scale() -> None:
    counts, weights = np.zeros(4000, dtype=np.int64), np.repeat([1, 10], 2000)

    noisy = add_count_noise(
        counts, weights=weights, sensitivity=BOXES, budget=Budget.of(1), source=SecureNoise()
    )

    for weight in (1, 10):
        spread = np.abs(noisy.counts[weights == weight]).mean()
        assert 0.85 < spread / (4 * weight) < 1.15  # sd of the mean of 2000 is 2.2 %


def test_printed_noise_names_no_claim_and_has_one_epsilon_for_each_count() -> None:
    source = RecordingNoise()
    epsilons = [Fraction(1), Fraction(1, 10), Fraction(1), Fraction(1, 10)]

    noisy = add_printed_noise(COUNTS, sensitivity=3, epsilons=epsilons, source=source)

    assert [(call.scale, call.integers) for call in source.asked] == [(3, (5, 7)), (30, (0, 1))]
    assert noisy.claim == ""
    assert noisy.unit is PrivacyUnit.NONE


@pytest.mark.parametrize("epsilons", [[Fraction(1)], [Fraction(0)] * 4])
def test_printed_noise_refuses_what_it_cannot_scale(epsilons) -> None:
    with pytest.raises(InternalError):
        add_printed_noise(COUNTS, sensitivity=3, epsilons=epsilons, source=RecordingNoise())

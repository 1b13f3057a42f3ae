"""Weak noise is narrower than was asked for, and the meter does not notice."""

from __future__ import annotations

from fractions import Fraction

import pytest

from covey.audit.instruments.recording import RecordingNoise
from covey.audit.instruments.weak import WeakNoise
from covey.core import SecureNoise
from tests.audit.instruments.test_recording import CALLS, called

NARROWER = {
    "laplace": {"scale": Fraction(16, 5), "l1": 4, "epsilon": Fraction(5, 4)},
    "cube": {"scale": 8},
    "cut": {"depth": 3, "scale": Fraction(8)},
    "choices": {"rate": Fraction(5, 8)},
    "coins": {},
}


@pytest.mark.parametrize("mechanism", CALLS)
def test_every_scale_is_a_fifth_smaller_behind_weak_noise(mechanism) -> None:
    behind = RecordingNoise()

    called(WeakNoise(behind), mechanism)

    (drawn,) = behind.asked
    assert drawn.public == NARROWER[mechanism]


@pytest.mark.parametrize("mechanism", CALLS)
def test_real_noise_can_be_weakened(mechanism) -> None:
    assert (
        called(WeakNoise(SecureNoise()), mechanism).shape == called(SecureNoise(), mechanism).shape
    )


def test_post_processing_gets_the_generator_of_the_source_behind() -> None:
    assert WeakNoise(RecordingNoise()).placement().random() == RecordingNoise().placement().random()

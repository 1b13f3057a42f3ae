"""Sources of an audit: they add nothing, remember, explore, and are called like real ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from covey.audit.instruments.recording import (
    AuditNoise,
    ExploringNoise,
    RecordingNoise,
    SilentNoise,
)
from covey.core import SecureNoise
from covey.core.exact import COIN_PARTS

# One call of each method that a noise source has.
CALLS = {
    "laplace": ([5, -3, 0], {"scale": Fraction(4), "l1": 4, "epsilon": Fraction(1)}),
    "cube": ([[5, 1], [0, 0]], {"scale": 9}),
    "cut": ([0, 4, 400], {"depth": 3, "scale": Fraction(10)}),
    "choices": ([[3, 0, 1], [0, 9, 9]], {"rate": Fraction(1, 2)}),
    "coins": ([0, COIN_PARTS // 2, COIN_PARTS], {}),
}


def called(source, mechanism: str) -> np.ndarray:
    exact, public = CALLS[mechanism]
    return getattr(source, mechanism)(np.array(exact), **public)


@pytest.mark.parametrize("mechanism", CALLS)
@pytest.mark.parametrize(
    "source",
    [SilentNoise(), RecordingNoise(), ExploringNoise(np.random.default_rng(1))],
    ids=lambda source: type(source).__name__,
)
def test_every_source_answers_in_the_shape_and_type_of_real_noise(source, mechanism) -> None:
    real, found = called(SecureNoise(), mechanism), called(source, mechanism)

    assert (found.shape, found.dtype) == (real.shape, real.dtype)


def test_silent_noise_returns_what_it_is_given_or_what_is_likeliest() -> None:
    found = {mechanism: called(SilentNoise(), mechanism).tolist() for mechanism in CALLS}

    assert found == {
        "laplace": [5, -3, 0],
        "cube": [[5, 1], [0, 0]],
        # 3 levels down, a count must exceed 3 times 0.7 scales.
        "cut": [False, False, True],
        "choices": [1, 0],
        "coins": [False, True, True],
    }


def test_recorded_draws_hold_what_was_asked_and_what_came_out() -> None:
    source, values = RecordingNoise(), np.array([5, 7])

    noisy = source.laplace(values, scale=Fraction(4), l1=4, epsilon=Fraction(1))
    values[:] = noisy[:] = 99
    called(source, "cut")

    first, second = source.asked
    assert (first.mechanism, second.mechanism) == ("laplace", "cut")
    assert first.exact.tolist() == first.result.tolist() == [5, 7]
    assert first.public == {"scale": 4, "l1": 4, "epsilon": 1}
    assert second.public == {"depth": 3, "scale": 10}


def test_exploring_repeats_its_start_and_then_sometimes_adds_noise() -> None:
    recorded = RecordingNoise(ExploringNoise(np.random.default_rng(2)))
    for _ in range(30):
        called(recorded, "laplace")
    results = [drawn.result.tolist() for drawn in recorded.asked]

    source = ExploringNoise(np.random.default_rng(3), recorded.asked[:20])
    again = [called(source, "laplace").tolist() for _ in range(30)]

    assert again[:20] == results[:20]
    assert again[20:] != results[20:]
    assert 5 < results.count([5, -3, 0]) < 25


def test_exploring_leaves_a_start_that_does_not_fit() -> None:
    recorded = RecordingNoise()
    called(recorded, "laplace")
    source = ExploringNoise(np.random.default_rng(3), recorded.asked * 2)

    assert called(source, "choices").shape == (2,)
    assert called(source, "laplace").shape == (3,)


def test_a_source_must_say_how_it_draws() -> None:
    with pytest.raises(NotImplementedError):
        called(AuditNoise(), "laplace")

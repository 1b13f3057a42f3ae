"""The papers' noise has the scale that was asked for, whatever its sensitivity rests on."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey.systems.sound
from covey.core import Budget, SecureNoise
from covey.errors import InternalError, UnprovenError
from covey.systems.papers.noise import PerturbedSums, add_laplace, add_printed_noise
from covey.table.grid import Grid
from tests.core.law import has_scale
from tests.systems.recording import RecordingNoise

GRID = Grid.between(0.0, 10.0)
COUNTS = np.array([5, 0, 7, 1])


def perturbed(integers, *, l1: int, epsilon, source) -> PerturbedSums:
    return add_laplace(
        np.asarray(integers, dtype=np.int64),
        grid=GRID,
        sensitivity=l1,
        budget=Budget.of(epsilon),
        source=source,
    )


@given(
    integers=st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=20),
    l1=st.integers(1, 2**30),
    epsilon=st.fractions(Fraction(1, 10**6), 100),
)
def test_the_scale_is_exactly_sensitivity_over_epsilon_whatever_the_data(
    integers, l1, epsilon
) -> None:
    source = RecordingNoise()

    noisy = perturbed(integers, l1=l1, epsilon=epsilon, source=source)

    (asked,) = source.asked
    assert asked.scale == noisy.scale == Fraction(l1) / epsilon
    assert (asked.l1, asked.epsilon) == (l1, epsilon)
    assert asked.integers == tuple(integers)


def test_the_noise_that_arrives_has_the_scale_that_is_returned_and_no_other() -> None:
    noisy = perturbed(np.zeros(20_000), l1=40, epsilon="0.5", source=SecureNoise())

    verdicts = [has_scale(noisy.steps, factor * 80.0) for factor in (0.8, 1.0, 1.2)]

    assert verdicts == [False, True, False]


@pytest.mark.parametrize("l1", [0, -1])
def test_a_sensitivity_that_is_not_positive_gets_no_noise_and_is_refused(l1) -> None:
    source = RecordingNoise()

    with pytest.raises(UnprovenError, match="the sensitivity is not positive"):
        perturbed([1], l1=l1, epsilon=1, source=source)

    assert source.asked == []


def test_means_divide_by_public_sizes_and_stay_between_the_bounds() -> None:
    noisy = perturbed([0, 5 * 2**20, 2**30], l1=1, epsilon=1, source=RecordingNoise())

    means = noisy.means(np.array([1, 10, 2]))

    assert means.tolist() == [0.0, 5.0, 10.0]


def test_printed_noise_has_one_epsilon_for_each_count() -> None:
    source = RecordingNoise()
    epsilons = [Fraction(1), Fraction(1, 10), Fraction(1), Fraction(1, 10)]

    noisy = add_printed_noise(COUNTS, sensitivity=3, epsilons=epsilons, source=source)

    assert [(call.scale, call.integers) for call in source.asked] == [(3, (5, 7)), (30, (0, 1))]
    assert noisy.values.tolist() == COUNTS.tolist()
    assert noisy.scales.tolist() == [3.0, 30.0, 3.0, 30.0]


def test_no_counts_get_no_noise() -> None:
    noisy = add_printed_noise(COUNTS[:0], sensitivity=3, epsilons=[], source=RecordingNoise())

    assert (noisy.values.size, noisy.scales.size) == (0, 0)


@pytest.mark.parametrize("epsilons", [[Fraction(1)], [Fraction(0)] * 4])
def test_printed_noise_refuses_what_it_cannot_scale(epsilons) -> None:
    with pytest.raises(InternalError):
        add_printed_noise(COUNTS, sensitivity=3, epsilons=epsilons, source=RecordingNoise())


def test_no_sound_system_uses_this_noise() -> None:
    sound = Path(covey.systems.sound.__file__).parent

    users = [path.name for path in sound.rglob("*.py") if "papers.noise" in path.read_text()]

    assert users == []

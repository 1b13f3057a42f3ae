"""Adding noise keeps the account: scale, cost, unit and claim come from the proof, not the data."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.audit.recording import RecordingNoise
from covey.errors import UnprovenError
from covey.perturb import Grid, Perturbed, SecureNoise, SeededNoise, add_laplace
from covey.privacy import Budget, PrivacyUnit, Sensitivity, sensitivity
from tests.perturb.law import has_scale

GRID = Grid.between(0.0, 10.0)


def perturbed(integers, *, l1: int, epsilon, source) -> Perturbed:
    return add_laplace(
        np.asarray(integers, dtype=np.int64),
        grid=GRID,
        sensitivity=Sensitivity(l1=l1, unit=PrivacyUnit.REPLACE_RECORD, claim="rank-blocks"),
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


@pytest.mark.parametrize("source", [SecureNoise(), SeededNoise.of(1)], ids=["secure", "seeded"])
def test_the_account_says_what_was_spent_on_what_and_whether_it_is_secure(source) -> None:
    noisy = perturbed([1, 2, 3], l1=10, epsilon="0.1", source=source)

    assert noisy.epsilon == Fraction(1, 10)
    assert noisy.unit is PrivacyUnit.REPLACE_RECORD
    assert noisy.claim == "rank-blocks"
    assert noisy.secure is source.secure
    assert noisy.grid == GRID
    assert noisy.steps.dtype == np.int64


def test_the_noise_that_arrives_has_the_scale_in_the_account_and_no_other() -> None:
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


def test_the_standard_deviation_of_a_mean_falls_with_its_size() -> None:
    noisy = perturbed([0, 0], l1=2**20, epsilon=2, source=RecordingNoise())

    sd = noisy.noise_sd(np.array([1, 4]))

    assert sd == pytest.approx([np.sqrt(2) * 5.0, np.sqrt(2) * 1.25])


def test_the_standard_deviation_in_the_account_is_the_one_of_the_noise() -> None:
    bound = sensitivity("laplace", "values", steps=GRID.steps)

    noisy = add_laplace(
        np.zeros(20_000, dtype=np.int64),
        grid=GRID,
        sensitivity=bound,
        budget=Budget.of(1),
        source=SeededNoise.of(11),
    )

    raw = noisy.steps * GRID.step
    assert raw.std() == pytest.approx(float(noisy.noise_sd()), rel=0.05)

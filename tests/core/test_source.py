"""Noise has the law that the proofs speak of: tests accept it and reject scales 20 % off."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest

from covey.core import SecureNoise
from covey.core.exact import COIN_PARTS, kept_parts
from covey.errors import InternalError
from covey.seeded import SeededNoise
from tests.core.frequencies import fits, happens
from tests.core.law import FALSE_ALARM, accepted_scales, has_law, has_scale, shell_law, sizes
from tests.core.opendp import opendp_laplace

DRAWS = 20_000
SCALES = [Fraction(7, 10), Fraction(10, 3), Fraction(2**20, 1)]
SOURCES = {"secure": SecureNoise, "seeded": lambda: SeededNoise.of(7)}


def noise_of(source, scale: Fraction, draws: int = DRAWS) -> np.ndarray:
    """Draw noise of a scale at its honest price: sensitivity 1 costs 1/scale."""
    return source.laplace(np.zeros(draws, dtype=np.int64), scale=scale, l1=1, epsilon=1 / scale)


@pytest.mark.parametrize("scale", SCALES, ids=str)
@pytest.mark.parametrize("source", SOURCES)
def test_noise_of_the_right_scale_is_accepted_and_scales_a_fifth_off_are_rejected(
    source, scale
) -> None:
    noise = noise_of(SOURCES[source](), scale)

    verdicts = [has_scale(noise, float(factor * scale)) for factor in (0.8, 1.0, 1.2)]

    assert verdicts == [False, True, False]


@pytest.mark.parametrize("factor", [Fraction(4, 5), Fraction(6, 5)], ids=str)
@pytest.mark.parametrize("source", SOURCES)
def test_noise_that_was_drawn_a_fifth_too_narrow_or_too_wide_is_rejected(source, factor) -> None:
    scale = Fraction(50)

    noise = noise_of(SOURCES[source](), factor * scale)

    assert not has_scale(noise, float(scale))


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_scale_test_accepts_nothing_that_is_more_than_six_percent_off(scale) -> None:
    low, high = accepted_scales(float(scale), DRAWS)

    assert 0.94 * scale < low < scale < high < 1.06 * scale


@pytest.mark.parametrize("source", SOURCES)
def test_small_noise_follows_the_discrete_law_number_by_number(source) -> None:
    noise = noise_of(SOURCES[source](), Fraction(3, 2), draws=40_000)

    assert has_law(noise, 1.5, cells=6)


def test_rounded_float_noise_of_the_same_scale_is_rejected_by_that_test() -> None:
    floats = np.random.default_rng(3).laplace(scale=1.5, size=40_000)

    assert not has_law(np.rint(floats).astype(np.int64), 1.5, cells=6)


@pytest.mark.parametrize("source", SOURCES)
def test_noise_is_added_to_each_integer_by_itself(source) -> None:
    values = np.arange(DRAWS, dtype=np.int64) * 1000

    noise = SOURCES[source]().laplace(values, scale=Fraction(5), l1=5, epsilon=Fraction(1)) - values

    assert has_scale(noise, 5.0)
    # Neighbouring entries are independent: the sign of one says nothing about the next.
    agree = int(np.sum((noise[:-1:2] > 0) == (noise[1::2] > 0)))
    positive = (1 - math.tanh(0.1)) / 2
    chance = positive**2 + (1 - positive) ** 2
    assert binomtest(agree, DRAWS // 2, chance).pvalue > FALSE_ALARM


@pytest.mark.parametrize("source", SOURCES)
def test_noisy_integers_are_integers_and_the_input_is_left_alone(source) -> None:
    values = np.array([3, -4, 2**40], dtype=np.int64)

    noisy = SOURCES[source]().laplace(values, scale=Fraction(1), l1=1, epsilon=Fraction(1))

    assert noisy.dtype == np.int64
    assert noisy.shape == values.shape
    assert values.tolist() == [3, -4, 2**40]


def test_secure_noise_differs_between_calls_and_between_sources() -> None:
    source = SecureNoise()

    draws = [noise_of(source, Fraction(2**20), 20), noise_of(source, Fraction(2**20), 20)]
    draws.append(noise_of(SecureNoise(), Fraction(2**20), 20))

    assert len({tuple(noise.tolist()) for noise in draws}) == 3


def test_secure_noise_does_not_listen_to_numpy_seeds() -> None:
    draws = []
    for _ in range(2):
        np.random.seed(0)  # noqa: NPY002 — what a caller might do in the hope of repeating noise
        draws.append(noise_of(SecureNoise(), Fraction(2**20), 20).tolist())

    assert draws[0] != draws[1]


def test_seeded_noise_repeats_for_a_seed_and_goes_on_within_a_run() -> None:
    first, second = SeededNoise.of(5), SeededNoise.of(5)
    scale = Fraction(1000)

    start, repeated, further = (
        noise_of(source, scale, 20).tolist() for source in (first, second, first)
    )

    assert start == repeated
    assert further != start
    assert noise_of(SeededNoise.of(6), scale, 20).tolist() != start


def test_only_the_operating_system_s_generator_counts_as_secure() -> None:
    assert SecureNoise().secure
    assert not SeededNoise.of(0).secure


@pytest.mark.parametrize(
    "short", [Fraction(1, 2), Fraction(99, 100), 1 - Fraction(1, 10**9), 1 - Fraction(1, 10**30)]
)
def test_a_scale_that_does_not_pay_for_the_sensitivity_is_refused(short) -> None:
    values = np.zeros(1, dtype=np.int64)

    with pytest.raises(InternalError, match="disagrees with the noise scale"):
        SecureNoise().laplace(values, scale=short * 1000, l1=1000, epsilon=Fraction(1))


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 3), Fraction(10**9), 1], ids=str)
@pytest.mark.parametrize("l1", [1, 3, 100, 2**20, 7 * 2**20])
def test_the_scale_that_the_proof_asks_for_is_the_one_that_opendp_asks_for(l1, epsilon) -> None:
    values = np.zeros(1, dtype=np.int64)
    epsilon = Fraction(epsilon)
    scale = l1 / epsilon

    noisy = SecureNoise().laplace(values, scale=scale, l1=l1, epsilon=epsilon)

    assert noisy.shape == (1,)
    rounding = Fraction(1, 2**48)
    price = Fraction(opendp_laplace(scale).map(l1))
    assert epsilon * (1 - rounding) <= price <= epsilon * (1 + rounding)
    assert Fraction(opendp_laplace(scale * (1 - 8 * rounding)).map(l1)) > epsilon


def test_noisy_integers_that_would_leave_64_bits_stop_at_a_public_bound() -> None:
    values = np.repeat(np.array([-(2**63), -5, 2**63 - 1]), 2000)

    noisy = SecureNoise().laplace(values, scale=Fraction(2**61), l1=1, epsilon=Fraction(1))

    assert (noisy.min(), noisy.max()) == (-(2**61), 2**61)
    low, middle, high = noisy.reshape(3, -1)
    # From its own end, a half goes beyond it; from zero, each end is reached with e⁻¹/2.
    assert happens(low == -(2**61), 1 / 2, among=4)
    assert happens(high == 2**61, 1 / 2, among=4)
    assert happens(middle == 2**61, math.exp(-1) / 2, among=4)
    assert happens(low == 2**61, math.exp(-2) / 2, among=4)


@pytest.mark.parametrize("source", SOURCES)
def test_choices_follow_the_exponential_law(source) -> None:
    losses, rate = np.array([0, 1, 1, 5], dtype=np.int64), Fraction(2, 5)
    weights = np.exp(-0.4 * losses)

    found = SOURCES[source]().choices(np.tile(losses, (DRAWS // 2, 1)), rate=rate)

    for candidate, share in enumerate(weights / weights.sum()):
        count = int(np.sum(found == candidate))
        assert binomtest(count, DRAWS // 2, share).pvalue > FALSE_ALARM / 4
        if share > 0.2:
            assert binomtest(count, DRAWS // 2, 0.8 * share).pvalue < FALSE_ALARM


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("dimensions", [1, 3])
def test_noise_of_a_cube_is_added_to_every_row_and_the_input_is_left_alone(
    source, dimensions
) -> None:
    rows = np.full((DRAWS, dimensions), 10**6, dtype=np.int64)

    noisy = SOURCES[source]().cube(rows, scale=3)

    assert (rows == 10**6).all()
    assert fits(sizes(noisy - rows), shell_law(3, dimensions))


@pytest.mark.parametrize("source", SOURCES)
def test_boxes_are_cut_by_the_scale_and_the_depth_that_were_asked_for(source) -> None:
    counts = np.tile([0, 28], DRAWS)

    cut = SOURCES[source]().cut(counts, depth=1, scale=Fraction(40)).reshape(-1, 2)

    assert happens(cut[:, 0], math.exp(-0.7) / 2)
    assert happens(cut[:, 1], 0.5)


@pytest.mark.parametrize("source", SOURCES)
def test_coins_fall_as_often_as_their_parts_say(source) -> None:
    preferences = [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(3)]
    parts = [kept_parts(preference, Fraction(1)) for preference in preferences]

    fallen = SOURCES[source]().coins(np.tile(parts, DRAWS)).reshape(-1, 4)

    for j, preference in enumerate(preferences):
        probability = min(1.0, math.expm1(preference) / math.expm1(1.0))
        assert parts[j] / COIN_PARTS == pytest.approx(probability, rel=1e-12)
        assert happens(fallen[:, j], probability, among=4)
    assert not happens(fallen[:, 0], 0.1, among=4)
    assert fallen[:, 2:].all()


class Fed:
    """A generator of which the next uniform number is known."""

    def __init__(self, number: int) -> None:
        self.number = number

    def bytes(self, count: int) -> bytes:
        """Return the word that makes the number come up."""
        assert count == 8
        return np.array([2 * self.number + 1], dtype=np.uint64).tobytes()


@pytest.mark.parametrize("secure", [True, False])
def test_a_coin_compares_a_uniform_number_with_its_parts(secure, monkeypatch) -> None:
    parts = kept_parts(Fraction(1, 2), Fraction(1))

    for number, expected in [(0, True), (parts - 1, True), (parts, False), (2**62 - 1, False)]:
        fed = Fed(number)
        monkeypatch.setattr("covey.core.source.os.urandom", fed.bytes)
        source = SecureNoise() if secure else SeededNoise(fed)  # type: ignore[arg-type]
        assert source.coins(np.array([parts])).tolist() == [expected]


def test_gaussian_noise_that_does_not_pay_for_its_squares_is_refused() -> None:
    values = np.zeros(3, dtype=np.int64)
    asked = {"variance": Fraction(1), "rho": Fraction(1)}

    assert SecureNoise().gaussian(values, squares=2, **asked).shape == (3,)
    with pytest.raises(InternalError, match="disagrees with the variance"):
        SecureNoise().gaussian(values, squares=3, **asked)


def test_rows_are_placed_anew_each_time() -> None:
    first, second = (SecureNoise().placement().integers(2**62, size=4) for _ in range(2))

    assert first.tolist() != second.tolist()

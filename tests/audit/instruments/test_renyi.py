"""Divergences and deltas of Gaussian draws are those that a sum over their laws gives."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from covey.audit.instruments.drawn import Drawn
from covey.audit.instruments.renyi import attained_delta, attained_rho, divergence
from covey.core.loss import delta_at


def drawn(exact: list[int], variance: float | Fraction, rho: float = 1.0) -> Drawn:
    public = {"variance": Fraction(variance), "squares": 1, "rho": rho}
    return Drawn("gaussian", np.array(exact), public, np.array(exact))


def law(middle: int, variance: float, z: np.ndarray) -> np.ndarray:
    weights = np.exp(-((z - middle) ** 2) / (2.0 * variance))
    return weights / weights.sum()


@pytest.mark.parametrize("variance", [0.3, 1.0, 7.5, 40.0])
@pytest.mark.parametrize("move", [1, 2, 5])
@pytest.mark.parametrize("order", [1.3, 2.0, 3.7])
def test_a_divergence_is_that_of_the_two_laws(variance, move, order) -> None:
    reach = math.ceil(30 * math.sqrt(variance)) + 10 * move
    z = np.arange(-reach, reach + 1)
    here, there = (-((z - middle) ** 2) / (2.0 * variance) for middle in (0, move))
    own = np.logaddexp.reduce(here)  # the same for both, which are moved by whole numbers
    summed = (np.logaddexp.reduce(order * here + (1 - order) * there) - own) / (order - 1)

    found = divergence(drawn([0], variance), drawn([move], variance), order)

    assert found == pytest.approx(summed, rel=1e-9)
    assert found <= order * move**2 / (2 * variance) * (1 + 1e-12)


def test_noise_that_pays_for_its_squares_attains_the_rho_and_no_more() -> None:
    sides = drawn([3, 0, 7], 10), drawn([2, 1, 7], 10)

    assert attained_rho([sides]) == pytest.approx(2 / (2 * 10), rel=1e-12)


def test_a_choice_attains_at_most_an_eighth_of_its_square() -> None:
    losses = [np.array([[0, 0, 0]]), np.array([[1, -1, 1]])]
    public = {"rate": Fraction(1, 2)}  # epsilon = 1 for moves of at most 1
    sides = tuple(Drawn("choices", each, public, np.array([0])) for each in losses)

    assert 0.8 / 8 < attained_rho([sides]) <= 1 / 8


def test_draws_with_other_noise_tell_for_sure() -> None:
    assert attained_rho([(drawn([0], 1), drawn([0], 2))]) == math.inf


@pytest.mark.parametrize("variance", [4.0, 25.0])
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_a_delta_is_the_sum_of_what_is_beyond_epsilon(variance, epsilon) -> None:
    z = np.arange(-300, 301)
    here, there = law(0, variance, z), law(3, variance, z)
    summed = np.maximum(0, here - math.exp(epsilon) * there).sum()

    found = attained_delta([(drawn([0], variance), drawn([3], variance))], epsilon)

    assert found == pytest.approx(summed, rel=1e-9)
    rho = Fraction(9) / (2 * Fraction(variance))
    assert found <= delta_at(rho, Fraction(epsilon))


def test_moves_in_two_cells_are_one_move_along_both() -> None:
    z = np.arange(-60, 61)
    one, two = law(0, 6.0, z), law(1, 6.0, z)
    here, there = np.outer(one, two), np.outer(two, one)
    summed = np.maximum(0, here - math.e**0.5 * there).sum()

    found = attained_delta([(drawn([0, 1, 5], 6), drawn([1, 0, 5], 6))], 0.5)

    assert found == pytest.approx(summed, rel=1e-9)


def test_equal_inputs_need_no_delta() -> None:
    assert attained_delta([(drawn([4], 2), drawn([4], 2))], 0.1) == 0.0

"""Noise in a cube has probability ∝ exp(−largest coordinate / scale), exactly."""

from __future__ import annotations

import itertools
import math
import os

import numpy as np
import pytest

from covey.core.exact import cube_noise
from covey.core.meter import LARGEST_CUBE
from tests.core.frequencies import fits, happens
from tests.core.law import has_law, has_scale, shell_law, sizes

DRAWS = 20_000


@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("dimensions", [1, 2, 5])
def test_the_largest_coordinate_has_its_law_and_not_that_of_a_scale_a_fifth_off(
    dimensions, scale
) -> None:
    found = sizes(cube_noise(scale, (DRAWS, dimensions), os.urandom))

    assert fits(found, shell_law(scale, dimensions))
    assert not fits(found, shell_law(0.8 * scale, dimensions))
    assert not fits(found, shell_law(1.2 * scale, dimensions))


@pytest.mark.parametrize("scale", [1, 3])
def test_points_of_the_same_size_are_equally_likely(scale) -> None:
    noise = cube_noise(scale, (DRAWS, 2), os.urandom)

    # P(z) = exp(−|z|/b) / Z with Z = Σ shells · exp(−r/b); a point is coded as 100·x + y.
    whole = sum(8 * max(r, 1 / 8) * math.exp(-r / scale) for r in range(400))
    law = {
        100 * x + y: math.exp(-max(abs(x), abs(y)) / scale) / whole
        for x, y in itertools.product(range(-3, 4), repeat=2)
    }
    assert fits(100 * noise[:, 0] + noise[:, 1], law)


def test_given_its_size_a_point_of_five_dimensions_is_uniform_on_the_shell() -> None:
    noise = cube_noise(1, (DRAWS, 5), os.urandom)

    shell = noise[sizes(noise) == 2]
    # Of the 5⁵ − 3⁵ points of this shell, 2·(5⁴) have a first coordinate of ±2.
    points = 5**5 - 3**5
    extreme = 5**4 / points
    inside = (5**4 - 3**4) / points
    law = {-2: extreme, -1: inside, 0: inside, 1: inside, 2: extreme}
    for coordinate in shell.T:
        assert fits(coordinate, law)
    both = (np.abs(shell[:, 0]) == 2) & (np.abs(shell[:, 4]) == 2)
    assert happens(both, 4 * 5**3 / points)


def test_one_dimension_is_the_discrete_laplace_law() -> None:
    noise = cube_noise(3, (DRAWS, 1), os.urandom)[:, 0]

    assert has_law(noise, 3.0, cells=8)
    assert [has_scale(noise, factor * 3.0) for factor in (0.8, 1.0, 1.2)] == [False, True, False]


def test_rows_are_independent() -> None:
    found = sizes(cube_noise(2, (DRAWS, 2), os.urandom))
    law = shell_law(2, 2)
    small = sum(law[r] for r in range(3))

    together = (found[:-1:2] <= 2) & (found[1::2] <= 2)

    assert happens(together, small**2)


def test_large_noise_has_the_standard_deviation_that_the_proof_page_names() -> None:
    scale, dimensions = 10**9, 5

    noise = cube_noise(scale, (DRAWS, dimensions), os.urandom)

    expected = scale * math.sqrt((dimensions + 1) * (dimensions + 2) / 3)
    assert noise.std(axis=0) == pytest.approx(np.full(dimensions, expected), rel=0.05)


def test_the_low_digits_of_large_noise_are_random_too() -> None:
    noise = cube_noise(2**54 + 1, (DRAWS, 1), os.urandom)

    assert happens(noise % 2 == 1, 1 / 2)


def test_no_rows_stay_without_rows() -> None:
    assert cube_noise(5, (0, 3), os.urandom).shape == (0, 3)


def test_the_largest_scale_is_exact_in_many_dimensions() -> None:
    noise = cube_noise(LARGEST_CUBE, (50, 100), os.urandom)

    # The size is about a hundred scales; a sum that had overflowed would be anywhere.
    assert (sizes(noise) > 40 * LARGEST_CUBE).all()
    assert (sizes(noise) < 250 * LARGEST_CUBE).all()

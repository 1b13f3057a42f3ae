"""Noise in a cube has probability ∝ exp(−largest coordinate / scale), and pays for its claim."""

from __future__ import annotations

import itertools
import math
import os
from fractions import Fraction

import numpy as np
import pytest

from covey.errors import PlanError, UnprovenError
from covey.perturb import SecureNoise, SeededNoise, add_cube
from covey.perturb.cube import cube_noise
from covey.privacy import Budget, PrivacyUnit, Sensitivity, sensitivity
from tests.perturb.frequencies import fits, happens
from tests.perturb.law import has_law, has_scale

DRAWS = 20_000


def shell_law(scale: float, dimensions: int) -> dict[int, float]:
    """Return the probability of each size of the largest coordinate, up to a rare one."""
    points = [1] + [(2 * r + 1) ** dimensions - (2 * r - 1) ** dimensions for r in range(1, 400)]
    weights = np.array([number * math.exp(-r / scale) for r, number in enumerate(points)])
    shares = weights / weights.sum()
    return {r: float(share) for r, share in enumerate(shares) if share > 1e-4}


def sizes(noise: np.ndarray) -> np.ndarray:
    return np.abs(noise).max(axis=1)


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


def cube_of(vectors, *, l1=20, epsilon="0.3", source=None):
    return add_cube(
        vectors,
        sensitivity=Sensitivity(l1=l1, unit=PrivacyUnit.REPLACE_RECORD, claim="private-tree"),
        budget=Budget.of(epsilon),
        source=source or SecureNoise(),
    )


def test_the_scale_is_the_sensitivity_over_epsilon_rounded_up() -> None:
    assert cube_of([np.zeros((1, 2), dtype=np.int64)]).scale == 67
    assert cube_of([np.zeros((1, 2), dtype=np.int64)], l1=21).scale == 70
    assert cube_of([np.zeros((1, 2), dtype=np.int64)], l1=1, epsilon=50).scale == 1


@pytest.mark.parametrize("source", [SecureNoise(), SeededNoise.of(4)], ids=["secure", "seeded"])
def test_noise_of_that_scale_is_added_to_every_group_and_the_input_is_left_alone(source) -> None:
    groups = [
        np.full((DRAWS, 1), 10**6, dtype=np.int64),
        np.full((DRAWS, 3), -(10**6), dtype=np.int64),
    ]

    found = cube_of(groups, l1=3, epsilon=1, source=source)

    assert found.scale == 3
    for before, after in zip(groups, found.vectors, strict=True):
        assert (np.abs(before) == 10**6).all()
        assert fits(sizes(after - before), shell_law(3, before.shape[1]))


def test_the_account_names_cost_unit_claim_and_source() -> None:
    found = add_cube(
        [np.zeros((2, 2), dtype=np.int64)],
        sensitivity=sensitivity("private-tree", "leaves-add-remove", unit=5),
        budget=Budget.of("0.1"),
        source=SeededNoise.of(1),
    )

    assert found.epsilon == Fraction(1, 10)
    assert found.scale == 50
    assert found.unit is PrivacyUnit.ADD_REMOVE_RECORD
    assert found.claim == "private-tree"
    assert not found.secure
    assert cube_of([]).secure


def test_groups_without_rows_stay_without_rows() -> None:
    found = cube_of([np.zeros((0, 3), dtype=np.int64), np.zeros((1, 1), dtype=np.int64)])

    assert [rows.shape for rows in found.vectors] == [(0, 3), (1, 1)]


def test_the_largest_scale_is_exact_in_many_dimensions_and_a_larger_one_is_refused() -> None:
    zeros = [np.zeros((50, 100), dtype=np.int64)]

    noise = cube_of(zeros, l1=2**50, epsilon=1).vectors[0]

    # The size is about a hundred scales; a sum that had overflowed would be anywhere.
    assert (sizes(noise) > 40 * 2**50).all()
    assert (sizes(noise) < 250 * 2**50).all()
    with pytest.raises(PlanError, match="too small for exact noise"):
        cube_of(zeros, l1=2**50 + 1, epsilon=1)


@pytest.mark.parametrize("l1", [0, -1])
def test_a_sensitivity_that_would_add_no_noise_is_refused(l1) -> None:
    with pytest.raises(UnprovenError, match="not positive, so no noise would be added"):
        cube_of([np.zeros((1, 1), dtype=np.int64)], l1=l1)

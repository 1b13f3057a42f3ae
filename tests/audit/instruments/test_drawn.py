"""The laws that exact losses are computed with are those that the samplers draw."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from covey.audit.instruments.drawn import LAWS, Drawn
from covey.core.exact import COIN_PARTS
from covey.seeded import SeededNoise

SCALE = Fraction(5, 2)
LAPLACE = {"scale": SCALE, "l1": 1, "epsilon": 1 / SCALE}
LOSSES = [0, 3, 1]


def probabilities(mechanism: str, exact, results, **public) -> np.ndarray:
    """Return the probability of each possible result of one entry."""
    exact = np.repeat(np.array([exact]), len(results), axis=0)
    return np.exp(LAWS[mechanism](exact, np.array(results), **public))


def cube(exact, *, reach: int, scale: int) -> tuple[list, np.ndarray]:
    """Return all rows that are near, and their probabilities: the law leaves a constant out."""
    rows = list(itertools.product(range(-reach, reach + 1), repeat=len(exact)))
    found = probabilities("cube", exact, rows, scale=scale)
    return rows, found / found.sum()


@pytest.mark.parametrize(
    ("mechanism", "exact", "results", "public"),
    [
        ("laplace", 3, range(-200, 200), LAPLACE),
        ("cut", 4, [False, True], {"depth": 0, "scale": SCALE}),
        ("cut", 4, [False, True], {"depth": 6, "scale": SCALE}),
        ("choices", LOSSES, [0, 1, 2], {"rate": Fraction(1, 3)}),
        ("coins", COIN_PARTS // 3, [False, True], {}),
    ],
    ids=str,
)
def test_the_probabilities_of_all_results_add_up_to_one(mechanism, exact, results, public) -> None:
    assert probabilities(mechanism, exact, list(results), **public).sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("mechanism", "exact", "results", "public"),
    [
        ("laplace", 3, list(range(-40, 46)), LAPLACE),
        ("cut", 4, [False, True], {"depth": 2, "scale": SCALE}),
        ("cut", 0, [False, True], {"depth": 1, "scale": SCALE}),
        ("choices", LOSSES, [0, 1, 2], {"rate": Fraction(1, 3)}),
        ("coins", COIN_PARTS // 3, [False, True], {}),
    ],
    ids=str,
)
def test_samplers_draw_each_result_as_often_as_its_law_says(
    mechanism, exact, results, public
) -> None:
    runs = 40_000

    drawn = getattr(SeededNoise.of(4), mechanism)(np.array([exact] * runs), **public)

    often = np.array([(drawn == result).mean() for result in results])
    law = probabilities(mechanism, exact, results, **public)
    assert np.abs(often - law).max() < 4 * np.sqrt(0.25 / runs)


def test_rows_in_a_cube_are_drawn_as_often_as_their_law_says() -> None:
    runs, exact = 40_000, [1, -2]
    rows, law = cube(exact, reach=30, scale=2)

    drawn = SeededNoise.of(4).cube(np.array([exact] * runs), scale=2)

    often = np.array([(drawn == row).all(axis=1).mean() for row in rows])
    assert np.abs(often - law).max() < 4 * np.sqrt(law.max() / runs)


def test_draws_are_equal_if_requests_values_and_results_are() -> None:
    def drawn(exact=(1, 2), result=(3, 4), **public) -> Drawn:
        return Drawn("laplace", np.array(exact), {**LAPLACE, **public}, np.array(result))

    assert drawn() == drawn()
    assert drawn().request == drawn(exact=(7, 7)).request
    assert drawn().request != drawn(exact=(7,), result=(3,)).request
    assert drawn() != drawn(exact=(1, 3))
    assert drawn() != drawn(result=(3, 5))
    assert drawn() != drawn(scale=SCALE * 2)
    assert drawn() != "a draw"

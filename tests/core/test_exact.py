"""Events and integers have exactly the laws that the proofs speak of, and no float takes part."""

from __future__ import annotations

import ast
import inspect
import math
import os
import secrets
import textwrap
from fractions import Fraction

import numpy as np
import pytest

from covey.core import digits, exact, gauss
from covey.core.exact import bernoulli_exp, choice, geometric
from tests.core.frequencies import fits, happens

DRAWS = 20_000


@pytest.mark.parametrize(
    "x", [Fraction(3, 10), Fraction(1), Fraction(17, 10), Fraction(2), Fraction(7, 2)], ids=str
)
def test_an_event_has_probability_exp_minus_x_and_not_that_of_an_x_a_fifth_off(x) -> None:
    events = bernoulli_exp(np.full(DRAWS, x.numerator), x.denominator, os.urandom)

    assert happens(events, math.exp(-x))
    assert not happens(events, math.exp(-0.8 * x))
    assert not happens(events, math.exp(-1.2 * x))


def test_a_small_x_and_a_fraction_in_higher_terms_have_their_probability_too() -> None:
    rare_failures = ~bernoulli_exp(np.full(200_000, 1), 1000, os.urandom)
    reduced = bernoulli_exp(np.full(DRAWS, 700_000), 1_000_000, os.urandom)

    assert happens(rare_failures, -math.expm1(-0.001))
    assert happens(reduced, math.exp(-0.7))


def test_the_series_is_followed_beyond_its_first_terms() -> None:
    # A fourth factor of 1/3 for 1/4 would give 0.375, not exp(−1) = 0.3679.
    events = bernoulli_exp(np.ones(400_000, dtype=np.int64), 1, os.urandom)

    assert happens(events, math.exp(-1))
    assert not happens(events, 0.375)


def test_x_of_zero_is_certain_and_needs_no_luck() -> None:
    assert bernoulli_exp(np.zeros(1000, dtype=np.int64), 7, os.urandom).all()


@pytest.mark.parametrize("x", [50, 10**9, 2**60])
def test_a_large_x_does_not_happen_and_does_not_take_long(x) -> None:
    assert not bernoulli_exp(np.full(1000, x), 1, os.urandom).any()


def test_events_of_one_array_have_their_own_probabilities_and_are_independent() -> None:
    numerators = np.tile([0, 1, 3, 10, 50], DRAWS)

    events = bernoulli_exp(numerators, 2, os.urandom).reshape(-1, 5)

    for place, x in enumerate([0.0, 0.5, 1.5, 5.0, 25.0]):
        assert happens(events[:, place], math.exp(-x))
    assert happens(events[:, 1] & events[:, 2], math.exp(-2.0))


def test_the_numerators_are_left_alone() -> None:
    numerators = np.array([0, 5, 70])

    bernoulli_exp(numerators, 10, os.urandom)

    assert numerators.tolist() == [0, 5, 70]


def geometric_law(scale: float) -> dict[int, float]:
    step = math.exp(-1 / scale)
    return {g: (1 - step) * step**g for g in range(round(4 * scale) + 1)}


@pytest.mark.parametrize("scale", [1, 2, 3, 10])
def test_geometric_draws_follow_their_law_number_by_number(scale) -> None:
    found = geometric(scale, DRAWS, os.urandom)

    assert found.dtype == np.int64
    assert fits(found, geometric_law(scale))
    assert not fits(found, geometric_law(0.8 * scale))
    assert not fits(found, geometric_law(1.2 * scale))


def test_the_low_digits_of_very_large_draws_are_as_random_as_the_high_ones() -> None:
    # A float of this size is a multiple of 8, so its parity would give it away.
    scale = 2**55 + 1

    found = geometric(scale, DRAWS, os.urandom)

    assert happens(found % 2 == 1, 1 / 2)
    assert happens(found > scale, math.exp(-1))


def test_a_choice_follows_the_exponential_law_for_any_rational_rate() -> None:
    losses, rate = [0, 3, 3, 11], Fraction(2, 7)
    weights = np.exp([-float(rate * loss) for loss in losses])

    found = [choice(losses, rate, secrets.randbelow) for _ in range(DRAWS)]

    assert fits(found, dict(enumerate(weights / weights.sum())))
    wrong = np.exp([-1.2 * float(rate * loss) for loss in losses])
    assert not fits(found, dict(enumerate(wrong / wrong.sum())))


def test_a_choice_with_certain_and_impossible_candidates_takes_the_certain_one() -> None:
    assert {choice([10**6, 0, 10**6], Fraction(1), secrets.randbelow) for _ in range(50)} == {1}


SAMPLERS = [
    exact.uniform_below,
    exact._bits,
    exact.bernoulli_exp,
    exact._below_one,
    exact.geometric,
    exact.choice,
    exact._one_bernoulli_exp,
    exact._one_below_one,
    exact.cube_noise,
    exact.cut_boxes,
    digits.Digit.draw,
    digits.Digit._settle,
    digits.geometric_noise,
    digits.laplace_noise,
    gauss.gaussian_noise,
    gauss._candidates,
    gauss._endless,
    gauss.reaches,
    gauss._settle,
]
INEXACT = {"float", "float32", "float64", "exp", "log", "log1p", "expm1", "sqrt", "random", "math"}


def inexact_parts(code: str) -> list[str]:
    """Return what in a function could compute with floats: division, powers, functions, numbers."""
    found = []
    for node in ast.walk(ast.parse(textwrap.dedent(code))):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            found.append(str(node.value))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Pow):
            # Powers of written numbers, such as 2**63, are whole.
            if isinstance(node.op, ast.Div) or not isinstance(node.right, ast.Constant):
                found.append(type(node.op).__name__)
        elif isinstance(node, ast.Attribute) and node.attr in INEXACT:
            found.append(node.attr)
        elif isinstance(node, ast.Name) and node.id in INEXACT:
            found.append(node.id)
    return found


@pytest.mark.parametrize("sampler", SAMPLERS, ids=lambda sampler: sampler.__qualname__)
def test_no_float_takes_part_in_a_draw(sampler) -> None:
    assert inexact_parts(inspect.getsource(sampler)) == []


@pytest.mark.parametrize(
    "code", ["x = 0.5", "y = a / b", "y = np.exp(x)", "y = math.pi", "y = float(x)", "y = x ** z"]
)
def test_the_search_for_floats_finds_them(code) -> None:
    assert inexact_parts(code)

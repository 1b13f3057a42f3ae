"""A budget is exact, and what is split off never adds up to more than the whole."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core import Budget
from covey.core.budget import LARGEST, SMALLEST
from covey.errors import PlanError

epsilons = st.fractions(min_value=SMALLEST, max_value=LARGEST)
weights = st.lists(
    st.one_of(
        st.fractions(min_value=Fraction(1, 10**6), max_value=10**6),
        st.floats(min_value=1e-300, max_value=1e300),
        st.integers(1, 10**12),
    ),
    min_size=1,
    max_size=8,
)


@given(epsilon=epsilons, weights=weights)
def test_the_parts_of_a_budget_add_up_to_the_whole_and_no_more(epsilon, weights) -> None:
    parts = Budget.of(epsilon).split(weights)

    assert sum(part.epsilon for part in parts) == epsilon
    assert all(part.epsilon > 0 for part in parts)


@given(epsilon=epsilons, weights=weights)
def test_parts_that_are_read_as_floats_do_not_exceed_the_whole_either(epsilon, weights) -> None:
    parts = Budget.of(epsilon).split(weights)

    assert sum(Fraction(part.value) for part in parts) <= epsilon


@given(epsilon=epsilons, first=weights, second=weights)
def test_splitting_a_part_again_stays_within_that_part(epsilon, first, second) -> None:
    part = Budget.of(epsilon).split(first)[0]

    assert sum(piece.epsilon for piece in part.split(second)) == part.epsilon


@given(epsilon=epsilons)
def test_the_value_of_a_budget_is_the_largest_float_that_is_not_above_it(epsilon) -> None:
    import math

    value = Budget.of(epsilon).value

    assert Fraction(value) <= epsilon < Fraction(math.nextafter(value, math.inf))


@pytest.mark.parametrize(
    ("typed", "exact"),
    [
        (0.1, Fraction(1, 10)),
        ("0.1", Fraction(1, 10)),
        (0.3, Fraction(3, 10)),
        (1, Fraction(1)),
        ("1e-3", Fraction(1, 1000)),
        ("1/3", Fraction(1, 3)),
        (Fraction(2, 7), Fraction(2, 7)),
    ],
)
def test_an_epsilon_is_the_decimal_that_was_typed(typed, exact) -> None:
    assert Budget.of(typed).epsilon == exact


def test_three_tenths_in_three_parts_are_three_times_one_tenth() -> None:
    assert [part.epsilon for part in Budget.of(0.3).split([1, 1, 1])] == [Fraction(1, 10)] * 3


@pytest.mark.parametrize(
    "wrong",
    [0, 0.0, -1, -0.1, "0", "-2", float("nan"), float("inf"), -float("inf"), "nan", "inf", "much"],
)
def test_an_epsilon_that_is_not_positive_and_finite_is_refused(wrong) -> None:
    with pytest.raises(PlanError, match=r"epsilon = .* is not a positive finite number"):
        Budget.of(wrong)


@pytest.mark.parametrize("wrong", [None, [1.0], {}, b"1"])
def test_an_epsilon_that_is_no_number_is_refused(wrong) -> None:
    with pytest.raises(PlanError, match="not a positive finite number"):
        Budget.of(wrong)


@pytest.mark.parametrize("wrong", ["1e-10", 5e-324, "1e-400", "1e10", 1e308, "1e400"])
def test_an_epsilon_out_of_all_proportion_is_refused_with_the_usual_range(wrong) -> None:
    with pytest.raises(PlanError, match=r"out of all proportion.*between 1e-09 and 1e\+09"):
        Budget.of(wrong)


@pytest.mark.parametrize("wrong", [[], [0], [1, 0], [1, -1], [Fraction(-1, 2)]])
def test_a_part_without_a_positive_share_is_refused(wrong) -> None:
    with pytest.raises(PlanError, match="shares of the privacy budget are not all positive"):
        Budget.of(1).split(wrong)

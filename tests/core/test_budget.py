"""A budget is exact, and what is split off never adds up to more than the whole."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core import Budget
from covey.core.budget import LARGEST, SMALLEST
from covey.core.loss import largest_rho
from covey.errors import InternalError, PlanError

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


@pytest.mark.parametrize("wrong", [[1.0], {}, b"1"])
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


@pytest.mark.parametrize(
    "typed",
    [True, "1e999999999", "1e-999999999", "9" * 5000, 10**5000, "1/" + "9" * 4000],
    ids=range(6),
)
def test_a_number_of_a_billion_digits_is_refused_at_once_and_not_quoted_in_full(typed) -> None:
    with pytest.raises(PlanError, match="epsilon = ") as refused:
        Budget.of(typed)

    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("epsilon", ["0.1", "1", "3", "20"])
@pytest.mark.parametrize("delta", ["1e-12", "1e-9", "1e-3"])
def test_an_epsilon_and_a_delta_are_the_rho_that_implies_them(epsilon, delta) -> None:
    found = Budget.of(epsilon, delta=delta)

    assert found.implied == Fraction(epsilon)
    assert found.rho == largest_rho(Fraction(epsilon), Fraction(delta))
    with pytest.raises(InternalError):
        _ = found.epsilon


def test_a_rho_is_the_decimal_that_was_typed() -> None:
    assert Budget.of(rho=0.1).rho == Fraction(1, 10)
    with pytest.raises(InternalError):
        _ = Budget.of(1).rho


@pytest.mark.parametrize(
    "wrong",
    [{}, {"epsilon": 1, "rho": 1}, {"delta": 1e-9}, {"rho": 1, "delta": 1e-9}],
    ids=str,
)
def test_a_loss_is_bounded_in_one_way(wrong) -> None:
    with pytest.raises(PlanError, match=r"bounded in one way.*nothing was published"):
        Budget.of(**wrong)


@pytest.mark.parametrize("delta", [0, 0.1, 1, -1, "nan", "much"])
def test_a_delta_that_protects_nobody_is_refused_with_the_reason(delta) -> None:
    with pytest.raises(PlanError, match=r"one person in ten.*leave delta out"):
        Budget.of(1, delta=delta)


@given(rho=st.fractions(Fraction(1, 10**6), 100), parts=st.integers(1, 9), choice=st.booleans())
def test_pure_mechanisms_cost_no_more_than_the_rho_that_pays_for_them(rho, parts, choice) -> None:
    each = Budget(rho, Fraction(1, 10**9)).of_each(parts, choice=choice)
    cost = parts * each**2 / (8 if choice else 2)

    assert cost <= rho <= cost * (1 + Fraction(1, 10**9))

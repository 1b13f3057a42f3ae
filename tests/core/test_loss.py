"""Losses compose exactly, and imply what two public accounting libraries say, on the safe side."""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from dp_accounting import ZCDpEvent
from dp_accounting.rdp import RdpAccountant
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.core import Bill, Budget, Paid, PrivacyUnit
from covey.core.loss import delta_at, epsilon_at, largest_rho
from covey.errors import PlanError
from tests.core.opendp import opendp_profile, opendp_rho

CLOSE = 1e-6
ROUNDING = 1e-12
"""The libraries compute with floats of their own."""

WIDE = Context(prec=60)
DELTAS = [Fraction(1, 10**power) for power in (12, 9, 6, 3)]
RHOS = [Fraction(rho) for rho in ("0.0001", "0.00395", "1/60", "0.12", "1", "10")]
fractions = st.fractions(Fraction(1, 10**6), 100, max_denominator=10**9)


def google_epsilon(rho: Fraction, delta: Fraction) -> float:
    """Return what Google's accountant says of a rho, with orders near the best one."""
    best = 1 + math.sqrt(math.log(1 / delta) / rho)
    orders = 1 + (best - 1) * np.linspace(0.2, 1.5, 8001)
    accountant = RdpAccountant(orders.tolist())
    return float(accountant.compose(ZCDpEvent(float(rho))).get_epsilon(float(delta)))


@pytest.mark.parametrize("delta", DELTAS, ids=lambda delta: f"{float(delta):g}")
@pytest.mark.parametrize("rho", RHOS, ids=str)
def test_a_rho_implies_what_opendp_and_google_say(rho, delta) -> None:
    ours = epsilon_at(rho, delta)

    for theirs in (opendp_profile(rho).epsilon(float(delta)), google_epsilon(rho, delta)):
        assert float(ours) == pytest.approx(theirs, rel=CLOSE)
    # Not below the tightest of them, which are safe themselves, up to their own rounding.
    assert ours >= opendp_profile(rho).epsilon(float(delta)) * (1 - ROUNDING)


@pytest.mark.parametrize("epsilon", ["1/10", "1/2", "1", "3", "10"])
@pytest.mark.parametrize("rho", RHOS, ids=str)
def test_the_delta_of_an_epsilon_is_opendp_s(rho, epsilon) -> None:
    ours = delta_at(rho, Fraction(epsilon))
    theirs = opendp_profile(rho).delta(float(Fraction(epsilon)))

    # OpenDP says 1 where little is left, and 0 where it is out of sight.
    if 1e-290 < theirs < 0.99:
        assert float(ours) == pytest.approx(theirs, rel=CLOSE)
        assert ours >= theirs * (1 - 1e-9)
    assert 0 < ours <= 1


@pytest.mark.parametrize(
    ("epsilon", "rho"), [("0.5", 0.00395), ("1", 0.01497), ("3", 0.12058)], ids=str
)
def test_the_largest_rho_is_what_the_field_knows(epsilon, rho) -> None:
    found = largest_rho(Fraction(epsilon), Fraction(1, 10**9))

    assert round(float(found), 5) == rho


@given(epsilon=fractions, power=st.integers(1, 40))
def test_the_largest_rho_implies_its_epsilon_and_a_larger_one_does_not(epsilon, power) -> None:
    delta = Fraction(1, 10**power)
    rho = largest_rho(epsilon, delta)
    more = rho * (1 + Fraction(1, 10**6))

    assert epsilon_at(rho, delta) == pytest.approx(epsilon, rel=1e-9)
    assert epsilon_at(more, delta) > epsilon
    assert delta_at(rho, epsilon) == pytest.approx(delta, rel=1e-6)


@given(rho=fractions, power=st.integers(1, 40))
def test_conversions_are_on_the_safe_side_of_the_true_bound_at_every_order(rho, power) -> None:
    delta = Fraction(1, 10**power)
    epsilon = epsilon_at(rho, delta)

    # No order gives less than what was found, up to floats and the search.
    for a in np.exp(np.linspace(-14, 14, 200)):
        other = (1 + a) * rho + (math.log(1 / delta) - math.log1p(a)) / a - math.log1p(1 / a)
        assert epsilon <= max(0.0, other) * (1 + 1e-9) + 1e-9
    if epsilon > 0:
        assert delta_at(rho, epsilon) <= delta * (1 + Fraction(1, 10**9))


def true_epsilon(rho: Fraction, delta: Fraction) -> Decimal:
    """Return the smallest epsilon over all orders, to dozens of digits, by a search of its own."""
    rho_, delta_ = (WIDE.divide(x.numerator, x.denominator) for x in (rho, delta))

    def at(log: Decimal) -> Decimal:
        a = WIDE.exp(log)
        beyond = WIDE.subtract(-WIDE.ln(delta_), WIDE.ln(1 + a)) / a
        return (1 + a) * rho_ + beyond + WIDE.ln(a / (1 + a))

    with localcontext(WIDE):
        low, high = Decimal(-20), Decimal(20)
        for _ in range(160):
            third = (high - low) / 3
            inner = low + third, high - third
            low, high = (low, inner[1]) if at(inner[0]) < at(inner[1]) else (inner[0], high)
        return at(low)


@settings(max_examples=15)
@given(rho=fractions, power=st.integers(6, 40))
def test_results_are_never_better_than_the_truth_not_even_in_the_last_digit(rho, power) -> None:
    delta = Fraction(1, 10**power)
    epsilon = epsilon_at(rho, delta)
    truth = Fraction(true_epsilon(rho, delta))
    largest = largest_rho(epsilon, delta)

    assert truth <= epsilon <= truth * (1 + Fraction(1, 10**8))
    # What is allowed for that epsilon costs no more than it.
    assert Fraction(true_epsilon(largest, delta)) <= epsilon


@pytest.mark.parametrize("rho", [0.05, 0.5, 2.0])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_gaussian_noise_of_a_rho_needs_no_more_than_the_delta_that_is_given(rho, epsilon) -> None:
    # The true delta of discrete Gaussian noise between neighbours that differ by 1.
    variance = 1 / (2 * rho)
    z = np.arange(-600, 601)
    weights = np.exp(-(z**2) / (2 * variance))
    here, there = weights[1:] / weights.sum(), weights[:-1] / weights.sum()
    true = np.maximum(0.0, here - math.exp(epsilon) * there).sum()

    given_delta = float(delta_at(Fraction(rho), Fraction(epsilon)))

    assert true <= given_delta
    assert given_delta <= max(12 * true, 1e-12)


@given(parts=st.lists(fractions, min_size=1, max_size=6))
def test_losses_add_up_exactly(parts) -> None:
    delta = Fraction(1, 10**9)
    for told in (None, delta):
        paid = [Paid("m", "s", "p", Budget(part, told), {}, part) for part in parts]
        bill = Bill(unit=PrivacyUnit.REPLACE_RECORD, budget=Budget(sum(parts), told), paid=paid)

        assert bill.spent == Budget(sum(parts, Fraction(0)), told)


@pytest.mark.parametrize("epsilon", ["1/10", "1", "7/3"])
def test_a_pure_loss_implies_the_rho_that_opendp_gives_it(epsilon) -> None:
    rho = opendp_rho(Fraction(epsilon))
    found = Budget(Fraction(epsilon) ** 2 / 2, Fraction(1, 10**9)).of_each()

    assert float(Fraction(epsilon) ** 2 / 2) == pytest.approx(rho, rel=1e-12)
    assert Fraction(epsilon) * (1 - Fraction(1, 10**9)) <= found <= Fraction(epsilon)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("order", [1.01, 1.5, 2.0, 5.0, 50.0])
def test_randomised_response_of_an_epsilon_stays_within_its_rho(epsilon, order) -> None:
    # The worst pure mechanism there is: one bit, told truly with odds e^epsilon.
    true = 1 / (1 + math.exp(-epsilon))
    laws = (true, 1 - true), (1 - true, true)
    divergence = math.log(sum(p**order * q ** (1 - order) for p, q in zip(*laws, strict=True))) / (
        order - 1
    )

    assert divergence <= epsilon**2 / 2 * order


def test_nothing_lost_implies_nothing_lost() -> None:
    assert epsilon_at(Fraction(0), Fraction(1, 10**9)) == 0
    assert delta_at(Fraction(0), Fraction(1)) < Fraction(1, 10**300)


@pytest.mark.parametrize("delta", [0, 1, 2, -1])
def test_a_delta_that_promises_nothing_or_too_much_is_refused(delta) -> None:
    for convert in (
        lambda delta: epsilon_at(Fraction(1), delta),
        lambda delta: largest_rho(Fraction(1), delta),
    ):
        with pytest.raises(PlanError, match="not between 0 and 1"):
            convert(Fraction(delta))

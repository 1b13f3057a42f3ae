"""What does one record lose, if a person with several loses no more than a budget?"""

from __future__ import annotations

from fractions import Fraction

import pytest

from covey.core import Bill, Budget, Persons, PrivacyUnit
from covey.errors import PlanError, UnprovenError


@pytest.mark.parametrize("most", [1, 2, 3, 7, 365])
def test_a_pure_loss_is_divided_by_the_records_of_a_person(most) -> None:
    persons, loss = Persons("patient", most), Budget.of(0.1)

    assert persons.each(loss).epsilon == Fraction(1, 10) / most
    assert persons.whole(persons.each(loss)) == loss


@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_a_rho_is_divided_by_their_square_and_keeps_its_delta(most) -> None:
    persons, loss = Persons("patient", most), Budget.of(1, delta=1e-7)

    assert persons.each(loss).rho == loss.rho / most**2
    assert persons.whole(persons.each(loss)) == loss


def test_a_bill_says_what_a_person_loses() -> None:
    share = Persons("patient", 5).each(Budget.of(1))
    bill = Bill(PrivacyUnit.ADD_REMOVE_RECORD, share, Persons("patient", 5))

    assert bill.lost.epsilon == 0
    assert bill.protects is PrivacyUnit.ADD_REMOVE_PERSON


@pytest.mark.parametrize("most", [0, -1, True, 2.0, "3"])
def test_a_bound_that_is_no_positive_whole_number_is_refused(most) -> None:
    with pytest.raises(PlanError, match="contributions"):
        Persons("patient", most)


def test_shares_that_are_noise_alone_are_refused() -> None:
    with pytest.raises(PlanError, match="fewer contributions"):
        Persons("patient", 10**6).each(Budget.of(rho="1e-3"))


def test_nothing_about_persons_follows_from_edges() -> None:
    with pytest.raises(UnprovenError):
        Persons("patient", 2).unit(PrivacyUnit.EDGE)

"""What several mechanisms cost together is the sum, and no stronger than the weakest of them."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest

from covey.errors import InternalError
from covey.perturb import Account, together
from covey.privacy import PrivacyUnit


def account(
    epsilon: str = "1/3",
    *,
    unit: PrivacyUnit = PrivacyUnit.REPLACE_RECORD,
    claim: str = "histogram",
    secure: bool = True,
) -> Account:
    return Account(epsilon=Fraction(epsilon), unit=unit, claim=claim, secure=secure)


def test_costs_add_up_exactly() -> None:
    found = together([account("1/10")] * 3 + [account("7/10")], claim="private-tree")

    assert found.epsilon == 1
    assert found.unit is PrivacyUnit.REPLACE_RECORD
    assert found.claim == "private-tree"
    assert found.secure


def test_one_repeatable_part_makes_the_whole_repeatable() -> None:
    assert not together([account(), account(secure=False)], claim="private-tree").secure


def test_one_unproven_part_leaves_the_whole_unproven() -> None:
    assert together([account(), account(claim="")], claim="private-tree").claim == ""


@pytest.mark.parametrize("other", [PrivacyUnit.ADD_REMOVE_RECORD, PrivacyUnit.NONE])
def test_costs_for_different_neighbours_are_not_added_up(other) -> None:
    with pytest.raises(InternalError, match="different neighbour relations"):
        together([account(), account(unit=other)], claim="private-tree")


def test_nothing_costs_nothing_and_is_refused() -> None:
    with pytest.raises(InternalError):
        together([], claim="private-tree")


def test_an_account_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        account().epsilon = Fraction(0)  # type: ignore[misc]

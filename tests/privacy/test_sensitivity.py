"""No claim, no sensitivity: the allow-list answers for public numbers alone, or refuses."""

import inspect
from dataclasses import FrozenInstanceError

import pytest

import covey
from covey.errors import UnprovenError
from covey.privacy import CLAIMS, PrivacyUnit, Sensitivity, sensitivity

EXAMPLE = 64


def public_numbers(claim) -> dict[str, int]:
    """Return an example for each public number that a claim's bound asks for."""
    return dict.fromkeys(inspect.signature(claim.bound).parameters, EXAMPLE)


def test_the_public_name_is_the_one_allow_list() -> None:
    assert covey.CLAIMS is CLAIMS


@pytest.mark.parametrize(("method", "statistic"), CLAIMS)
def test_a_claim_is_registered_under_what_it_is_about(method, statistic) -> None:
    claim = CLAIMS[method, statistic]

    assert (claim.method, claim.statistic) == (method, statistic)
    assert claim.statement.endswith(".")
    assert claim.unit is not PrivacyUnit.NONE


@pytest.mark.parametrize(("method", "statistic"), CLAIMS)
def test_a_sensitivity_carries_the_unit_and_the_proof_of_its_claim(method, statistic) -> None:
    claim = CLAIMS[method, statistic]

    found = sensitivity(method, statistic, **public_numbers(claim))

    assert found == Sensitivity(
        l1=claim.bound(**public_numbers(claim)), unit=claim.unit, claim=claim.proof
    )


@pytest.mark.parametrize(("method", "statistic"), CLAIMS)
def test_a_bound_is_a_positive_whole_number_and_never_falls_when_a_public_number_grows(
    method, statistic
) -> None:
    claim = CLAIMS[method, statistic]
    numbers = public_numbers(claim)
    bound = claim.bound(**numbers)

    larger = [claim.bound(**numbers | {name: 2 * EXAMPLE}) for name in numbers]

    assert isinstance(bound, int)
    assert bound > 0
    assert all(other >= bound for other in larger)
    assert not numbers or max(larger) > bound


@pytest.mark.parametrize(
    ("method", "statistic"),
    [
        ("mdav", "sums"),
        ("optimal-univariate", "sums"),
        ("rank-blocks", "means"),
        ("rank-blocks", "sizes"),
        ("", ""),
    ],
)
def test_a_statistic_without_a_proof_has_no_sensitivity(method, statistic) -> None:
    with pytest.raises(UnprovenError, match=r"no reviewed proof covers .* add a claim"):
        sensitivity(method, statistic, steps=100)


def test_a_bound_takes_public_numbers_and_nothing_else() -> None:
    with pytest.raises(TypeError):
        sensitivity("rank-blocks", "sums", steps=100, data=[1, 2, 3])


def test_a_sensitivity_cannot_be_changed_afterwards() -> None:
    found = sensitivity("rank-blocks", "sums", steps=100)

    with pytest.raises(FrozenInstanceError):
        found.l1 = 1

"""No claim, no answer: the allow-list speaks of public numbers alone, or refuses."""

from __future__ import annotations

import inspect
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from covey.core import CLAIMS, PrivacyUnit
from covey.core.claims_tables import find_claim
from covey.errors import UnprovenError
from covey.systems import ALL_CLAIMS

EXAMPLE = 64
PROOFS = Path(__file__).parents[2] / "docs" / "proofs"


def public_numbers(claim) -> dict[str, int]:
    """Return an example for each public number that a claim's bound asks for."""
    return dict.fromkeys(inspect.signature(claim.bound).parameters, EXAMPLE)


@pytest.mark.parametrize(("method", "statistic"), ALL_CLAIMS)
def test_a_claim_speaks_of_a_neighbour_relation_and_has_a_page_that_states_it(
    method, statistic
) -> None:
    claim = ALL_CLAIMS[method, statistic]
    page = (PROOFS / f"{claim.proof}.md").read_text(encoding="utf-8")

    assert claim.unit is not PrivacyUnit.NONE
    assert "## Claim" in page


@pytest.mark.parametrize(("method", "statistic"), ALL_CLAIMS)
def test_a_bound_is_a_positive_whole_number_and_never_falls_when_a_public_number_grows(
    method, statistic
) -> None:
    claim = ALL_CLAIMS[method, statistic]
    numbers = public_numbers(claim)
    bound = claim.bound(**numbers)

    larger = [claim.bound(**numbers | {name: 2 * EXAMPLE}) for name in numbers]

    assert isinstance(bound, int)
    assert bound > 0
    assert all(other >= bound for other in larger)
    assert not numbers or max(larger) > bound


PROVEN = {
    ("laplace", "values"): ({"steps": 9}, 9),
    ("exponential", "distance"): ({"steps": 9}, 9),
    ("rank-blocks", "sums"): ({"steps": 9}, 9),
    ("insensitive", "sums"): ({"steps": 9, "clusters": 4}, 36),
    ("insensitive", "chain-sums"): ({"chain": 9}, 9),
    ("insensitive", "marginality"): ({"steps": 9}, 9),
    ("private-tree", "structure"): ({}, 3600),
    ("private-tree", "structure-add-remove"): ({}, 2600),
    ("private-tree", "leaves"): ({"unit": 9}, 18),
    ("private-tree", "leaves-add-remove"): ({"unit": 9}, 9),
    ("private-tree", "size"): ({}, 1),
    ("histogram", "counts"): ({}, 2),
    ("histogram", "counts-add-remove"): ({}, 1),
    ("pair-scores", "scores"): ({}, 2),
    ("pair-scores", "scores-add-remove"): ({}, 1),
    ("rank-products", "sums"): ({"unit": 9, "columns": 4}, 18),
    ("rank-products", "sums-add-remove"): ({"unit": 9, "columns": 4}, 9),
    ("weighted-counts", "sums"): ({"largest": 9}, 18),
    ("weighted-counts", "sums-add-remove"): ({"largest": 9}, 9),
    ("personalised", "records"): ({}, 1),
    ("personalised", "records-add-remove"): ({}, 1),
    ("personalised", "edges"): ({}, 1),
    ("personalised", "nodes"): ({}, 1),
    ("degrees", "sorted-sums"): ({}, 2),
    ("degrees", "histogram"): ({}, 4),
    ("degrees", "cumulative"): ({}, 2),
    ("joint-degrees", "boxes"): ({}, 4),
    ("joint-degrees", "top-coded"): ({"top": 7}, 25),
    ("projected-degrees", "cumulative"): ({"theta": 7}, 8),
    ("projected-degrees", "histogram"): ({"theta": 7}, 15),
    ("projected-joint-degrees", "cells"): ({"theta": 7}, 91),
    ("projected-joint-degrees", "boxes"): ({"theta": 7}, 15),
    ("projected-edges", "sizes"): ({"bounds": 7}, 7),
}
"""What the pages of proofs say, in numbers: of some claims no small neighbours attain it."""


@pytest.mark.parametrize(("method", "statistic"), CLAIMS)
def test_a_bound_is_the_one_that_its_page_proves(method, statistic) -> None:
    numbers, proven = PROVEN[method, statistic]

    assert CLAIMS[method, statistic].bound(**numbers) == proven


PROVEN_SQUARES = {
    ("histogram", "counts"): ({}, 2),
    ("histogram", "counts-add-remove"): ({}, 1),
    ("rank-products", "sums"): ({"unit": 9, "columns": 4}, (4 * 9) ** 2),
    ("rank-products", "sums-add-remove"): ({"unit": 9, "columns": 4}, 6 * 9**2),
    ("weighted-counts", "sums"): ({"largest": 9}, 2 * 9**2),
    ("weighted-counts", "sums-add-remove"): ({"largest": 9}, 9**2),
    ("rank-blocks", "sums"): ({"steps": 9}, 81),
    ("private-tree", "leaves"): ({"unit": 9}, None),
    ("pair-scores", "scores"): ({}, None),
}


@pytest.mark.parametrize(("method", "statistic"), PROVEN_SQUARES)
def test_a_bound_on_squares_is_the_one_that_its_page_proves(method, statistic) -> None:
    numbers, proven = PROVEN_SQUARES[method, statistic]

    assert CLAIMS[method, statistic].squared(numbers) == proven


def test_squares_are_stated_for_no_other_claim_without_a_hunt() -> None:
    stated = {name for name, claim in CLAIMS.items() if claim.squares is not None}

    assert stated == {
        ("histogram", "counts"),
        ("rank-products", "sums"),
        ("rank-products", "sums-add-remove"),
        ("weighted-counts", "sums"),
    }


@pytest.mark.parametrize(("method", "statistic"), CLAIMS)
def test_a_claim_is_found_by_what_it_is_about_and_by_its_neighbour_relation(
    method, statistic
) -> None:
    claim = CLAIMS[method, statistic]

    found = find_claim(method, statistic.removesuffix("-add-remove"), claim.unit)

    assert found is claim


@pytest.mark.parametrize(
    ("method", "statistic"),
    [
        ("mdav", "sums"),
        ("optimal-univariate", "sums"),
        ("rank-blocks", "means"),
        ("rank-blocks", "sizes"),
        ("fixed-partition", "sums"),
        ("", ""),
    ],
)
@pytest.mark.parametrize("unit", PrivacyUnit)
def test_a_statistic_without_a_proof_is_refused(method, statistic, unit) -> None:
    with pytest.raises(UnprovenError, match=r"no reviewed proof covers .* add a claim"):
        find_claim(method, statistic, unit)


@pytest.mark.parametrize(("method", "statistic"), CLAIMS)
def test_a_claim_covers_no_other_neighbour_relation(method, statistic) -> None:
    proven = {
        claim.unit
        for (other, name), claim in CLAIMS.items()
        if other == method and name.startswith(statistic)
    }

    for unit in set(PrivacyUnit) - proven:
        with pytest.raises(UnprovenError, match="no reviewed proof"):
            find_claim(method, statistic, unit)


def test_a_bound_takes_public_numbers_and_nothing_else() -> None:
    with pytest.raises(TypeError):
        CLAIMS["rank-blocks", "sums"].bound(steps=100, data=[1, 2, 3])


def test_a_claim_cannot_be_changed_afterwards() -> None:
    with pytest.raises(FrozenInstanceError):
        CLAIMS["rank-blocks", "sums"].bound = lambda **_: 1  # type: ignore[misc]

"""The exact loss of a pair: infinite if anything shows without noise, else |Δ| over the scale."""

from __future__ import annotations

import math

import numpy as np
import pytest

from covey.audit.law import RecordedLaw
from covey.audit.neighbours import (
    circle,
    largest_record,
    one_in_zeros,
    scattered,
    unit_table,
    zeros_and_ones,
)
from covey.audit.pairs import Recorded, pair_loss, recorded, unordered_loss
from covey.audit.recording import Choices, Sums
from covey.perturb import SeededNoise
from covey.systems import SYSTEMS


def sides(system: str, arrays, **parameters) -> tuple[Recorded, Recorded]:
    here, there = (recorded(SYSTEMS[system], unit_table(X), parameters) for X in arrays)
    return here, there


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_a_record_across_the_range_costs_rank_blocks_exactly_epsilon(epsilon) -> None:
    here, there = sides("rank-blocks", one_in_zeros(20), epsilon=epsilon, k=5)

    assert pair_loss(here, there) == epsilon


@pytest.mark.parametrize(
    ("system", "arrays", "parameters"),
    [
        ("opt-dp", zeros_and_ones(20, 5), {"epsilon": 1.0}),
        ("mdav-ir-dp", scattered(20, 2), {"epsilon": 1.0, "k": 5}),
        ("insensitive", largest_record(8), {"epsilon": 1.0, "k": 4, "paper": True}),
        ("mdav", zeros_and_ones(8, 4), {"k": 3}),
    ],
    ids=["sizes", "combinations", "bounds from the data", "no noise"],
)
def test_what_is_published_without_noise_makes_the_loss_infinite(
    system, arrays, parameters
) -> None:
    here, there = sides(system, arrays, **parameters)

    assert pair_loss(here, there) == math.inf
    assert pair_loss(here, here) == 0.0


def test_clusters_without_an_order_lose_less_than_clusters_with_one() -> None:
    here, there = sides("mdav-dp", circle(100, 25), epsilon=1.0, k=25)

    assert 20.9 <= unordered_loss(here, there) <= pair_loss(here, there)


@pytest.mark.parametrize("change", ["scale", "entries", "requests"])
def test_scales_entries_and_requests_must_not_depend_on_the_data(change) -> None:
    (here, there) = sides("rank-blocks", one_in_zeros(8), epsilon=1.0, k=4)
    (sums,) = there.asked
    changed = {
        "scale": (Sums(integers=sums.integers, scale=sums.scale * 2, l1=1, epsilon=sums.epsilon),),
        "entries": (
            Sums(integers=sums.integers[:1], scale=sums.scale, l1=sums.l1, epsilon=sums.epsilon),
        ),
        "requests": (sums, sums),
    }[change]

    other = Recorded(asked=changed, bare=there.bare, grids=there.grids, sizes=there.sizes)

    assert pair_loss(here, other) == math.inf


def test_the_law_of_choices_falls_as_their_probabilities_say() -> None:
    from fractions import Fraction

    both = [
        Recorded(asked=(Choices(losses=(row,), rate=Fraction(1)),), bare=(), grids=(), sizes=())
        for row in ((0, 1, 2), (1, 0, 2))
    ]
    law = RecordedLaw(words="", here=both[0], there=both[1])

    ratios = law.draw(0, 40_000, SeededNoise.of(1))

    whole = 1 + math.exp(-1) + math.exp(-2)
    assert law.exact == pytest.approx(1.0)
    assert np.mean(ratios == 1.0) == pytest.approx(1 / whole, abs=0.02)
    assert set(np.round(np.unique(ratios), 9)) == {-1.0, 0.0, 1.0}

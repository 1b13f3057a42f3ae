"""Blind noise shows what goes past the noise, and only that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from covey.audit.cases.neighbours import table_pair
from covey.audit.instruments.blind import BlindNoise, interference, sees_a_difference
from covey.audit.instruments.replay import Shipped
from covey.audit.subject import Audited
from covey.systems.sound.rank_blocks import measure
from tests.audit.instruments.test_recording import CALLS, called


def sides(system: str) -> tuple[Shipped, Shipped]:
    arrays = tuple(np.random.default_rng(seed).random((40, 2)) for seed in (1, 2))
    return Audited(system=system, parameters={}).on(table_pair("", arrays))


@pytest.mark.parametrize("mechanism", CALLS)
def test_blind_answers_do_not_depend_on_what_they_replace(mechanism) -> None:
    exact, public = CALLS[mechanism]
    other = np.array(exact)[::-1].copy()

    found = called(BlindNoise(), mechanism)

    assert np.array_equal(found, getattr(BlindNoise(), mechanism)(other, **public))
    assert found.shape == np.shape(exact)[: found.ndim]


@pytest.mark.parametrize("system", ["laplace", "rank-blocks", "insensitive", "private-tree"])
def test_nothing_goes_past_the_noise_of_a_sound_system(system) -> None:
    assert interference(*sides(system)) == ""
    assert sees_a_difference(*sides(system))


def test_what_goes_past_the_noise_is_named() -> None:
    here, there = (
        replace(side, system=replace(side.system, measure=_leaky)) for side in sides("rank-blocks")
    )

    assert interference(here, there) == "the rows"


def _leaky(meter, asked):
    """Measure, and put the largest record in the place of a noisy sum."""
    found = measure(meter, asked)
    largest = meter._Meter__records.table.values("x0").max()
    found[0].values[-1] = int(2**20 * largest)
    return found


def test_the_same_input_twice_shows_nothing() -> None:
    here, _ = sides("laplace")

    assert not sees_a_difference(here, here)

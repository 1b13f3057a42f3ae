"""Fewer records stand for many, and what cannot be simulated is known."""

from __future__ import annotations

import math

import pytest

from covey.choose.candidates import Candidate
from covey.choose.simulation import LARGEST_SIMULATED, SIMULATED, Simulation, simulate_tables
from covey.choose.synthetic import SHAPES
from covey.table import Attribute, Schema

AGE = Schema((Attribute("age", bounds=(0, 120), integer=True),))


def simulation(n: int, **changes) -> Simulation:
    return simulate_tables(AGE, n, **{"looked": None, "progress": None} | changes)


@pytest.mark.parametrize(
    ("n", "largest"), [(8_000, math.inf), (SIMULATED, math.inf), (1_000_000, 0.08)]
)
def test_only_more_records_than_are_simulated_have_a_largest_epsilon(n, largest) -> None:
    assert simulation(n).largest == largest


def test_a_trial_says_what_was_asked_for_and_what_it_was_tried_on() -> None:
    halves = Candidate(system="rank-blocks", size=0.5)

    trials = simulation(2 * SIMULATED).trials(halves, 1.0)

    assert [trial.data for trial in trials] == list(SHAPES)
    for trial in trials:
        assert trial.parameters == halves.parameters(2 * SIMULATED, 1, 1.0)
        assert trial.epsilon == 1.0
        assert trial.seconds > 0


def test_few_records_are_published_several_times_with_different_noise() -> None:
    seeds = [scenario.seeds for scenario in simulation(100).scenarios]

    assert [len(each) for each in seeds] == [5, 5, 5]
    assert len({seed for each in seeds for seed in each}) == 15
    assert all(len(scenario.seeds) == 1 for scenario in simulation(SIMULATED).scenarios)


def test_progress_names_what_is_tried() -> None:
    seen: list[tuple[str, int, int]] = []
    watched = simulation(100, progress=lambda *told: seen.append(told))

    watched.trials(Candidate(system="private-tree"), LARGEST_SIMULATED)

    assert seen == [("trying private-tree at epsilon 8", place, 3) for place in range(3)]

"""What a bound on the records of a person trades, on people who are made up."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import covey
from covey.choose.contributions import bound_trades
from covey.choose.pilot import run_pilot
from covey.choose.purposes import propose
from covey.run import foresee
from covey.table import Attribute, Role, Schema

SCHEMA = Schema(
    (
        Attribute("who", role=Role.PERSON, contributions=4),
        Attribute("x", bounds=(0.0, 10.0)),
    )
)


def test_larger_bounds_have_less_bias_and_more_noise() -> None:
    trades = bound_trades(10_000, 1.0, 40)

    assert trades[0].contributions == 1
    assert trades[-1].contributions == 40
    for smaller, larger in pairwise(trades):
        assert larger.bias < smaller.bias
        assert larger.left_out < smaller.left_out
        assert larger.noise > smaller.noise
    assert trades[-1].bias == pytest.approx(0.0, abs=1e-12)
    assert trades[-1].left_out == pytest.approx(0.0, abs=1e-12)


def test_many_records_ask_for_a_larger_bound() -> None:
    best = [
        min(bound_trades(n, 1.0, 20), key=lambda trade: trade.error).contributions
        for n in (200, 5_000, 1_000_000)
    ]

    assert best == sorted(best)
    assert best[0] < best[-1] == 20


def test_expected_bias_is_what_cutting_made_up_people_shows() -> None:
    rng = np.random.default_rng(1)
    most, bound = 6, 2
    weights = 1 / np.arange(1, most + 1)
    has = rng.choice(np.arange(1, most + 1), 200_000, p=weights / weights.sum())
    yes = np.linspace(0.25, 0.75, most)[has - 1]
    true = (has * yes).sum() / has.sum()
    used = np.minimum(has, bound)
    (trade,) = (each for each in bound_trades(1000, 1.0, most) if each.contributions == bound)

    assert trade.bias == pytest.approx(abs((used * yes).sum() / used.sum() - true), abs=0.004)
    assert trade.left_out == pytest.approx(1 - used.sum() / has.sum(), abs=0.004)


def test_advice_for_persons_tries_the_epsilon_of_one_record() -> None:
    alone = Schema((SCHEMA["x"],))

    of_persons = covey.advise(SCHEMA, n=1_000, epsilon=4.0, task="column")
    of_records = covey.advise(alone, n=1_000, epsilon=1.0, task="column")

    assert of_persons.system == of_records.system
    assert of_persons.expected == of_records.expected
    assert of_persons.parameters["epsilon"] == 4.0
    assert of_persons.parameters["contributions"] == 4
    assert any("Up to 4 records of a person" in note for note in of_persons.notes)
    assert covey.Plan(**vars_of(of_persons.plan)).parameters["unit"] == "person"


def vars_of(plan: covey.Plan) -> dict:
    return {"system": plan.system, "parameters": plan.parameters, "schema": plan.schema}


@pytest.mark.parametrize("makes", ["public", "figures"])
def test_a_pilot_for_persons_shows_the_errors_of_one_record_s_epsilon(makes) -> None:
    two = Attribute("y", bounds=(0.0, 4.0), integer=True)
    persons, alone = (Schema((*first, SCHEMA["x"], two)) for first in ((SCHEMA["who"],), ()))

    whole = run_pilot(propose(makes, persons, epsilon=4.0), 500)
    each = run_pilot(propose(makes, alone, epsilon=1.0), 500)

    assert whole.columns == each.columns
    assert whole.scores == each.scores
    assert foresee(whole.plan, 500).contributions == 4

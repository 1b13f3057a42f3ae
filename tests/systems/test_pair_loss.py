"""No pair of neighbours can be told apart by more than the epsilon that a system prints.

The exact loss of a pair: the systems run without noise, and what they were about to perturb
is compared entry by entry.  Lengths, scales and costs must not depend on the data at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.audit.recording import Choices, RecordingNoise, Sums
from covey.perturb import SecureNoise, SeededNoise
from covey.systems import TABLE_SYSTEMS as SYSTEMS
from tests.contracts.neighbours import neighbouring_tables, schema_of, table_of

# What each system can publish: how many numeric and nominal columns, and its own parameters.
NUMBERS, CATEGORIES, NEITHER = st.integers(1, 3), st.integers(1, 2), st.just(0)
CASES: dict[str, dict[str, Any]] = {
    "laplace": {"numeric": NUMBERS, "nominal": NEITHER, "parameters": [{}]},
    "exponential": {"numeric": NEITHER, "nominal": CATEGORIES, "parameters": [{}]},
    "rank-blocks": {
        "numeric": NUMBERS,
        "nominal": NEITHER,
        "parameters": [{}, {"k": 2}, {"k": 3}, {"k": 4}],
    },
    "insensitive": {
        "numeric": NUMBERS,
        "nominal": st.integers(0, 1),
        "parameters": [
            {},
            *({"k": k, "order": order} for k in (2, 3, 4) for order in ("single", "corners")),
        ],
    },
}
# Its test of boxes and its cube noise are no requests for Laplace noise; the claims that they
# rest on are hunted one by one, and here it is checked that their costs add up.
COMPOSED = "private-tree"
# Its loss is an average over coins, and has an exact test of its own.
SAMPLED = "personalised"
EPSILONS = [Fraction(1, 10), Fraction(1), Fraction(7, 3)]
ROUNDING = 1e-9  # the losses of choices are logarithms in floats


def run(name: str, table, parameters: Mapping[str, Any], epsilon: Fraction):
    """Run a system without noise; return what it asked for and its guarantee."""
    source, system = RecordingNoise(), SYSTEMS[name]
    wanted = system.settings({"epsilon": float(epsilon), **parameters})
    outcome = system.run(table, wanted, source, None)
    return source.asked, outcome.guarantee


def total_loss(pairs: Iterable[tuple[Sums | Choices, Sums | Choices]]) -> float | Fraction:
    return sum(here.loss(there) for here, there in pairs)


def test_every_system_with_a_differential_guarantee_has_a_case() -> None:
    private = {name for name, system in SYSTEMS.items() if system.kind.is_differential_privacy}

    assert {*CASES, COMPOSED, SAMPLED} == private


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=80)
@given(data=st.data())
def test_neighbours_are_told_apart_by_no_more_than_epsilon(name, data) -> None:
    case = CASES[name]
    # A local release keeps its rows in place, so its neighbours do too.
    aligned = SYSTEMS[name].kind.may_be_row_aligned
    pair = data.draw(
        neighbouring_tables(numeric=case["numeric"], nominal=case["nominal"], shuffled=not aligned)
    )
    parameters = data.draw(st.sampled_from(case["parameters"]))
    epsilon = data.draw(st.sampled_from(EPSILONS))

    (here, guarantee), (there, _) = (run(name, table, parameters, epsilon) for table in pair)

    assert [call.public for call in here] == [call.public for call in there]
    pairs = list(zip(here, there, strict=True))
    for mine, other in pairs:
        if isinstance(mine, Sums):
            assert mine.loss(other) <= mine.epsilon
    assert total_loss(pairs) <= guarantee.epsilon * (1 + ROUNDING)


@pytest.mark.parametrize("name", ["laplace", "rank-blocks", "insensitive"])
@settings(max_examples=40)
@given(data=st.data())
def test_the_costs_of_the_parts_add_up_to_the_epsilon_of_the_guarantee(name, data) -> None:
    pair = data.draw(
        neighbouring_tables(numeric=st.integers(1, 3), nominal=st.just(0), shuffled=False)
    )
    epsilon = data.draw(st.sampled_from(EPSILONS))

    asked, guarantee = run(name, pair[0], {}, epsilon)

    assert sum(call.epsilon for call in asked) <= guarantee.epsilon
    assert guarantee.epsilon == Fraction(str(float(epsilon)))
    assert all(call.scale >= call.l1 / call.epsilon for call in asked)


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
@pytest.mark.parametrize(("numeric", "nominal"), [(1, 0), (2, 1), (0, 2), (4, 3)])
def test_the_parts_of_a_private_tree_cost_exactly_its_epsilon(numeric, nominal, unit) -> None:
    rows = 400
    record = (1.0,) * numeric + ("judo",) * nominal
    table = table_of([record] * rows, schema_of(numeric, nominal, whole=True))
    system = SYSTEMS[COMPOSED]

    outcome = system.run(
        table, system.settings({"epsilon": 1.0, "unit": unit}), SecureNoise(), None
    )

    accounts = {column.origin for column in outcome.columns.values()}
    (account,) = accounts
    assert account.epsilon == outcome.guarantee.epsilon == 1
    assert account.unit is outcome.guarantee.unit
    assert str(account.unit) == {"replace": "replace-record"}.get(unit, "add-remove-record")
    assert account.claim == COMPOSED


@pytest.mark.parametrize("name", ["laplace", "rank-blocks"])
def test_the_loss_of_the_farthest_neighbours_is_exactly_epsilon(name) -> None:
    schema = schema_of(2, 0)
    records = [(-10.0, -10.0)] * 9

    pair = [table_of([*records, last], schema) for last in ((-10.0, -10.0), (30.0, 30.0))]
    (here, guarantee), (there, _) = (run(name, table, {}, Fraction(1)) for table in pair)

    assert total_loss(zip(here, there, strict=True)) == guarantee.epsilon == 1


@pytest.mark.parametrize("name", ["laplace", "rank-blocks", "insensitive"])
def test_the_stand_in_for_noise_is_called_like_the_sources_that_systems_get(name) -> None:
    table = table_of([(float(i),) for i in range(8)], schema_of(1, 0))
    system = SYSTEMS[name]

    outcomes = [
        system.run(table, system.settings({"epsilon": 1.0}), source, None)
        for source in (RecordingNoise(), SecureNoise(), SeededNoise.of(1))
    ]

    assert {outcome.guarantee for outcome in outcomes} == {outcomes[0].guarantee}
    lengths = {np.asarray(outcome.columns["x0"].values).shape for outcome in outcomes}
    assert lengths == {(8,)}

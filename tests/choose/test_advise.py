"""Advice comes from public facts alone, is repeatable, and can be run as it is."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.choose import TASKS
from covey.choose.advise import LOOKED
from covey.choose.candidates import Candidate, candidates
from covey.choose.expected_error import ERRORS
from covey.choose.simulation import LADDER
from covey.errors import CoveyError, DataError, PlanError, SchemaError
from covey.systems.sound.insensitive import default_cluster_size
from covey.systems.sound.rank_blocks import default_block_size
from covey.table import Attribute, Role, Scale, Schema

COLUMN = Schema((Attribute("age", bounds=(0, 120), integer=True),))
JOINT = Schema(
    (Attribute("age", bounds=(0, 120), integer=True), Attribute("income", bounds=(0, 9)))
)
MIXED = Schema(
    (
        Attribute("name", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
        Attribute("age", bounds=(0, 120), integer=True),
        Attribute("town", scale=Scale.NOMINAL, categories=("a", "b", "c")),
        Attribute("pain", scale=Scale.ORDINAL, categories=("none", "mild", "strong")),
    )
)


@pytest.fixture(scope="module")
def column() -> covey.Advice:
    return covey.advise(COLUMN, n=500, epsilon=1.0)


@pytest.fixture(scope="module")
def joint() -> covey.Advice:
    return covey.advise(JOINT, n=200, epsilon=2.0)


@pytest.fixture(scope="module")
def mixed() -> covey.Advice:
    return covey.advise(MIXED, n=400, epsilon=1.0)


def records(n: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(6)
    return pl.DataFrame({"age": rng.integers(0, 100, n), "income": rng.random(n) * 9})


def test_the_task_follows_from_the_columns(column, joint, mixed) -> None:
    assert column.task == "column"
    assert mixed.task == "mixed"
    assert joint.task == "joint"


def test_the_system_with_the_smallest_error_is_advised(column, mixed) -> None:
    for advice in (column, mixed):
        asked = advice.table.filter(pl.col("epsilon") == 1.0)
        means = asked.group_by("system", "parameters").agg(pl.col(advice.criterion).mean())
        best = means.sort(advice.criterion).row(0, named=True)

        assert best["system"] == advice.system
        assert advice.expected[advice.criterion] == pytest.approx(best[advice.criterion])


def test_everything_expected_is_a_share_and_is_explained(column, mixed) -> None:
    assert set(column.expected) == {"mean", "distribution"}
    assert set(mixed.expected) == set(ERRORS) - {"joint degrees"}  # that one is for graphs
    assert all(0 < error < 1 for error in mixed.expected.values())


def test_the_error_is_shown_along_a_ladder_of_epsilons_and_falls(column, mixed) -> None:
    for advice in (column, mixed):
        assert list(advice.by_epsilon) == sorted([1.0, *LADDER])
        errors = list(advice.by_epsilon.values())
        assert errors[0] > errors[-1]


def test_the_plan_that_is_advised_runs_as_it_is(joint) -> None:
    release = covey.run(joint.plan, records(200))

    assert release.guarantee.kind is covey.GuaranteeKind.PURE_DP
    assert release.guarantee.epsilon == 2
    assert set(release.plan.parameters) == set(joint.parameters)


def test_advice_is_the_same_again(column) -> None:
    again = covey.advise(COLUMN, n=500, epsilon=1.0)

    assert again.table.equals(column.table)
    assert again.plan == column.plan


def test_nothing_of_the_data_but_their_number_is_used() -> None:
    low, high = (records().with_columns(income=pl.lit(value)) for value in (0.0, 9.0))

    first, second = (covey.advise(JOINT, data=data) for data in (low, high))

    assert first.n == 60
    assert first.table.equals(second.table)
    assert first.to_dict() == second.to_dict()


def test_sizes_of_clusters_are_functions_of_public_numbers() -> None:
    default, half, double = (
        Candidate(system="rank-blocks", size=size).parameters(1080, 1, 1.0)["k"]
        for size in (1.0, 0.5, 2.0)
    )

    assert default == default_block_size(1080, 1.0)
    assert (half, double) == (round(default / 2), 2 * default)
    insensitive = Candidate(system="insensitive", size=1.0, fixed={"order": "corners"})
    assert insensitive.parameters(1080, 2, 1.0) == {
        "epsilon": 1.0,
        "k": default_cluster_size(1080, 2, 1.0),
        "order": "corners",
    }


def test_ranks_and_curves_are_not_tried_on_categories() -> None:
    nominal = Schema((MIXED["town"],))

    found = candidates(("rank-blocks", "private-tree", "insensitive"), nominal)

    assert {candidate.system for candidate in found} == {"private-tree", "insensitive"}
    assert {candidate.fixed.get("order") for candidate in found} == {None, "corners"}


def test_many_records_are_simulated_by_fewer_with_a_larger_epsilon() -> None:
    few = covey.advise(COLUMN, n=10_000, epsilon=2.0)
    many = covey.advise(COLUMN, n=40_000, epsilon=0.5)

    assert many.expected == few.expected
    assert many.parameters["epsilon"] == 0.5


def test_more_records_than_can_be_simulated_are_answered_with_a_bound_and_a_note() -> None:
    advice = covey.advise(COLUMN, n=1_000_000, epsilon=1.0)

    assert list(advice.by_epsilon) == [0.01, 0.02, 0.04, 0.08, 1.0]
    assert advice.by_epsilon[1.0] <= advice.by_epsilon[0.01]
    assert any("were not simulated" in note for note in advice.notes)


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({}, PlanError, "number of records is unknown"),
        ({"n": 3}, PlanError, "fewer than 8 records"),
        ({"n": 2.5}, PlanError, "not a whole number"),
        ({"n": 100, "epsilon": 0}, PlanError, "epsilon"),
        ({"n": 100, "task": "graf"}, PlanError, "there is no task 'graf'"),
        ({"n": 100, "columns": ["agee"]}, PlanError, "Did you mean 'age'"),
        ({"n": 100, "look": True}, DataError, "no data to look at"),
        ({"data": pl.DataFrame({"income": [1.0] * 20})}, SchemaError, "column 'age'"),
    ],
)
def test_what_cannot_be_advised_on_is_refused_with_what_to_do(given, kind, words) -> None:
    with pytest.raises(kind, match=words):
        covey.advise(JOINT, **given)


def test_bounds_are_needed_and_bounds_from_the_data_are_mentioned() -> None:
    with pytest.raises(CoveyError, match="no public bounds"):
        covey.advise(COLUMN.updated("age", bounds=None), n=100)

    advice = covey.advise(COLUMN.updated("age", drafted=("bounds",)), n=100)

    assert any("confirmed by nobody: age (bounds)" in note for note in advice.notes)


def test_an_epsilon_that_no_system_can_work_with_is_refused_with_what_is_achievable() -> None:
    town = Schema((MIXED["town"],))

    with pytest.raises(PlanError, match=r"epsilon of at least 1\.\d+"):
        covey.advise(town, n=10, epsilon=0.001)

    assert covey.advise(town, n=10, epsilon=2.0).system == "private-tree"


def test_looking_at_the_data_is_possible_with_a_warning_and_voids_the_guarantee() -> None:
    data = records(200)

    advice = covey.advise(JOINT, data=data, epsilon=1.0, look=True)
    release = covey.run(advice.plan, data)

    assert LOOKED in advice.notes
    assert set(advice.table["data"]) == {"the data"}
    assert advice.plan.chosen_on_data
    assert release.guarantee.kind is covey.GuaranteeKind.NONE
    assert "chosen by looking at these data" in str(release.guarantee)
    assert release.plan.chosen_on_data


def test_every_task_is_explained_and_names_known_systems_and_errors() -> None:
    for task in TASKS.values():
        assert task.meaning
        assert task.criterion in ERRORS
        assert set(task.systems) <= set(covey.SYSTEMS)

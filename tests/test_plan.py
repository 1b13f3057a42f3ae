"""A plan is data: it survives its file, and the same plan has the same fingerprint."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from covey import Attribute, Plan, Schema
from covey.errors import PlanError, SchemaError

PLAN = Plan(
    system="rank-blocks",
    parameters={"epsilon": 0.5, "k": None, "columns": ("age", "income")},
    schema=Schema((Attribute("age", bounds=(0, 120)), Attribute("income", bounds=(0, 1e5)))),
)


def saved(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_plan_reads_back_from_its_file(tmp_path: Path) -> None:
    plan = Plan.load(saved(tmp_path, PLAN.to_toml()))

    assert plan.system == PLAN.system
    assert dict(plan.parameters) == {"epsilon": 0.5, "columns": ["age", "income"]}
    assert plan.schema.attributes == PLAN.schema.attributes
    assert plan.random_state is None
    assert plan.fingerprint == PLAN.fingerprint


def test_the_seed_of_an_experiment_is_part_of_its_plan(tmp_path: Path) -> None:
    plan = replace(PLAN, random_state=7)

    assert Plan.load(saved(tmp_path, plan.to_toml())).random_state == 7
    assert plan.fingerprint != PLAN.fingerprint


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAN, system="laplace"),
        replace(PLAN, parameters={**PLAN.parameters, "epsilon": 0.6}),
        replace(PLAN, schema=PLAN.schema.updated("age", bounds=(0, 121))),
    ],
)
def test_different_plans_have_different_fingerprints(other: Plan) -> None:
    assert other.fingerprint != PLAN.fingerprint


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    program = "from tests.test_plan import PLAN; print(PLAN.fingerprint)"

    printed = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )

    assert printed.stdout.strip() == PLAN.fingerprint


def test_a_plan_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PLAN.parameters["epsilon"] = 9.0  # type: ignore[index]


def test_a_plan_file_says_how_to_run_it() -> None:
    assert "covey publish DATA --plan plan.toml" in PLAN.to_toml().splitlines()[0]


FAULTS = {
    "no TOML": ("system =", PlanError, r"not valid TOML.*Correct that line"),
    "nothing": ("", PlanError, r"not a plan that this covey understands.*plan\.toml of a release"),
    "no version": ('system = "mdav"', PlanError, r"needs `version = 1` and a `system`"),
    "a newer version": ('version = 2\nsystem = "mdav"', PlanError, r"needs `version = 1`"),
    "no system": ("version = 1", PlanError, r"a `system`"),
    "a system that is no text": ("version = 1\nsystem = 3", PlanError, r"a `system`"),
    "parameters that are no table": (
        'version = 1\nsystem = "mdav"\nparameters = 3',
        PlanError,
        r"is damaged: `parameters` must be one table",
    ),
    "an attribute that is no list": (
        'version = 1\nsystem = "mdav"\nattribute = "age"',
        PlanError,
        r"is damaged: .*`attribute` a list of tables",
    ),
    "no attribute": (
        'version = 1\nsystem = "mdav"\nattribute = []',
        SchemaError,
        r"describes no attribute",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_plan_file_is_refused_and_explained(tmp_path: Path, fault: str) -> None:
    content, kind, explanation = FAULTS[fault]

    with pytest.raises(kind, match=explanation):
        Plan.load(saved(tmp_path, content))


def test_a_plan_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"cannot be read \(No such file.*Check the path"):
        Plan.load(tmp_path / "plan.toml")


def test_a_plan_can_be_sent_to_another_process() -> None:
    plan = Plan(system="mdav", parameters={"k": 3}, chosen_on_data=True)

    assert pickle.loads(pickle.dumps(plan)) == plan  # noqa: S301

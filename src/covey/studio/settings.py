"""Which plan do the decisions describe, and what is wrong with the settings that were typed?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import covey
from covey.core import Budget
from covey.errors import PlanError
from covey.partition.base import REQUIRED
from covey.studio.state import State, Step
from covey.systems import Parameter
from covey.systems.base import as_mapping
from covey.table import Schema

FIRST_VALUES = {"epsilon": "1", "k": "5"}
"""Where settings that have no default of their own stand first; both are usual."""

LONGEST_SEED = 18
"""More digits do not fit into a plan file."""


def typed_text(state: State, parameter: Parameter) -> str:
    """Return what stands in the field of a setting: what was typed, or a first value."""
    first = FIRST_VALUES.get(parameter.name, "") if parameter.default is REQUIRED else ""
    return state.decisions.settings.get(parameter.name, first).strip()


def can_reach(state: State, step: Step) -> bool:
    """Return whether the decisions for a step have been prepared."""
    if step is Step.DATA:
        return True
    if step in (Step.DESCRIBE, Step.CHOOSE):
        return state.file is not None
    if step is Step.PUBLISH:
        return state.file is not None and not setting_problems(state) and bool(state.system)
    return state.run is not None


def make_plan(state: State) -> covey.Plan:
    """Return the plan that the decisions describe: the same as on the command line."""
    if state.system not in covey.SYSTEMS:
        raise PlanError("no system is chosen yet. Choose one.")
    system = covey.SYSTEMS[state.system]
    given: dict[str, Any] = {
        parameter.name: typed_text(state, parameter)
        for parameter in system.parameters
        if typed_text(state, parameter)
    }
    if system.data == "table" and any(p.name == "columns" for p in system.parameters):
        if not state.published_columns:
            raise PlanError("no column is left to publish. Tick at least one.")
        given["columns"] = state.published_columns
    if state.system == "tables" and "tables" not in given:
        if not state.published_columns:
            raise PlanError("no column is left to publish. Tick at least one.")
        given["tables"] = state.published_columns
    settings = as_mapping(system.settings(given))
    if settings.get("epsilon") is not None:
        Budget.of(settings["epsilon"])
    plan = covey.Plan(
        system=state.system,
        parameters=settings,
        schema=state.schema if system.data == "table" else None,
        random_state=_seed(state.decisions.seed),
        nodes=_nodes(state) if system.data == "graph" else None,
    )
    return replace(plan, chosen_on_data=True) if _is_chosen_on_data(state, plan) else plan


def _is_chosen_on_data(state: State, plan: covey.Plan) -> bool:
    """Return whether a plan was made after these data were seen beside a release of them.

    A plan that was run before is no new choice.
    """
    if not state.is_compared:
        return False
    same = {replace(run.plan, random_state=None).fingerprint for run in state.runs}
    return replace(plan, random_state=None).fingerprint not in same


def schema_text(schema: Schema) -> str:
    """Return what is said of the columns as the text of a schema file."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / "schema.toml"
        schema.save(place)
        return place.read_text(encoding="utf-8")


def setting_problems(state: State) -> dict[str, str]:
    """Return what is wrong with the chosen settings, by the place where it should be said."""
    if not state.system:
        return {}
    problems: dict[str, str] = {}
    system = covey.SYSTEMS[state.system]
    for parameter in system.parameters:
        text = typed_text(state, parameter)
        try:
            if text:
                value = parameter.checked(text, state.system)
                if parameter.name == "epsilon":
                    Budget.of(value)
                if parameter.name == "k" and value < 1:
                    raise PlanError(f"k = {value} makes no clusters. Give at least 2.")
        except covey.CoveyError as error:
            problems[f"setting-{parameter.name}"] = str(error)
    if not problems:
        try:
            # The seed is asked for later, and has a message of its own.
            make_plan(replace(state, decisions=replace(state.decisions, seed="")))
        except covey.CoveyError as error:
            problems["plan"] = str(error)
    return problems


def nodes_problem(state: State) -> str:
    """Return what is wrong with the number of nodes, or nothing."""
    try:
        _nodes(state)
    except PlanError as error:
        return str(error)
    return ""


def _nodes(state: State) -> int | None:
    text = state.decisions.nodes
    if not text:
        return None
    if not text.isdigit() or len(text) > LONGEST_SEED:
        raise PlanError("the number of nodes is not a whole number. Write how many there are.")
    return int(text)


def seed_problem(state: State) -> str:
    """Return what is wrong with the seed, or nothing."""
    try:
        _seed(state.decisions.seed)
    except covey.CoveyError as error:
        return str(error)
    return ""


def limit_problem(state: State) -> str:
    """Return what is wrong with the limit of a ledger that is yet to be charged, or nothing."""
    if state.ledger is not None and state.ledger.entries:
        return ""
    try:
        Budget.of(state.limit)
    except covey.CoveyError as error:
        return str(error)
    return ""


def _seed(text: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isdecimal() or len(text) > LONGEST_SEED:
        raise PlanError(
            f"the seed is not a whole number of at most {LONGEST_SEED} digits, so nothing can be "
            f"repeated with it. Give one, or leave it empty for a real release."
        )
    return int(text)

"""Which actions can a person take, and what does each change?  Pure functions of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast, get_args

import covey
from covey.choose.purposes import GRAPH_SYSTEM, PURPOSES, Purpose, rows_system
from covey.errors import PlanError
from covey.studio.budget import affordable_epsilon
from covey.studio.describing import confirm, confirm_kind, edit
from covey.studio.listing import (
    find_columns,
    mark_columns,
    open_column,
    show_columns,
    stand_apart,
)
from covey.studio.results import DataFile, TabRun
from covey.studio.settings import can_reach
from covey.studio.state import Edition, Listing, State, Step, decide, without_problem
from covey.table import Schema
from covey.table.code_books import with_columns

Change = Callable[[State, str, str], State]


def apply_action(state: State, action: Mapping[str, Any]) -> State:
    """Return the state after an action that the browser reports; what means nothing is ignored."""
    change = ACTIONS.get(str(action.get("do", "")))
    if change is None:
        return state
    changed = change(state, str(action.get("key", "")), str(action.get("value", "")))
    return changed if changed.decisions is state.decisions else _follow_purpose(changed)


def go(state: State, key: str, _: str) -> State:
    """Go to a step, if it can be reached; nothing that was decided is lost."""
    step = Step(key) if key in tuple(Step) else state.step
    return replace(state, step=step) if can_reach(state, step) else state


def take_file(state: State, file: DataFile, schema: Schema | None) -> State:
    """Take data; what was decided about the same data before stays, and undo goes back."""
    old = state.file
    again = old is not None and (old.digest, old.kind) == (file.digest, file.kind)
    state = without_problem(state, "data", "publish") if again else replace(state, problems={})
    described = state.schema if again else None
    keeps = described is not None and schema is not None and described.names == schema.names
    fits = state.system in covey.SYSTEMS and covey.SYSTEMS[state.system].data == file.kind
    state = decide(
        state,
        file=file,
        schema=described if keeps else schema,
        system=state.system if fits else "",
        purpose=state.decisions.purpose if fits else "",
        left_out=state.decisions.left_out if keeps else frozenset(),
        # An experiment with some data must not take the guarantee from others.
        seed=state.decisions.seed if again else "",
        nodes=state.decisions.nodes if again else "",
    )
    return replace(_forget_results(state), kind=file.kind)


def choose_system(state: State, key: str, _: str) -> State:
    """Choose a system; what was typed for another one stays where the names agree."""
    if key not in covey.SYSTEMS:
        return state
    return decide(without_problem(state, "publish"), system=key, purpose="")


def choose_purpose(state: State, key: str, _: str) -> State:
    """Say what the release is for, and take the one plan that follows from it."""
    if key not in purposes_of(state):
        return state
    settings = {"epsilon": f"{PURPOSES[key].epsilon:g}"}
    state = without_problem(state, "publish")
    return decide(state, purpose=key, system=_system_for(state, key), settings=settings)


def purposes_of(state: State) -> dict[str, Purpose]:
    """Return what a release of these data may be for."""
    graph = state.kind == "graph"
    return {name: each for name, each in PURPOSES.items() if (each.makes == "graph") == graph}


def _system_for(state: State, purpose: str) -> str:
    makes = PURPOSES[purpose].makes
    if makes == "graph":
        return GRAPH_SYSTEM
    if makes == "cells" or state.schema is None:
        return "tables"
    kept = [a.name for a in state.schema if not a.is_hidden]
    names = [name for name in kept if name not in state.decisions.left_out] or kept
    return rows_system(state.schema, names) if names else "column-model"


def _follow_purpose(state: State) -> State:
    """Return the state with the system that fits the columns, if a purpose was given."""
    purpose = state.decisions.purpose
    if not purpose or purpose not in purposes_of(state):
        return state
    system = _system_for(state, purpose)
    return replace(state, decisions=replace(state.decisions, system=system))


def take_plan(state: State, plan: covey.Plan) -> State:
    """Take the plan of a file: what it says of the columns, its system and its settings.

    A seed is not taken: whoever wants one types it.
    """
    if plan.system not in covey.SYSTEMS or covey.SYSTEMS[plan.system].data != state.kind:
        what = "a graph" if state.kind == "graph" else "a table"
        raise PlanError(f"the plan uses {plan.system!r}, which does not publish {what}.")
    given = dict(plan.parameters)
    schema = state.schema
    told: tuple[str, ...] = ()
    if schema is not None and plan.schema is not None:
        schema, told = with_columns(schema, plan.schema)
    named = given.pop("columns", None)
    names = [] if schema is None else [a.name for a in schema if not a.is_hidden]
    left_out = frozenset(names) - frozenset(named) if named else frozenset()
    state = decide(
        without_problem(state, "book", "publish"),
        schema=schema,
        system=plan.system,
        purpose="",
        settings={name: _typed(value) for name, value in given.items() if value is not None},
        left_out=left_out,
        nodes="" if plan.nodes is None else str(plan.nodes),
    )
    return replace(state, told=(*told, f"The plan uses {plan.system}; step 3 shows it."))


def _typed(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def set_parameter(state: State, key: str, value: str) -> State:
    """Set a parameter as it was typed; whether it makes sense is said beside it."""
    settings = {**state.decisions.settings, key: value.strip()}
    return decide(without_problem(state, "publish"), settings=settings)


def include_column(state: State, key: str, value: str) -> State:
    """Publish a column, or leave it out."""
    if not key.isdecimal() or int(key) >= len(state.offered_columns):
        return state
    name = frozenset({state.offered_columns[int(key)]})
    left_out = state.decisions.left_out
    return decide(
        without_problem(state, "publish"),
        left_out=left_out - name if value == "true" else left_out | name,
    )


def set_seed(state: State, _: str, value: str) -> State:
    """Make a repeatable experiment, or a real release."""
    return decide(state, seed=value.strip())


def set_nodes(state: State, _: str, value: str) -> State:
    """Say how many nodes the graph has."""
    return decide(without_problem(state, "publish"), nodes=value.strip())


def undo(state: State, _: str, __: str) -> State:
    """Take the last decision back, even that for other data."""
    if not state.past:
        return state
    before = state.file
    state = replace(state, decisions=state.past[-1], past=state.past[:-1], problems={})
    if state.file is not before:
        state = replace(_forget_results(state), kind=state.file.kind if state.file else state.kind)
    return state if can_reach(state, state.step) else replace(state, step=Step.DATA)


def set_limit(state: State, _: str, value: str) -> State:
    """Say how much may be spent on these people; whether it makes sense is said beside it."""
    return replace(without_problem(state, "limit"), limit=value.strip())


def set_raising(state: State, key: str, value: str) -> State:
    """Say to what the limit is to be raised, by whom and why; nothing is raised yet."""
    if key not in ("limit", "by", "reason"):
        return state
    raising = {**state.raising, key: value.strip()}
    return replace(without_problem(state, "raise"), raising=raising)


def use_left(state: State, _: str, __: str) -> State:
    """Choose the largest epsilon that the ledger can still pay for."""
    rehearsal = state.rehearsal
    epsilon = affordable_epsilon(state, rehearsal) if rehearsal is not None else ""
    return set_parameter(state, "epsilon", epsilon) if epsilon else state


def name_data(state: State, _: str, value: str) -> State:
    """Name the people whom the data are about, and so their ledger."""
    return replace(without_problem(state, "limit"), data_name=value.strip())


def set_kind(state: State, key: str, _: str) -> State:
    """Say whether the next file is a table or a graph."""
    return replace(state, kind="graph" if key == "graph" else "table")


def show_run(state: State, key: str, _: str) -> State:
    """Show another release of this tab."""
    numbers = [run.number for run in state.runs]
    return replace(state, shown=int(key)) if key.isdecimal() and int(key) in numbers else state


def show_edition(state: State, key: str, _: str) -> State:
    """Show another page about the release."""
    if key not in get_args(Edition):
        return state
    return replace(state, edition=cast("Edition", key))


def see_comparison(state: State, _: str, __: str) -> State:
    """Look at the originals beside the release; from now on plans are chosen on these data."""
    run = state.run
    if run is None:
        return state
    return replace(state, compared=state.compared | {run.file.digest})


def turn_page(state: State, key: str, _: str) -> State:
    """Show other rows of the release."""
    return replace(state, page=int(key)) if key.isdecimal() else state


def add_run(state: State, run: TabRun) -> State:
    """Take a new release, and show it to whoever waits for it; nobody is led away from a step."""
    return replace(
        without_problem(state, "publish"),
        runs=(*state.runs, run),
        shown=run.number,
        edition="verdict",
        page=0,
        step=Step.INSPECT if state.step is Step.PUBLISH else state.step,
    )


ACTIONS: dict[str, Change] = {
    "go": go,
    "edit": edit,
    "confirm": confirm,
    "confirm-kind": confirm_kind,
    "column-open": open_column,
    "column-mark": mark_columns,
    "column-find": find_columns,
    "column-show": show_columns,
    "column-group": stand_apart,
    "choose": choose_system,
    "purpose": choose_purpose,
    "setting": set_parameter,
    "column": include_column,
    "seed": set_seed,
    "nodes": set_nodes,
    "undo": undo,
    "limit": set_limit,
    "raising": set_raising,
    "use-left": use_left,
    "data-name": name_data,
    "kind": set_kind,
    "show": show_run,
    "edition": show_edition,
    "compare": see_comparison,
    "rows-page": turn_page,
}


def _forget_results(state: State) -> State:
    """Forget what was found out about other data."""
    state = replace(state, fit=None, rehearsal=None, losses=None, profiles=None)
    state = replace(state, listing=Listing(), told=(), public_file="")
    return replace(state, ledger=None, chosen_ledger=None, data_name="")

"""Which actions can a person take, and what does each change?  Pure functions of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

import covey
from covey.choose.purposes import GRAPH_SYSTEM, PURPOSES, Purpose, rows_system
from covey.errors import BoundsError, SchemaError
from covey.studio.budget import affordable_epsilon
from covey.studio.results import DataFile, TabRun
from covey.studio.settings import can_reach
from covey.studio.state import State, Step, decide, with_problem, without_problem
from covey.table import Attribute, Missing, Scale, Schema
from covey.table.provenance import confirm_facts

Change = Callable[[State, str, str], State]

CONFIRMED_BY = "the person at Covey Studio"


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


def edit(state: State, key: str, value: str) -> State:
    """Change one property of one column, or say in place why it cannot be."""
    index, _, field = key.partition(":")
    if state.schema is None or not index.isdecimal() or int(index) >= len(state.schema.names):
        return state
    attribute = state.schema.attributes[int(index)]
    place = f"row-{index}-{'bounds' if field in ('low', 'high') else field}"
    try:
        new = _edit_attribute(state, attribute, int(index), field, value.strip())
    except covey.CoveyError as error:
        return with_problem(_keep_typed(state, key, value), place, str(error), value)
    schema = _replace_attribute(state.schema, new)
    state = without_problem(state, place, f"typed-{index}:low", f"typed-{index}:high", "publish")
    return decide(state, schema=schema)


def confirm(state: State, key: str, value: str) -> State:
    """Say that what is known of a column is, or is not, public knowledge."""
    if state.schema is None or not key.isdecimal() or int(key) >= len(state.schema.names):
        return state
    old = state.schema.attributes[int(key)]
    marked = state.schema.drafted(old.name)
    if value == "true":
        new = confirm_facts(old, CONFIRMED_BY, (*old.drafted, *marked))
    else:
        kept = tuple(fact for fact in old.imported if fact not in old.said)
        doubted = dict.fromkeys((*old.drafted, *old.confirmed, *old.said))
        new = replace(old, drafted=tuple(doubted), confirmed=(), confirmed_by="", imported=kept)
    return decide(without_problem(state, "publish"), schema=_replace_attribute(state.schema, new))


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
    if key not in ("public", "curator", "map"):
        return state
    return replace(state, edition=cast("Any", key))


def add_run(state: State, run: TabRun) -> State:
    """Take a new release, and show it to whoever waits for it; nobody is led away from a step."""
    return replace(
        without_problem(state, "publish"),
        runs=(*state.runs, run),
        shown=run.number,
        edition="public",
        step=Step.INSPECT if state.step is Step.PUBLISH else state.step,
    )


ACTIONS: dict[str, Change] = {
    "go": go,
    "edit": edit,
    "confirm": confirm,
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
}


def _keep_typed(state: State, key: str, value: str) -> State:
    """Keep what was typed into one of two fields that are wrong together."""
    return with_problem(state, f"typed-{key}", "", value)


def _forget_results(state: State) -> State:
    """Forget what was found out about other data."""
    state = replace(state, fit=None, rehearsal=None, losses=None)
    return replace(state, ledger=None, chosen_ledger=None, data_name="")


def _replace_attribute(schema: Schema, new: Attribute) -> Schema:
    kept = (new if old.name == new.name else old for old in schema.attributes)
    return replace(schema, attributes=tuple(kept))


def _edit_attribute(
    state: State, attribute: Attribute, index: int, field: str, text: str
) -> Attribute:
    if field == "scale":
        return _rescale(attribute, Scale(text))
    if field in ("low", "high"):
        return replace(attribute, bounds=_bounds(state, attribute, index, field, text))
    if field == "step":
        step = (text or None) if attribute.kind is not None else _step(attribute, text)
        return replace(attribute, step=step)
    listed = tuple(part.strip() for part in text.split(";") if part.strip())
    values: dict[str, Any] = {
        "role": text,
        "categories": listed or None,
        "unit": text,
        "taxonomy": text or None,
    }
    return replace(attribute, **{field: values[field]}) if field in values else attribute


def _rescale(attribute: Attribute, scale: Scale) -> Attribute:
    """Change the scale and drop what contradicts it; undo brings it back."""
    nominal = scale is Scale.NOMINAL
    numeric = scale is Scale.NUMERIC
    missing = attribute.missing
    if attribute.missing is Missing.IMPUTE:
        missing = Missing.REFUSE
    return replace(
        attribute,
        scale=scale,
        bounds=None if nominal or (attribute.kind and not numeric) else attribute.bounds,
        categories=None if numeric else attribute.categories,
        taxonomy=attribute.taxonomy if nominal else None,
        special=attribute.special if numeric else None,
        step=attribute.step if numeric else None,
        kind=attribute.kind if numeric else None,
        format=attribute.format if numeric else None,
        zone=attribute.zone if numeric else None,
        integer=attribute.integer and not nominal,
        missing=missing,
        impute=None,
    )


def _step(attribute: Attribute, text: str) -> float | None:
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise SchemaError(
            f"the step of {attribute.name!r} is no number. Give the distance of possible values, "
            f"such as 0.01, or leave it empty."
        ) from None


def _bounds(
    state: State, attribute: Attribute, index: int, field: str, text: str
) -> tuple[Any, Any] | None:
    other = "high" if field == "low" else "low"
    texts = {field: text, other: typed_bound(state, attribute, index, other)}
    if not texts["low"] and not texts["high"]:
        return None
    if attribute.kind is not None:  # written as ISO 8601 does; the attribute reads them
        return texts["low"], texts["high"]
    try:
        low, high = float(texts["low"]), float(texts["high"])
    except ValueError:
        raise BoundsError(
            f"the bounds of {attribute.name!r} are not two numbers yet. Give the smallest and the "
            f"largest possible value, or leave both empty."
        ) from None
    return (low, high)


def typed_bound(state: State, attribute: Attribute, index: int, field: str) -> str:
    """Return what stands in one of the two fields of the bounds."""
    typed = state.problems.get(f"typed-{index}:{field}")
    if typed is not None:
        return typed.typed
    if attribute.bounds is None:
        return ""
    bound = attribute.bounds[0 if field == "low" else 1]
    return f"{bound:.12g}" if attribute.kind is None else bound.isoformat()

"""Which jobs should be prefetched: done before a person asks for what they find out?

Which systems fit, what a plan would promise and which error to expect is found out on made-up
records.  What the columns look like, and how many records would be left out, is found out on the
data, for the steward alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import covey
from covey.studio.actions import choose_purpose
from covey.studio.looking import unmarked
from covey.studio.results import DataFile, Expectation
from covey.studio.settings import make_plan
from covey.studio.state import STEP_ORDER, State, Step
from covey.table import Schema

MOST_EXPECTATIONS = 64
"""So many pilots are remembered: whoever moves a slider back waits for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job for the worker process, by its name in `covey.studio.jobs.JOBS`."""

    name: str
    key: str
    arguments: Mapping[str, Any]


def next_job(state: State, failed: frozenset[str] = frozenset()) -> Job | None:
    """Return the job that finds out what should be known next and is not, if any."""
    file = state.file
    if file is None or state.step not in STEP_ORDER[:4]:
        return None
    looked = (_profile_job(state, file),) if state.step is Step.DESCRIBE else ()
    jobs: tuple[Job | None, ...] = (*looked, _fit_job(state, file))
    # While a file is looked at, another may be chosen: then most of this would be in vain.
    if state.step is not Step.DATA:
        likely = _likely(state)
        jobs += (_rehearsal_job(likely, file), _pilot_job(likely, file))
        jobs += (_pilot_job(state, file, state.public_file),) if state.public_file else ()
    if state.step is Step.PUBLISH:
        jobs += (_losses_job(state, file),)
    return next((job for job in jobs if job is not None and job.key not in failed), None)


def expectation_of(state: State, public: str = "") -> Expectation | None:
    """Return what is known about the errors to expect of the plan, if it was tried."""
    key = pilot_key(state, public)
    return next((each for each in state.expectations if each.key == key), None)


def keep_expectation(state: State, new: Expectation) -> State:
    """Return the state that remembers one more pilot, and forgets the oldest of many."""
    return replace(state, expectations=(*state.expectations, new)[-MOST_EXPECTATIONS:])


def plan_key(state: State) -> str | None:
    """Return a name for the plan that the decisions describe, or None if they describe none."""
    try:
        return f"plan:{make_plan(state).fingerprint}:{state.file and state.file.digest}"
    except covey.CoveyError:
        return None


def pilot_key(state: State, public: str = "") -> str | None:
    """Return a name for what a pilot would find out, or None if there is nothing to try.

    Whoever confirms a fact does not change the error to expect.
    """
    try:
        plan = _confirmed_plan(state)
    except covey.CoveyError:
        return None
    return f"pilot:{plan.fingerprint}:{state.file and state.file.rows}:{public}"


def _profile_job(state: State, file: DataFile) -> Job | None:
    if state.schema is None:
        return None
    plain = _confirm_all(state.schema)
    said = repr((plain.to_dicts(), plain.reading, plain.folder))
    key = f"profile:{file.path}:{hashlib.sha256(said.encode()).hexdigest()[:16]}"
    if state.profiles is not None and state.profiles.key == key:
        return None
    arguments = {"key": key, "file": file, "schema": state.schema}
    return Job(name="profile", key=key, arguments=arguments)


def _fit_job(state: State, file: DataFile) -> Job | None:
    key = f"fit:{file.kind}:{file.rows}:{_shape(state.schema)}"
    if state.fit is not None and state.fit.key == key:
        return None
    arguments = {"key": key, "kind": file.kind, "schema": state.schema, "n": file.rows}
    return Job(name="fit", key=key, arguments=arguments)


def _shape(schema: Schema | None) -> str:
    """Return what decides which systems fit: roles and scales, not bounds."""
    return "|".join(f"{a.name}:{a.role}:{a.scale}:{a.taxonomy}" for a in schema or ())


def _rehearsal_job(state: State, file: DataFile) -> Job | None:
    key = plan_key(state)
    if key is None or (state.rehearsal is not None and state.rehearsal.key == key):
        return None
    arguments = {"key": key, "plan": make_plan(state), "n": file.rows}
    return Job(name="rehearse", key=key, arguments=arguments)


def _confirm_all(schema: Schema) -> Schema:
    """Return what matters for the error to expect: whoever confirms a bound does not change it."""
    public = (replace(unmarked(each), unit=each.unit) for each in schema)
    return replace(schema, attributes=tuple(public))


def _confirmed_plan(state: State) -> covey.Plan:
    plan = make_plan(state)
    schema = None if plan.schema is None else _confirm_all(plan.schema)
    return replace(plan, schema=schema, random_state=None, chosen_on_data=False)


def _pilot_job(state: State, file: DataFile, public: str = "") -> Job | None:
    key, rehearsal = pilot_key(state, public), state.rehearsal
    refused = rehearsal is not None and rehearsal.key == plan_key(state) and rehearsal.problem
    if key is None or expectation_of(state, public) is not None or refused:
        return None
    arguments: dict[str, Any] = {"key": key, "plan": _confirmed_plan(state), "n": file.rows}
    arguments |= {"data": public} if public else {}
    return Job(name="pilot", key=key, arguments=arguments)


def losses_key(state: State) -> str | None:
    """Return a name for the records that a plan would lose, or None if nothing can be lost."""
    if state.file is None or state.kind == "graph" or state.schema is None:
        return None
    names = state.published_columns if state.system else ()
    described = hashlib.sha256(repr((state.schema.to_dicts(), names)).encode()).hexdigest()[:16]
    return f"losses:{state.file.digest}:{described}"


def _losses_job(state: State, file: DataFile) -> Job | None:
    key = losses_key(state)
    known = state.losses is not None and state.losses.key == key
    if key is None or known or plan_key(state) is None:
        return None
    arguments = {"key": key, "file": file, "plan": make_plan(state)}
    return Job(name="losses", key=key, arguments=arguments)


def _likely(state: State) -> State:
    """Return the state with a purpose; before one is chosen, that of most people."""
    first = "graph" if state.kind == "graph" else "public"
    return state if state.system else choose_purpose(state, first, "")

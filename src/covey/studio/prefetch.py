"""Which jobs should be prefetched: done before a person asks for what they find out?

All of it is done on made-up records: which systems fit, what a plan would promise, and which
error to expect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import covey
from covey.choose.advise import FEWEST
from covey.studio.results import DataFile, Forecast
from covey.studio.settings import make_plan, schema_key
from covey.studio.state import STEP_ORDER, State, Step
from covey.table import Role, Schema


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
    jobs: tuple[Job | None, ...] = (_fit_job(state, file),)
    # While a file is looked at, another may be chosen: then most of this would be in vain.
    if state.step is not Step.DATA:
        jobs += (_rehearsal_job(state, file), _forecast_job(state, file))
    return next((job for job in jobs if job is not None and job.key not in failed), None)


def merge_forecasts(old: Forecast | None, new: Forecast) -> Forecast:
    """Put two forecasts for the same columns together, if the same system is advised."""
    if old is None or old.key != new.key or old.system != new.system:
        return new
    curve = dict(old.curve) | dict(new.curve)
    return replace(new, curve=tuple(sorted(curve.items())), asked=(*old.asked, *new.asked))


def plan_key(state: State) -> str | None:
    """Return a name for the plan that the decisions describe, or None if they describe none."""
    try:
        return f"plan:{make_plan(state).fingerprint}:{state.file and state.file.digest}"
    except covey.CoveyError:
        return None


def current_epsilon(state: State) -> float:
    """Return the epsilon that is set, or 1."""
    try:
        epsilon = float(state.decisions.settings.get("epsilon", "1"))
    except ValueError:
        return 1.0
    return epsilon if 1e-3 <= epsilon <= 1e3 else 1.0  # noqa: PLR2004 — beyond, nothing is simulated


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
    unmarked: dict[str, Any] = dict.fromkeys(("drafted", "confirmed", "imported"), ())
    unmarked |= {"confirmed_by": "", "imported_from": "", "unit": ""}
    public = (replace(attribute, **unmarked) for attribute in schema)
    return replace(schema, attributes=tuple(public))


def _forecast_job(state: State, file: DataFile) -> Job | None:
    schema = state.schema
    if schema is None or file.rows < FEWEST or state.step is Step.PUBLISH:
        return None
    schema = _confirm_all(schema)
    columns = state.published_columns
    if not columns:
        columns = tuple(a.name for a in schema if a.role is not Role.IDENTIFIER)
    epsilon = current_epsilon(state)
    key = f"forecast:{schema_key(schema)}:{file.rows}:{','.join(columns)}"
    known = state.forecast
    if known is not None and known.key == key:
        inside = known.curve and known.curve[0][0] <= epsilon <= known.curve[-1][0]
        if inside or epsilon in known.asked or known.problem:
            return None
    return Job(
        name="forecast",
        key=f"{key}:{epsilon:g}",
        arguments={
            "key": key,
            "schema": schema,
            "n": file.rows,
            "columns": columns,
            "epsilon": epsilon,
        },
    )

"""Which work should be done ahead, before a person asks for it?

All of it is done on made-up records: which systems fit, what a plan would promise, and which
error to expect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import covey
from covey.studio.found import Forecast, Source
from covey.studio.settings import plan_of, schema_key
from covey.studio.state import STEPS, State, Step
from covey.table import Role, Schema
from covey.table import Source as Origin

FEWEST = 8
"""`covey.advise` says nothing about fewer records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A task for the other process."""

    task: str
    key: str
    arguments: Mapping[str, Any]


def wanted(state: State, failed: frozenset[str] = frozenset()) -> Wanted | None:
    """Return the next thing that should be known and is not, if any."""
    source = state.source
    if source is None or state.step not in STEPS[:4]:
        return None
    steps: tuple[Wanted | None, ...] = (_fit(state, source),)
    # While a file is looked at, another may be chosen: then most of this would be in vain.
    if state.step is not Step.DATA:
        steps += (_rehearsal(state, source), _forecast(state, source))
    return next((step for step in steps if step is not None and step.key not in failed), None)


def merged(old: Forecast | None, new: Forecast) -> Forecast:
    """Put two forecasts for the same columns together, if the same system is advised."""
    if old is None or old.key != new.key or old.system != new.system:
        return new
    curve = dict(old.curve) | dict(new.curve)
    return replace(new, curve=tuple(sorted(curve.items())), asked=(*old.asked, *new.asked))


def plan_key(state: State) -> str | None:
    """Return a name for the plan that the decisions describe, or None if they describe none."""
    try:
        return f"plan:{plan_of(state).fingerprint}:{state.source and state.source.digest}"
    except covey.CoveyError:
        return None


def epsilon_of(state: State) -> float:
    """Return the epsilon that is set, or 1."""
    try:
        found = float(state.decisions.settings.get("epsilon", "1"))
    except ValueError:
        return 1.0
    return found if 1e-3 <= found <= 1e3 else 1.0  # noqa: PLR2004 — beyond, nothing is simulated


def _fit(state: State, source: Source) -> Wanted | None:
    key = f"fit:{source.kind}:{_shape(state.schema)}"
    if state.fit is not None and state.fit.key == key:
        return None
    arguments = {"key": key, "kind": source.kind, "schema": state.schema}
    return Wanted(task="fit", key=key, arguments=arguments)


def _shape(schema: Schema | None) -> str:
    """Return what decides which systems fit: roles and scales, not bounds."""
    return "|".join(f"{a.name}:{a.role}:{a.scale}:{a.taxonomy}" for a in schema or ())


def _rehearsal(state: State, source: Source) -> Wanted | None:
    key = plan_key(state)
    if key is None or (state.rehearsal is not None and state.rehearsal.key == key):
        return None
    arguments = {"key": key, "plan": plan_of(state), "n": source.rows}
    return Wanted(task="rehearse", key=key, arguments=arguments)


def _confirmed(schema: Schema) -> Schema:
    """Return what matters for the error to expect: whoever confirms a bound does not change it."""
    public = (
        replace(a, bounds_source=Origin.PUBLIC, categories_source=Origin.PUBLIC, unit="")
        for a in schema
    )
    return replace(schema, attributes=tuple(public))


def _forecast(state: State, source: Source) -> Wanted | None:
    schema = state.schema
    if schema is None or source.rows < FEWEST or state.step is Step.PUBLISH:
        return None
    schema = _confirmed(schema)
    columns = state.published
    if not columns:
        columns = tuple(a.name for a in schema if a.role is not Role.IDENTIFIER)
    epsilon = epsilon_of(state)
    key = f"forecast:{schema_key(schema)}:{source.rows}:{','.join(columns)}"
    known = state.forecast
    if known is not None and known.key == key:
        inside = known.curve and known.curve[0][0] <= epsilon <= known.curve[-1][0]
        if inside or epsilon in known.asked or known.problem:
            return None
    return Wanted(
        task="forecast",
        key=f"{key}:{epsilon:g}",
        arguments={
            "key": key,
            "schema": schema,
            "n": source.rows,
            "columns": columns,
            "epsilon": epsilon,
        },
    )

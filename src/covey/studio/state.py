"""What has the person decided so far, and what did the machine find out about it?

Everything that a tab shows is a function of one frozen `State`, so that going back, undoing and
failing lose nothing, and so that it can be tested without a browser.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

import covey
from covey.errors import PlanError, SchemaError
from covey.privacy import Budget
from covey.systems import Parameter
from covey.systems.base import REQUIRED
from covey.table import Role, Schema


class Step(StrEnum):
    """The steps of the page, in order."""

    DATA = "data"
    DESCRIBE = "describe"
    CHOOSE = "choose"
    PUBLISH = "publish"
    INSPECT = "inspect"
    TAKE_AWAY = "take-away"


STEPS = tuple(Step)
TITLES = {
    Step.DATA: "Data",
    Step.DESCRIBE: "Describe",
    Step.CHOOSE: "Choose",
    Step.PUBLISH: "Publish",
    Step.INSPECT: "Inspect",
    Step.TAKE_AWAY: "Take away",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The data that were given, as far as the page shows them.

    Parameters
    ----------
    name, path : str
        What the person calls the file, and where its private copy is.
    kind : "table" or "graph"
        What it was read as.
    digest : str
        A hash of the content: the same data share a ledger.
    rows : int
        Records, or nodes of a graph.
    columns : tuple of str
        Names of the columns; ("edges",) for a graph.
    preview : tuple of tuples
        The first records as texts.
    facts : tuple of pairs
        What is worth saying about the file, as (title, text).
    notes : tuple of str
        What reading left out.
    example : bool
        Whether these are the embedded, public data.
    """

    name: str
    path: str
    kind: Literal["table", "graph"]
    digest: str
    rows: int
    columns: tuple[str, ...] = ()
    preview: tuple[tuple[str, ...], ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    example: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """What a person can change, and so can undo.

    Parameters
    ----------
    schema : Schema, optional
        What is public about the columns of a table.
    system : str
        A name in `covey.SYSTEMS`, or nothing yet.
    settings : mapping
        Parameters by name, as they were typed; kept when the system changes.
    left_out : frozenset of str
        Columns that are not published.
    seed : str
        Of a repeatable experiment, as typed.
    """

    schema: Schema | None = None
    system: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    seed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Which systems can publish these columns, found out on made-up records."""

    key: str
    columns: Mapping[str, tuple[str, ...]]
    refusals: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """What the plan would promise, found out on made-up records."""

    key: str
    sentence: str = ""
    kind: str = ""
    epsilon: Fraction | None = None
    conditions: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The error to expect at several epsilons, found out on made-up records."""

    key: str
    system: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    criterion: str = ""
    curve: tuple[tuple[float, float], ...] = ()
    others: tuple[tuple[str, float, float], ...] = ()
    notes: tuple[str, ...] = ()
    asked: tuple[float, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A release that was made in this tab.

    Parameters
    ----------
    number : int
        Counts from 1.
    folder : str
        Where the release folder is.
    """

    number: int
    folder: str
    source: Source
    plan: covey.Plan
    kind: str
    sentence: str
    epsilon: float | None
    ledger: str | None
    left: float | None
    curator: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """What the other process is doing for the person, who waits for it."""

    name: str
    what: str = "starting"
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A message that stands where the problem is, with the text that was typed there."""

    message: str
    typed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that a tab shows."""

    step: Step = Step.DATA
    kind: Literal["table", "graph"] = "table"
    source: Source | None = None
    decisions: Decisions = field(default_factory=Decisions)
    past: tuple[Decisions, ...] = ()
    taxonomies: tuple[str, ...] = ()
    problems: Mapping[str, Problem] = field(default_factory=dict)
    fit: Fit | None = None
    rehearsal: Rehearsal | None = None
    forecast: Forecast | None = None
    limit: str = "3"
    ledger: covey.Ledger | None = None
    working: Working | None = None
    ahead: str = ""
    runs: tuple[Run, ...] = ()
    shown: int = 0
    edition: Literal["public", "curator", "map"] = "public"

    @property
    def schema(self) -> Schema | None:
        """Return the description of the columns."""
        return self.decisions.schema

    @property
    def run(self) -> Run | None:
        """Return the release that is shown."""
        return next((run for run in self.runs if run.number == self.shown), None)

    @property
    def offered(self) -> tuple[str, ...]:
        """Return the columns that the chosen system can publish."""
        if self.schema is None:
            return ()
        everything = tuple(a.name for a in self.schema if a.role is not Role.IDENTIFIER)
        return everything if self.fit is None else self.fit.columns.get(self.system, everything)

    @property
    def published(self) -> tuple[str, ...]:
        """Return the columns that will be published."""
        return tuple(name for name in self.offered if name not in self.decisions.left_out)

    @property
    def system(self) -> str:
        """Return the name of the chosen system."""
        return self.decisions.system


FIRST = {"epsilon": "1", "k": "5"}
"""Where settings that have no default of their own stand first; both are usual."""


def typed(state: State, parameter: Parameter) -> str:
    """Return what stands in the field of a setting: what was typed, or a first value."""
    first = FIRST.get(parameter.name, "") if parameter.default is REQUIRED else ""
    return state.decisions.settings.get(parameter.name, first).strip()


def reachable(state: State, step: Step) -> bool:
    """Return whether the decisions for a step have been prepared."""
    if step is Step.DATA:
        return True
    if step in (Step.DESCRIBE, Step.CHOOSE):
        return state.source is not None
    if step is Step.PUBLISH:
        return state.source is not None and not setting_problems(state) and bool(state.system)
    return state.run is not None


def plan_of(state: State) -> covey.Plan:
    """Return the plan that the decisions describe: the same as on the command line."""
    if state.system not in covey.SYSTEMS:
        raise PlanError("no system is chosen yet. Choose one.")
    system = covey.SYSTEMS[state.system]
    given: dict[str, Any] = {
        parameter.name: typed(state, parameter)
        for parameter in system.parameters
        if typed(state, parameter)
    }
    if system.data == "table" and any(p.name == "columns" for p in system.parameters):
        if not state.published:
            raise PlanError("no column is left to publish. Tick at least one.")
        given["columns"] = state.published
    settings = system.settings(given)
    if settings.get("epsilon") is not None:
        Budget.of(settings["epsilon"])
    return covey.Plan(
        system=state.system,
        parameters=settings,
        schema=state.schema if system.data == "table" else None,
        random_state=_seed(state.decisions.seed),
    )


def setting_problems(state: State) -> dict[str, str]:
    """Return what is wrong with the chosen settings, by the place where it should be said."""
    if not state.system:
        return {}
    found: dict[str, str] = {}
    system = covey.SYSTEMS[state.system]
    for parameter in system.parameters:
        text = typed(state, parameter)
        try:
            if text:
                value = parameter.checked(text, state.system)
                if parameter.name == "epsilon":
                    Budget.of(value)
                if parameter.name == "k" and value < 1:
                    raise PlanError(f"k = {value} makes no clusters. Give at least 2.")
        except covey.CoveyError as error:
            found[f"setting-{parameter.name}"] = str(error)
    if not found:
        try:
            plan_of(state)
        except covey.CoveyError as error:
            found["plan"] = str(error)
    return found


def schema_key(schema: Schema | None) -> str:
    """Return a short name for a description, the same for the same description."""
    content = [] if schema is None else schema.to_dicts()
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def changed(state: State, **changes: Any) -> State:
    """Return the state after a decision, which can be undone."""
    decisions = replace(state.decisions, **changes)
    if decisions == state.decisions:
        return state
    return replace(state, decisions=decisions, past=(*state.past, state.decisions)[-100:])


def with_problem(state: State, place: str, message: str, typed: str = "") -> State:
    """Return the state with a message at one place; nothing else changes."""
    return replace(state, problems={**state.problems, place: Problem(message=message, typed=typed)})


def without_problem(state: State, *places: str) -> State:
    """Return the state without the messages at some places."""
    kept = {place: text for place, text in state.problems.items() if place not in places}
    return replace(state, problems=kept)


def _seed(text: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isdecimal():
        raise SchemaError("the seed is not a whole number of at least 0. Leave it empty.")
    return int(text)

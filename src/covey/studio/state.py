"""What is the state of a tab: what has the person decided, and what was found out about it?

Everything that a tab shows is a function of one frozen `State`, so that going back, undoing and
failing lose nothing, and so that it can be tested without a browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal

import covey
from covey.studio.ledgers import LedgerChoice
from covey.studio.results import DataFile, Expectation, Fit, Losses, Profiles, Rehearsal, TabRun
from covey.table import Schema


class Step(StrEnum):
    """The steps of the page, in order."""

    DATA = "data"
    DESCRIBE = "describe"
    CHOOSE = "choose"
    PUBLISH = "publish"
    INSPECT = "inspect"
    TAKE_AWAY = "take-away"


STEP_ORDER = tuple(Step)
STEP_TITLES = {
    Step.DATA: "Data",
    Step.DESCRIBE: "Describe",
    Step.CHOOSE: "Choose",
    Step.PUBLISH: "Publish",
    Step.INSPECT: "Inspect",
    Step.TAKE_AWAY: "Take away",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """What a person can change, and so can undo.

    Parameters
    ----------
    file : DataFile, optional
        The data.  Their private copies stay until the end, so that others can be taken back.
    schema : Schema, optional
        What is public about the columns of a table.
    purpose : str
        A name in `covey.choose.purposes.PURPOSES`, or nothing if the system was chosen by hand.
    system : str
        A name in `covey.SYSTEMS`, or nothing yet.
    settings : mapping
        Parameters by name, as they were typed; kept when the system changes.
    left_out : frozenset of str
        Columns that are not published.
    seed : str
        Of a repeatable experiment, as typed.
    nodes : str
        How many nodes a graph has in all, as typed.
    """

    file: DataFile | None = None
    schema: Schema | None = None
    purpose: str = ""
    system: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    seed: str = ""
    nodes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What the list of columns shows, and which of them are being edited.

    Parameters
    ----------
    find, show : str
        A part of a name, and a key of `covey.studio.listing.SHOWN`.
    marked : frozenset of str
        Columns that are changed together.
    open : str
        The column that is edited if none is marked.
    apart : bool
        Whether alike columns stand apart in a long list, too.
    """

    find: str = ""
    show: str = "all"
    marked: frozenset[str] = frozenset()
    open: str = ""
    apart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitedJob:
    """What the worker process is doing for the person, who waits for it."""

    name: str
    what: str = "starting"
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A message that stands where the problem is, with the text that was typed there."""

    message: str
    typed: str = ""


Edition = Literal["verdict", "public", "curator", "map"]
"""What step 5 shows of a release."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that a tab shows.

    ``compared`` names the data of which somebody has seen a comparison with the originals.
    """

    step: Step = Step.DATA
    kind: Literal["table", "graph"] = "table"
    decisions: Decisions = field(default_factory=Decisions)
    past: tuple[Decisions, ...] = ()
    taxonomies: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    reading: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, Problem] = field(default_factory=dict)
    fit: Fit | None = None
    rehearsal: Rehearsal | None = None
    losses: Losses | None = None
    profiles: Profiles | None = None
    listing: Listing = field(default_factory=Listing)
    expectations: tuple[Expectation, ...] = ()
    limit: str = "3"
    raising: Mapping[str, str] = field(default_factory=dict)
    data_name: str = ""
    chosen_ledger: LedgerChoice | None = None
    ledger: covey.Ledger | None = None
    awaited: AwaitedJob | None = None
    prefetching: str = ""
    runs: tuple[TabRun, ...] = ()
    shown: int = 0
    edition: Edition = "verdict"
    page: int = 0
    public_file: str = ""
    compared: frozenset[str] = frozenset()

    @property
    def file(self) -> DataFile | None:
        """Return the file with the data."""
        return self.decisions.file

    @property
    def schema(self) -> Schema | None:
        """Return the description of the columns."""
        return self.decisions.schema

    @property
    def run(self) -> TabRun | None:
        """Return the run whose release is shown."""
        return next((run for run in self.runs if run.number == self.shown), None)

    @property
    def is_compared(self) -> bool:
        """Return whether somebody has seen these data beside a release of them."""
        return self.file is not None and self.file.digest in self.compared

    @property
    def offered_columns(self) -> tuple[str, ...]:
        """Return the columns that the chosen system can publish."""
        if self.schema is None:
            return ()
        everything = tuple(a.name for a in self.schema if not a.is_hidden)
        fitting = everything if self.fit is None else self.fit.columns.get(self.system, everything)
        return tuple(name for name in fitting if name in everything)

    @property
    def published_columns(self) -> tuple[str, ...]:
        """Return the columns that will be published."""
        return tuple(name for name in self.offered_columns if name not in self.decisions.left_out)

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """Return the columns to publish of which nobody has said that the facts are public."""
        return tuple(
            name for name in self.published_columns if self.schema and self.schema.drafted(name)
        )

    @property
    def system(self) -> str:
        """Return the name of the chosen system."""
        return self.decisions.system


def decide(state: State, **changes: Any) -> State:
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

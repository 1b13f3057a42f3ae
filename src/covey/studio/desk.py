"""What belongs to one tab: its state, its private folder, and its other process."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import covey
from covey.privacy import Budget, create_ledger, load_ledger
from covey.studio.ahead import merged, plan_key, wanted
from covey.studio.moves import moved, opened, released
from covey.studio.settings import plan_of
from covey.studio.state import State, Working, with_problem, without_problem
from covey.studio.work import GIVES_WAY, Event, Worker
from covey.table import Schema

PLACES = {"look": "data", "publish": "publish"}
"""Where a message about a task stands."""

STOPPED = "You stopped it. Nothing was released."
STOPPED_LATE = "You stopped the comparison. The release itself is complete."


@dataclass(slots=True, kw_only=True)
class Desk:
    """One tab's work.

    Parameters
    ----------
    folder : Path
        Private, and removed when the studio ends.
    ledgers : Path
        Where the ledgers are, one for each data set.
    """

    folder: Path
    ledgers: Path
    state: State = field(default_factory=State)
    worker: Worker = field(default_factory=Worker)
    failed: frozenset[str] = frozenset()
    _names: dict[str, str] = field(default_factory=dict)
    _uploads: int = 0

    def act(self, action: dict[str, Any]) -> None:
        """Do what a person asked for."""
        specials: dict[str, Callable[[], None]] = {
            "example": self.open_example,
            "publish": self.publish,
            "cancel": self.cancel,
            "too-large": partial(self.too_large, str(action.get("key"))),
        }
        special = specials.get(str(action.get("do")))
        if special is not None:
            special()
            return
        self.state = moved(self.state, action)
        self.refresh_ledger()

    def tick(self) -> None:
        """Take in what the other process says, and give it what should be known next."""
        for event in self.worker.events():
            self._take(event)
        if self.worker.busy and self.worker.task not in GIVES_WAY:
            return
        following = wanted(self.state, self.failed)
        if following is not None and following.key != self.worker.key:
            self.worker.begin(following.task, following.key, following.arguments)

    def close(self) -> None:
        """End the other process."""
        self.worker.stop()

    def rest(self) -> None:
        """End the other process, unless a person waits for what it does."""
        if self.state.working is None:
            self.worker.stop()

    def new_upload(self, name: str) -> Path:
        """Return a place for a file that a person calls so."""
        self._uploads += 1
        folder = self.folder / f"upload-{self._uploads}"
        folder.mkdir(mode=0o700, parents=True)
        path = folder / safe_name(name)
        self._names[str(path)] = Path(name).name
        return path

    def open_file(self, path: Path, kind: str = "table") -> None:
        """Read a file that has been uploaded as a table or a graph."""
        name = self._names.get(str(path), path.name)
        self._look(path=str(path), name=name, kind="graph" if kind == "graph" else "table")

    def too_large(self, what: str = "data") -> None:
        """Say that a file is too large for the page."""
        self.state = with_problem(
            self.state,
            "taxonomy" if what == "taxonomy" else "data",
            "the file is larger than 500 MB, which is more than the page takes, so it was not "
            "read. Publish it on the command line: `covey publish FILE --engine stream`.",
        )

    def open_example(self) -> None:
        """Read the embedded data."""
        folder = files("covey.datasets")
        data, schema = Path(str(folder / "rand_health.csv.gz")), folder / "rand_health.toml"
        described = Schema.load(str(schema))
        self._look(path=str(data), name=data.name, kind="table", schema=described)

    def add_taxonomy(self, path: Path) -> None:
        """Take a taxonomy file, so that columns can name it."""
        try:
            covey.Taxonomy.load(path, name=path.stem)
        except covey.CoveyError as error:
            self.state = with_problem(self.state, "taxonomy", self._named(str(error)))
            return
        place = self.taxonomy_folder / path.name
        place.parent.mkdir(mode=0o700, exist_ok=True)
        path.replace(place)
        names = dict.fromkeys((*self.state.taxonomies, place.name))
        self.state = replace(without_problem(self.state, "taxonomy"), taxonomies=tuple(names))

    @property
    def taxonomy_folder(self) -> Path:
        """Return where taxonomies are, which schemas name relative to it."""
        return self.folder / "taxonomies"

    @property
    def ledger_path(self) -> Path | None:
        """Return the ledger of the data, which every release of the same data is charged to."""
        source = self.state.source
        if source is None:
            return None
        # The embedded data are public: what is spent on them need not outlive the studio.
        folder = self.folder.parent / "example" if source.example else self.ledgers
        return folder / f"{source.digest}.json"

    def refresh_ledger(self) -> None:
        """Read again what is left: another tab may have spent."""
        path = self.ledger_path
        ledger = None
        if path is not None and path.exists():
            try:
                ledger = load_ledger(path)
            except covey.CoveyError as error:
                self.state = with_problem(self.state, "limit", str(error))
        if ledger != self.state.ledger:
            self.state = replace(self.state, ledger=ledger)

    def publish(self) -> None:
        """Start a publication, if everything it needs is there."""
        state, source = self.state, self.state.source
        rehearsal = state.rehearsal
        ready = rehearsal is not None and rehearsal.key == plan_key(state)
        if source is None or rehearsal is None or not ready or rehearsal.problem or state.working:
            return
        try:
            plan = plan_of(state)
            ledger = self.ledger_path if rehearsal.epsilon is not None else None
            if ledger is not None and not ledger.exists():
                ledger.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                create_ledger(ledger, Budget.of(state.limit).epsilon)
        except covey.CoveyError as error:
            self.state = with_problem(state, "limit", str(error))
            return
        number = len(state.runs) + 1
        self._make_way()
        self.state = replace(
            without_problem(state, "publish", "limit"), working=Working(name="publish")
        )
        self.worker.begin(
            "publish",
            f"publish:{number}",
            {
                "source": source,
                "plan": plan,
                "ledger": None if ledger is None else str(ledger),
                "folder": str(self.folder / f"release-{number}-{plan.system}"),
                "number": number,
            },
        )

    def cancel(self) -> None:
        """Stop what the person waits for."""
        working = self.state.working
        if working is None:
            return
        late = self._has(self.worker.key)
        self.worker.stop()
        self.state = replace(self.state, working=None)
        self.refresh_ledger()
        place = "inspect" if late else PLACES[working.name]
        self.state = with_problem(self.state, place, STOPPED_LATE if late else STOPPED)

    def _make_way(self) -> None:
        # Work ahead gives way by itself; anything else is stopped.
        if self.worker.busy and self.worker.task not in GIVES_WAY:
            self.worker.stop()

    def _look(self, **arguments: Any) -> None:
        self._make_way()
        self.state = replace(without_problem(self.state, "data"), working=Working(name="look"))
        self.worker.begin("look", f"look:{self._uploads}", arguments)

    def _named(self, message: str) -> str:
        """Call files by the names that the person knows."""
        for path, name in self._names.items():
            message = message.replace(path, name)
        return message

    def _take(self, event: Event) -> None:
        state = self.state
        if event.kind == "progress":
            what, done, total = event.content
            if state.working is not None and event.task == state.working.name:
                working = Working(name=event.task, what=what, done=done, total=total)
                self.state = replace(state, working=working)
            elif event.task in GIVES_WAY:
                self.state = replace(state, ahead=what)
        elif event.kind == "released":
            self.state = released(state, event.content)
            self.refresh_ledger()
        elif event.kind == "done":
            self._finish(event)
        elif event.kind in ("refused", "broken", "ended"):
            self._fail(event)

    def _finish(self, event: Event) -> None:
        state, result = self.state, event.content
        if event.task == "look":
            source, schema = result
            if schema is not None and not source.example:
                schema = replace(schema, folder=self.taxonomy_folder)
            self.state = opened(replace(state, working=None), source, schema)
            self.refresh_ledger()
        elif event.task == "fit":
            self.state = replace(state, fit=result)
        elif event.task == "rehearse":
            self.state = replace(state, rehearsal=result)
        elif event.task == "forecast":
            self.state = replace(state, forecast=merged(state.forecast, result))
        else:
            runs = tuple(result if run.number == result.number else run for run in state.runs)
            self.state = replace(state, runs=runs, working=None)

    def _fail(self, event: Event) -> None:
        if event.task in GIVES_WAY:
            self.failed |= {event.key}
            return
        late = event.task == "publish" and self._has(event.key)
        place = "inspect" if late else PLACES.get(event.task, "data")
        self.state = replace(self.state, working=None)
        self.refresh_ledger()
        self.state = with_problem(self.state, place, self._named(_words(event)))

    def _has(self, key: str) -> bool:
        return any(f"publish:{run.number}" == key for run in self.state.runs)


def safe_name(name: str) -> str:
    """Return a file name without anything that a path or a message could stumble over.

    Examples
    --------
    >>> safe_name("../my census (2024).CSV")
    'my census _2024_.csv'
    """
    stem, dot, ending = re.sub(r"[^\w.\- ]", "_", Path(name).name)[-100:].partition(".")
    return (stem or "data") + dot + ending.lower()


def _words(event: Event) -> str:
    if event.kind == "refused":
        return str(event.content)
    if event.kind == "ended":
        return (
            "the process that did the work has ended, perhaps for want of memory, so nothing was "
            "done. Close other programs, or try a part of the data."
        )
    return (
        f"this is a bug in covey ({event.content}), not a mistake of yours; nothing was released. "
        f"Try it on the command line with COVEY_DEBUG=1, and report it."
    )

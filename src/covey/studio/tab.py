"""What belongs to one tab: its state, its private folder, and its worker process."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import covey
from covey.core import Budget
from covey.ledger import load_ledger, raise_limit
from covey.release import open_release
from covey.studio.actions import add_run, apply_action, take_file, take_plan
from covey.studio.ledgers import choose_ledger, ledger_file, open_ledger, settle_stopped
from covey.studio.plain import plain
from covey.studio.prefetch import keep_expectation, next_job, plan_key
from covey.studio.reading import READING, is_plan, stated_reading
from covey.studio.remembered import recall, remember, share_seen
from covey.studio.results import DataFile, TabRun
from covey.studio.settings import make_plan
from covey.studio.state import (
    AwaitedJob,
    State,
    Step,
    decide,
    with_problem,
    without_problem,
)
from covey.studio.words import STOPPED, STOPPED_LATE, STOPPED_UNPAID, explain_failure
from covey.studio.worker import PREFETCH_JOBS, JobEvent, WorkerProcess
from covey.table import Schema
from covey.table.code_books import describe_by

RECALLED = (
    "These columns were described here before, and are described as they were then. Undo goes back "
    "to the draft."
)

PLACES = {"read": "data", "publish": "publish"}
"""Where a message about a job stands."""


@dataclass(slots=True, kw_only=True)
class Tab:
    """One tab of the browser, and what is done for it.

    Parameters
    ----------
    folder : Path
        Private, and removed when the studio ends.
    ledgers : Path
        Where the ledgers are, one for each name that a person gives to the data.
    """

    folder: Path
    ledgers: Path
    state: State = field(default_factory=State)
    worker: WorkerProcess = field(default_factory=WorkerProcess)
    failed: frozenset[str] = frozenset()
    _publishing: dict[str, Any] | None = None
    _names: dict[str, str] = field(default_factory=dict)
    _uploads: int = 0
    _last: dict[str, Any] | None = None

    def act(self, action: dict[str, Any]) -> None:
        """Do what a person asked for."""
        specials: dict[str, Callable[[], None]] = {
            "example": self.open_example,
            "publish": self.publish,
            "cancel": self.cancel,
            "raise": self.raise_limit,
            "reading": partial(self.read_as, action),
            "too-large": partial(self.refuse_too_large, str(action.get("key"))),
        }
        special = specials.get(str(action.get("do")))
        if special is not None:
            special()
            return
        before = self.state
        self.state = apply_action(before, action)
        if before.step is Step.DESCRIBE and self.state.step is not Step.DESCRIBE:
            self.remember()
        self.share_compared()
        self.refresh_ledger()

    def remember(self) -> None:
        """Keep what is said of the columns for the next file that has them."""
        state = self.state
        if state.schema is not None and state.file is not None and not state.file.example:
            remember(self.ledgers / "descriptions", state.schema)

    def share_compared(self) -> None:
        """Remember, also after the page is closed, of which data a comparison has been seen."""
        file = self.state.file
        if file is None:
            return
        both = share_seen(self._ledger_folder(file) / "compared.txt", self.state.compared)
        if both != self.state.compared:
            self.state = replace(self.state, compared=both)

    def tick(self) -> None:
        """Take in what the worker process says, and give it what should be known next."""
        for event in self.worker.events():
            self._handle(event)
        if self.worker.busy and self.worker.job not in PREFETCH_JOBS:
            return
        following = next_job(self.state, self.failed)
        if following is not None and following.key != self.worker.key:
            self.worker.begin(following.name, following.key, following.arguments)

    def close(self) -> None:
        """End the worker process."""
        self._stop()

    def rest(self) -> None:
        """End the worker process, unless a person waits for what it does."""
        if self.state.awaited is None:
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
        self.state = replace(self.state, reading={})
        self._read(path=str(path), name=name, kind="graph" if kind == "graph" else "table")

    def read_as(self, action: Mapping[str, Any]) -> None:
        """Read the last file again as a person says that it is written."""
        key, value = str(action.get("key", "")), str(action.get("value", ""))
        if self._last is None or key not in READING:
            return
        said = {**self.state.reading, key: value}
        reading = {name: text for name, text in said.items() if text}
        try:
            stated = stated_reading(reading)
        except covey.CoveyError as error:
            self.state = with_problem(self.state, "data", plain(str(error)))
            return
        self.state = replace(self.state, reading=reading)
        self._read(**{**self._last, "reading": stated})

    def refuse_too_large(self, what: str = "data") -> None:
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
        self._read(path=str(data), name=data.name, kind="table", schema=described)

    def add_book(self, path: Path) -> None:
        """Take a description, a code book or a plan for the columns that are open."""
        described = self.state.schema
        if described is None:
            return
        try:
            if path.suffix == ".toml" and is_plan(path):
                self.state = take_plan(self.state, covey.Plan.load(path))
                return
            schema, told = describe_by(path, described)
        except covey.CoveyError as error:
            self.state = with_problem(self.state, "book", plain(self._name_files(str(error))))
            return
        schema = replace(schema, folder=described.folder)
        self.state = decide(without_problem(self.state, "book"), schema=schema)
        self.state = replace(self.state, told=tuple(map(plain, told)))

    def try_on(self, path: Path) -> None:
        """Try plans on public data, too."""
        self.state = replace(self.state, public_file=str(path))

    def count_nodes(self, path: Path) -> None:
        """Take the number of nodes from a list with one on each line."""
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            words = "the list is not UTF-8 text. Save it as such, or type how many nodes there are."
            self.state = with_problem(self.state, "nodes", words)
            return
        names = {line.strip() for line in text.splitlines() if line.strip()}
        self.state = decide(without_problem(self.state, "nodes"), nodes=str(len(names)))

    def add_taxonomy(self, path: Path) -> None:
        """Take a taxonomy file, so that columns can name it."""
        try:
            covey.Taxonomy.load(path, name=path.stem)
        except covey.CoveyError as error:
            self.state = with_problem(self.state, "taxonomy", self._name_files(str(error)))
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
        """Return the ledger that every release of these people is charged to."""
        file, chosen = self.state.file, self.state.chosen_ledger
        if file is None or chosen is None:
            return None
        return ledger_file(self._ledger_folder(file), chosen.name)

    def _ledger_folder(self, file: DataFile) -> Path:
        # The embedded data are public: what is spent on them need not outlive the studio.
        return self.folder.parent / "example" if file.example else self.ledgers

    def refresh_ledger(self) -> None:
        """Read again which ledger this is, and what is left: another tab may have spent."""
        file = self.state.file
        if file is not None:
            chosen = choose_ledger(self.ledgers, file, self.state.data_name)
            if chosen != self.state.chosen_ledger:
                self.state = replace(self.state, chosen_ledger=chosen)
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
        self.refresh_ledger()
        state, file = self.state, self.state.file
        rehearsal = state.rehearsal
        ready = rehearsal is not None and rehearsal.key == plan_key(state)
        if file is None or rehearsal is None or not ready or rehearsal.problem or state.awaited:
            return
        try:
            plan, ledger = make_plan(state), self.ledger_path
            assert ledger is not None  # noqa: S101 — there is a file
            open_ledger(ledger, state.limit)
        except covey.CoveyError as error:
            self.state = with_problem(state, "limit", str(error))
            return
        number = len(state.runs) + 1
        self._make_way()
        self.state = replace(
            without_problem(state, "publish", "limit"), awaited=AwaitedJob(name="publish")
        )
        self._publishing = {
            "file": file,
            "ledger": str(ledger),
            "folder": str(self.folder / f"release-{number}-{plan.system}"),
            "number": number,
        }
        self.worker.begin("publish", f"publish:{number}", {"plan": plan, **self._publishing})

    def raise_limit(self) -> None:
        """Raise the limit of a ledger that was charged, with a name and a reason."""
        self.refresh_ledger()
        path, state = self.ledger_path, self.state
        if path is None or state.ledger is None:
            return
        said = {name: state.raising.get(name, "") for name in ("limit", "by", "reason")}
        if not said["by"] or not said["reason"]:
            words = "nothing was raised yet. Say who raises the limit, and why."
            self.state = with_problem(state, "raise", words)
            return
        try:
            raise_limit(path, Budget.of(said.pop("limit")).epsilon, **said)
        except covey.CoveyError as error:
            self.state = with_problem(state, "raise", plain(str(error)))
            return
        self.state = replace(without_problem(state, "raise"), raising={})
        self.refresh_ledger()

    def cancel(self) -> None:
        """Stop what the person waits for."""
        awaited = self.state.awaited
        if awaited is None:
            return
        key, said = self.worker.key, STOPPED if awaited.name == "read" else STOPPED_UNPAID
        problem = self._stop()
        late = self._is_released(key)
        self.state = replace(self.state, awaited=None)
        self.refresh_ledger()
        place = "inspect" if late else PLACES[awaited.name]
        self.state = with_problem(self.state, place, problem or (STOPPED_LATE if late else said))

    def _make_way(self) -> None:
        # What is prefetched gives way by itself; anything else is stopped.
        if self.worker.busy and self.worker.job not in PREFETCH_JOBS:
            self._stop()

    def _stop(self) -> str:
        """End the worker process; what it had reserved and not released is given back."""
        for event in self.worker.stop():
            if event.kind == "released":
                self._handle(event)
        return self._settle()

    def _settle(self) -> str:
        """Clear up after a publication that did not end; return what went wrong with that."""
        given, self._publishing = self._publishing, None
        try:
            if given and settle_stopped(Path(given["ledger"]), Path(given["folder"])):
                # It was charged in the last moment, so it is complete.
                run = TabRun.of(open_release(given["folder"]), **given)
                self.state = add_run(self.state, run)
        except covey.CoveyError as error:
            return f"{STOPPED} But the ledger could not be told so: {error}"
        return ""

    def _read(self, **arguments: Any) -> None:
        self._make_way()
        self._last = None if "schema" in arguments else dict(arguments)
        self.state = replace(without_problem(self.state, "data"), awaited=AwaitedJob(name="read"))
        self.worker.begin("read", f"read:{self._uploads}", arguments)

    def _name_files(self, message: str) -> str:
        """Call files by the names that the person knows."""
        for path, name in self._names.items():
            message = message.replace(path, name)
        return message

    def _handle(self, event: JobEvent) -> None:
        state = self.state
        if event.kind == "progress":
            what, done, total = event.content
            if state.awaited is not None and event.job == state.awaited.name:
                awaited = AwaitedJob(name=event.job, what=what, done=done, total=total)
                self.state = replace(state, awaited=awaited)
            elif event.job in PREFETCH_JOBS:
                self.state = replace(state, prefetching=what)
        elif event.kind == "released":
            self._publishing = None
            self.state = add_run(state, event.content)
            self.refresh_ledger()
        elif event.kind == "done":
            self._finish(event)
        elif event.kind in ("refused", "broken", "ended"):
            self._fail(event)

    def _finish(self, event: JobEvent) -> None:
        state, result = self.state, event.content
        if event.job == "read":
            file, schema = result
            if schema is not None and not file.example:
                schema = replace(schema, folder=self.taxonomy_folder)
            self.state = take_file(replace(state, awaited=None), file, schema)
            self._recall()
            self.share_compared()
            self.refresh_ledger()
        elif event.job == "fit":
            self.state = replace(state, fit=result)
        elif event.job == "rehearse":
            self.state = replace(state, rehearsal=result)
        elif event.job == "losses":
            self.state = replace(state, losses=result)
        elif event.job == "profile":
            self.state = replace(state, profiles=result)
        elif event.job == "pilot":
            self.state = keep_expectation(state, result)
        else:
            runs = tuple(result if run.number == result.number else run for run in state.runs)
            self.state = replace(state, runs=runs, awaited=None)

    def _recall(self) -> None:
        """Describe columns as they were described before; undo goes back to the draft."""
        file, schema = self.state.file, self.state.schema
        if file is None or schema is None or file.example:
            return
        known = recall(self.ledgers / "descriptions", schema)
        if known is not None and known != schema:
            self.state = replace(decide(self.state, schema=known), told=(RECALLED,))

    def _fail(self, event: JobEvent) -> None:
        if event.job in PREFETCH_JOBS:
            self.failed |= {event.key}
            return
        problem = self._settle()
        late = event.job == "publish" and self._is_released(event.key)
        place = "inspect" if late else PLACES.get(event.job, "data")
        self.state = replace(self.state, awaited=None)
        self.refresh_ledger()
        said = explain_failure(event.kind, event.content, released=late)
        self.state = with_problem(self.state, place, problem or self._name_files(said))

    def _is_released(self, key: str) -> bool:
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

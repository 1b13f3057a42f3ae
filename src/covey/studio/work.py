"""How does long work leave the page free, say how far it is, and stop when told to?

One child process for each tab does one task after the other.  Events come back through a pipe.
A task that only looks ahead gives way when the next one arrives; a publication is stopped by
ending the process, and the ledger says what was spent.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Literal

PATIENCE = 5.0
"""Seconds after which a process that was told to end is killed."""

EVERY = 0.1
"""Seconds between two reports of progress."""

GIVES_WAY = frozenset({"fit", "rehearse", "forecast"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What the other process says about a task.

    Parameters
    ----------
    task : str
        Its name.
    key : str
        Tells apart tasks of the same name.
    kind : str
        "progress" with (what, done, total), "released" or "done" with a result, "refused" with a
        message for people, "broken" with the name of an error, "gave way", or "ended".
    content : object
        What belongs to it.
    """

    task: str
    key: str
    kind: Literal["progress", "released", "done", "refused", "broken", "gave way", "ended"]
    content: Any = None


class Worker:
    """The other process of a tab: started when needed, ended by `stop`."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Connection | None = None
        self.task = ""
        self.key = ""

    @property
    def busy(self) -> bool:
        """Return whether a task has been given and has not ended."""
        return bool(self.task)

    def begin(self, task: str, key: str, arguments: Mapping[str, Any]) -> None:
        """Give a task; one that gives way must be the only one before it."""
        pipe = self._pipe
        if pipe is None or not self._process.is_alive():
            pipe = self._start()
        self.task, self.key = task, key
        pipe.send((task, key, dict(arguments)))

    def events(self) -> list[Event]:
        """Return what happened since the last time."""
        found: list[Event] = []
        try:
            while self._pipe is not None and self._pipe.poll():
                found.append(self._pipe.recv())
        except (EOFError, OSError):
            # The system may end a process that needs too much memory.
            found.append(Event(task=self.task, key=self.key, kind="ended"))
            self.stop()
            return found
        for event in found:
            if event.kind not in ("progress", "released") and event.key == self.key:
                self.task = self.key = ""
        return found

    def stop(self) -> None:
        """End the process; the next task starts another."""
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        self.task = self.key = ""
        if process is not None:
            process.terminate()
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()
        if pipe is not None:
            pipe.close()

    def _start(self) -> Connection:
        self.stop()
        # Not forked: the page has threads and open connections.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        return self._pipe


def serve(pipe: Connection) -> None:
    """Do tasks until the other end is closed."""
    # Ctrl-C in the terminal reaches this process too, but the page decides when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_page, daemon=True).start()
    from covey.errors import CoveyError
    from covey.studio.tasks import TASKS

    while True:
        try:
            task, key, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        desk = _Desk(pipe, task, key)
        try:
            result = TASKS[task](desk.progress, desk.say, **arguments)
        except _GaveWay:
            desk.say("gave way", None)
        except CoveyError as error:
            desk.say("refused", str(error))
        except (BrokenPipeError, KeyboardInterrupt):
            return
        except Exception as error:  # noqa: BLE001 — its text may quote a record, its name does not
            desk.say("broken", type(error).__name__)
        else:
            desk.say("done", result)


def _end_with_the_page() -> None:
    """End this process when the page was killed: nobody would clear up what it still writes."""
    page = multiprocessing.parent_process()
    if page is not None:
        page.join()
        os._exit(1)


class _GaveWay(Exception):  # noqa: N818 — not an error
    """A task that looks ahead has been overtaken by another."""


class _Desk:
    """Where a task says how far it is."""

    def __init__(self, pipe: Connection, task: str, key: str) -> None:
        self._pipe, self._task, self._key = pipe, task, key
        self._said = 0.0

    def say(self, kind: Any, content: Any) -> None:
        self._pipe.send(Event(task=self._task, key=self._key, kind=kind, content=content))

    def progress(self, what: str, done: int, total: int) -> None:
        if self._task in GIVES_WAY and self._pipe.poll():
            raise _GaveWay
        now = time.monotonic()
        if now - self._said >= EVERY:
            self._said = now
            self.say("progress", (what, done, total))

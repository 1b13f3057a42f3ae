"""How does a worker process leave the page free, say how far it is, and stop when told to?

One child process for each tab does one job after the other.  Events come back through a pipe.
A job that is prefetched gives way when the next one arrives; a publication is stopped by
ending the process, and what it had reserved in the ledger is given up.
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

REPORT_EVERY = 0.1
"""Seconds between two reports of progress."""

PREFETCH_JOBS = frozenset({"fit", "rehearse", "pilot", "profile", "losses"})
"""Done before they are asked for; they give way to any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEvent:
    """What the worker process says about a job.

    Parameters
    ----------
    job : str
        Its name.
    key : str
        Tells apart jobs of the same name.
    kind : str
        "progress" with (what, done, total), "released" or "done" with a result, "refused" with a
        message for people, "broken" with the name of an error, "gave way", or "ended".
    content : object
        What belongs to it.
    """

    job: str
    key: str
    kind: Literal["progress", "released", "done", "refused", "broken", "gave way", "ended"]
    content: Any = None


class WorkerProcess:
    """The worker process of a tab: started when needed, ended by `stop`."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Connection | None = None
        self.job = ""
        self.key = ""

    @property
    def busy(self) -> bool:
        """Return whether a job has been given and has not ended."""
        return bool(self.job)

    def begin(self, job: str, key: str, arguments: Mapping[str, Any]) -> None:
        """Give a job; one that gives way must be the only one before it."""
        pipe = self._pipe
        if pipe is None or not self._process.is_alive():
            pipe = self._start()
        self.job, self.key = job, key
        pipe.send((job, key, dict(arguments)))

    def events(self) -> list[JobEvent]:
        """Return what happened since the last time."""
        events: list[JobEvent] = []
        try:
            while self._pipe is not None and self._pipe.poll():
                events.append(self._pipe.recv())
        except (EOFError, OSError):
            # The system may end a process that needs too much memory.
            events.append(JobEvent(job=self.job, key=self.key, kind="ended"))
            self.stop()
            return events
        for event in events:
            if event.kind not in ("progress", "released") and event.key == self.key:
                self.job = self.key = ""
        return events

    def stop(self) -> list[JobEvent]:
        """End the process; return what it said last.  The next job starts another."""
        process, pipe = self._process, self._pipe
        said: list[JobEvent] = []
        self._process = self._pipe = None
        self.job = self.key = ""
        if process is not None:
            process.terminate()
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()
        if pipe is not None:
            try:
                while pipe.poll():
                    said.append(pipe.recv())
            except (EOFError, OSError):
                # All is read, or the process was ended in the middle of a word.
                pass
            pipe.close()
        return said

    def _start(self) -> Connection:
        self.stop()
        # Not forked: the page has threads and open connections.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=run_jobs, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        return self._pipe


def run_jobs(pipe: Connection) -> None:
    """Do jobs until the other end is closed."""
    # Ctrl-C in the terminal reaches this process too, but the page decides when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_page, daemon=True).start()
    from covey.errors import CoveyError
    from covey.studio.jobs import JOBS

    while True:
        try:
            job, key, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        reporter = _Reporter(pipe, job, key)
        try:
            result = JOBS[job](reporter.progress, reporter.say, **arguments)
        except _GaveWay:
            reporter.say("gave way", None)
        except CoveyError as error:
            reporter.say("refused", str(error))
        except (BrokenPipeError, KeyboardInterrupt):
            return
        except Exception as error:  # noqa: BLE001 — its text may quote a record, its name does not
            reporter.say("broken", type(error).__name__)
        else:
            reporter.say("done", result)


def _end_with_the_page() -> None:
    """End this process when the page was killed: nobody would clear up what it still writes."""
    page = multiprocessing.parent_process()
    if page is not None:
        page.join()
        os._exit(1)


class _GaveWay(Exception):  # noqa: N818 — not an error
    """A job that was prefetched has been overtaken by another."""


class _Reporter:
    """Where a job says how far it is."""

    def __init__(self, pipe: Connection, job: str, key: str) -> None:
        self._pipe, self._job, self._key = pipe, job, key
        self._said = 0.0

    def say(self, kind: Any, content: Any) -> None:
        self._pipe.send(JobEvent(job=self._job, key=self._key, kind=kind, content=content))

    def progress(self, what: str, done: int, total: int) -> None:
        if self._job in PREFETCH_JOBS and self._pipe.poll():
            raise _GaveWay
        now = time.monotonic()
        if now - self._said >= REPORT_EVERY:
            self._said = now
            self.say("progress", (what, done, total))

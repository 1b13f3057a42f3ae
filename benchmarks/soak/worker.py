"""A process that runs plans one after the other, within processor time and memory."""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

ENDLESS, MEMORY = 120, 4 * 2**30


class Worker:
    """A process that runs plans, and is replaced when one of them ends it."""

    def __init__(self, systems: list[str] | None) -> None:
        """Start the process."""
        self.systems = systems
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, inner = context.Pipe()
        self.process = context.Process(target=serve, args=(inner, self.systems), daemon=True)
        self.process.start()
        inner.close()

    def run(self, seed: int) -> tuple[str, str, float, str]:
        """Return the plan, how it ended, its seconds of processor time and where it failed."""
        self.pipe.send(seed)
        name = f"seed {seed}"
        try:
            name = self.pipe.recv()
            outcome, seconds, where = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self.process.join()
            code = self.process.exitcode
            self._start()
            return name, f"fault: its process ended with {code} (-24: {ENDLESS} s)", 0.0, ""
        return name, outcome, seconds, where

    def close(self) -> None:
        """End the process."""
        self.pipe.send(None)
        self.process.join()


def serve(pipe: Connection, systems: list[str] | None) -> None:
    """Run the plans whose seeds come through the pipe."""
    from benchmarks.soak.judge import run_case
    from benchmarks.soak.plans import draw_case

    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    while (seed := pipe.recv()) is not None:
        begun, where, name = time.process_time(), "", ""
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(begun) + ENDLESS, hard))
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            try:
                case = draw_case(seed, place, systems)
                name = str(case)
                pipe.send(name)
                outcome = run_case(case, place)
            except Exception as error:  # noqa: BLE001 — that is what a soak looks for
                if not name:
                    pipe.send(f"seed {seed}")
                outcome = f"fault: {type(error).__name__}: {str(error)[:300]}"
                where = traceback.format_exc()
        pipe.send((outcome, time.process_time() - begun, where))

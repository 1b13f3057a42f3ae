"""A process that publishes again and again in children, and kills each one step later (kill -9).

Run as a script: the folder, the engine, the first step, the stride, and whether an older release
is replaced.  A step is whatever changes the disk: opening for writing, syncing, renaming,
removing.  Children are forked before polars has threads.  Prints the folder of each child and
whether it came to its end, after which it stops.
"""

from __future__ import annotations

import os
import signal
import sys
from fractions import Fraction
from pathlib import Path

import covey
from covey.ledger import create_ledger
from covey.release import folder as release_folder

STEPS = {"os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.link", "tempfile.mkdtemp"}


def kill_at(step: int) -> None:
    """Let this process die at its next step but so many."""
    left = step

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(event: str, details: tuple) -> None:
        writes = event == "open" and isinstance(details[2], int) and details[2] & os.O_CREAT
        if event in STEPS or writes:
            count()

    sync = os.fsync

    def counted(number: int) -> None:
        count()
        sync(number)

    os.fsync = counted
    sys.addaudithook(audit)


def publish(place: Path, engine: str, *, force: bool) -> None:
    """Publish three numbers about thirty records."""
    schema = covey.Schema((covey.Attribute("age", bounds=(0, 100), integer=True),))
    covey.publish_to(
        place / "out",
        place / "people.csv",
        "rank-blocks",
        schema=schema,
        ledger=place / "people.ledger",
        epsilon=1.0,
        k=5,
        engine=engine,
        force=force,
    )


def main(folder: str, engine: str, first: str, stride: str, force: str) -> None:
    """Fork a child for each step at which it dies."""
    release_folder.DOCUMENTS.clear()  # drawing pictures changes nothing
    for step in range(int(first), 10_000, int(stride)):
        place = Path(folder) / f"{step:04}"
        place.mkdir()
        ages = "\n".join(str(age) for age in range(20, 50))
        (place / "people.csv").write_text(f"age\n{ages}\n")
        create_ledger(place / "people.ledger", Fraction(5))
        child = os.fork()
        if child == 0:
            if force == "force":
                publish(place, engine, force=False)
            kill_at(step)
            publish(place, engine, force=force == "force")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        ended = os.WIFEXITED(status)
        print(place, int(ended), flush=True)  # noqa: T201
        if ended:
            sys.exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main(*sys.argv[1:])

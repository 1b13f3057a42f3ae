"""Jobs are done in another process, which says how far it is, and stops when told to."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from covey.choose.purposes import propose
from covey.studio.worker import JobEvent, WorkerProcess


@pytest.fixture
def worker():
    worker = WorkerProcess()
    yield worker
    worker.stop()


def wait(worker: WorkerProcess, kinds: set[str], seconds: float = 120.0) -> list[JobEvent]:
    """Collect events until one of these kinds has come."""
    events: list[JobEvent] = []
    end = time.monotonic() + seconds
    while not {event.kind for event in events} & kinds:
        assert time.monotonic() < end, events
        events += worker.events()
        time.sleep(0.02)
    return events


def test_a_file_is_read_elsewhere_with_progress_and_a_result(worker, terminal) -> None:
    path = str(terminal.folder / "people.csv")

    worker.begin("read", "1", {"path": path, "name": "people.csv", "kind": "table"})
    assert worker.busy
    events = wait(worker, {"done"})

    file, schema = events[-1].content
    assert events[0].kind == "progress"
    assert file.rows == 24
    assert schema.names == file.columns
    assert schema["age"].relies_on_data
    assert not worker.busy


def test_a_refusal_comes_back_in_words_and_the_process_lives_on(worker, tmp_path) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    arguments = {"path": str(tmp_path / "empty.csv"), "name": "empty.csv", "kind": "table"}

    worker.begin("read", "1", arguments)
    first = wait(worker, {"refused"})[-1]
    worker.begin("read", "2", arguments)
    second = wait(worker, {"refused"})[-1]

    assert "is empty" in first.content
    assert (first.key, second.key) == ("1", "2")


def test_a_bug_comes_back_by_name_without_its_text(worker) -> None:
    worker.begin("read", "1", {"path": 7, "name": "secret 7777777", "kind": "table"})

    event = wait(worker, {"broken"})[-1]

    assert event.content.isidentifier()


def test_what_is_prefetched_gives_way_to_what_a_person_waits_for(
    worker, people_schema, terminal
) -> None:
    plan = propose("public", people_schema, columns=("age", "town"))
    prefetched = {"key": "f", "plan": plan, "n": 9000}
    path = str(terminal.folder / "people.csv")

    worker.begin("pilot", "f", prefetched)
    worker.begin("read", "1", {"path": path, "name": "people.csv", "kind": "table"})
    events = wait(worker, {"done"})

    assert [event.kind for event in events if event.job == "pilot"][-1] == "gave way"
    assert events[-1].job == "read"


def test_stopping_ends_the_process_and_the_next_task_starts_another(worker, terminal) -> None:
    path = str(terminal.folder / "people.csv")
    arguments = {"path": path, "name": "people.csv", "kind": "table"}
    worker.begin("read", "1", arguments)

    worker.stop()
    assert not worker.busy
    worker.begin("read", "2", arguments)

    assert wait(worker, {"done"})[-1].key == "2"


PAGE = """
import sys, time
from covey.studio.worker import WorkerProcess

if __name__ == "__main__":
    worker = WorkerProcess()
    worker.begin("read", "1", {"path": sys.argv[1], "name": "", "kind": "table"})
    while worker.busy:
        worker.events()
    print(worker._process.pid, flush=True)
    time.sleep(600)
"""


def test_the_process_ends_when_the_page_is_killed(terminal) -> None:
    path = str(terminal.folder / "people.csv")
    page = subprocess.Popen([sys.executable, "-c", PAGE, path], stdout=subprocess.PIPE, text=True)
    other = int(page.stdout.readline())
    assert alive(other)

    page.kill()
    page.communicate()

    end = time.monotonic() + 60.0
    while alive(other):
        assert time.monotonic() < end
        time.sleep(0.05)


def alive(process: int) -> bool:
    """Return whether a process runs; one that has ended may wait for somebody to notice."""
    shown = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    )
    return bool(shown.stdout.strip()) and not shown.stdout.startswith("Z")


def test_a_process_that_dies_is_reported(worker, terminal) -> None:
    path = str(terminal.folder / "people.csv")
    worker.begin("read", "1", {"path": path, "name": "people.csv", "kind": "table"})
    worker._process.kill()

    assert wait(worker, {"ended"})[-1].key == "1"
    assert not worker.busy


def test_what_was_said_last_is_heard_when_the_process_is_stopped(worker, terminal) -> None:
    path = str(terminal.folder / "people.csv")
    worker.begin("read", "1", {"path": path, "name": "people.csv", "kind": "table"})
    assert worker._pipe.poll(120)

    said = worker.stop()

    assert said[0].job == "read"
    assert not worker.busy
    assert worker.stop() == []

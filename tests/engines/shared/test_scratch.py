"""Scratch folders are private, go with their owner, and are cleared if that was killed."""

from __future__ import annotations

import errno
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from covey.engines.shared import scratch
from covey.engines.shared.scratch import clear_abandoned, scratch_folder
from covey.errors import ReleaseError

CODE = """
import sys, time
from pathlib import Path
from covey.engines.shared.scratch import scratch_folder

class Owner: pass

owner = Owner()
folder = scratch_folder(owner, Path(sys.argv[1]))
(folder / "records.arrow").write_text("secret")
print(folder, flush=True)
time.sleep(60)
"""
MARK = f"in-use-on-{platform.node()}"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks of this kind are POSIX's")


class Owner:
    """Something that needs a folder."""


@pytest.fixture
def elsewhere(tmp_path):
    """Return a process that holds a folder, and the folder."""
    command = [sys.executable, "-c", CODE, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def test_a_folder_is_private_and_goes_with_its_owner(tmp_path) -> None:
    owner = Owner()

    folder = scratch_folder(owner, tmp_path)

    assert folder.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == [folder]
    del owner
    assert not list(tmp_path.iterdir())


def test_the_folder_of_a_killed_process_is_cleared(elsewhere, tmp_path) -> None:
    process, folder = elsewhere
    assert (folder / "records.arrow").exists()

    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert folder.exists()
    clear_abandoned(tmp_path)

    assert not list(tmp_path.iterdir())


def test_folders_in_use_are_left_alone_here_and_in_other_processes(elsewhere, tmp_path) -> None:
    _, theirs = elsewhere
    owner = Owner()
    ours = scratch_folder(owner, tmp_path)

    clear_abandoned(tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == {ours.name, theirs.name}
    assert (theirs / "records.arrow").exists()


def test_folders_that_are_not_ours_to_judge_are_left_alone(tmp_path, monkeypatch) -> None:
    unmarked, other = tmp_path / "covey-unmarked", tmp_path / "covey-other"
    for folder in (unmarked, other):
        folder.mkdir()
    (other / "in-use-on-another-machine").touch()
    target = tmp_path / "target"
    target.mkdir()
    (target / MARK).touch()
    (tmp_path / "covey-link").symlink_to(target)
    (tmp_path / "covey-file").touch()

    clear_abandoned(tmp_path)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    (other / MARK).touch()
    clear_abandoned(tmp_path)

    assert len(list(tmp_path.iterdir())) == 5
    assert (target / MARK).exists()


def test_a_file_system_without_locks_gets_no_mark(tmp_path, monkeypatch) -> None:
    def fail(*_) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    owner = Owner()
    with monkeypatch.context() as patched:
        patched.setattr("covey.engines.shared.in_use.fcntl.flock", fail)
        folder = scratch_folder(owner, tmp_path)
    clear_abandoned(tmp_path)

    assert folder.is_dir()
    assert not list(folder.iterdir())


def test_a_place_that_cannot_be_written_is_explained_and_left_as_it_was(
    tmp_path, monkeypatch
) -> None:
    def full(*_) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(scratch, "hold_folder", full)

    with pytest.raises(ReleaseError, match="No space left on device"):
        scratch_folder(Owner(), tmp_path)

    assert not list(tmp_path.iterdir())

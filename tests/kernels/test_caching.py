"""Compiled kernels are kept where they can be written, and where nobody else can put any."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from covey.kernels import caching


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """Return a folder for temporary files, on a machine where nothing else can be written."""
    monkeypatch.delenv(caching.CACHE_VARIABLE, raising=False)
    monkeypatch.setattr(caching, "_is_writable", lambda _: False)
    monkeypatch.setattr(caching.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(caching.tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    os.environ.pop(caching.CACHE_VARIABLE, None)


def chosen() -> Path:
    caching.choose_cache()
    return Path(os.environ[caching.CACHE_VARIABLE])


def test_a_private_folder_serves_where_nothing_else_can_be_written(nowhere) -> None:
    folder = chosen()

    assert folder.parent == nowhere
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_it_is_the_same_in_the_next_process(nowhere) -> None:
    first = chosen()
    os.environ.pop(caching.CACHE_VARIABLE)

    assert chosen() == first
    assert first.parent == nowhere


@pytest.mark.parametrize("trap", ["open to others", "a link"])
def test_a_folder_that_somebody_else_may_have_filled_is_not_used(nowhere, trap) -> None:
    expected = nowhere / f"covey-kernels-{os.getuid()}"
    if trap == "a link":
        (nowhere / "theirs").mkdir()
        expected.symlink_to(nowhere / "theirs")
    else:
        expected.mkdir()
        expected.chmod(0o777)

    folder = chosen()

    assert folder != expected
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_what_the_user_has_set_stays(nowhere, monkeypatch) -> None:
    monkeypatch.setenv(caching.CACHE_VARIABLE, str(nowhere / "mine"))

    assert chosen() == nowhere / "mine"


def test_an_installation_that_can_be_written_is_used_as_ever(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv(caching.CACHE_VARIABLE, raising=False)
    monkeypatch.setattr(caching, "__file__", str(tmp_path / "caching.py"))

    caching.choose_cache()

    assert caching.CACHE_VARIABLE not in os.environ

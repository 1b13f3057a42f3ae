"""A session starts, or the error says what to install or to check."""

from __future__ import annotations

import socket

import pytest

from covey.errors import PlanError

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
from covey.engines.spark.session import java_version, session


@pytest.fixture
def other_java(tmp_path, monkeypatch):
    """Put a Java that says what the test wants in the place of the real one."""

    def install(words: str | None) -> None:
        binary = tmp_path / "bin" / "java"
        if words is not None:
            binary.parent.mkdir()
            binary.write_text(f"#!/bin/sh\necho '{words}' >&2\n")
            binary.chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    return install


def test_without_java_the_error_says_what_to_install(other_java) -> None:
    other_java(None)

    with pytest.raises(PlanError, match=r"no Java was found.*openjdk-17"):
        session("local[1]")


@pytest.mark.parametrize(
    ("words", "version"),
    [('openjdk version "11.0.2" 2019-01-15', 11), ('java version "1.8.0_281"', 8)],
)
def test_an_old_java_is_refused_by_its_version(other_java, words, version) -> None:
    other_java(words)

    assert java_version() == version
    with pytest.raises(PlanError, match=f"version {version}"):
        session("local[1]")


def test_a_master_that_cannot_be_reached_is_named(other_java) -> None:
    other_java('openjdk version "17.0.15" 2025-04-15')
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(PlanError, match=f"127.0.0.1:{port}"):
        session(f"spark://127.0.0.1:{port}")


def test_a_master_without_a_port_is_refused(other_java) -> None:
    other_java('openjdk version "17.0.15" 2025-04-15')

    with pytest.raises(PlanError, match="cannot be reached"):
        session("spark://nowhere.invalid")

"""The command line publishes with Spark, and says what is wrong without it."""

from __future__ import annotations

import polars as pl
import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")


@pytest.mark.usefixtures("spark")
def test_a_file_becomes_a_release_folder(terminal) -> None:
    terminal.describe("illness", categories=("flu", "asthma", "gout", "none"))

    ran = terminal.publish(
        "--system", "rank-blocks", "--epsilon", "1", "--columns", "age,income",
        "--engine", "spark", "--master", "local[2]", "--json",
    )  # fmt: skip

    assert ran.code == 0, ran.err
    assert (terminal.folder / "out" / "guarantee.json").exists()
    assert pl.read_csv(terminal.folder / "out" / "data.csv").columns == ["age", "income"]


def test_a_master_that_cannot_be_reached_leaves_nothing(terminal, monkeypatch, tmp_path_factory):
    java = tmp_path_factory.mktemp("java") / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"21.0.1\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(java.parents[1]))

    said = terminal.refused_to_publish(
        "--system", "rank-blocks", "--epsilon", "1", "--engine", "spark", "--master", "spark://x:1"
    )

    assert "spark://x:1" in said


def test_without_java_the_error_says_what_to_install(
    terminal, monkeypatch, tmp_path_factory
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path_factory.mktemp("none")))

    said = terminal.refused_to_publish(
        "--system", "rank-blocks", "--epsilon", "1", "--engine", "spark"
    )

    assert "Java 17" in said
    assert "openjdk" in said

"""Machines learn what happened from exit codes, JSON, a log, and the folder itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

from covey.ledger import create_ledger, load_ledger
from tests.cli.bad_descriptions import SCHEMA
from tests.cli.bad_files import GOOD

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "machines"
NOISE = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon", "1")


def test_errors_are_one_line_of_json_if_json_was_asked_for(terminal) -> None:
    for arguments, kind, code in (
        (("publish", "nobody.csv", "-o", "out", *NOISE), "DataError", 6),
        (("publish", "people.csv", "-o", "out"), "PlanError", 2),
        (("publish", "people.csv", "--outputt", "out"), "UsageError", 2),
        (("publish", "people.csv", "-o", "out", "-k", "many"), "UsageError", 2),
    ):
        ran = terminal.run(*arguments, "--json")
        told = json.loads(ran.err)["error"]

        assert (told["kind"], told["exit_code"], ran.code) == (kind, code, code)
        assert told["message"]
        assert ran.out == ""


@pytest.mark.parametrize("before", [True, False])
def test_quiet_and_log_stand_before_or_behind_the_verb(terminal, before: bool) -> None:
    verb = ("publish", "people.csv", "-s", "people.toml", "-o", "out", *NOISE)
    common = ("-q", "--log", "run.log")

    ran = terminal.run(*((*common, *verb) if before else (*verb, *common)))

    assert (ran.code, ran.out) == (0, "")
    log = (terminal.folder / "run.log").read_text()
    assert "writing the release" in log
    assert "published out: pure-dp" in log
    assert "7777777" not in log


def test_errors_are_logged_too_and_verbose_prints_the_steps(terminal, monkeypatch) -> None:
    monkeypatch.setenv("COVEY_LOG", "run.log")

    assert terminal.run("check", "nobody.csv").code == 6
    told = terminal.run("publish", "people.csv", "-s", "people.toml", "-o", "out", *NOISE, "-v")

    assert "ERROR DataError: there is no file" in (terminal.folder / "run.log").read_text()
    assert "INFO writing the release" in told.err


def test_a_log_that_cannot_be_written_is_refused_before_anything_is_done(terminal) -> None:
    publish = ("publish", "people.csv", "-s", "people.toml", "-o", "out", *NOISE)
    assert "the log" in terminal.refused("--log", "nowhere/run.log", *publish)


def test_the_environment_names_ledger_and_requirement(terminal, monkeypatch) -> None:
    create_ledger(terminal.folder / "people.ledger", 3)
    monkeypatch.setenv("COVEY_LEDGER", "people.ledger")
    monkeypatch.setenv("COVEY_REQUIRE", "k-anonymity")

    assert terminal.publish(*NOISE).code == 4
    assert terminal.publish("--system", "mdav", "-k", "3").code == 0
    assert len(load_ledger(terminal.folder / "people.ledger").entries) == 1


def test_a_release_is_shown_and_checked_again(terminal) -> None:
    create_ledger(terminal.folder / "people.ledger", 3)
    assert terminal.publish(*NOISE, "--ledger", "people.ledger").code == 0

    shown = terminal.run("show", "out")
    told = json.loads(terminal.run("show", "out", "--json").out)
    checked = terminal.run("check", "out", "--ledger", "people.ledger")

    assert "Pure differential privacy" in shown.out
    assert told["guarantee"]["kind"] == "pure-dp"
    assert told["columns"] == ["age", "income"]
    assert (checked.code, checked.err) == (0, "")


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda out: (out / "report.html").unlink(), "report.html is missing"),
        (lambda out: (out / "data.csv").write_text("age\n1\n"), "data.csv is not the file"),
        (lambda out: (out / "more.csv").touch(), "more.csv is not a file of the release"),
        (lambda out: (out / "checksums.sha256").unlink(), "There is no checksums.sha256"),
        (
            lambda out: (out / "guarantee.json").write_text(
                (out / "guarantee.json").read_text().replace('"pure-dp"', '"local-dp"')
            ),
            "card.json says something else about guarantee",
        ),
    ],
)
def test_what_was_changed_in_a_folder_is_named(terminal, harm, said: str) -> None:
    assert terminal.publish(*NOISE).code == 0
    harm(terminal.folder / "out")

    ran = terminal.run("check", "out")
    told = terminal.run("check", "out", "--json")

    assert ran.code == told.code == 6
    assert said in ran.out
    assert any(said in sentence for sentence in json.loads(told.out)["wrong"])


def test_a_folder_that_another_ledger_paid_for_is_found(terminal) -> None:
    create_ledger(terminal.folder / "other.ledger", 3)
    assert terminal.publish(*NOISE).code == 0

    assert terminal.run("check", "out", "--ledger", "other.ledger").code == 6


def test_a_schema_may_stand_behind_the_data(terminal) -> None:
    assert terminal.run("check", "people.csv", "people.toml").code == 0
    assert "one schema is enough" in terminal.refused(
        "check", "people.csv", "people.toml", "-s", "people.toml"
    )


@pytest.fixture
def command(tmp_path, monkeypatch) -> dict[str, str]:
    """Put a command called covey on the path, beside a table, a schema and a ledger."""
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "covey"
    run = "from covey.cli import main; main()"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{run}" "$@"\n')
    script.chmod(0o755)
    (tmp_path / "people.csv").write_bytes(GOOD)
    (tmp_path / "people.toml").write_text(SCHEMA)
    create_ledger(tmp_path / "people.ledger", 3)
    monkeypatch.chdir(tmp_path)
    return {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}


def test_the_nightly_job_publishes_logs_and_checks(tmp_path, command) -> None:
    (tmp_path / "nightly.sh").write_text((EXAMPLES / "nightly.sh").read_text())

    first = subprocess.run(
        ["sh", "nightly.sh"], env=command, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    again = subprocess.run(
        ["sh", "nightly.sh"], env=command, cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (first.returncode, first.stdout, first.stderr) == (0, "", "")
    assert len(load_ledger(tmp_path / "people.ledger").entries) == 1
    assert again.returncode == 2  # the folder of today exists
    assert len(load_ledger(tmp_path / "people.ledger").entries) == 1


def test_the_tasks_of_the_airflow_example_run(tmp_path, command, monkeypatch) -> None:
    commands = []

    class Step:
        def __rshift__(self, other: Step) -> Step:
            return other

    def bash(**settings):
        assert settings == {"retries": 0}

        def keep(function):
            def called() -> Step:
                commands.append(function().replace("{{ ds }}", "2026-01-05"))
                return Step()

            return called

        return keep

    airflow = types.ModuleType("airflow.sdk")
    airflow.dag = lambda **_: lambda function: function
    airflow.task = types.SimpleNamespace(bash=bash)
    monkeypatch.setitem(sys.modules, "airflow", types.ModuleType("airflow"))
    monkeypatch.setitem(sys.modules, "airflow.sdk", airflow)

    exec((EXAMPLES / "airflow_dag.py").read_text(), {"__name__": "dag"})  # noqa: S102

    assert len(commands) == 2
    for each in commands:
        ran = subprocess.run(  # noqa: S602 — as Airflow runs it
            each, shell=True, env=command, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert json.loads(ran.stdout)


def test_the_cells_of_the_notebook_run() -> None:
    cells = json.loads((EXAMPLES / "first_release.ipynb").read_text())["cells"]
    names: dict[str, object] = {}

    for cell in cells:
        if cell["cell_type"] == "code":
            *lines, last = "".join(cell["source"]).split("\n")
            exec("\n".join(lines), names)  # noqa: S102
            shown = eval(last, names)  # noqa: S307
            assert shown._repr_html_().startswith("<")

"""The command line explains itself, ends with the right code, and stops when told to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

VERBS = [
    *("demo", "systems", "schema", "ledger", "advise", "publish", "evaluate"),
    *("project", "audit", "compare", "reproduce", "studio"),
]
# A shell may start programs in the background deaf to Ctrl-C; a terminal does not.
START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from covey.cli import main\n"
)


def covey(*arguments: str, cwd: Path, **more: object) -> subprocess.Popen[str]:
    """Start the real command line in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", more.pop("before", "") + START + "main()", *arguments],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def test_help_names_every_verb_and_the_exit_codes(terminal) -> None:
    ran = terminal.run("--help")

    assert ran.code == 0
    assert all(f"│ {verb}" in ran.out for verb in VERBS)
    assert "3 the ledger is exhausted" in " ".join(ran.out.split())


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_verb_explains_itself(terminal, verb: str, flag: str) -> None:
    ran = terminal.run(verb, flag)

    assert ran.code == 0
    assert f"Usage: covey {verb}" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80


@pytest.mark.parametrize("verb", ["schema", "ledger", "advise", "publish", "evaluate"])
def test_every_verb_that_needs_arguments_shows_an_example_on_a_line_of_its_own(
    terminal, verb: str
) -> None:
    ran = terminal.run(verb, "--help")

    examples = [line.strip() for line in ran.out.splitlines() if f"covey {verb} " in line]
    examples = [line for line in examples if line.startswith(f"covey {verb}")]
    assert examples
    assert all(line.split()[-1] != "-o" for line in examples), "no example is cut in two"


def test_the_list_of_verbs_shows_one_sentence_for_each(terminal) -> None:
    ran = terminal.run("--help")

    assert "Example" not in ran.out


def test_the_version_is_shown(terminal) -> None:
    assert terminal.run("--version").out == f"covey {version('covey')}\n"


@pytest.mark.parametrize(
    "arguments", [("publsh",), ("publish",), ("publish", "people.csv"), ("systems", "--jsn")]
)
def test_a_mistyped_command_ends_with_code_two(terminal, arguments: tuple[str, ...]) -> None:
    before = terminal.files()

    ran = terminal.run(*arguments)

    assert ran.code == 2
    assert "Usage: covey" in ran.err
    assert terminal.files() == before


def test_errors_are_one_line_when_nobody_watches(terminal) -> None:
    ran = terminal.run("publish", "nobody.csv", "--system", "mdav", "-k", "3", "-o", "out")

    assert ran.err.count("\n") == 1


def test_the_real_command_publishes(terminal) -> None:
    process = covey(
        "publish", "people.csv", "-s", "people.toml", "--system", "laplace", "--columns", "age",
        "--epsilon", "1", "-o", "out", cwd=terminal.folder,
    )  # fmt: skip

    out, err = process.communicate(timeout=120)

    assert (process.returncode, err) == (0, "")
    assert "Local differential privacy" in out
    assert (terminal.folder / "out" / "data.csv").is_file()


def test_the_real_command_ends_with_the_code_of_the_error(terminal) -> None:
    process = covey("schema", "nobody.csv", cwd=terminal.folder)

    out, err = process.communicate(timeout=120)

    assert (process.returncode, out) == (6, "")
    assert err.startswith("error: there is no file 'nobody.csv'")


def test_ctrl_c_while_reading_ends_with_130_and_writes_nothing(terminal) -> None:
    slow = (
        "import covey, time\n"
        "def read(*_, **__):\n"
        "    print('reading', flush=True); time.sleep(60)\n"
        "covey.read_table = read\n"
    )
    before = terminal.files()
    process = covey(
        "publish", "people.csv", "-s", "people.toml", "--system", "mdav", "-k", "3", "-o", "out",
        cwd=terminal.folder, before=slow,
    )  # fmt: skip

    assert process.stdout is not None
    assert process.stdout.readline() == "reading\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)

    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert terminal.files() == before


def test_ctrl_c_in_the_middle_of_writing_ends_with_130_and_leaves_nothing(terminal) -> None:
    slow = (
        "import sys, time, polars\n"
        "def write(self, path):\n"
        "    path.write_text('half'); print('writing', flush=True); time.sleep(60)\n"
        "polars.DataFrame.write_csv = write\n"
    )
    before = terminal.files()
    process = covey(
        "publish", "people.csv", "-s", "people.toml", "--system", "laplace", "--columns", "age",
        "--epsilon", "1", "-o", "out", cwd=terminal.folder, before=slow,
    )  # fmt: skip

    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)

    assert process.returncode == 130
    assert "interrupted" in err
    assert terminal.files() == before


def test_a_reader_that_goes_away_is_no_bug(terminal) -> None:
    process = covey("systems", cwd=terminal.folder)
    assert process.stdout is not None
    process.stdout.close()

    assert process.stderr is not None
    err = process.stderr.read()
    process.wait(timeout=120)

    assert "Traceback" not in err
    assert "internal error" not in err
    process.stderr.close()


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_terminal_that_lacks_characters_ends_no_command(tmp_path, encoding: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", START + "main()", "systems"],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )

    assert process.returncode == 0, process.stderr
    assert b"private-tree" in process.stdout


def test_machines_get_every_character_whatever_the_encoding(tmp_path) -> None:
    (tmp_path / "towns.csv").write_text("地区\n北\n南\n北\n", encoding="utf-8")
    process = subprocess.run(
        [sys.executable, "-c", START + "main()", "schema", "towns.csv", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=False,
    )

    assert process.returncode == 0, process.stderr
    assert "地区" in json.dumps(json.loads(process.stdout), ensure_ascii=False)

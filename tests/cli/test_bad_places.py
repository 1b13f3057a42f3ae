"""Bad paths, folders and ledgers end in words, and bugs are called bugs.

`terminal.refused` checks the exit code, that standard output stays empty, that the message quotes
no record, and that no file was made or changed.
"""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest

from covey import Schema
from covey.ledger import create_ledger, load_ledger

NOISE = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon")
CLUSTERS = ("--system", "mdav", "-k")


@pytest.mark.parametrize("verb", ["publish", "schema"])
def test_a_file_that_is_not_there(terminal, verb: str) -> None:
    more = ("-o", "out", *CLUSTERS, "3") if verb == "publish" else ()

    said = terminal.refused(verb, "nobody.csv", *more)

    assert "there is no file 'nobody.csv', so nothing was read" in said
    assert "Check the path" in said


def test_a_folder_in_place_of_a_file(terminal) -> None:
    (terminal.folder / "folder.csv").mkdir()

    said = terminal.refused("publish", "folder.csv", "-o", "out", *CLUSTERS, "3")

    assert "there is no file 'folder.csv'" in said


@pytest.mark.usefixtures("permissions_matter")
def test_a_file_that_may_not_be_read(terminal) -> None:
    (terminal.folder / "secret.csv").write_text("age\n7777777\n")
    (terminal.folder / "secret.csv").chmod(0)
    try:
        ran = terminal.run("publish", "secret.csv", "-o", "out", *CLUSTERS, "3")
    finally:
        (terminal.folder / "secret.csv").chmod(0o600)

    assert ran.code == 2
    assert "'secret.csv' cannot be read (Permission denied)" in ran.err
    assert not (terminal.folder / "out").exists()


def test_a_schema_that_is_not_there(terminal) -> None:
    said = terminal.refused("publish", "people.csv", "-s", "no.toml", "-o", "out", *CLUSTERS, "3")

    assert "the schema 'no.toml' cannot be read (No such file or directory)" in said
    assert "covey schema DATA -o no.toml" in said


def test_an_output_folder_that_exists(terminal) -> None:
    assert terminal.publish(*CLUSTERS, "3").code == 0

    said = terminal.refused_to_publish(*CLUSTERS, "4")

    assert "the output 'out' exists already, so nothing was written" in said
    assert "--force" in said


def test_an_older_release_is_replaced_by_force(terminal) -> None:
    assert terminal.publish(*CLUSTERS, "3").code == 0

    assert terminal.publish(*CLUSTERS, "4", "--force").code == 0

    assert '"k": 4' in (terminal.folder / "out" / "guarantee.json").read_text()


def test_a_folder_that_is_no_release_survives_force(terminal) -> None:
    (terminal.folder / "out").mkdir()
    (terminal.folder / "out" / "thesis.tex").write_text("mine")

    said = terminal.refused_to_publish(*CLUSTERS, "3", "--force")

    assert "'out' is not a release folder" in said
    assert "Choose another folder" in said


@pytest.mark.usefixtures("permissions_matter")
def test_an_output_folder_that_may_not_be_written(terminal) -> None:
    (terminal.folder / "locked").mkdir(mode=0o500)

    said = terminal.refused("publish", "people.csv", "-o", "locked/out", *CLUSTERS, "3")

    assert "'locked/out' cannot be written (Permission denied)" in said


def test_an_output_folder_below_a_file(terminal) -> None:
    said = terminal.refused("publish", "people.csv", "-o", "people.toml/out", *CLUSTERS, "3")

    assert "'people.toml/out' cannot be written" in said
    assert "Choose a place" in said


def test_an_exhausted_ledger(terminal) -> None:
    create_ledger(terminal.folder / "people.ledger", Fraction(1))
    paid = terminal.publish(*NOISE, "0.75", "--ledger", "people.ledger")
    assert paid.code == 0
    assert "epsilon = 0.25 left" in paid.out

    said = terminal.refused(
        "publish", "people.csv", "-s", "people.toml", "-o", "second", *NOISE, "0.5",
        "--ledger", "people.ledger", code=3,
    )  # fmt: skip

    assert "the ledger has epsilon = 0.25 left of 1 and this release needs 0.5" in said
    assert "so nothing was published" in said
    assert "Ask for a smaller epsilon" in said
    assert len(load_ledger(terminal.folder / "people.ledger").entries) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read (No such file"), ("{", "is damaged"), ('{"version": 9}', "newer")],
)
def test_a_ledger_that_cannot_be_used(terminal, content: str | None, said: str) -> None:
    if content is not None:
        (terminal.folder / "people.ledger").write_text(content)

    before = terminal.files()
    ran = terminal.publish(*NOISE, "1", "--ledger", "people.ledger")

    assert ran.code in (2, 3)
    assert said in ran.err
    assert terminal.files() == before


def test_a_schema_file_is_not_overwritten(terminal) -> None:
    said = terminal.refused("schema", "people.csv", "-o", "people.toml")

    assert "the file 'people.toml' exists already, so nothing was written" in said
    assert "--force" in said


def test_a_schema_file_that_cannot_be_written(terminal) -> None:
    said = terminal.refused("schema", "people.csv", "-o", "nowhere/people.toml")

    assert "the schema 'nowhere/people.toml' cannot be written" in said


def test_an_evaluation_of_a_folder_that_is_no_release(terminal) -> None:
    said = terminal.refused("evaluate", "people.csv", ".")

    assert "plan.toml' cannot be read" in said
    assert "Check the path" in said


def test_a_ledger_that_exists_is_not_started_again(terminal) -> None:
    create_ledger(terminal.folder / "people.ledger", Fraction(1))
    before = terminal.files()

    ran = terminal.run("ledger", "people.ledger", "--create", "9")

    assert ran.code in (2, 3)
    assert "exists already" in ran.err
    assert terminal.files() == before


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "much"])
def test_a_ledger_with_a_limit_that_is_none(terminal, limit: str) -> None:
    said = terminal.refused("ledger", "people.ledger", "--create", limit)

    assert "is not a positive finite number" in said


def test_a_bug_is_called_one_and_shows_no_record(terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("could not parse 7777777")

    monkeypatch.setattr(Schema, "load", fail)

    ran = terminal.publish(*CLUSTERS, "3")

    assert ran.code == 1
    assert "internal error (RuntimeError): this is a bug in covey" in ran.err
    assert "COVEY_DEBUG=1" in ran.err
    assert "7777777" not in ran.err + ran.out


def test_a_bug_shows_where_it_is_on_request(terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("could not parse")

    monkeypatch.setattr(Schema, "load", fail)
    monkeypatch.setenv("COVEY_DEBUG", "1")

    with pytest.raises(RuntimeError, match="could not parse"):
        terminal.publish(*CLUSTERS, "3")


def test_an_error_in_the_middle_of_writing_leaves_neither_folder_nor_rest(
    terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)

    said = terminal.refused_to_publish(*CLUSTERS, "3")

    assert "'out' cannot be written (No space left on device), so there is none" in said

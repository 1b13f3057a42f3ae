"""Bad paths, folders and ledgers end in words, and bugs are called bugs.

`desk.refused` checks the exit code, that standard output stays empty, that the message quotes
no record, and that no file was made or changed.
"""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest

from covey import Schema
from covey.privacy import create_ledger, load_ledger

NOISE = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon")
CLUSTERS = ("--system", "mdav", "-k")


@pytest.mark.parametrize("verb", ["publish", "schema"])
def test_a_file_that_is_not_there(desk, verb: str) -> None:
    more = ("-o", "out", *CLUSTERS, "3") if verb == "publish" else ()

    said = desk.refused(verb, "nobody.csv", *more)

    assert "there is no file 'nobody.csv', so nothing was read" in said
    assert "Check the path" in said


def test_a_folder_in_place_of_a_file(desk) -> None:
    (desk.folder / "folder.csv").mkdir()

    said = desk.refused("publish", "folder.csv", "-o", "out", *CLUSTERS, "3")

    assert "there is no file 'folder.csv'" in said


@pytest.mark.usefixtures("permissions_matter")
def test_a_file_that_may_not_be_read(desk) -> None:
    (desk.folder / "secret.csv").write_text("age\n7777777\n")
    (desk.folder / "secret.csv").chmod(0)
    try:
        ran = desk.run("publish", "secret.csv", "-o", "out", *CLUSTERS, "3")
    finally:
        (desk.folder / "secret.csv").chmod(0o600)

    assert ran.code == 2
    assert "'secret.csv' cannot be read (Permission denied)" in ran.err
    assert not (desk.folder / "out").exists()


def test_a_schema_that_is_not_there(desk) -> None:
    said = desk.refused("publish", "people.csv", "-s", "no.toml", "-o", "out", *CLUSTERS, "3")

    assert "the schema 'no.toml' cannot be read (No such file or directory)" in said
    assert "covey schema DATA -o no.toml" in said


def test_an_output_folder_that_exists(desk) -> None:
    assert desk.publish(*CLUSTERS, "3").code == 0

    said = desk.refused_to_publish(*CLUSTERS, "4")

    assert "the output 'out' exists already, so nothing was written" in said
    assert "--force" in said


def test_an_older_release_is_replaced_by_force(desk) -> None:
    assert desk.publish(*CLUSTERS, "3").code == 0

    assert desk.publish(*CLUSTERS, "4", "--force").code == 0

    assert '"k": 4' in (desk.folder / "out" / "guarantee.json").read_text()


def test_a_folder_that_is_no_release_survives_force(desk) -> None:
    (desk.folder / "out").mkdir()
    (desk.folder / "out" / "thesis.tex").write_text("mine")

    said = desk.refused_to_publish(*CLUSTERS, "3", "--force")

    assert "'out' is not a release folder" in said
    assert "Choose another folder" in said


@pytest.mark.usefixtures("permissions_matter")
def test_an_output_folder_that_may_not_be_written(desk) -> None:
    (desk.folder / "locked").mkdir(mode=0o500)

    said = desk.refused("publish", "people.csv", "-o", "locked/out", *CLUSTERS, "3")

    assert "'locked/out' cannot be written (Permission denied)" in said


def test_an_output_folder_below_a_file(desk) -> None:
    said = desk.refused("publish", "people.csv", "-o", "people.toml/out", *CLUSTERS, "3")

    assert "'people.toml/out' cannot be written" in said
    assert "Choose a place" in said


def test_an_exhausted_ledger(desk) -> None:
    create_ledger(desk.folder / "people.ledger", Fraction(1))
    paid = desk.publish(*NOISE, "0.75", "--ledger", "people.ledger")
    assert paid.code == 0
    assert "epsilon = 0.25 left" in paid.out

    said = desk.refused(
        "publish", "people.csv", "-s", "people.toml", "-o", "second", *NOISE, "0.5",
        "--ledger", "people.ledger", code=3,
    )  # fmt: skip

    assert "the ledger has epsilon = 0.25 left of 1 and this release needs 0.5" in said
    assert "so nothing was published" in said
    assert "Ask for a smaller epsilon" in said
    assert len(load_ledger(desk.folder / "people.ledger").entries) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read (No such file"), ("{", "is damaged"), ('{"version": 9}', "newer")],
)
def test_a_ledger_that_cannot_be_used(desk, content: str | None, said: str) -> None:
    if content is not None:
        (desk.folder / "people.ledger").write_text(content)

    before = desk.files()
    ran = desk.publish(*NOISE, "1", "--ledger", "people.ledger")

    assert ran.code in (2, 3)
    assert said in ran.err
    assert desk.files() == before


def test_a_schema_file_is_not_overwritten(desk) -> None:
    said = desk.refused("schema", "people.csv", "-o", "people.toml")

    assert "the file 'people.toml' exists already, so nothing was written" in said
    assert "--force" in said


def test_a_schema_file_that_cannot_be_written(desk) -> None:
    said = desk.refused("schema", "people.csv", "-o", "nowhere/people.toml")

    assert "the schema 'nowhere/people.toml' cannot be written" in said


def test_an_evaluation_of_a_folder_that_is_no_release(desk) -> None:
    said = desk.refused("evaluate", "people.csv", ".")

    assert "plan.toml' cannot be read" in said
    assert "Check the path" in said


def test_a_ledger_that_exists_is_not_started_again(desk) -> None:
    create_ledger(desk.folder / "people.ledger", Fraction(1))
    before = desk.files()

    ran = desk.run("ledger", "people.ledger", "--create", "9")

    assert ran.code in (2, 3)
    assert "exists already" in ran.err
    assert desk.files() == before


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "much"])
def test_a_ledger_with_a_limit_that_is_none(desk, limit: str) -> None:
    said = desk.refused("ledger", "people.ledger", "--create", limit)

    assert "is not a positive finite number" in said


def test_a_bug_is_called_one_and_shows_no_record(desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("could not parse 7777777")

    monkeypatch.setattr(Schema, "load", fail)

    ran = desk.publish(*CLUSTERS, "3")

    assert ran.code == 1
    assert "internal error (RuntimeError): this is a bug in covey" in ran.err
    assert "COVEY_DEBUG=1" in ran.err
    assert "7777777" not in ran.err + ran.out


def test_a_bug_shows_where_it_is_on_request(desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("could not parse")

    monkeypatch.setattr(Schema, "load", fail)
    monkeypatch.setenv("COVEY_DEBUG", "1")

    with pytest.raises(RuntimeError, match="could not parse"):
        desk.publish(*CLUSTERS, "3")


def test_an_error_in_the_middle_of_writing_leaves_neither_folder_nor_rest(
    desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "'out' cannot be written (No space left on device), so nothing was published" in said

"""The same people keep their ledger, whatever their file looks like today."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from covey.core import Budget
from covey.errors import CoveyError
from covey.ledger import Entry, create_ledger, load_ledger, spend
from covey.studio.ledgers import choose_ledger, ledger_file, open_ledger
from covey.studio.results import DataFile


def charge(folder: Path, name: str, columns: tuple[str, ...], when: str = "2026-01-01") -> None:
    path = folder / f"{name}.json"
    create_ledger(path, Fraction(3))
    spend(
        path,
        Entry(
            when=when,
            system="laplace",
            epsilon="1",
            unit="replace-record",
            plan="0f",
            kind="local-dp",
            columns=columns,
        ),
    )


@pytest.fixture
def graph(file) -> DataFile:
    return replace(file, name="friends.txt", kind="graph", columns=("node", "node"))


def test_the_first_data_start_a_ledger_of_their_name(tmp_path, file) -> None:
    chosen = choose_ledger(tmp_path, file, "")

    assert chosen.name == "people"
    assert "a new ledger will be started" in chosen.why


@pytest.mark.parametrize(
    "changes",
    [
        {"digest": "f" * 16},
        {"name": "renamed.csv.gz", "digest": "f" * 16},
        {"columns": ("illness", "pain", "town", "income", "age", "name")},
        {"rows": 501},
    ],
    ids=["a last newline", "gzip", "other order of columns", "one record more"],
)
def test_the_ledger_of_the_same_columns_is_proposed_and_the_page_says_why(
    tmp_path, file, changes
) -> None:
    charge(tmp_path, "patients", file.columns)
    charge(tmp_path, "others", ("x", "y"))

    chosen = choose_ledger(tmp_path, replace(file, **changes), "")

    assert chosen.name == "patients"
    assert "Releases with the same columns were charged to it before" in chosen.why
    assert "give another name" in chosen.why


def test_of_several_ledgers_with_these_columns_that_of_the_name_or_the_last_is_proposed(
    tmp_path, file
) -> None:
    charge(tmp_path, "first", file.columns, "2026-01-02")
    charge(tmp_path, "second", file.columns, "2026-01-03")
    assert choose_ledger(tmp_path, file, "").name == "second"

    charge(tmp_path, "people", file.columns, "2026-01-01")

    assert choose_ledger(tmp_path, file, "").name == "people"


def test_other_data_of_the_same_name_get_a_ledger_of_their_own(tmp_path, file) -> None:
    charge(tmp_path, "people", ("x", "y"))

    chosen = choose_ledger(tmp_path, file, "")

    assert chosen.name == "people 2"
    assert "Ledgers here: people." in chosen.why


def test_a_ledger_named_after_the_bytes_of_a_file_by_an_old_version_is_found(
    tmp_path, file
) -> None:
    create_ledger(tmp_path / f"{file.digest}.json", Fraction(3))

    chosen = choose_ledger(tmp_path, file, "")

    assert chosen.name == file.digest
    assert "This very file was charged to it" in chosen.why


def test_a_graph_is_proposed_the_ledger_of_a_graph(tmp_path, graph, file) -> None:
    charge(tmp_path, "table", file.columns)
    charge(tmp_path, "network", ())

    chosen = choose_ledger(tmp_path, graph, "")

    assert chosen.name == "network"
    assert "Releases of a graph" in chosen.why


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("people", "Releases with the same columns"),
        ("cars", "had other columns than these data"),
        ("empty", "Nothing has been charged to it yet"),
        ("nobody", "There is no ledger of this name yet"),
    ],
)
def test_a_name_that_was_typed_is_taken_and_explained(tmp_path, file, name, why) -> None:
    charge(tmp_path, "people", file.columns)
    charge(tmp_path, "cars", ("x", "y"))
    create_ledger(tmp_path / "empty.json", Fraction(1))

    chosen = choose_ledger(tmp_path, file, name)

    assert chosen.name == name
    assert why in chosen.why


def test_a_ledger_that_cannot_be_read_is_not_proposed(tmp_path, file) -> None:
    charge(tmp_path, "people", file.columns)
    (tmp_path / "broken.json").write_text("{")

    assert choose_ledger(tmp_path, file, "").name == "people"


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "...", "a" * 300, "<b>"])
def test_a_name_stays_in_its_folder(tmp_path, name) -> None:
    file = ledger_file(tmp_path, name)

    assert file.parent == tmp_path
    assert file.resolve().parent == tmp_path
    assert len(file.name) <= 85


def test_a_ledger_that_was_charged_keeps_its_limit(tmp_path, file) -> None:
    charge(tmp_path, "people", file.columns)

    open_ledger(tmp_path / "people.json", "much")
    open_ledger(tmp_path / "people.json", "99")

    assert load_ledger(tmp_path / "people.json").limit == 3


def test_a_limit_that_makes_no_sense_starts_no_ledger(tmp_path) -> None:
    with pytest.raises(CoveyError, match="not a positive finite number"):
        open_ledger(tmp_path / "new" / "people.json", "much")

    assert not (tmp_path / "new").exists()


def test_a_ledger_is_started_in_a_private_folder(tmp_path) -> None:
    open_ledger(tmp_path / "new" / "people.json", "0.3")

    assert load_ledger(tmp_path / "new" / "people.json").limit == Budget.of("0.3").epsilon
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700

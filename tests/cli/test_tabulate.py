"""covey tabulate: records go in, tables come out, on the terminal and in a folder."""

from __future__ import annotations

import json

import polars as pl
import pytest

from covey.ledger import create_ledger, load_ledger

ASKED = ("tabulate", "people.csv", "-s", "people.toml", "-o", "out", "--epsilon", "9")


def test_tables_are_shown_and_written(terminal) -> None:
    ran = terminal.run(*ASKED, "--table", "town*pain", "--table", "age", "--bins", "age=18,50")

    shown = " ".join(ran.out.split())
    assert ran.code == 0
    assert "Pure differential privacy with epsilon = 9" in shown
    assert "town*pain" in shown
    assert "50-120" in shown
    assert "Written to out: tables.csv, sdmx.csv, report.html" in shown
    frame = pl.read_csv(terminal.folder / "out" / "tables.csv")
    assert frame.columns == ["table", "town", "pain", "age", "count", "lower", "upper"]
    assert frame.filter(pl.col("table") == "age")["count"].sum() == 24
    sdmx = pl.read_csv(terminal.folder / "out" / "sdmx.csv")
    assert sdmx.columns[:6] == ["STRUCTURE", "STRUCTURE_ID", "ACTION", "TOWN", "PAIN", "AGE"]


def test_machines_get_the_cells(terminal) -> None:
    ran = terminal.run(*ASKED, "--table", "town", "--json")

    said = json.loads(ran.out)
    assert said["guarantee"]["kind"] == "pure-dp"
    assert said["tables"][0] == {
        "table": "(all)",
        "town": None,
        "count": 24,
        "lower": 24,
        "upper": 24,
    }


def test_a_ledger_is_charged_once_and_a_refusal_costs_nothing(terminal) -> None:
    account = terminal.folder / "people.ledger"
    create_ledger(account, 10)

    terminal.run(*ASKED, "--table", "town", "--ledger", "people.ledger")

    assert [str(entry.epsilon) for entry in load_ledger(account).entries] == ["9"]
    again = ("tabulate", "people.csv", "-s", "people.toml", "-o", "more", "--epsilon", "9")
    said = terminal.refused(*again, "--table", "town", "--ledger", "people.ledger", code=3)
    assert "left" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--table", "twon"), "Did you mean 'town'?"),
        (("--table", "name"), "no column 'name'"),
        (("--table", "illness"), "'illness'"),
        (("--table", "age", "--bins", "age"), "--bins age=10"),
        (("--table", "town", "--table", "town"), "listed twice"),
        (("--table", "age*income", "--bins", "age=99"), "more noise than records"),
    ],
)
def test_refusals_on_the_terminal(terminal, arguments, words) -> None:
    assert words in " ".join(terminal.refused(*ASKED, *arguments).split())


def test_files_are_tabulated_piece_by_piece(terminal) -> None:
    ran = terminal.run(*ASKED, "--table", "town", "--engine", "stream")

    assert ran.code == 0
    assert pl.read_csv(terminal.folder / "out" / "data.csv")["count"][0] == 24


def test_files_are_read_as_the_options_say(terminal) -> None:
    people = terminal.folder / "people.csv"
    people.write_text(people.read_text().replace(",", "|"))

    ran = terminal.run(*ASKED, "--table", "town", "--separator", "|")

    assert ran.code == 0
    assert "Ahof" in ran.out


def test_another_guarantee_than_required_is_refused(terminal) -> None:
    asked = (*ASKED, "--table", "town", "--seed", "1", "--require", "pure-dp")

    assert "pure-dp" in terminal.refused(*asked, code=4)


def test_the_curator_evaluates_the_folder(terminal) -> None:
    terminal.describe("illness", categories=("flu", "asthma", "gout", "none"))
    terminal.run(*ASKED, "--table", "town*pain")

    ran = terminal.run("evaluate", "people.csv", "out", "-o", "curator.html")

    assert ran.code == 0
    assert "intervals_that_hold" in ran.out
    page = (terminal.folder / "curator.html").read_text()
    assert "Tables, original against released" in page
    assert "town*pain" in page


def test_help_shows_how(terminal) -> None:
    assert "covey tabulate a.csv -s a.toml" in terminal.run("tabulate", "--help").out

"""covey systems, schema and ledger: what there is, what the data mean, what was spent."""

from __future__ import annotations

import json
from fractions import Fraction

import polars as pl
import pytest

from covey import SYSTEMS, Schema
from covey.privacy import create_ledger, load_ledger
from covey.table import Source


def test_every_system_is_listed_with_its_guarantee_and_its_parameters(desk) -> None:
    ran = desk.run("systems")

    assert ran.code == 0
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    words = ran.out.split()
    for system in SYSTEMS.values():
        assert system.name in words
        assert str(system.kind) in words


def test_every_system_is_described_to_machines(desk) -> None:
    ran = desk.run("systems", "--json")

    listed = {system["name"]: system for system in json.loads(ran.out)}
    assert list(listed) == list(SYSTEMS)
    assert listed["mdav"]["guarantee"] == "k-anonymity"
    assert listed["mdav"]["parameters"]["k"] == {
        "meaning": SYSTEMS["mdav"].parameters[0].meaning,
        "required": True,
        "default": None,
    }
    assert listed["v-mdav"]["parameters"]["gamma"]["default"] == 0.2
    assert listed["rank-blocks"]["parameters"]["k"]["required"] is False


def test_a_drafted_schema_marks_what_was_read_off_the_data(desk) -> None:
    ran = desk.run("schema", "people.csv", "-o", "draft.toml")

    drafted = Schema.load(desk.folder / "draft.toml")
    assert ran.code == 0
    assert drafted["age"].bounds_source is Source.DATA
    assert drafted["town"].categories_source is Source.DATA
    assert drafted["name"].role == "identifier"
    assert "No guarantee of noise may rest on what was read off the data" in ran.out
    assert "Written to draft.toml" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80


def test_a_drafted_schema_can_be_used_as_it_is(desk) -> None:
    desk.run("schema", "people.csv", "-o", "draft.toml")

    ran = desk.run(
        "publish", "people.csv", "-s", "draft.toml", "--system", "mdav", "-k", "3", "-o", "out"
    )

    assert ran.code == 0


def test_a_drafted_schema_may_be_looked_at_without_a_file(desk, people: pl.DataFrame) -> None:
    before = desk.files()

    ran = desk.run("schema", "people.csv")

    assert ran.code == 0
    assert f"{people['age'].min()} to {people['age'].max()}" in ran.out
    assert "Ahof, Bdorf, Cstadt" in " ".join(ran.out.split())
    assert desk.files() == before


def test_a_drafted_schema_is_given_to_machines(desk) -> None:
    ran = desk.run("schema", "people.csv", "--json")

    assert Schema.from_dicts(json.loads(ran.out)) == Schema.draft(desk.folder / "people.csv")


def test_an_older_schema_is_replaced_by_force(desk) -> None:
    assert desk.run("schema", "people.csv", "-o", "people.toml", "--force").code == 0

    assert Schema.load(desk.folder / "people.toml")["age"].bounds_source is Source.DATA


def test_a_ledger_is_started_with_a_limit(desk) -> None:
    ran = desk.run("ledger", "people.ledger", "--create", "0.3")

    assert ran.code == 0
    assert "No release has been charged yet." in ran.out
    assert "Spent epsilon = 0 of 0.3; 0.3 left." in ran.out
    assert load_ledger(desk.folder / "people.ledger").limit == Fraction(3, 10)


@pytest.fixture
def charged(desk):
    create_ledger(desk.folder / "people.ledger", Fraction(5))
    desk.publish(
        "--system", "laplace", "--columns", "age", "--epsilon", "2", "--ledger", "people.ledger"
    )
    return desk


def test_a_ledger_shows_each_release_and_what_is_left(charged) -> None:
    ran = charged.run("ledger", "people.ledger")

    assert ran.code == 0
    assert "laplace" in ran.out
    assert "replace-record" in ran.out
    assert "Spent epsilon = 2 of 5; 3 left." in ran.out
    assert "…" not in ran.out, "nothing is cut off at 80 columns"


def test_the_bill_of_a_release_can_be_looked_at(desk) -> None:
    desk.publish("--system", "laplace", "--columns", "age", "--epsilon", "2")

    ran = desk.run("ledger", "out/ledger.json")

    assert ran.code == 0
    assert "Spent epsilon = 2; there is no limit." in ran.out


def test_a_ledger_is_given_to_machines(charged) -> None:
    ran = charged.run("ledger", "people.ledger", "--json")

    assert json.loads(ran.out) == json.loads((charged.folder / "people.ledger").read_text())

"""covey systems and schema: what there is, and what the data mean."""

from __future__ import annotations

import json

import polars as pl

from covey import SYSTEMS, Schema


def test_every_system_is_listed_with_its_guarantee_and_its_parameters(terminal) -> None:
    ran = terminal.run("systems")

    assert ran.code == 0
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    words = ran.out.split()
    for system in SYSTEMS.values():
        assert system.name in words
        assert str(system.kind) in words


def test_every_system_is_described_to_machines(terminal) -> None:
    ran = terminal.run("systems", "--json")

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


def test_a_drafted_schema_marks_what_was_read_off_the_data(terminal) -> None:
    ran = terminal.run("schema", "people.csv", "-o", "draft.toml")

    drafted = Schema.load(terminal.folder / "draft.toml")
    assert ran.code == 0
    assert drafted["age"].drafted == ("bounds", "missing", "integer", "scale")
    assert drafted["town"].drafted == ("categories", "missing", "role", "scale")
    assert drafted["name"].role == "identifier"
    assert "No guarantee of noise may rest on what was read off the data" in ran.out
    assert "Written to draft.toml" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80


def test_a_drafted_schema_can_be_used_as_it_is(terminal) -> None:
    terminal.run("schema", "people.csv", "-o", "draft.toml")

    ran = terminal.run(
        "publish", "people.csv", "-s", "draft.toml", "--system", "mdav", "-k", "3", "-o", "out"
    )

    assert ran.code == 0


def test_a_drafted_schema_may_be_looked_at_without_a_file(terminal, people: pl.DataFrame) -> None:
    before = terminal.files()

    ran = terminal.run("schema", "people.csv")

    assert ran.code == 0
    assert f"{people['age'].min()} to {people['age'].max()}" in ran.out
    assert "Ahof, Bdorf, Cstadt" in " ".join(ran.out.split())
    assert terminal.files() == before


def test_a_drafted_schema_is_given_to_machines(terminal) -> None:
    ran = terminal.run("schema", "people.csv", "--json")

    assert Schema.from_dicts(json.loads(ran.out)) == Schema.draft(terminal.folder / "people.csv")


def test_an_older_schema_is_replaced_by_force(terminal) -> None:
    assert terminal.run("schema", "people.csv", "-o", "people.toml", "--force").code == 0

    assert "bounds" in Schema.load(terminal.folder / "people.toml")["age"].drafted


def test_a_draft_says_how_the_file_was_read_and_why(terminal) -> None:
    rows = "".join(f"{i};{i % 7},5;{'ab'[i % 2]}\n" for i in range(1, 30))
    (terminal.folder / "people.csv").write_text("row;size;town\n" + rows)

    ran = terminal.run("schema", "people.csv", "-o", "new.toml")

    assert "fields between semicolons, decimal commas" in ran.out.replace("\n", " ")
    assert "row: It counts the rows" in ran.out
    assert 'separator = ";"' in (terminal.folder / "new.toml").read_text()
    assert "# It counts the rows" in (terminal.folder / "new.toml").read_text()


def test_options_say_how_a_file_is_written(terminal) -> None:
    (terminal.folder / "people.csv").write_text("5;a\n7;b\n", encoding="utf-16")

    ran = terminal.run("schema", "people.csv", "--no-header", "--separator", ";", "--json")

    assert [item["name"] for item in json.loads(ran.out)] == ["column_1", "column_2"]

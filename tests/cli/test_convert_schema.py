"""covey schema: a schema of another project goes in, one that covey understands comes out."""

from __future__ import annotations

import json

import pytest

from covey import Schema

METADATA = """
'':
  town:
    people:
      row_privacy: true
      max_ids: 2
      name: {type: string, private_id: true}
      age: {type: int, lower: 0, upper: 120}
      income: {type: float, lower: 0, upper: 100000}
      town: {type: string}
      pain: {type: string}
      illness: {type: string}
"""


@pytest.fixture
def described(terminal):
    (terminal.folder / "people.yaml").write_text(METADATA, encoding="utf-8")
    return terminal


def test_smartnoise_metadata_become_a_toml_file_with_what_to_decide(described) -> None:
    ran = described.run("schema", "people.yaml", "-o", "new.toml")

    new = Schema.load(described.folder / "new.toml")
    shown = " ".join(ran.out.split())
    assert ran.code == 0
    assert new["age"].bounds == (0, 120)
    assert new["name"].role == "identifier"
    assert "quasi-identifiers: correct their `role`" in shown
    assert "up to 2 records" in shown
    assert "read off the data" not in shown
    assert max(len(line) for line in ran.out.splitlines()) <= 80


@pytest.mark.parametrize("name", ["new.yaml", "new.json", "new.csv-metadata.json"])
def test_a_toml_file_becomes_a_schema_of_another_project_and_the_loss_is_named(
    terminal, name
) -> None:
    ran = terminal.run("schema", "people.toml", "-o", name)

    shown = " ".join(ran.out.split())
    assert ran.code == 0
    assert "This format cannot say the `unit` of age." in shown
    assert Schema.load(terminal.folder / name)["age"].bounds == (0, 120)


def test_a_schema_is_converted_for_machines_without_a_file(described) -> None:
    ran = described.run("schema", "people.yaml", "--json")

    assert ran.code == 0
    assert Schema.from_dicts(json.loads(ran.out))["income"].bounds == (0, 100_000)


def test_a_draft_of_data_keeps_its_facts_out_of_formats_that_cannot_mark_them(terminal) -> None:
    ran = terminal.run("schema", "people.csv", "-o", "draft.yaml")

    shown = " ".join(ran.out.split())
    assert ran.code == 0
    assert "was not written" in shown
    assert Schema.load(terminal.folder / "draft.yaml")["age"].bounds is None


def test_people_are_published_with_smartnoise_metadata_and_the_notes_are_shown(described) -> None:
    ran = described.run(
        *("publish", "people.csv", "-s", "people.yaml", "--system", "mdav", "-k", "3"),
        *("-o", "out"),
    )

    assert ran.code == 0, ran.err
    assert "up to 2 records" in " ".join(ran.out.split())


def test_one_of_several_tables_must_be_named(terminal) -> None:
    two = "d: {s: {a: {x: {type: int}}, b: {y: {type: int}}}}"
    (terminal.folder / "two.yaml").write_text(two, encoding="utf-8")

    refusal = terminal.refused("schema", "two.yaml", "-o", "new.toml")
    chosen = terminal.run("schema", "two.yaml", "--table", "b", "--json")

    assert "--table" in refusal
    assert json.loads(chosen.out)[0]["name"] == "y"


@pytest.mark.parametrize(
    ("name", "content"),
    [("bad.yaml", "a: ["), ("bad.json", "{"), ("bad.yaml", "- 1"), ("bad.json", "[]")],
)
def test_a_schema_that_cannot_be_read_is_refused(terminal, name, content) -> None:
    (terminal.folder / name).write_text(content, encoding="utf-8")

    assert name in terminal.refused("schema", name, "-o", "new.toml")

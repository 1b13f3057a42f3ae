"""What a publisher says about a table travels from the schema's file into the plan."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from covey import About, Attribute, Plan, Schema
from covey.errors import SchemaError

SAID = About(
    title="Visits to a clinic",
    publisher='An "office"',
    contact="data@example.org",
    licence="CC BY 4.0",
    description="Two lines,\nand a # sign.",
    use_for="Teaching.",
    not_for="[[attribute]] of single patients.",
)
SCHEMA = Schema(
    (
        Attribute("age", bounds=(0, 120), unit="years", description='Age in "years", at a visit'),
        Attribute("ward", scale="nominal", categories=("a", "b")),
    ),
    rules=("age >= 0",),
    about=SAID,
)


def test_what_is_said_survives_the_file_of_a_schema(tmp_path: Path) -> None:
    SCHEMA.save(tmp_path / "visits.toml")

    assert Schema.load(tmp_path / "visits.toml") == replace(SCHEMA, folder=tmp_path)


def test_what_is_said_survives_the_file_of_a_plan(tmp_path: Path) -> None:
    plan = Plan(system="mdav", parameters={"k": 3}, schema=SCHEMA)
    (tmp_path / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")

    found = Plan.load(tmp_path / "plan.toml")

    assert found.schema is not None
    assert found.schema.about == SAID
    assert found.schema["age"].description == SCHEMA["age"].description
    assert found.fingerprint == plan.fingerprint


def test_a_plan_without_a_word_about_the_table_has_the_fingerprint_that_it_had() -> None:
    silent = replace(SCHEMA, about=About(), attributes=(Attribute("age", bounds=(0, 9)),), rules=())
    plan = Plan(system="mdav", parameters={"k": 3}, schema=silent)

    assert "about" not in plan.to_dict()
    assert set(plan.to_dict()["attribute"][0]) == {"name", "role", "scale", "bounds", "missing"}


def test_blanks_say_nothing() -> None:
    assert About(title="  ").stated() == {}
    assert About(title=" Visits\n").stated() == {"title": "Visits"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[about]\nlicense = "CC0"\n', "'license'.*Did you mean 'licence'"),
        ("[about]\nzzz = 1\n", "'zzz'.*Known: contact, description, licence"),
        ("[about]\ntitle = 7\n", "'title' that is no text.*between quotes"),
        ('about = "Visits"\n', "not a table of texts"),
    ],
)
def test_what_means_nothing_is_refused_with_a_suggestion(tmp_path: Path, text, told) -> None:
    (tmp_path / "a.toml").write_text(text + '[[attribute]]\nname = "age"\n', encoding="utf-8")

    with pytest.raises(SchemaError, match=told):
        Schema.load(tmp_path / "a.toml")


def test_a_description_that_is_no_text_is_refused() -> None:
    with pytest.raises(SchemaError, match="'age' has description = 3"):
        Attribute("age", description=3)


def test_a_plan_does_not_describe_columns_that_are_not_published() -> None:
    kept = SCHEMA.for_plan(("ward",), ("ward",))

    assert kept["age"].description == ""
    assert kept.about == SAID
    assert SCHEMA.for_plan(("age",), ("age",))["age"].description == SCHEMA["age"].description


def test_csvw_says_title_publisher_licence_and_descriptions(tmp_path: Path) -> None:
    lost = SCHEMA.save(tmp_path / "visits.csv-metadata.json")

    found = Schema.load(tmp_path / "visits.csv-metadata.json")

    kept = ("title", "publisher", "licence", "description")
    assert found.about == About(**{name: getattr(SAID, name) for name in kept})
    assert found["age"].description == SCHEMA["age"].description
    assert any("contact, use_for, not_for of the table" in note for note in lost)
    assert not any("`description`" in note for note in lost)
    assert not any("dc:" in note for note in found.notes)


def test_csvw_may_say_the_language_of_a_text(tmp_path: Path) -> None:
    group = {
        "@context": "http://www.w3.org/ns/csvw",
        "dcterms:publisher": "Office",
        "dc:title": "All",
        "tables": [
            {
                "url": "a.csv",
                "dc:title": {"@value": "Besuche", "@language": "de"},
                "dc:license": {"@id": "cc0"},
                "tableSchema": {"columns": [{"name": "a", "dcterms:description": "An a"}]},
            }
        ],
    }
    (tmp_path / "g.json").write_text(json.dumps(group), encoding="utf-8")

    found = Schema.load(tmp_path / "g.json")

    assert found.about == About(title="Besuche", publisher="Office")
    assert found["a"].description == "An a"
    assert any("dc:license" in note for note in found.notes)


def test_frictionless_says_descriptions_of_columns_and_packages_say_titles(tmp_path: Path) -> None:
    lost = SCHEMA.save(tmp_path / "visits.json")
    found = Schema.load(tmp_path / "visits.json")
    content = json.loads((tmp_path / "visits.json").read_text("utf-8"))
    package = {
        "title": "Package",
        "description": "Of one table",
        "licenses": [{"name": "CC0-1.0", "path": "elsewhere"}],
        "resources": [{"name": "visits", "title": "Visits", "schema": content}],
    }
    (tmp_path / "package.json").write_text(json.dumps(package), encoding="utf-8")

    packed = Schema.load(tmp_path / "package.json")

    assert found["age"].description == packed["age"].description == SCHEMA["age"].description
    said = ", ".join(field.name for field in fields(About))
    assert f"This format cannot say the {said} of the table, under [about]." in lost
    assert packed.about == About(title="Visits", description="Of one table", licence="CC0-1.0")


def test_smartnoise_says_none_of_it_and_that_is_told(tmp_path: Path) -> None:
    lost = SCHEMA.save(tmp_path / "visits.yaml")

    assert any("cannot say the title, publisher" in note for note in lost)
    assert "This format cannot say the `description` of age." in lost

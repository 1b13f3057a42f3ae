"""covey schema --confirm: somebody answers for what a draft read off the data."""

from __future__ import annotations

import json

import pytest
import typer

from covey import Plan, Schema
from covey.table.provenance import FACTS

RANK_BLOCKS = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon", "1")


@pytest.fixture
def drafted(terminal):
    """Give a terminal with a drafted schema."""
    terminal.run("schema", "people.csv", "-o", "draft.toml")
    return terminal


def publish(terminal, schema: str, *arguments: str):
    return terminal.run("publish", "people.csv", "-s", schema, "-o", "out", *arguments)


def guarantee(terminal) -> dict:
    return json.loads((terminal.folder / "out" / "guarantee.json").read_text("utf-8"))


def test_a_draft_that_somebody_confirms_can_be_promised_and_the_plan_names_the_person(
    drafted,
) -> None:
    confirmed = drafted.run("schema", "--confirm", "draft.toml", "--yes", "--by", "A. Curator")
    ran = publish(drafted, "draft.toml", *RANK_BLOCKS)

    promise = guarantee(drafted)
    plan = Plan.load(drafted.folder / "out" / "plan.toml")
    assert confirmed.code == ran.code == 0
    assert promise["kind"] == "pure-dp"
    assert "confirmed by A. Curator to be known without them: age (" in " ".join(promise["assumes"])
    assert plan.schema["age"].confirmed_by == "A. Curator"
    assert plan.schema["age"].confirmed == ("bounds", "missing", "integer", "scale")
    assert 'confirmed_by = "A. Curator"' in (drafted.folder / "out" / "plan.toml").read_text()


def test_a_draft_that_nobody_confirms_is_not_promised(drafted) -> None:
    assert publish(drafted, "draft.toml", *RANK_BLOCKS).code == 0

    assert guarantee(drafted)["kind"] == "none"


def test_marked_facts_stand_beside_what_each_decides(drafted) -> None:
    ran = drafted.run("schema", "--confirm", "draft.toml", "--yes", "--by", "A")

    shown = " ".join(ran.out.split())
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    for fact in ("bounds", "categories", "missing", "integer", "role", "scale"):
        assert fact in shown
        assert all(word in shown for word in FACTS[fact].split())
    assert "18 to 76" in shown
    assert "Written to draft.toml." in shown


def test_no_data_are_looked_at(drafted) -> None:
    (drafted.folder / "people.csv").unlink()

    ran = drafted.run("schema", "people.csv", "--confirm", "draft.toml", "--yes", "--by", "A")

    assert ran.code == 0
    assert not Schema.load(drafted.folder / "draft.toml").relies_on_data


def test_columns_are_asked_about_one_by_one(drafted, monkeypatch) -> None:
    asked = []

    def answer(question: str, **_: object) -> bool:
        asked.append(question)
        return question.startswith("age:")

    monkeypatch.setattr(typer, "confirm", answer)
    monkeypatch.setattr(typer, "prompt", lambda *_, **__: "B. Officer")
    before = Schema.load(drafted.folder / "draft.toml")

    ran = drafted.run("schema", "--confirm", "draft.toml", "-o", "confirmed.toml")

    after = Schema.load(drafted.folder / "confirmed.toml")
    assert "Still marked: 4 of 5 columns." in ran.out
    assert len(asked) == 5
    assert after["age"].confirmed_by == "B. Officer"
    assert not after["age"].drafted
    assert after["income"] == before["income"]
    assert Schema.load(drafted.folder / "draft.toml") == before, "-o leaves it as it was"


def test_a_confirmation_without_a_person_is_refused(drafted) -> None:
    said = drafted.refused("schema", "--confirm", "draft.toml", "--yes")

    assert "nobody answers" in said
    assert "--by NAME" in said


def test_a_schema_without_marks_needs_no_confirmation(terminal) -> None:
    said = terminal.refused("schema", "--confirm", "people.toml", "--yes", "--by", "A")

    assert "nothing to confirm" in said


def test_without_data_and_without_a_schema_there_is_nothing_to_do(terminal) -> None:
    assert "--confirm FILE" in terminal.refused("schema")


def test_another_file_is_kept_unless_forced(drafted) -> None:
    arguments = ("schema", "--confirm", "draft.toml", "--yes", "--by", "A", "-o", "people.toml")

    assert "exists already" in drafted.refused(*arguments)
    assert drafted.run(*arguments, "--force").code == 0


def test_a_drafted_taxonomy_voids_a_promise_until_it_is_confirmed(terminal) -> None:
    # The categories of the schema are a draft themselves.
    terminal.run("schema", "people.csv", "-o", "draft.toml")
    terminal.run("taxonomy", "people.csv", "town", "-s", "draft.toml", "-o", "towns.csv")
    terminal.describe("town", taxonomy="towns.csv", categories=None)
    release = ("--system", "exponential", "--columns", "town", "--epsilon", "1", "--force")

    publish(terminal, "people.toml", *release)
    before = guarantee(terminal)
    terminal.run("schema", "--confirm", "people.toml", "--yes", "--by", "A. Curator")
    publish(terminal, "people.toml", *release)
    after = guarantee(terminal)

    assert before["kind"] == "none"
    assert "confirmed by nobody: town (taxonomy)." in before["sentence"]
    assert after["kind"] == "local-dp"
    assert "confirmed by A. Curator to be known without them: town (taxonomy)." in str(after)


def test_imported_facts_are_told_as_stated_by_their_author(terminal) -> None:
    column = {"type": "int", "lower": 0, "upper": 120}
    text = {name: {"type": "string"} for name in ("name", "town", "pain", "illness")}
    text["name"]["private_id"] = True
    table = {"age": column, "income": {"type": "float"}, **text}
    (terminal.folder / "people.yaml").write_text(json.dumps({"": {"people": {"people": table}}}))

    ran = publish(
        terminal,
        "people.yaml",
        *("--system", "rank-blocks", "--columns", "age", "--epsilon", "1"),
    )

    promise = guarantee(terminal)
    assert ran.code == 0, ran.err
    assert promise["kind"] == "pure-dp"
    assert (
        "Imported from SmartNoise metadata: stated by its author: age (bounds, integer)."
        in promise["assumes"]
    )
    plan = (terminal.folder / "out" / "plan.toml").read_text("utf-8")
    assert 'imported = ["bounds", "integer"]\nimported_from = "smartnoise"' in plan


@pytest.mark.filterwarnings("always:public facts equal exactly")
def test_whoever_deletes_the_marks_of_a_draft_is_warned_and_nobody_else(drafted) -> None:
    text = (drafted.folder / "draft.toml").read_text("utf-8")
    kept = [line for line in text.splitlines() if not line.startswith("drafted")]
    (drafted.folder / "laundered.toml").write_text("\n".join(kept), encoding="utf-8")

    ran = publish(drafted, "laundered.toml", *RANK_BLOCKS)

    assert guarantee(drafted)["kind"] == "pure-dp"
    assert ran.err.startswith("warning: public facts equal exactly what occurs in the data: age (")
    assert "income (bounds)" in " ".join(ran.err.split())
    for path in (drafted.folder / "out").iterdir():
        assert "equal exactly" not in path.read_text("utf-8")


@pytest.mark.filterwarnings("always:public facts equal exactly")
def test_facts_that_are_wider_than_the_data_and_confirmed_ones_are_not_doubted(drafted) -> None:
    assert "equal exactly" not in drafted.publish(*RANK_BLOCKS).err
    drafted.run("schema", "--confirm", "draft.toml", "--yes", "--by", "A")

    ran = publish(drafted, "draft.toml", *RANK_BLOCKS, "--force")

    assert ran.code == 0
    assert "equal exactly" not in ran.err


@pytest.mark.filterwarnings("always:public facts equal exactly")
def test_lists_that_occur_in_full_are_warned_of_on_files_too(terminal, people) -> None:
    people.write_parquet(terminal.folder / "people.parquet")
    arguments = ("--system", "private-tree", "--columns", "age,town", "--epsilon", "1")

    memory = publish(terminal, "people.toml", *arguments)
    stream = terminal.run(
        *("publish", "people.parquet", "-s", "people.toml", "-o", "streamed"),
        *(*arguments, "--engine", "stream"),
    )

    assert "data: town (categories)." in memory.err
    assert stream.err == memory.err

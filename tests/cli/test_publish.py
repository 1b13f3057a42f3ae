"""covey publish: a table goes in, a release folder comes out, and the terminal says what it is."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction

import polars as pl
import pytest

from covey.ledger import create_ledger, load_ledger

NOISE = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon", "4")


def test_clusters_are_published_with_what_is_promised_and_what_is_not(terminal) -> None:
    ran = terminal.publish("--system", "mdav", "-k", "3")

    shown = " ".join(ran.out.split())
    assert ran.code == 0
    assert ran.err == ""
    assert "k-anonymity with k = 3" in shown
    assert "Published as they were: pain, illness." in shown
    assert "Not published: name." in shown
    assert "Written to out." in shown
    assert pl.read_csv(terminal.folder / "out" / "data.csv").columns == [
        "age",
        "income",
        "town",
        "pain",
        "illness",
    ]


def test_noise_is_published_with_the_sentence_for_a_data_officer(terminal) -> None:
    ran = terminal.publish(*NOISE)

    assert ran.code == 0
    assert "Pure differential privacy with epsilon = 4" in ran.out
    assert "Not published: name, town, pain, illness." in ran.out


def test_no_line_is_longer_than_the_terminal(terminal) -> None:
    ran = terminal.publish(*NOISE)

    assert max(len(line) for line in ran.out.splitlines()) <= 80


@pytest.mark.parametrize("name", ["people.csv.gz", "people.parquet"])
def test_compressed_files_and_parquet_are_read(terminal, people: pl.DataFrame, name: str) -> None:
    if name.endswith("gz"):
        (terminal.folder / name).write_bytes(gzip.compress(people.write_csv().encode()))
    else:
        people.write_parquet(terminal.folder / name)

    ran = terminal.run(
        "publish", name, "-s", "people.toml", "--system", "mdav", "-k", "3", "-o", "out"
    )

    ending = "parquet" if name.endswith("parquet") else "csv"
    assert ran.code == 0
    assert (terminal.folder / "out" / f"data.{ending}").is_file()


def test_the_format_may_be_chosen(terminal) -> None:
    assert terminal.publish(*NOISE, "--format", "parquet").code == 0
    assert (terminal.folder / "out" / "data.parquet").is_file()


def test_without_a_schema_bounds_come_from_the_data_and_nothing_is_promised(terminal) -> None:
    ran = terminal.run("publish", "people.csv", *NOISE, "-o", "out")

    shown = " ".join(ran.out.split()).replace("│ ", "")
    assert ran.code == 0
    assert "No privacy guarantee." in shown
    assert "Read off the data and confirmed by nobody: age (bounds" in shown


def test_a_seeded_release_is_stamped_on_the_terminal_and_in_the_folder(terminal) -> None:
    ran = terminal.publish(*NOISE, "--seed", "1")

    saved = json.loads((terminal.folder / "out" / "guarantee.json").read_text())
    assert ran.code == 0
    assert "Not for publication: seeded" in ran.out
    assert saved["kind"] == "none"
    assert "Not for publication: seeded" in saved["sentence"]


def test_a_plan_without_noise_gives_the_same_release_again(terminal) -> None:
    assert terminal.publish("--system", "v-mdav", "-k", "3", "-p", "gamma=0.5").code == 0

    ran = terminal.run("publish", "people.csv", "--plan", "out/plan.toml", "-o", "again")

    assert ran.code == 0
    for name in ("data.csv", "guarantee.json", "plan.toml"):
        again = (terminal.folder / "again" / name).read_bytes()
        assert again == (terminal.folder / "out" / name).read_bytes()


def test_a_plan_with_noise_gives_another_release_with_the_same_promise(terminal) -> None:
    assert terminal.publish(*NOISE).code == 0

    ran = terminal.run("publish", "people.csv", "--plan", "out/plan.toml", "-o", "again")

    assert ran.code == 0
    for name, same in (("guarantee.json", True), ("plan.toml", True), ("data.csv", False)):
        again = (terminal.folder / "again" / name).read_bytes()
        assert (again == (terminal.folder / "out" / name).read_bytes()) is same


def test_a_plan_with_a_taxonomy_can_be_run_from_its_folder_alone(terminal) -> None:
    (terminal.folder / "towns.csv").write_text("child,parent\n*,\nAhof,*\nBdorf,*\nCstadt,*\n")
    terminal.describe("town", categories=None, taxonomy="towns.csv")
    assert terminal.publish("--system", "mdav", "-k", "3").code == 0
    (terminal.folder / "towns.csv").unlink()

    ran = terminal.run("publish", "people.csv", "--plan", "out/plan.toml", "-o", "again")

    assert ran.code == 0
    assert (terminal.folder / "again" / "data.csv").read_bytes() == (
        terminal.folder / "out" / "data.csv"
    ).read_bytes()


def test_the_ledger_is_charged_and_shown(terminal) -> None:
    create_ledger(terminal.folder / "people.ledger", Fraction(5))

    ran = terminal.publish(*NOISE, "--ledger", "people.ledger")

    assert ran.code == 0
    assert "Ledger: epsilon = 1 left." in ran.out
    assert json.loads((terminal.folder / "out" / "ledger.json").read_text())["left"] == "1"


def test_a_second_release_of_a_plan_without_a_ledger_is_noted(terminal) -> None:
    first = terminal.publish(*NOISE)
    second = terminal.run("publish", "people.csv", "--plan", "out/plan.toml", "-o", "again")
    machine = terminal.run(
        "publish", "people.csv", "--plan", "out/plan.toml", "-o", "third", "--json"
    )

    words = " ".join(second.out.split())
    assert "Note" not in first.out
    assert "Note: of the same plan beside it: out. If they are about the same people, all" in words
    assert "covey ledger FILE --create LIMIT" in words
    assert "Note" not in machine.out + machine.err


@pytest.mark.parametrize("known", ["a ledger", "a seed"])
def test_a_second_release_that_a_ledger_or_a_seed_accounts_for_is_not_noted(
    terminal, known
) -> None:
    create_ledger(terminal.folder / "people.ledger", Fraction(9))
    more = ("--ledger", "people.ledger") if known == "a ledger" else ("--seed", "1")
    terminal.publish(*NOISE, *more)

    ran = terminal.run("publish", "people.csv", "-s", "people.toml", "-o", "again", *NOISE, *more)

    assert ran.code == 0
    assert "Note" not in ran.out


def test_a_folder_that_cannot_be_written_costs_nothing(terminal) -> None:
    create_ledger(terminal.folder / "people.ledger", Fraction(5))

    ran = terminal.run(
        "publish", "people.csv", "-s", "people.toml", *NOISE, "--ledger", "people.ledger",
        "-o", "people.toml/out",
    )  # fmt: skip

    assert ran.code == 2
    assert "'people.toml/out' cannot be written" in ran.err
    assert "The ledger was not charged." in ran.err
    assert load_ledger(terminal.folder / "people.ledger").left == 5


def test_json_is_all_that_a_machine_gets(terminal) -> None:
    ran = terminal.publish(*NOISE, "--json")

    shown = json.loads(ran.out)
    assert ran.code == 0
    assert " ".join(ran.err.split()).startswith("For you alone: values outside their bounds")
    assert shown["folder"] == "out"
    assert shown["guarantee"] == json.loads(
        (terminal.folder / "out" / "guarantee.json").read_text()
    )
    assert shown["ledger"] == json.loads((terminal.folder / "out" / "ledger.json").read_text())


def test_names_that_look_like_markup_or_emoji_are_shown_as_they_are(terminal) -> None:
    path = terminal.folder / "odd.csv"
    path.write_text("[red]x[/red],:pill:\n" + "".join(f"{i * 7 % 20},{i * i}\n" for i in range(20)))

    plain = terminal.run("publish", "odd.csv", "--system", "mdav", "-k", "3", "-o", "out")
    machine = terminal.run(
        "publish", "odd.csv", "--system", "mdav", "-k", "3", "-o", "two", "--json"
    )

    assert "[red]x[/red], :pill:" in " ".join(plain.out.split())
    assert json.loads(machine.out)["guarantee"]["columns"] == ["[red]x[/red]", ":pill:"]


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        (NOISE, "pure-dp"),
        (NOISE, "differential-privacy"),
        (("--system", "mdav", "-k", "3"), "k-anonymity"),
    ],
)
def test_what_is_required_is_published_if_it_holds(terminal, settings, kind) -> None:
    ran = terminal.publish(*settings, "--require", kind)

    assert ran.code == 0


@pytest.mark.parametrize(
    "settings",
    [
        (*NOISE, "--seed", "1"),
        ("--system", "mdav", "-k", "3"),
        ("--system", "mdav-dp", "-k", "3", "--epsilon", "1", "--columns", "age,income"),
    ],
)
def test_less_than_what_is_required_is_refused_and_costs_nothing(terminal, settings) -> None:
    create_ledger(terminal.folder / "people.ledger", Fraction(10))
    ran = terminal.publish(*settings, "--require", "pure-dp", "--ledger", "people.ledger")

    assert ran.code == 4
    assert "'pure-dp' is required, so nothing was published" in " ".join(ran.err.split())
    assert not (terminal.folder / "out").exists()
    assert load_ledger(terminal.folder / "people.ledger").entries == ()


def test_a_kind_that_there_is_not_cannot_be_required(terminal) -> None:
    ran = terminal.publish(*NOISE, "--require", "pure-pd")

    assert ran.code == 2
    assert "Did you mean 'pure-dp'?" in " ".join(ran.err.split())


@pytest.mark.parametrize("place", ["s3://bucket/out", "gs://bucket/out", "-"])
def test_a_place_that_is_no_folder_here_is_refused(terminal, place) -> None:
    ran = terminal.run("publish", "people.csv", "-s", "people.toml", *NOISE, "-o", place)

    assert ran.code == 2
    assert "is not a folder of this machine" in " ".join(ran.err.split())
    assert not any(path.name in ("s3:", "gs:", "-") for path in terminal.folder.iterdir())


def test_persons_are_protected_and_the_operator_alone_is_told_what_was_left_out(terminal) -> None:
    asked = ("--system", "tables", "-p", "tables=town", "--epsilon", "4")
    ran = terminal.publish(*asked, "--person", "name", "--contributions", "2")

    shown = " ".join(ran.out.split())
    assert ran.code == 0, ran.err
    assert "epsilon = 4 for each person" in shown
    assert "For you alone: nobody has as many as 2 records" in " ".join(ran.err.split())
    assert "For you alone" not in shown


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--person", "name", "--contributions", "0"), "contributions = 0"),
        (("--person", "name", "--contributions", "many"), "contributions = 'many'"),
        (("--person", "name"), "--contributions 5"),
        (("--unit", "person", "--contributions", "2"), "--person COLUMN"),
    ],
)
def test_who_is_protected_must_be_said_wholly(terminal, given, why) -> None:
    asked = ("--system", "tables", "-p", "tables=town", "--epsilon", "4")

    assert why in terminal.refused_to_publish(*asked, *given)


def test_values_that_are_moved_into_their_bounds_are_told_to_the_curator_alone(
    terminal, people: pl.DataFrame
) -> None:
    older = people.with_columns(age=pl.col("age") + 1000)
    older.write_csv(terminal.folder / "older.csv")

    ran = terminal.run("publish", "older.csv", "-s", "people.toml", *NOISE, "-o", "out")

    assert ran.code == 0
    assert f"{people.height:,} of age" in ran.err
    written = [each.read_text("utf-8") for each in (terminal.folder / "out").iterdir()]
    assert not any("For you alone" in text for text in written)

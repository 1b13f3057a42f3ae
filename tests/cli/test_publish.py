"""covey publish: a table goes in, a release folder comes out, and the terminal says what it is."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction

import polars as pl
import pytest

from covey.privacy import create_ledger

NOISE = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon", "4")


def test_clusters_are_published_with_what_is_promised_and_what_is_not(desk) -> None:
    ran = desk.publish("--system", "mdav", "-k", "3")

    shown = " ".join(ran.out.split())
    assert ran.code == 0
    assert ran.err == ""
    assert "k-anonymity with k = 3" in shown
    assert "Published as they were: pain, illness." in shown
    assert "Not published: name." in shown
    assert "Written to out." in shown
    assert pl.read_csv(desk.folder / "out" / "data.csv").columns == [
        "age",
        "income",
        "town",
        "pain",
        "illness",
    ]


def test_noise_is_published_with_the_sentence_for_a_data_officer(desk) -> None:
    ran = desk.publish(*NOISE)

    assert ran.code == 0
    assert "Pure differential privacy with epsilon = 4" in ran.out
    assert "Not published: name, town, pain, illness." in ran.out


def test_no_line_is_longer_than_the_terminal(desk) -> None:
    ran = desk.publish(*NOISE)

    assert max(len(line) for line in ran.out.splitlines()) <= 80


@pytest.mark.parametrize("name", ["people.csv.gz", "people.parquet"])
def test_compressed_files_and_parquet_are_read(desk, people: pl.DataFrame, name: str) -> None:
    if name.endswith("gz"):
        (desk.folder / name).write_bytes(gzip.compress(people.write_csv().encode()))
    else:
        people.write_parquet(desk.folder / name)

    ran = desk.run("publish", name, "-s", "people.toml", "--system", "mdav", "-k", "3", "-o", "out")

    ending = "parquet" if name.endswith("parquet") else "csv"
    assert ran.code == 0
    assert (desk.folder / "out" / f"data.{ending}").is_file()


def test_the_format_may_be_chosen(desk) -> None:
    assert desk.publish(*NOISE, "--format", "parquet").code == 0
    assert (desk.folder / "out" / "data.parquet").is_file()


def test_without_a_schema_bounds_come_from_the_data_and_nothing_is_promised(desk) -> None:
    ran = desk.run("publish", "people.csv", *NOISE, "-o", "out")

    shown = " ".join(ran.out.split()).replace("│ ", "")
    assert ran.code == 0
    assert "No privacy guarantee." in shown
    assert "were taken from the data" in shown


def test_a_seeded_release_is_stamped_on_the_terminal_and_in_the_folder(desk) -> None:
    ran = desk.publish(*NOISE, "--seed", "1")

    saved = json.loads((desk.folder / "out" / "guarantee.json").read_text())
    assert ran.code == 0
    assert "Not for publication: seeded" in ran.out
    assert saved["kind"] == "none"
    assert "Not for publication: seeded" in saved["sentence"]


def test_a_plan_without_noise_gives_the_same_release_again(desk) -> None:
    assert desk.publish("--system", "v-mdav", "-k", "3", "-p", "gamma=0.5").code == 0

    ran = desk.run("publish", "people.csv", "--plan", "out/plan.toml", "-o", "again")

    assert ran.code == 0
    for name in ("data.csv", "guarantee.json", "plan.toml"):
        again = (desk.folder / "again" / name).read_bytes()
        assert again == (desk.folder / "out" / name).read_bytes()


def test_a_plan_with_noise_gives_another_release_with_the_same_promise(desk) -> None:
    assert desk.publish(*NOISE).code == 0

    ran = desk.run("publish", "people.csv", "--plan", "out/plan.toml", "-o", "again")

    assert ran.code == 0
    for name, same in (("guarantee.json", True), ("plan.toml", True), ("data.csv", False)):
        again = (desk.folder / "again" / name).read_bytes()
        assert (again == (desk.folder / "out" / name).read_bytes()) is same


def test_a_plan_with_a_taxonomy_can_be_run_from_its_folder_alone(desk) -> None:
    (desk.folder / "towns.csv").write_text("child,parent\n*,\nAhof,*\nBdorf,*\nCstadt,*\n")
    desk.describe("town", categories=None, taxonomy="towns.csv")
    assert desk.publish("--system", "mdav", "-k", "3").code == 0
    (desk.folder / "towns.csv").unlink()

    ran = desk.run("publish", "people.csv", "--plan", "out/plan.toml", "-o", "again")

    assert ran.code == 0
    assert (desk.folder / "again" / "data.csv").read_bytes() == (
        desk.folder / "out" / "data.csv"
    ).read_bytes()


def test_the_ledger_is_charged_and_shown(desk) -> None:
    create_ledger(desk.folder / "people.ledger", Fraction(5))

    ran = desk.publish(*NOISE, "--ledger", "people.ledger")

    assert ran.code == 0
    assert "Ledger: epsilon = 1 left." in ran.out
    assert json.loads((desk.folder / "out" / "ledger.json").read_text())["left"] == "1"


def test_json_is_all_that_a_machine_gets(desk) -> None:
    ran = desk.publish(*NOISE, "--json")

    shown = json.loads(ran.out)
    assert ran.code == 0
    assert ran.err == ""
    assert shown["folder"] == "out"
    assert shown["guarantee"] == json.loads((desk.folder / "out" / "guarantee.json").read_text())
    assert shown["ledger"] == json.loads((desk.folder / "out" / "ledger.json").read_text())


def test_names_that_look_like_markup_or_emoji_are_shown_as_they_are(desk) -> None:
    path = desk.folder / "odd.csv"
    path.write_text("[red]x[/red],:pill:\n" + "".join(f"{i},{i * i}\n" for i in range(20)))

    plain = desk.run("publish", "odd.csv", "--system", "mdav", "-k", "3", "-o", "out")
    machine = desk.run("publish", "odd.csv", "--system", "mdav", "-k", "3", "-o", "two", "--json")

    assert "[red]x[/red], :pill:" in " ".join(plain.out.split())
    assert json.loads(machine.out)["guarantee"]["columns"] == ["[red]x[/red]", ":pill:"]

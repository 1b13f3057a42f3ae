"""covey publish --engine stream: the same plan, the same promise, files of any size."""

from __future__ import annotations

import json
import tomllib

import polars as pl
import pytest

from covey.ledger import create_ledger

RANKS = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon", "4")


@pytest.mark.parametrize("name", ["people.csv", "people.parquet"])
def test_a_file_is_published_piece_by_piece(terminal, people: pl.DataFrame, name: str) -> None:
    people.write_parquet(terminal.folder / "people.parquet")

    ran = terminal.run(
        *("publish", name, "-s", "people.toml", *RANKS, "--engine", "stream", "-o", "out")
    )

    out = terminal.folder / "out"
    assert ran.code == 0, ran.err
    assert "Pure differential privacy with epsilon = 4" in ran.out
    found = out / ("data.parquet" if name.endswith("parquet") else "data.csv")
    frame = pl.read_parquet(found) if name.endswith("parquet") else pl.read_csv(found)
    assert frame.columns == ["age", "income"]
    assert frame.height == people.height
    assert json.loads((out / "guarantee.json").read_text())["kind"] == "pure-dp"


def test_a_plan_of_one_engine_runs_on_the_other(terminal) -> None:
    terminal.publish(*RANKS)

    ran = terminal.run(
        *("publish", "people.csv", "--plan", "out/plan.toml", "--engine", "stream", "-o", "again")
    )

    assert ran.code == 0, ran.err
    plans = [
        tomllib.loads((terminal.folder / folder / "plan.toml").read_text())
        for folder in ("out", "again")
    ]
    assert plans[0] == plans[1]
    promises = [
        json.loads((terminal.folder / folder / "guarantee.json").read_text())
        for folder in ("out", "again")
    ]
    assert promises[0] == promises[1]


def test_the_ledger_is_charged_once(terminal) -> None:
    create_ledger(terminal.folder / "people.ledger", 5)

    ran = terminal.publish(*RANKS, "--engine", "stream", "--ledger", "people.ledger")

    assert ran.code == 0, ran.err
    assert json.loads((terminal.folder / "people.ledger").read_text())["spent"] == "4"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--engine", "stram"), "no engine"),
        (("--engine", "stream", "--memory", "1MB"), "512 MiB"),
        (("--engine", "stream", "--strict"), "--strict"),
    ],
)
def test_what_cannot_be_streamed_is_explained(terminal, asked, words) -> None:
    ran = terminal.publish(*RANKS, *asked)

    assert ran.code == 2
    assert words in " ".join(ran.err.split())
    assert not (terminal.folder / "out").exists()

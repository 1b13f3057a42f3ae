"""covey demo does the main job on real data, in a terminal of 80 columns."""

from __future__ import annotations

import json

import polars as pl

from covey import SYSTEMS, Plan


def test_the_demo_publishes_and_shows_every_step(terminal) -> None:
    ran = terminal.run("demo", "-o", "out")

    shown = " ".join(ran.out.replace("│", " ").split())
    assert ran.code == 0, ran.err
    assert "20,190 person-years" in shown
    assert "Pure differential privacy with epsilon = 1 for each person" in shown
    assert "for the curator only" in shown
    assert "covey schema your.csv" in shown
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    assert {"data.csv", "guarantee.json", "plan.toml", "ledger.json"} <= {
        path.name for path in (terminal.folder / "out").iterdir()
    }
    assert pl.read_csv(terminal.folder / "out" / "data.csv").height > 10_000
    assert json.loads((terminal.folder / "out" / "guarantee.json").read_text())["kind"] == "pure-dp"
    assert Plan.load(terminal.folder / "out" / "plan.toml").system in SYSTEMS


def test_the_demo_can_be_run_again(terminal) -> None:
    assert terminal.run("demo", "-o", "out").code == 0

    assert terminal.run("demo", "-o", "out").code == 0


def test_the_demo_does_not_replace_what_is_no_release(terminal) -> None:
    (terminal.folder / "out").mkdir()
    (terminal.folder / "out" / "thesis.tex").write_text("mine")

    said = terminal.refused("demo", "-o", "out")

    assert "is not a release folder" in said

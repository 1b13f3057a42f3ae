"""covey evaluate: what was lost and what is at risk, for the curator's eyes only."""

from __future__ import annotations

import json

import pytest

from covey import METRICS

CLUSTERS = ("--system", "mdav", "-k", "3")
NOISE = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon", "4")


@pytest.mark.parametrize("system", [CLUSTERS, NOISE])
def test_scores_are_shown_below_a_warning_not_to_publish_them(
    terminal, system: tuple[str, ...]
) -> None:
    terminal.publish(*system)
    before = terminal.files()

    ran = terminal.run("evaluate", "people.csv", "out")

    assert ran.code == 0
    assert ran.out.startswith("Do not publish: computed on the originals.")
    assert "mean_error" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    assert terminal.files() == before


def test_values_outside_the_bounds_are_counted_for_the_curator(terminal) -> None:
    terminal.publish(*NOISE)

    plain = terminal.run("evaluate", "people.csv", "out")
    machine = terminal.run("evaluate", "people.csv", "out", "--json")

    assert "Values outside the public bounds: income 1." in plain.out
    assert json.loads(machine.out)["outside_bounds"] == {"age": 0, "income": 1}


def test_incomplete_records_are_counted_for_the_curator(terminal) -> None:
    terminal.describe("age", missing="drop")
    path = terminal.folder / "people.csv"
    path.write_text(path.read_text().replace(",18,", ",,"))
    terminal.publish(*NOISE)

    plain = terminal.run("evaluate", "people.csv", "out")
    machine = terminal.run("evaluate", "people.csv", "out", "--json")

    assert "Incomplete records left out: 1." in plain.out
    assert json.loads(machine.out)["dropped"] == 1


def test_json_is_all_that_a_machine_gets(terminal) -> None:
    terminal.publish(*CLUSTERS)

    ran = terminal.run("evaluate", "people.csv", "out", "--json")

    shown = json.loads(ran.out)
    assert ran.err == ""
    assert shown["do_not_publish"] == "computed on the originals"
    assert {"sse", "il_percent", "rl", "k_achieved", "t_closeness[illness]"} <= set(shown["scores"])
    assert shown["scores"]["k_achieved"] >= 3
    assert {name.partition("[")[0] for name in shown["scores"]} <= set(METRICS)


def test_record_by_record_scores_of_a_release_with_noise_are_missing_and_a_note_says_why(
    terminal,
) -> None:
    terminal.publish(*NOISE)

    shown = json.loads(terminal.run("evaluate", "people.csv", "out", "--json").out)

    assert "sse" not in shown["scores"]
    assert "no link to the original records" in " ".join(shown["notes"])


def test_an_unknown_scaling_is_refused(terminal) -> None:
    terminal.publish(*NOISE)

    said = terminal.refused("evaluate", "people.csv", "out", "--scaling", "metric")

    assert "'metric'" in said
    assert "standard" in said


def test_files_are_compared_piece_by_piece_with_the_same_scores(terminal) -> None:
    terminal.publish(*NOISE)

    whole, pieces = (
        json.loads(terminal.run("evaluate", "people.csv", "out", "--engine", engine, "--json").out)
        for engine in ("memory", "stream")
    )

    for name in ("mean_error", "sd_error", "correlation_error", "ks[age]"):
        assert pieces["scores"][name] == pytest.approx(whole["scores"][name], rel=1e-9, abs=1e-9)
    assert pieces["outside_bounds"] == whole["outside_bounds"]
    assert "no link to the original records" in " ".join(pieces["notes"])


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (("--engine", "stram"), "'stram'"),
        (("--engine", "stream", "-o", "curator.html"), "--output"),
        (("--engine", "spark", "--nodes", "nodes.txt"), "--nodes"),
    ],
)
def test_what_an_engine_cannot_do_is_refused_before_work(terminal, asked, named) -> None:
    terminal.publish(*NOISE)
    before = terminal.files()

    said = terminal.refused("evaluate", "people.csv", "out", *asked)

    assert named in said
    assert terminal.files() == before

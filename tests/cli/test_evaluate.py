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
    told = terminal.publish(*NOISE)

    plain = terminal.run("evaluate", "people.csv", "out")
    machine = terminal.run("evaluate", "people.csv", "out", "--json")

    assert "For you alone: 1 of " in told.err
    assert "they lack age" in told.err
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


def test_a_kept_trace_gives_a_saved_release_its_scores_of_records(terminal) -> None:
    asked = ("--system", "laplace", "--columns", "age,income", "--epsilon", "1")
    ran = terminal.publish(*asked, "--keep-trace", "mine.trace")
    assert ran.code == 0, ran.err
    assert "Do not publish" in ran.out.replace("\n", " ")
    assert (terminal.folder / "mine.trace").stat().st_mode & 0o077 == 0
    assert not list((terminal.folder / "out").glob("*trace*"))

    ran = terminal.run("evaluate", "people.csv", "out", "--trace", "mine.trace", "--json")

    assert ran.code == 0, ran.err
    assert {"sse", "il1s", "rl"} <= set(json.loads(ran.out)["scores"])


def test_a_baseline_gives_the_factors_of_paper_004(terminal) -> None:
    assert terminal.publish("--system", "mdav", "-k", "3").code == 0
    base = ("publish", "people.csv", "-s", "people.toml", "--system", "mdav", "-k", "12")
    assert terminal.run(*base, "-o", "base").code == 0

    ran = terminal.run("evaluate", "people.csv", "out", "--baseline", "base", "--json")

    scores = json.loads(ran.out)["scores"]
    assert scores["sse_f"] > 1
    assert scores["score"] == pytest.approx(scores["sse_f"] * scores["rl_f"])


def test_a_baseline_without_its_records_is_said_to_give_no_factors(terminal) -> None:
    assert terminal.publish("--system", "mdav", "-k", "3").code == 0
    base = ("publish", "people.csv", "-s", "people.toml", "--system", "rank-blocks")
    made = terminal.run(*base, "--epsilon", "1", "--columns", "age,income", "-o", "base")
    assert made.code == 0, made.err

    ran = terminal.run("evaluate", "people.csv", "out", "--baseline", "base", "--json")

    shown = json.loads(ran.out)
    assert "sse_f" not in shown["scores"]
    assert any("sse_f, rl_f and score need" in note for note in shown["notes"])


def test_a_target_is_predicted_and_told(terminal) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    assert terminal.publish("--system", "mdav", "-k", "3").code == 0

    ran = terminal.run("evaluate", "people.csv", "out", "--target", "town")

    assert ran.code == 0, ran.err
    assert "auc_logistic" in ran.out
    assert "town is predicted from" in ran.out


def test_the_first_look_comes_before_the_scores(terminal) -> None:
    assert terminal.publish("--system", "mdav", "-k", "3").code == 0

    out = terminal.run("evaluate", "people.csv", "out").out

    places = [out.index(part) for part in ("median", "share of", "What went worst", "il_percent")]
    assert places == sorted(places)
    words = " ".join(out.split())
    assert "Loss and risk are measured over age, income, town." in words
    assert "because an identifier, not published: name." in words
    assert "because published as it was: pain, illness." in words


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--trace", "none"), "no trace that covey has kept"),
        (("--baseline-trace", "t"), "there is none"),
        (("--target", "twn"), "not among the published columns"),
        (("--engine", "stream", "--target", "town"), "--target needs the originals in memory"),
    ],
)
def test_options_of_records_that_make_no_sense_are_refused(terminal, options, said) -> None:
    assert terminal.publish("--system", "mdav", "-k", "3").code == 0

    assert said in " ".join(terminal.refused("evaluate", "people.csv", "out", *options).split())


def test_a_trace_is_refused_before_anything_is_published(terminal) -> None:
    asked = ("--system", "mdav", "-k", "3", "--keep-trace")

    inside = terminal.refused_to_publish(*asked, "out/trace", code=2)
    assert "release folder" in inside
    assert "--keep-trace needs the records in memory" in " ".join(
        terminal.refused_to_publish(*asked, "t", "--engine", "stream").split()
    )

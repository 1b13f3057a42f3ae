"""Graphs on the command line: publish, evaluate, project, and what is refused."""

from __future__ import annotations

import gzip
import json
import re

import polars as pl
import pytest

from covey.ledger import create_ledger, load_ledger
from tests.contracts.graphs import friends

BOXES = ("--system", "joint-degree-boxes", "--epsilon", "1", "-p", "regenerate=false")


@pytest.fixture
def edges(terminal):
    graph = friends()
    lines = [f"{first} {second}\n" for first, second in graph.ids[graph.edges()].tolist()]
    (terminal.folder / "edges.txt").write_text("# who knows whom\n" + "".join(lines))
    return terminal


def words(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def test_a_graph_is_published_with_the_sentence_for_a_data_officer(edges) -> None:
    ran = edges.run(
        "publish",
        "edges.txt",
        *("--system", "joint-degree-boxes", "--unit", "edge", "--epsilon", "1", "-o", "out"),
        *("--nodes", "1000"),
    )

    assert (ran.code, ran.err) == (0, "")
    assert "Pure edge differential privacy with epsilon = 1" in words(ran.out)
    assert pl.read_csv(edges.folder / "out" / "data.csv").columns == [
        "degree_1",
        "degree_2",
        "edges",
    ]
    assert pl.read_csv(edges.folder / "out" / "edges.csv").columns == ["source", "target"]
    plan = (edges.folder / "out" / "plan.toml").read_text()
    assert 'unit = "edge"' in plan
    assert "attribute" not in plan


def test_nodes_are_protected_on_request_with_a_public_bound(edges) -> None:
    ran = edges.run(
        *("publish", "edges.txt", *BOXES, "--unit", "node", "--theta", "4", "-o", "out", "--json"),
        *("--nodes", "1000"),
    )

    guarantee = json.loads(ran.out)["guarantee"]
    assert guarantee["kind"] == "node-dp"
    assert any("theta = 4 is public" in fact for fact in guarantee["assumes"])


def test_a_plan_is_run_again(edges) -> None:
    edges.run("publish", "edges.txt", *BOXES, "-o", "out")

    ran = edges.run("publish", "edges.txt", "--plan", "out/plan.toml", "-o", "again")

    assert ran.code == 0
    assert (edges.folder / "again" / "data.csv").is_file()


def test_a_release_is_compared_with_the_original_graph(edges) -> None:
    edges.run("publish", "edges.txt", "--system", "degree-histogram", "--epsilon", "1", "-o", "out")

    shown = edges.run("evaluate", "edges.txt", "out")
    scores = json.loads(edges.run("evaluate", "edges.txt", "out", "--json").out)["scores"]

    assert "Do not publish" in shown.out
    assert "ks_1k" in shown.out
    assert 0 <= scores["ks_1k"] <= 1
    assert scores["triangles[original]"] > 0


def test_what_reading_drops_is_said_and_refused_if_asked(edges) -> None:
    with (edges.folder / "edges.txt").open("a") as file:
        file.write("person-001 person-001\nperson-001 person-002\nperson-002 person-001\n")

    said = edges.run("publish", "edges.txt", *BOXES, "-o", "out")
    refused = edges.run("publish", "edges.txt", *BOXES, "--strict", "-o", "strict")

    assert "self-loop" in words(said.out)
    assert said.code == 0
    assert refused.code == 6
    assert not (edges.folder / "strict").exists()


def test_isolated_nodes_come_from_a_file_of_their_own(edges) -> None:
    (edges.folder / "alone.txt").write_text("hermit-1\nhermit-2\n")

    ran = edges.run(
        "project", "edges.txt", "--theta", "3", "--nodes", "alone.txt", "--json", "-o", "few.txt"
    )

    in_edges = int((friends().degrees > 0).sum())
    assert json.loads(ran.out)["nodes"] == in_edges + 2
    assert json.loads(ran.out)["largest_degree"] == 3


def test_a_projected_graph_says_that_it_is_no_release(edges) -> None:
    ran = edges.run("project", "edges.txt", "--theta", "4", "-o", "bounded.txt")

    assert "Do not publish: these are original edges." in ran.out
    assert "the largest degree is 4" in words(ran.out)
    kept = (edges.folder / "bounded.txt").read_text().splitlines()
    assert set(kept) <= set((edges.folder / "edges.txt").read_text().splitlines())


def test_a_projection_replaces_no_file_unless_forced(edges) -> None:
    ran = edges.run("project", "edges.txt", "--theta", "4", "-o", "edges.txt")
    forced = edges.run("project", "edges.txt", "--theta", "4", "-o", "edges.txt", "--force")

    assert ran.code == 2
    assert "exists already" in words(ran.err)
    assert forced.code == 0


BAD = {
    "an empty file": "",
    "one column": "1\n2\n3\n",
    "not a text": gzip.compress(bytes(range(256))).decode("latin-1"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_file_that_holds_no_graph_is_refused_and_nothing_is_written_or_spent(
    terminal, fault
) -> None:
    (terminal.folder / "edges.txt").write_text(BAD[fault], encoding="latin-1")
    create_ledger(terminal.folder / "a.ledger", 1)

    ran = terminal.run("publish", "edges.txt", *BOXES, "--ledger", "a.ledger", "-o", "out")

    assert ran.code == 6
    assert ran.err.startswith("error:")
    assert not (terminal.folder / "out").exists()
    assert load_ledger(terminal.folder / "a.ledger").spent == 0


@pytest.mark.parametrize(
    ("arguments", "explanation"),
    [
        (("--epsilon", "0"), "epsilon = 0.0 is not a positive finite number"),
        (("--theta", "0", "--unit", "node"), "'theta' .* at least 1"),
        (("--unit", "family"), "'unit' .* one of edge, node"),
        (("-s", "people.toml"), "a schema describes the columns of a table"),
        (("-p", "boxes=round"), "'boxes' .* one of fitted"),
    ],
)
def test_a_senseless_option_is_explained(edges, arguments, explanation) -> None:
    ran = edges.run("publish", "edges.txt", *BOXES, *arguments, "-o", "out")

    assert ran.code == 2
    assert re.search(explanation, words(ran.err))
    assert not (edges.folder / "out").exists()


def test_a_missing_file_is_explained(terminal) -> None:
    ran = terminal.run("publish", "nowhere.txt", *BOXES, "-o", "out")

    assert ran.code == 6
    assert "nowhere.txt" in ran.err

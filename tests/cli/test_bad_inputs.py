"""Some 400 bad inputs: each ends soon, in few clear words, with the right code and nothing left.

`terminal.refused` checks the exit code, that standard output stays empty, that the message quotes
no record, and that no file was made or changed.
"""

from __future__ import annotations

import os
import shlex

import pytest

from tests.cli.bad_commands import CLUSTERS, EDGES, NOISE, OPTIONS, PUBLISH
from tests.cli.bad_descriptions import LEDGERS, PLANS, SCHEMA, SCHEMAS, TAXONOMIES
from tests.cli.bad_files import FILES, GOOD, PACKED

LONGEST = 2_100
"""Signs of the longest message."""


@pytest.fixture
def place(terminal):
    """Open a terminal beside a good table and a good description."""
    (terminal.folder / "people.csv").write_bytes(GOOD)
    (terminal.folder / "people.toml").write_text(SCHEMA)
    return terminal


def test_the_good_files_are_good(place) -> None:
    assert place.run(*f"{PUBLISH} {CLUSTERS}".split()).code == 0


def refused(place, command: str) -> None:
    assert len(place.refused(*shlex.split(command))) < LONGEST


@pytest.mark.parametrize("fault", FILES)
@pytest.mark.parametrize("engine", ["memory", pytest.param("stream", marks=pytest.mark.thorough)])
def test_a_bad_file(place, fault: str, engine: str) -> None:
    (place.folder / "people.csv").write_bytes(FILES[fault])
    refused(place, f"{PUBLISH} {NOISE} --engine {engine}")


@pytest.mark.parametrize("fault", PACKED)
def test_a_bad_packed_file(place, fault: str) -> None:
    (place.folder / "people.csv.gz").write_bytes(PACKED[fault])
    refused(place, f"publish people.csv.gz -s people.toml -o out {CLUSTERS}")


@pytest.mark.parametrize("fault", SCHEMAS)
def test_a_bad_schema(place, fault: str) -> None:
    (place.folder / "people.toml").write_text(SCHEMAS[fault], newline="")
    refused(place, f"{PUBLISH} {CLUSTERS}")


@pytest.mark.parametrize("fault", PLANS)
def test_a_bad_plan(place, fault: str) -> None:
    (place.folder / "plan.toml").write_text(PLANS[fault])
    refused(place, "publish people.csv --plan plan.toml -o out")


@pytest.mark.parametrize("fault", LEDGERS)
@pytest.mark.parametrize("verb", ["publish", "ledger"])
def test_a_bad_ledger(place, fault: str, verb: str) -> None:
    (place.folder / "a.ledger").write_text(LEDGERS[fault])
    publish = f"{PUBLISH} {NOISE} --ledger a.ledger"
    refused(place, publish if verb == "publish" else "ledger a.ledger")


@pytest.mark.parametrize("fault", TAXONOMIES)
@pytest.mark.parametrize("system", [CLUSTERS, "--system insensitive --epsilon 1"])
def test_a_bad_taxonomy(place, fault: str, system: str) -> None:
    towns = 'categories = ["Ahof", "Bhof", "Chof"]'
    (place.folder / "people.toml").write_text(SCHEMA.replace(towns, 'taxonomy = "towns.csv"'))
    (place.folder / "towns.csv").write_text(TAXONOMIES[fault])
    refused(place, f"{PUBLISH} {system}")


@pytest.mark.parametrize("fault", EDGES)
def test_a_bad_list_of_edges(place, fault: str) -> None:
    (place.folder / "edges.txt").write_text(EDGES[fault], newline="")
    refused(place, "publish edges.txt -o out --system degree-histogram --epsilon 1 --nodes 10")


@pytest.mark.parametrize("fault", OPTIONS)
def test_a_bad_command_line(place, fault: str) -> None:
    refused(place, OPTIONS[fault])


def test_a_table_is_no_graph(place) -> None:
    system = ("--system", "degree-histogram", "--epsilon", "1")
    assert "it is a table" in place.refused("publish", "people.csv", *system, "-o", "out")


@pytest.mark.parametrize("system", ["mdav", "v-mdav"])
def test_too_many_different_values_to_compare_records_by(place, system: str) -> None:
    rows = [f"{i},town {i}" for i in range(40_000)]
    (place.folder / "wide.csv").write_text("\n".join(["age,town", *rows, ""]))
    (place.folder / "wide.toml").write_text(
        '[[attribute]]\nname = "age"\nscale = "numeric"\n'
        '[[attribute]]\nname = "town"\nscale = "nominal"\n'
    )

    said = place.refused(
        "publish", "wide.csv", "-s", "wide.toml", "-o", "out", "--system", system, "-k", "3"
    )

    assert "so many different values" in said


@pytest.mark.thorough
def test_a_flat_list_of_100_000_categories_is_published(place) -> None:
    towns = [f"town {i}" for i in range(100_000)]
    rows = [f"{i % 90},town {7 * i}" for i in range(2_000)]
    (place.folder / "wide.csv").write_text("\n".join(["age,town", *rows, ""]))
    (place.folder / "wide.toml").write_text(
        '[[attribute]]\nname = "age"\nscale = "numeric"\nbounds = [0, 120]\n'
        f'[[attribute]]\nname = "town"\nscale = "nominal"\ncategories = {towns}\n'
    )
    system = ("--system", "column-model", "--epsilon", "10")

    assert place.run("publish", "wide.csv", "-s", "wide.toml", "-o", "out", *system).code == 0


@pytest.mark.parametrize("verb", ["publish", "check"])
def test_a_link_to_itself_and_a_pipe_without_a_writer(place, verb: str) -> None:
    (place.folder / "loop.csv").symlink_to("loop.csv")
    os.mkfifo(place.folder / "pipe.csv")
    more = f"-o out {CLUSTERS}".split() if verb == "publish" else ()
    for name in ("loop.csv", "pipe.csv"):
        ran = place.run(verb, name, *more)
        assert ran.code == 6, name
        assert "cannot be read" in ran.err or "is a pipe" in ran.err

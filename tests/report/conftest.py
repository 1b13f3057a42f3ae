"""What do the tests of reports share?  Releases of each kind, and one with hostile names."""

from __future__ import annotations

import networkx as nx
import polars as pl
import pytest

import covey
from covey import Attribute, Graph, Release, Role, Scale, Schema, Table, Trace
from covey.report.binned import Counts, count_columns

HOSTILE = "<script>alert('x')</script>"

KINDS = {
    "k-anonymity": ("mdav", {"k": 3}),
    "pure-dp": ("rank-blocks", {"epsilon": 0.5, "columns": ("age", "income")}),
    "local-dp": ("laplace", {"epsilon": 2.0, "columns": ("age", "income")}),
    "partition-conditional": ("mdav-dp", {"epsilon": 1.0, "k": 3, "columns": ("age", "income")}),
    "none": (
        "rank-blocks",
        {"epsilon": 0.5, "columns": ("age", "income"), "random_state": 3},
    ),
}


def count_column(attribute: Attribute, sets: dict[str, pl.Series]) -> Counts | None:
    """Count one column of some sets of records."""
    frames = {of: column.alias(attribute.name).to_frame().lazy() for of, column in sets.items()}
    return count_columns([attribute], frames).get(attribute.name)


@pytest.fixture
def table(people: pl.DataFrame, people_schema: Schema) -> Table:
    return covey.read_table(people, people_schema)


@pytest.fixture(params=KINDS)
def traced(request: pytest.FixtureRequest, table: Table) -> tuple[Release, Trace]:
    """Publish in every way, and keep what became of each record."""
    system, parameters = KINDS[request.param]
    made, trace = covey.publish(table, system, trace=True, **parameters)
    assert made.guarantee.kind == request.param
    return made, trace


@pytest.fixture
def release(traced: tuple[Release, Trace]) -> Release:
    return traced[0]


@pytest.fixture
def traced_private(table: Table) -> tuple[Release, Trace]:
    system, parameters = KINDS["pure-dp"]
    return covey.publish(table, system, trace=True, **parameters)


@pytest.fixture
def private(traced_private: tuple[Release, Trace]) -> Release:
    return traced_private[0]


@pytest.fixture(scope="session")
def friends() -> Graph:
    return covey.read_graph(nx.barabasi_albert_graph(120, 3, seed=2))


@pytest.fixture(params=["degree-histogram", "joint-degree-boxes"])
def graph_release(request: pytest.FixtureRequest, friends: Graph) -> Release:
    return covey.publish(friends, request.param, epsilon=2.0, unit="edge")


@pytest.fixture
def hostile() -> Table:
    """Give a table whose names, categories and units try to be HTML."""
    frame = pl.DataFrame(
        {
            HOSTILE: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            "</svg><b>&amp;": [3.0, 1.0, 2.0, 3.0, 1.0, 2.0],
            'a" onload="x': [HOSTILE, "</pre>", HOSTILE, "</pre>", HOSTILE, "</pre>"],
        }
    )
    schema = Schema(
        (
            Attribute(HOSTILE, bounds=(0, 10), unit="<b>&\"'"),
            Attribute("</svg><b>&amp;", bounds=(0, 10)),
            Attribute('a" onload="x', role=Role.CONFIDENTIAL, scale=Scale.NOMINAL),
        )
    )
    return covey.read_table(frame, schema)

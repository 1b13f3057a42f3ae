"""With blind noise, Spark too releases the same for inputs without a record in common."""

from __future__ import annotations

import polars as pl
import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
import covey.spark
from tests.contracts import blind
from tests.contracts.blind import two_graphs, two_tables
from tests.contracts.test_non_interference import (
    GRAPHS,
    OTHER_SIZES,
    SCHEMA,
    TABLES,
    assert_alike,
    folder_of,
    standing_clock,  # noqa: F401 — a fixture that is used by all tests
)

CORNERS = "insensitive"
"""Spark forms clusters under one order only."""

CASES = {
    **{case: (TABLES[case], (400, 400)) for case in TABLES if case != CORNERS},
    **{f"{case}, other sizes": (OTHER_SIZES[case], (400, 90)) for case in OTHER_SIZES},
}
QUICK = ("rank-blocks", "exponential", "private-tree, few columns", "personalised, other sizes")
EDGES = [case for case in GRAPHS if not case.startswith("personalised")]


def some(cases, quick):
    """Leave what takes long to `make test-all`."""
    return [
        case if case in quick else pytest.param(case, marks=pytest.mark.thorough) for case in cases
    ]


@pytest.fixture(autouse=True)
def sent_whole(spark) -> None:
    """Send the blind noise to workers, which cannot import it."""
    del spark
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(blind)


@pytest.mark.parametrize("case", some(CASES, QUICK))
def test_two_data_frames_give_the_same_release(spark, case, tmp_path, monkeypatch) -> None:
    (system, parameters), sizes = CASES[case]
    plan = {"schema": SCHEMA, "engine": "spark", "system": system, **parameters}
    releases = []
    for name, table in zip("ab", two_tables(*sizes), strict=True):
        table.write_parquet(tmp_path / f"{name}.parquet")
        frame = covey.spark.read(spark, tmp_path / f"{name}.parquet")
        releases.append(folder_of(frame, tmp_path / name, monkeypatch, **plan))

    assert_alike(*releases)


@pytest.mark.parametrize("case", some(EDGES, ("degree-histogram",)))
def test_two_graphs_of_the_same_nodes_give_the_same_release(
    spark, case, tmp_path, monkeypatch
) -> None:
    system, parameters = GRAPHS[case]
    releases = []
    for name, graph in zip("ab", two_graphs(), strict=True):
        edges = pl.DataFrame(graph.edges(), schema=["u", "v"], orient="row")
        edges.write_parquet(tmp_path / f"{name}.parquet")
        frame = covey.spark.read(spark, tmp_path / f"{name}.parquet")
        plan = {"engine": "spark", "system": system, "nodes": graph.n_nodes, **parameters}
        releases.append(folder_of(frame, tmp_path / name, monkeypatch, **plan))

    assert_alike(*releases)

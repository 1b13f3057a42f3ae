"""Spark counts the degrees and joint degrees that a graph in memory has."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import PlanError

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
import covey.spark
from covey.engines.spark.edges import count_graph
from covey.engines.spark.staging import Staging
from tests.engines.spark.engines import reference_data


@pytest.fixture
def edges(tmp_path):
    ends = np.random.default_rng(3).zipf(1.6, (4_000, 2)) % 700
    ends = np.concatenate([ends, ends[:500, ::-1], ends[:200]])
    frame = pl.DataFrame({"source": ends[:, 0], "target": ends[:, 1]})
    frame.write_parquet(tmp_path / "edges.parquet")
    return tmp_path / "edges.parquet"


@pytest.mark.parametrize(
    "system",
    ["degree-histogram", pytest.param("joint-degree-boxes", marks=pytest.mark.thorough)],
)
def test_a_seeded_release_of_a_graph_is_the_same(spark, edges, system) -> None:
    asked = {"epsilon": 1.0, "unit": "edge", "regenerate": False, "random_state": 4}

    expected = covey.publish(edges, system, **asked)
    found = covey.spark.publish(covey.spark.read(spark, edges), system, **asked)

    assert found.frame.equals(expected.frame)
    assert found.guarantee == expected.guarantee
    assert found.plan.fingerprint == expected.plan.fingerprint
    assert pl.DataFrame(pl.from_arrow(found.data.toArrow())).equals(expected.frame)


@pytest.mark.parametrize(
    ("system", "asked"),
    [
        ("degree-histogram", {"epsilon": 1.0, "unit": "node"}),
        ("personalised-dk", {"preferences": "p.csv"}),
    ],
)
def test_what_needs_the_edges_themselves_is_refused_before_they_are_counted(
    spark, edges, system, asked, monkeypatch
) -> None:
    monkeypatch.setattr("covey.engines.spark.engine.count_graph", None)
    frame = covey.spark.read(spark, edges)

    with pytest.raises(PlanError, match=r"one after the other.*'spark' does not.*'memory'"):
        covey.spark.publish(frame, system, **asked)


@pytest.mark.thorough
def test_a_reference_graph_has_the_same_degrees_and_joint_degrees(spark, tmp_path) -> None:
    graph = covey.read_graph(reference_data("graphs/ca-GrQc.txt.gz"))
    ends = pl.DataFrame(graph.edges(), schema=["u", "v"], orient="row")
    repeated = pl.concat([ends, ends.head(900).select(u="v", v="u")])
    repeated.write_parquet(tmp_path / "edges.parquet")

    counted = count_graph(covey.spark.read(spark, tmp_path / "edges.parquet"), Staging(spark), None)

    expected = covey.joint_degrees(graph)
    assert sorted(counted.degrees) == sorted(graph.degrees[graph.degrees > 0])
    assert np.array_equal(counted.joint.keys, expected.keys)
    assert np.array_equal(counted.joint.counts, expected.counts)

"""Spark forms the same clusters and centroids as the engine in memory, for the same plan."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.spark.pairing import paired, pairing_keys
from covey.table import Attribute, Role, Scale, Schema
from tests.stream.engines import NUMBERS, SCHEMA, in_memory, people

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
from covey.spark import read
from covey.spark.edges import count_graph
from covey.spark.staging import Staging
from tests.spark.engines import on_spark, reference_data


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / "people.parquet"
    people(10_000).write_parquet(file)
    return file


@pytest.fixture(scope="module")
def census(tmp_path_factory):
    frame = pl.read_csv(reference_data("census.csv")).cast(pl.Float64)
    file = tmp_path_factory.mktemp("census") / "census.parquet"
    frame.write_parquet(file)
    return file, Schema(tuple(Attribute(name, bounds=(0, 300_000)) for name in frame.columns))


@pytest.fixture(scope="module")
def adult(tmp_path_factory):
    frame = pl.read_csv(reference_data("adult.csv.gz"))
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String][:1]
    numbers = [name for name, dtype in frame.schema.items() if dtype.is_integer()][:3]
    frame = frame.select(*numbers, *texts).drop_nulls()
    file = tmp_path_factory.mktemp("adult") / "adult.parquet"
    frame.write_parquet(file)
    listed = tuple(frame[texts[0]].unique().sort())
    attributes = [Attribute(name, bounds=(0, 2_000_000), integer=True) for name in numbers]
    nominal = Attribute(texts[0], role=Role.CONFIDENTIAL, scale=Scale.NOMINAL, categories=listed)
    return file, Schema((*attributes, nominal))


def assert_same(found, expected) -> None:
    assert found.asked == expected.asked
    assert found.guarantee == expected.guarantee
    assert found.resolved == expected.resolved
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])
    assert found.frame.schema == expected.frame.schema


def test_rank_blocks_ask_for_the_same_noise_on_the_same_sums(spark, path) -> None:
    asked = {"epsilon": 1.0, "columns": NUMBERS}
    expected = in_memory(path, SCHEMA, "rank-blocks", **asked)

    found = on_spark(spark, path, SCHEMA, "rank-blocks", **asked)

    assert_same(found, expected)
    # Made in the order of the first column; the others are paired with it at random.
    assert found.frame[NUMBERS[0]].is_sorted()
    for name in NUMBERS:
        assert found.frame[name].sort().equals(expected.frame[name].sort())


@pytest.mark.thorough
def test_rank_blocks_of_one_column_release_the_same_rows(spark, path) -> None:
    asked = {"epsilon": 1.0, "columns": ("level",)}
    expected = in_memory(path, SCHEMA, "rank-blocks", **asked)

    found = on_spark(spark, path, SCHEMA, "rank-blocks", **asked)

    assert found.frame.equals(expected.frame)


def test_laplace_perturbs_every_record_once(spark, path) -> None:
    asked = {"epsilon": 1.0, "columns": NUMBERS}
    expected = in_memory(path, SCHEMA, "laplace", **asked)

    found = on_spark(spark, path, SCHEMA, "laplace", **asked)

    assert found.guarantee == expected.guarantee
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])
    assert found.frame.sort(NUMBERS).equals(expected.frame.sort(NUMBERS))


def test_individual_ranking_replaces_the_same_records_by_the_same_means(spark, path) -> None:
    schema = SCHEMA.updated("age", role=Role.NON_CONFIDENTIAL)
    expected = in_memory(path, schema, "individual-ranking", k=7)

    found = on_spark(spark, path, schema, "individual-ranking", k=7)

    assert found.guarantee == expected.guarantee
    assert found.frame.equals(expected.frame)


@pytest.mark.thorough
def test_individual_ranking_needs_no_untouched_column(spark, census) -> None:
    file, schema = census
    for name in schema.names[2:]:
        schema = schema.updated(name, role=Role.IDENTIFIER)
    expected = in_memory(file, schema, "individual-ranking", k=3)

    found = on_spark(spark, file, schema, "individual-ranking", k=3)

    assert found.frame.equals(expected.frame)


def test_a_single_order_forms_the_same_clusters(spark, path) -> None:
    asked = {"epsilon": 1.0, "order": "single", "columns": (*NUMBERS, "work")}
    expected = in_memory(path, SCHEMA, "insensitive", **asked)

    found = on_spark(spark, path, SCHEMA, "insensitive", **asked)

    assert_same(found, expected)
    assert found.frame.equals(expected.frame)


@pytest.mark.parametrize(
    ("columns", "output", "unit"),
    [
        (("income", "age"), "centroids", "replace"),
        pytest.param((*NUMBERS, "work"), "spread", "add-remove", marks=pytest.mark.thorough),
    ],
)
def test_a_private_tree_has_the_same_boxes_and_centroids(
    spark, path, columns, output, unit
) -> None:
    asked = {"epsilon": 1.0, "columns": columns, "output": output, "unit": unit}
    expected = in_memory(path, SCHEMA, "private-tree", **asked)

    found = on_spark(spark, path, SCHEMA, "private-tree", **asked)

    assert_same(found, expected)
    assert found.extras["clusters"].equals(expected.extras["clusters"])
    assert found.frame.height == expected.frame.height
    if output == "centroids":
        assert found.frame.equals(expected.frame)


def test_census_has_the_same_blocks_and_clusters(spark, census) -> None:
    file, schema = census
    columns = schema.names[:3]
    for system, asked in (
        ("rank-blocks", {"epsilon": 1.0, "columns": columns}),
        ("insensitive", {"epsilon": 1.0, "order": "single", "columns": columns}),
    ):
        expected = in_memory(file, schema, system, **asked)

        found = on_spark(spark, file, schema, system, **asked)

        assert_same(found, expected)


def test_adult_has_the_same_blocks_and_boxes(spark, adult) -> None:
    file, schema = adult
    for system, columns in (("rank-blocks", schema.names[:3]), ("private-tree", schema.names)):
        asked = {"epsilon": 1.0, "columns": columns}
        expected = in_memory(file, schema, system, **asked)

        found = on_spark(spark, file, schema, system, **asked)

        assert_same(found, expected)


@pytest.mark.parametrize(
    "system",
    ["degree-histogram", pytest.param("joint-degree-boxes", marks=pytest.mark.thorough)],
)
def test_a_seeded_release_of_a_graph_is_the_same(spark, tmp_path, system) -> None:
    ends = np.random.default_rng(3).zipf(1.6, (4_000, 2)) % 700
    ends = np.concatenate([ends, ends[:500, ::-1], ends[:200]])
    frame = pl.DataFrame({"source": ends[:, 0], "target": ends[:, 1]})
    frame.write_parquet(tmp_path / "edges.parquet")
    asked = {"epsilon": 1.0, "unit": "edge", "regenerate": False, "random_state": 4}

    expected = covey.publish(tmp_path / "edges.parquet", system, **asked)
    edges = covey.spark.read(spark, tmp_path / "edges.parquet")
    found = covey.spark.publish(edges, system, **asked)

    assert found.frame.equals(expected.frame)
    assert found.guarantee == expected.guarantee
    assert found.plan.fingerprint == expected.plan.fingerprint


@pytest.mark.thorough
def test_a_reference_graph_has_the_same_degrees_and_joint_degrees(spark, tmp_path) -> None:
    graph = covey.read_graph(reference_data("graphs/ca-GrQc.txt.gz"))
    ends = pl.DataFrame(graph.edges(), schema=["u", "v"], orient="row")
    repeated = pl.concat([ends, ends.head(900).select(u="v", v="u")])
    repeated.write_parquet(tmp_path / "edges.parquet")

    counted = count_graph(read(spark, tmp_path / "edges.parquet"), Staging(spark), None)

    expected = covey.joint_degrees(graph)
    assert sorted(counted.degrees) == sorted(graph.degrees[graph.degrees > 0])
    assert np.array_equal(counted.joint.keys, expected.keys)
    assert np.array_equal(counted.joint.counts, expected.counts)


@pytest.mark.parametrize("n", [1, 2, 3, 1000, 4097])
def test_a_pairing_takes_every_place_once(n) -> None:
    keys = pairing_keys(np.random.default_rng(n))

    found = paired(np.arange(n), n, keys)

    assert np.array_equal(np.sort(found), np.arange(n))


def test_a_pairing_leaves_no_trace_of_the_order() -> None:
    n = 50_000
    found = paired(np.arange(n), n, pairing_keys(np.random.default_rng(1)))

    # The correlation of two independent orders has a standard deviation of 1/√n.
    assert abs(np.corrcoef(found, np.arange(n))[0, 1]) < 5 / np.sqrt(n)
    assert abs(np.corrcoef(found[1:], found[:-1])[0, 1]) < 5 / np.sqrt(n)

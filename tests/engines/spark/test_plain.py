"""Spark forms the same blocks of ranks, and clusters in public blocks, as the engine in memory."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import CoveyError
from covey.table import Attribute, Role, Scale, Schema
from tests.engines.files.engines import SCHEMA, in_memory, people

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
import covey.spark
from tests.engines.spark.engines import on_spark, reference_data

PEOPLE = SCHEMA.updated("work", role=Role.NON_CONFIDENTIAL)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / "people.parquet"
    people(3_000).write_parquet(file)
    return file


@pytest.fixture(scope="module")
def ties(tmp_path_factory):
    """Few values, some missing, a constant column in one block, names that Spark stumbles over."""
    rng = np.random.default_rng(12)
    town = np.array(["x", "y", None])[rng.integers(0, 3, 900)]
    frame = pl.DataFrame(
        {
            "town`s": town,
            "years.in.school": rng.integers(0, 6, 900),
            "height": np.where(town == "x", 1.5, rng.integers(3, 5, 900) / 2),
            "colour": np.array(["red", "blue", None])[rng.integers(0, 3, 900)],
        }
    )
    file = tmp_path_factory.mktemp("ties") / "ties.parquet"
    frame.write_parquet(file)
    return file, Schema(
        (
            Attribute("town`s", scale=Scale.NOMINAL, role=Role.NON_CONFIDENTIAL),
            Attribute("years.in.school", bounds=(0, 20), integer=True),
            Attribute("height", bounds=(0, 3)),
            Attribute("colour", scale=Scale.NOMINAL),
        )
    )


def assert_same(found, expected) -> None:
    assert found.asked == expected.asked
    assert found.guarantee == expected.guarantee
    assert found.frame.schema == expected.frame.schema
    assert found.frame.equals(expected.frame)


def test_individual_ranking_replaces_the_same_records_by_the_same_means(spark, path) -> None:
    schema = SCHEMA.updated("age", role=Role.NON_CONFIDENTIAL)
    expected = in_memory(path, schema, "individual-ranking", k=7)

    found = on_spark(spark, path, schema, "individual-ranking", k=7)

    assert_same(found, expected)


@pytest.mark.thorough
def test_individual_ranking_needs_no_untouched_column(spark, tmp_path) -> None:
    frame = pl.read_csv(reference_data("census.csv")).cast(pl.Float64)
    frame.write_parquet(tmp_path / "census.parquet")
    schema = Schema(tuple(Attribute(name, bounds=(0, 300_000)) for name in frame.columns))
    for name in schema.names[2:]:
        schema = schema.updated(name, role=Role.IDENTIFIER)
    expected = in_memory(tmp_path / "census.parquet", schema, "individual-ranking", k=3)

    found = on_spark(spark, tmp_path / "census.parquet", schema, "individual-ranking", k=3)

    assert_same(found, expected)


def test_records_are_replaced_by_the_same_centroids(spark, path) -> None:
    asked = {"k": 4, "blocks": ("work", "level")}
    expected = in_memory(path, PEOPLE, "v-mdav", **asked)

    found = on_spark(spark, path, PEOPLE, "v-mdav", **asked)

    assert_same(found, expected)


def test_ties_and_unlisted_categories_change_nothing(spark, ties) -> None:
    file, schema = ties
    expected = in_memory(file, schema, "mdav", k=5, blocks="town`s")

    found = on_spark(spark, file, schema, "mdav", k=5, blocks="town`s")

    assert_same(found, expected)


@pytest.mark.thorough
def test_noise_is_asked_for_on_the_same_medoids_of_each_group(spark, path) -> None:
    asked = {"epsilon": 1.0, "k": 6, "blocks": "work", "split": "range"}
    asked |= {"groups": "income,level;weight", "centroid": "medoid"}
    expected = in_memory(path, PEOPLE, "mdav-dp", **asked)

    found = on_spark(spark, path, PEOPLE, "mdav-dp", **asked)

    assert_same(found, expected)


@pytest.mark.thorough
def test_adult_has_the_same_clusters(spark, tmp_path) -> None:
    frame = pl.read_csv(reference_data("adult.csv.gz"))
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String][:1]
    numbers = [name for name, dtype in frame.schema.items() if dtype.is_integer()][:3]
    few = frame.select(*numbers, *texts).drop_nulls()
    few = few.filter(pl.len().over(texts) >= 100).head(20_000)
    few.write_parquet(tmp_path / "adult.parquet")
    attributes = [Attribute(name, bounds=(0, 2_000_000), integer=True) for name in numbers]
    schema = Schema((*attributes, Attribute(texts[0], scale=Scale.NOMINAL)))
    asked = {"k": 50, "blocks": texts}
    expected = in_memory(tmp_path / "adult.parquet", schema, "mdav", **asked)

    found = on_spark(spark, tmp_path / "adult.parquet", schema, "mdav", **asked)

    assert_same(found, expected)


def test_census_has_the_same_clusters(spark, tmp_path) -> None:
    frame = pl.read_csv(reference_data("census.csv")).cast(pl.Float64)
    half = (frame[:, 0] > frame[:, 0].median()).cast(pl.Int32).alias("half")
    frame.hstack([half]).write_parquet(tmp_path / "census.parquet")
    numbers = tuple(Attribute(name, bounds=(0, 300_000)) for name in frame.columns)
    schema = Schema((*numbers, Attribute("half", integer=True)))
    asked = {"epsilon": 1.0, "k": 10, "blocks": "half"}
    expected = in_memory(tmp_path / "census.parquet", schema, "mdav-dp", **asked)

    found = on_spark(spark, tmp_path / "census.parquet", schema, "mdav-dp", **asked)

    assert_same(found, expected)


@pytest.mark.thorough
@pytest.mark.parametrize(("system", "asked"), [("mdav", {}), ("mdav-dp", {"epsilon": 1.0})])
def test_a_seeded_release_and_its_scores_are_the_same(spark, path, system, asked) -> None:
    schema = PEOPLE.updated("work", role=Role.IDENTIFIER)
    asked = {"k": 40, "blocks": "level", "random_state": 2} | asked
    table = covey.read_table(path, schema)
    expected, linked = covey.publish(table, system, trace=True, **asked)
    frame = covey.spark.read(spark, path, schema)

    found, trace = covey.spark.publish(frame, system, schema=schema, trace=True, **asked)

    assert found.scan().collect().equals(expected.frame)
    assert pl.DataFrame(pl.from_arrow(found.data.toArrow())).height == expected.frame.height
    assert found.guarantee == expected.guarantee
    assert found.plan.fingerprint == expected.plan.fingerprint
    scores = covey.evaluate(table, expected, linked).scores
    compared = covey.spark.evaluate(frame, found, trace).scores
    for name in ("sse", "il1s", "mean_error"):
        assert compared[name] == pytest.approx(scores[name], rel=1e-9)


@pytest.mark.parametrize("system", ["md", "mdav", "v-mdav", "mdav-dp"])
def test_without_blocks_spark_refuses_and_says_what_to_do(spark, path, system) -> None:
    asked = {"epsilon": 1.0} if system == "mdav-dp" else {}

    with pytest.raises(CoveyError, match=r"compares all records.*blocks=…\), or.*'memory'"):
        on_spark(spark, path, PEOPLE, system, k=3, **asked)


@pytest.mark.parametrize(
    ("changes", "asked", "message"),
    [
        ({}, {"k": 400}, r"equal 'town`s' has fewer than k = 400 records"),
        ({"role": Role.CONFIDENTIAL}, {}, r"'town`s' is described as confidential"),
    ],
)
def test_bad_blocks_are_refused_as_in_memory(spark, ties, changes, asked, message) -> None:
    file, schema = ties
    schema = schema.updated("town`s", **changes)
    asked = {"k": 5, "blocks": "town`s"} | asked
    for run in (in_memory, lambda *given, **settings: on_spark(spark, *given, **settings)):
        with pytest.raises(CoveyError, match=message):
            run(file, schema, "mdav", **asked)


def test_a_constant_column_is_refused_as_in_memory(spark, path) -> None:
    schema = PEOPLE.updated("work", role=Role.QUASI_IDENTIFIER)
    frame = pl.read_parquet(path).with_columns(age=pl.lit(40))
    file = path.with_name("same-age.parquet")
    frame.write_parquet(file)
    for run in (in_memory, lambda *given, **settings: on_spark(spark, *given, **settings)):
        with pytest.raises(CoveyError, match="'age' is constant"):
            run(file, schema, "mdav", k=3, blocks="work")

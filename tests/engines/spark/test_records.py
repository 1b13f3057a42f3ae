"""Spark forms the same clusters and centroids as the engine in memory, for the same plan."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from covey.core.questions import RankBlockSums
from covey.errors import DataError
from covey.systems import SYSTEMS
from covey.table import Attribute, Role, Scale, Schema
from covey.table.grid import Grid
from tests.engines.files.engines import NUMBERS, SCHEMA, in_memory, people

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
from covey.engines.spark.engine import open_spark
from tests.engines.spark.engines import decided_coins, on_spark, reference_data


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
def test_another_scale_of_a_column_has_other_counts(spark, path) -> None:
    """What was counted for a fine grid is no answer about a coarse one, whose noise is small."""
    engine = open_spark(spark.read.parquet(str(path)), SYSTEMS["rank-blocks"], SCHEMA)
    records, name = engine.records, NUMBERS[0]
    sizes = np.array([records.n])

    fine, coarse = (
        int(records.answer(RankBlockSums(name, Grid(low=0.0, high=100.0, steps=s), sizes))[0])
        for s in (1000, 1)
    )

    assert 0 <= coarse <= records.n < fine


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


def test_exponential_draws_for_every_record_once(spark, path) -> None:
    expected = in_memory(path, SCHEMA, "exponential", epsilon=1.0, columns=("work",))

    found = on_spark(spark, path, SCHEMA, "exponential", epsilon=1.0, columns=("work",))

    assert found.guarantee == expected.guarantee
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])
    assert found.frame.sort("work").equals(expected.frame.sort("work"))


@pytest.mark.parametrize(
    ("order", "columns"), [("single", (*NUMBERS, "work")), ("hilbert", ("income", "age"))]
)
def test_one_order_forms_the_same_clusters(spark, path, order, columns) -> None:
    asked = {"epsilon": 1.0, "order": order, "columns": columns}
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


@pytest.fixture(scope="module")
def preferring(tmp_path_factory):
    """Write records with the largest privacy loss that each person allows."""
    file = tmp_path_factory.mktemp("preferring") / "people.parquet"
    allowed = np.array([0.25, 0.5, 1.5, 2.0])[np.random.default_rng(2).integers(0, 4, 4_000)]
    people(4_000).with_columns(allowed=pl.Series(allowed)).write_parquet(file)
    return file


@pytest.mark.parametrize(
    ("inner", "otherwise"),
    [
        ("rank-blocks", "default"),
        ("private-tree", "drop"),
        pytest.param("private-tree", "default", marks=pytest.mark.thorough),
        pytest.param("insensitive", "default", marks=pytest.mark.thorough),
    ],
)
def test_personalised_asks_about_the_records_that_take_part(
    spark, preferring, monkeypatch, inner, otherwise
) -> None:
    decided_coins(monkeypatch)
    # Preferences may be an identifier: they are not published either way.
    schema = Schema((*SCHEMA, Attribute("allowed", role=Role.IDENTIFIER)))
    asked = {"preferences": "allowed", "inner": inner, "otherwise": otherwise, "threshold": 2.0}
    asked |= {"columns": ("income", "age", "level")}
    asked |= {"settings": {"order": "single"}} if inner == "insensitive" else {}
    expected = in_memory(preferring, schema, "personalised", **asked)

    found = on_spark(spark, preferring, schema, "personalised", **asked)

    assert found.asked == expected.asked
    assert found.guarantee == expected.guarantee
    assert found.resolved == expected.resolved
    assert found.frame.height == expected.frame.height
    if otherwise == "default":
        # Preferences come in another order, so that sums of probabilities are rounded otherwise.
        for left, right in zip(found.extras["accuracy"], expected.extras["accuracy"], strict=True):
            same = left.is_close(right) if left.dtype == pl.Float64 else left.eq_missing(right)
            assert same.all()
    else:
        assert "accuracy" not in found.extras


def test_a_preference_that_is_none_is_refused_without_quoting_it(spark, preferring) -> None:
    frame = pl.read_parquet(preferring).with_columns(allowed=pl.lit(-77.5))
    file = preferring.with_name("bad.parquet")
    frame.write_parquet(file)
    schema = Schema((*SCHEMA, Attribute("allowed")))

    with pytest.raises(DataError, match="'allowed' holds a preference that is not") as raised:
        on_spark(spark, file, schema, "personalised", preferences="allowed", columns=("age",))

    assert "77" not in str(raised.value)

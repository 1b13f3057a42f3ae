"""Two million records fall into the same blocks and clusters on Spark, with the same centroids."""

from __future__ import annotations

import pytest

from tests.engines.files.large import PLANS, assert_same, expected

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
from tests.engines.spark.engines import on_spark


@pytest.mark.parametrize(
    "system",
    [
        "rank-blocks",
        pytest.param("individual-ranking", marks=pytest.mark.thorough),
        pytest.param("insensitive", marks=pytest.mark.thorough),
    ],
)
def test_two_million_records_are_published_alike(spark, two_million, system) -> None:
    schema, asked = PLANS[system]

    found = on_spark(spark, two_million, schema, system, **asked)

    assert_same(found, expected(two_million, system))

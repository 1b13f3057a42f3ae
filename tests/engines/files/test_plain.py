"""Individual ranking forms the same clusters of files as in memory."""

from __future__ import annotations

import polars as pl
import pytest

import covey
from covey.engines.files import Memory
from covey.errors import DataError, PartitionError, SchemaError
from covey.table import Schema
from tests.engines.files.engines import SCHEMA, in_memory, people, streamed


def test_individual_ranking_replaces_the_same_records_by_the_same_means(path) -> None:
    expected = in_memory(path, SCHEMA, "individual-ranking", k=5)

    found = streamed(path, SCHEMA, "individual-ranking", k=5)

    assert found.guarantee == expected.guarantee
    assert found.frame.equals(expected.frame)


def test_individual_ranking_needs_no_other_columns(tmp_path) -> None:
    path = tmp_path / "two.parquet"
    people(3_000).select("age", "income").write_parquet(path)
    schema = Schema((SCHEMA["age"], SCHEMA["income"]))
    expected = in_memory(path, schema, "individual-ranking", k=4)

    found = streamed(path, schema, "individual-ranking", k=4)

    assert found.frame.equals(expected.frame)


def test_a_smaller_memory_changes_nothing(path) -> None:
    small = streamed(path, SCHEMA, "individual-ranking", k=3)

    large = streamed(path, SCHEMA, "individual-ranking", Memory.of("1GB"), k=3)

    assert small.frame.equals(large.frame)


@pytest.mark.parametrize(
    ("change", "k", "error", "words"),
    [
        ({"income": 1.0}, 3, SchemaError, "'income' is constant"),
        ({}, 500, PartitionError, "k = 500"),
        ({"weight": None}, 3, DataError, "no complete record"),
    ],
)
def test_what_cannot_be_ranked_is_refused(tmp_path, change, k, error, words) -> None:
    file = tmp_path / "few.parquet"
    frame = people(100)
    columns = [pl.lit(value, dtype=frame[name].dtype).alias(name) for name, value in change.items()]
    frame.with_columns(columns).write_parquet(file)

    with pytest.raises(error, match=words):
        covey.publish(file, "individual-ranking", schema=SCHEMA, engine="stream", k=k)

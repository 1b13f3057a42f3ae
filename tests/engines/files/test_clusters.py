"""Clusters under public orders are the same from files as in memory, however they are sorted."""

from __future__ import annotations

import pytest

from covey.engines.files import Memory
from tests.engines.files.engines import NUMBERS, SCHEMA, in_memory, people, streamed

ORDERS = [
    ("single", ("age",)),
    ("single", ("income", "age")),
    ("single", (*NUMBERS, "work")),
    ("hilbert", ("income",)),
    ("hilbert", NUMBERS),
    ("corners", ("age",)),
    ("corners", ("income", "age")),
    ("corners", ("work",)),
    ("corners", (*NUMBERS, "work")),
]


def assert_same(found, expected) -> None:
    assert found.asked == expected.asked
    assert found.guarantee == expected.guarantee
    assert found.resolved == expected.resolved
    assert found.frame.equals(expected.frame)
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])


@pytest.mark.parametrize(("order", "columns"), ORDERS)
def test_an_order_forms_the_same_clusters(path, order, columns) -> None:
    asked = {"epsilon": 1.0, "order": order, "columns": columns}

    assert_same(
        streamed(path, SCHEMA, "insensitive", **asked),
        in_memory(path, SCHEMA, "insensitive", **asked),
    )


@pytest.mark.parametrize("k", [2, 7, 150, 299, 300])
def test_corners_take_turns_whatever_the_size_of_the_clusters(tmp_path, k) -> None:
    path = tmp_path / "few.parquet"
    people(606).write_parquet(path)
    asked = {"epsilon": 1.0, "k": k, "columns": ("age", "level", "work")}

    assert_same(
        streamed(path, SCHEMA, "insensitive", **asked),
        in_memory(path, SCHEMA, "insensitive", **asked),
    )


def test_two_hundred_thousand_records_fall_into_the_same_clusters(tmp_path) -> None:
    path = tmp_path / "many.parquet"
    people(200_000, seed=1).write_parquet(path)
    for order in ("single", "corners"):
        asked = {"epsilon": 1.0, "order": order, "columns": ("income", "age")}
        expected = in_memory(path, SCHEMA, "insensitive", **asked)
        assert_same(streamed(path, SCHEMA, "insensitive", Memory.of("1GB"), **asked), expected)

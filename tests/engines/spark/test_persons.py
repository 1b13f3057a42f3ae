"""Spark keeps the same records of each person as a table in memory."""

from __future__ import annotations

import pytest

import covey
from covey.errors import DataError
from tests.engines.files.test_persons import PLAN, made_visits

pytestmark = pytest.mark.usefixtures("spark")


def test_spark_and_memory_use_the_same_records(tmp_path) -> None:
    visits = made_visits()
    visits.sample(fraction=1.0, shuffle=True, seed=1).write_parquet(tmp_path / "v.parquet")

    held, told = covey.publish(visits, "tables", **PLAN)
    read, also = covey.publish(str(tmp_path / "v.parquet"), "tables", engine="spark", **PLAN)

    assert told.contributed == also.contributed
    assert held.frame.equals(read.frame)
    assert held.guarantee == read.guarantee


def test_missing_identifiers_are_refused_by_workers(tmp_path) -> None:
    made_visits().with_columns(who=None).cast({"who": str}).write_parquet(tmp_path / "v.parquet")

    with pytest.raises(DataError, match="whose these records are"):
        covey.publish(str(tmp_path / "v.parquet"), "tables", engine="spark", **PLAN)

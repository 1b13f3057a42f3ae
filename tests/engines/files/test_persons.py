"""Files keep the same records of each person as a table in memory, however they are read."""

from __future__ import annotations

import polars as pl
import pytest

import covey
from covey.errors import DataError
from covey.table import Attribute, Role, Scale, Schema

SCHEMA = Schema(
    (
        Attribute("who", role=Role.PERSON, contributions=2),
        Attribute("x", bounds=(0, 9), integer=True, missing="drop"),
        Attribute("y", scale=Scale.NOMINAL, categories=("a", "b")),
        Attribute("z", bounds=(0, 1), missing="drop"),
    )
)
PLAN = {"schema": SCHEMA, "random_state": 4, "tables": ["x*y"], "epsilon": 40, "trace": True}


def made_visits() -> pl.DataFrame:
    """Return many records of few persons, some of them incomplete, some of them equal."""
    n = 600
    return pl.DataFrame(
        {
            "who": [f"0{i * i % 97}" for i in range(n)],
            "x": [None if i % 11 == 0 else i % 10 for i in range(n)],
            "y": ["ab"[i % 2] for i in range(n)],
            "z": [None if i % 13 == 0 else (i % 7) / 7 for i in range(n)],
        }
    )


@pytest.fixture
def visits() -> pl.DataFrame:
    return made_visits()


@pytest.mark.parametrize("kind", ["csv", "parquet", "shuffled"])
def test_files_and_memory_use_the_same_records(visits, kind, tmp_path) -> None:
    place = tmp_path / ("visits.csv" if kind == "csv" else "visits.parquet")
    if kind == "csv":
        visits.write_csv(place)
    else:
        rows = visits if kind == "parquet" else visits.sample(fraction=1.0, shuffle=True, seed=1)
        rows.write_parquet(place)

    held, told = covey.publish(visits, "tables", **PLAN)
    read, also = covey.publish(place, "tables", engine="stream", **PLAN)

    assert told.contributed == also.contributed
    assert told.contributed.records_cut > 0
    assert held.frame.equals(read.frame)
    assert held.guarantee == read.guarantee


def test_a_gap_in_a_column_that_is_not_published_leaves_no_record_out(visits, tmp_path) -> None:
    visits.write_parquet(tmp_path / "v.parquet")
    plan = {**PLAN, "columns": ("x",)}
    del plan["tables"]

    held, told = covey.publish(visits, "rank-blocks", **plan)
    read, also = covey.publish(tmp_path / "v.parquet", "rank-blocks", engine="stream", **plan)

    assert told.contributed == also.contributed
    assert told.contributed.records == visits["x"].count()
    assert held.frame.equals(read.frame)


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_missing_identifiers_are_refused_on_every_engine(visits, engine, tmp_path) -> None:
    gaps = visits.with_columns(pl.when(pl.col("y") == "a").then(pl.col("who")).alias("who"))
    gaps.write_parquet(tmp_path / "v.parquet")

    with pytest.raises(DataError, match="whose these records are"):
        covey.publish(tmp_path / "v.parquet", "tables", engine=engine, **PLAN)

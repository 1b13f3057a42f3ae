"""Spark keeps dates and datetimes as they are, and says which points in time it cannot keep."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import polars as pl
import pytest

import covey
from covey import Attribute, Schema
from covey.errors import SchemaError
from covey.table.calendar import Moment

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")

FIRST, LAST = date(2019, 1, 1), date(2020, 12, 31)
SCHEMA = Schema(
    (
        Attribute("day", kind=Moment.DATE, bounds=(FIRST, LAST)),
        Attribute("text", kind=Moment.DATE, format="%d.%m.%Y", bounds=(FIRST, LAST), step="month"),
    )
)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_dates_are_released_in_the_types_of_the_schema(tmp_path, ending) -> None:
    days = pl.date_range(FIRST, LAST, "1d", eager=True)
    frame = pl.DataFrame({"day": days, "text": days.dt.strftime("%d.%m.%Y")})
    path = tmp_path / f"days.{ending}"
    frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)

    release = covey.publish(path, "private-tree", epsilon=1.0, schema=SCHEMA, engine="spark")

    assert dict(release.frame.schema) == {"day": pl.Date(), "text": pl.String()}
    assert release.frame["day"].is_between(FIRST, LAST).all()
    assert release.frame["text"].str.to_date("%d.%m.%Y").dt.day().unique().to_list() == [1]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"kind": Moment.TIME, "bounds": (time(1), time(2))}, "times of day"),
        (
            {
                "kind": Moment.DATETIME,
                "zone": "UTC",
                "bounds": (datetime(2019, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)),
            },
            "a time zone of a column",
        ),
    ],
)
def test_what_spark_has_no_type_for_is_refused_by_name(tmp_path, facts, words) -> None:
    (tmp_path / "x.csv").write_text("x\n01:30\n", encoding="utf-8")

    with pytest.raises(SchemaError, match=f"knows no {words}, so column 'x'"):
        covey.publish(
            tmp_path / "x.csv",
            "private-tree",
            epsilon=1.0,
            schema=Schema((Attribute("x", **facts),)),
            engine="spark",
        )

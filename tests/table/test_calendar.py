"""Dates, datetimes and times are whole numbers of public steps, and come out as they came in."""

# ruff: noqa: DTZ001 — datetimes without a time zone are among what is tested

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey import Attribute, Schema
from covey.choose.synthetic import synthetic_tables
from covey.errors import BoundsError, DataError, SchemaError
from covey.table import draft_schema
from covey.table.calendar import STEPS, Moment, from_places, places

FIRST, LAST = date(2019, 1, 1), date(2023, 12, 31)
steps = st.sampled_from([(kind, step) for kind, known in STEPS.items() for step in known])


def dated(name: str = "d", **more: Any) -> Attribute:
    return Attribute(name, kind=Moment.DATE, **more)


@given(steps=steps, moment=st.datetimes(datetime(1600, 1, 1), datetime(2400, 1, 1)))
def test_a_step_begins_at_or_before_its_moments_and_keeps_its_number(
    steps: tuple[Moment, str], moment: datetime
) -> None:
    kind, step = steps
    attribute = Attribute("x", kind=kind, step=step)
    value = {Moment.DATE: moment.date(), Moment.TIME: moment.time()}.get(kind, moment)

    column = pl.Series("x", [value, None])
    place = places(column, attribute)
    begin = from_places(place, attribute, column.dtype)

    assert begin.dtype == column.dtype
    assert begin[1] is None
    assert begin[0] <= value
    assert np.array_equal(places(begin, attribute), place, equal_nan=True)


def test_weeks_begin_on_mondays_and_quarters_with_their_first_month() -> None:
    day = pl.Series([date(2024, 5, 19)])  # a Sunday

    begins = [
        from_places(places(day, dated(step=step)), dated(step=step), pl.Date())[0]
        for step in ("week", "month", "quarter", "year")
    ]

    assert begins == [date(2024, 5, 13), date(2024, 5, 1), date(2024, 4, 1), date(2024, 1, 1)]


def test_a_schema_with_dates_is_read_and_written_as_toml(tmp_path: Path) -> None:
    text = """
[[attribute]]
name = "admitted"
kind = "date"
bounds = [2019-01-01, 2023-12-31]
step = "month"
special = [1900-01-01]
missing = "impute"
impute = 2020-06-01

[[attribute]]
name = "seen"
kind = "datetime"
zone = "Europe/Berlin"
bounds = [2019-01-01T00:00:00+01:00, 2020-01-01T00:00:00+01:00]

[[attribute]]
name = "woken"
kind = "time"
bounds = [04:00:00, 12:00:00]
step = "minute"
"""
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")

    schema = Schema.load(tmp_path / "s.toml")
    schema.save(tmp_path / "again.toml")

    assert schema["admitted"].bounds == (FIRST, LAST)
    assert schema["admitted"].public_bounds == (49 * 12.0, 53 * 12 + 11.0)
    assert schema["woken"].public_bounds == (240.0, 720.0)
    assert Schema.load(tmp_path / "again.toml") == schema
    assert "bounds = [2019-01-01, 2023-12-31]" in (tmp_path / "again.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"bounds": (0, 100)}, "holds something else than a date"),
        ({"bounds": (LAST, FIRST)}, "wrong way round"),
        ({"bounds": (FIRST, date(2019, 1, 9)), "step": "month"}, "in the same month"),
        ({"bounds": (FIRST,)}, "not two points in time"),
        ({"step": "hour"}, "none of its steps"),
        ({"step": 7}, "none of its steps"),
        ({"integer": True}, "contradict each other"),
        ({"scale": "ordinal"}, "contradict each other"),
        ({"zone": "Europe/Berlin"}, "only datetimes have"),
        ({"format": "%Y"}, "cannot be read back"),
        ({"format": "%d.%m.%Y %z"}, "contradicts its `zone`"),
        ({"kind": "datetime", "zone": "Mars/Olympus"}, "no time zone"),
        ({"kind": "datetime", "zone": "UTC", "step": "day"}, "not equally long"),
        ({"kind": "datetime", "bounds": (datetime(2020, 1, 1, tzinfo=UTC),) * 2}, "must not have"),
        ({"kind": None, "format": "%Y"}, "is no point in time"),
        ({"missing": "impute", "impute": date(2030, 1, 1), "bounds": (FIRST, LAST)}, "outside"),
        ({"special": (FIRST, FIRST)}, "repeat themselves"),
    ],
)
def test_contradictions_in_time_are_refused(facts: dict, words: str) -> None:
    with pytest.raises((SchemaError, BoundsError), match=words):
        Attribute("d", **{"kind": "date", **facts})


def test_a_coarse_format_is_fine_for_a_coarse_step() -> None:
    attribute = dated(format="%m/%Y", step="month")

    assert places(pl.Series(["03/1970", None]), attribute)[0] == 2.0
    assert from_places(np.array([2.0, np.nan]), attribute, pl.String()).to_list() == [
        "03/1970",
        None,
    ]


@pytest.mark.parametrize(
    ("column", "attribute", "words"),
    [
        (["2020-01-01", "soon"], dated(), "has a text that is no date"),
        ([1, 2], dated(), "holds other things"),
        ([time(1)], dated(), "holds other things"),
        ([FIRST], dated(format="%d.%m.%Y"), "remove `format`"),
        ([datetime(2020, 1, 1, tzinfo=UTC)], dated(), "ambiguous"),
        (
            [datetime(2020, 1, 1, tzinfo=UTC)],
            Attribute("d", kind=Moment.DATETIME, zone="Europe/Berlin"),
            'write zone = "UTC"',
        ),
        ([datetime(2020, 1, 1)], Attribute("d", kind=Moment.DATETIME, zone="UTC"), "no `zone`"),
        (["2020-01-01T10:00"], Attribute("d", kind=Moment.DATETIME, zone="UTC"), "no datetime"),
        ([FIRST, None], dated(), "has missing values"),
    ],
)
def test_columns_that_contradict_the_schema_are_refused(
    column: list, attribute: Attribute, words: str
) -> None:
    with pytest.raises(DataError, match=words):
        covey.read_table(pl.DataFrame({"d": column}), Schema((attribute,)))


def test_dates_without_a_kind_are_refused_with_what_to_write() -> None:
    with pytest.raises(DataError, match='Describe dates and times by `kind = "date"`'):
        covey.read_table(pl.DataFrame({"d": [FIRST]}), Schema((Attribute("d", scale="nominal"),)))


@pytest.fixture
def visits() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    begin = datetime(2019, 1, 1)
    seconds = rng.integers(0, 86_400 * 1800, 400)
    seen = pl.Series([begin + timedelta(seconds=int(each)) for each in seconds])
    return pl.DataFrame(
        {
            "admitted": seen.dt.date(),
            "seen": seen,
            "here": seen.dt.replace_time_zone("UTC").dt.convert_time_zone("Europe/Berlin"),
            "woken": seen.dt.time(),
            "text": seen.dt.strftime("%d.%m.%Y"),
        }
    )


SCHEMA = Schema(
    (
        dated("admitted", bounds=(FIRST, date(2022, 12, 31))),
        Attribute(
            "seen", kind=Moment.DATETIME, bounds=(datetime(2019, 1, 1), datetime(2024, 1, 1))
        ),
        Attribute(
            "here",
            kind=Moment.DATETIME,
            zone="Europe/Berlin",
            step="hour",
            bounds=(datetime(2019, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)),
        ),
        Attribute("woken", kind=Moment.TIME, bounds=(time(0), time(23, 59)), step="minute"),
        dated("text", format="%d.%m.%Y", step="month", bounds=(FIRST, LAST)),
    )
)
TYPES = {
    "admitted": pl.Date(),
    "seen": pl.Datetime("us"),
    "here": pl.Datetime("us", "Europe/Berlin"),
    "woken": pl.Time(),
    "text": pl.String(),
}


@pytest.mark.parametrize(
    ("system", "settings"),
    [
        ("column-model", {"epsilon": 1.0}),
        ("private-tree", {"epsilon": 1.0}),
        ("rank-blocks", {"epsilon": 1.0}),
        ("laplace", {"epsilon": 1.0}),
        ("mdav", {"k": 3}),
    ],
)
def test_every_system_releases_points_in_time_in_their_types_and_on_their_steps(
    visits: pl.DataFrame, system: str, settings: dict
) -> None:
    released = covey.publish(covey.read_table(visits, SCHEMA), system, **settings).data

    assert dict(released.schema) == TYPES
    assert released["here"].dt.minute().unique().to_list() == [0]
    assert released["woken"].dt.second().unique().to_list() == [0]
    assert set(released["text"].str.slice(0, 2)) == {"01"}
    assert released["admitted"].min() >= FIRST
    if system != "mdav":  # clamped as numbers are
        assert released["admitted"].max() <= date(2022, 12, 31)


@pytest.mark.parametrize("kind", ["pandas", "pyarrow", "csv", "parquet"])
def test_points_in_time_come_out_as_the_kind_they_came_in(
    visits: pl.DataFrame, tmp_path: Path, kind: str
) -> None:
    source: Any = tmp_path / f"visits.{kind}"
    if kind == "pandas":
        source = visits.to_pandas()
    elif kind == "pyarrow":
        source = visits.to_arrow()
    elif kind == "csv":
        visits.write_csv(source, datetime_format=None)
    else:
        visits.write_parquet(source)

    release = covey.publish(covey.read_table(source, SCHEMA), "private-tree", epsilon=1.0)
    release.save(tmp_path / "out")

    frame = pl.DataFrame(release.data) if kind == "pyarrow" else release.data
    if kind == "pandas":
        assert [str(each) for each in frame.dtypes] == [
            "datetime64[ms]",
            "datetime64[us]",
            "datetime64[us, Europe/Berlin]",
            "object",
            str(pl.Series(["01.02.2003"]).to_pandas().dtype),  # as this version of pandas has it
        ]
    else:
        assert dict(frame.schema) == TYPES
    again = covey.read_table(
        tmp_path / "out" / ("data.parquet" if kind == "parquet" else "data.csv"), SCHEMA
    )
    for name in TYPES:
        assert np.array_equal(
            np.sort(again.values(name)),
            np.sort(covey.read_table(release.frame, SCHEMA).values(name)),
        )


def test_a_csv_release_writes_datetimes_as_people_do(visits: pl.DataFrame, tmp_path: Path) -> None:
    covey.publish(covey.read_table(visits, SCHEMA), "mdav", k=5).save(tmp_path / "out")

    line = (tmp_path / "out" / "data.csv").read_text("utf-8").splitlines()[1].split(",")

    assert len(line[1]) == len("2019-01-01T00:00:00")
    assert line[2].endswith(("+01:00", "+02:00"))
    assert len(line[3]) == len("04:00:00")


def test_a_release_of_dates_can_be_evaluated_and_opened_again(
    visits: pl.DataFrame, tmp_path: Path
) -> None:
    table = covey.read_table(visits, SCHEMA)
    release = covey.publish(table, "mdav", k=3)
    release.save(tmp_path / "out")

    again, trace = covey.reopen(tmp_path / "out", table)

    assert covey.evaluate(table, again, trace)["sse"] > 0
    assert covey.evaluate(table, release)["ks"] == covey.evaluate(table, again)["ks"]


def test_the_files_engine_reads_texts_and_types_alike(visits: pl.DataFrame, tmp_path: Path) -> None:
    for ending in ("csv", "parquet"):
        path = tmp_path / f"visits.{ending}"
        visits.write_csv(path) if ending == "csv" else visits.write_parquet(path)
        plan = {"epsilon": 1.0, "schema": SCHEMA, "engine": "stream"}
        release = covey.publish(path, "private-tree", **plan)
        assert dict(release.frame.schema) == TYPES


@pytest.mark.parametrize(
    ("values", "kind", "step", "format_", "zone"),
    [
        ([FIRST, LAST], "date", "day", None, None),
        (["2019-01-01", "2020-02-29", None], "date", "day", None, None),
        (["31.12.2019", "01.02.2020"], "date", "day", "%d.%m.%Y", None),
        ([datetime(2019, 1, 1), datetime(2020, 1, 1)], "date", "day", None, None),
        ([datetime(2019, 1, 1, 7, 30), datetime(2020, 1, 1)], "datetime", "minute", None, None),
        (["2019-01-01T07:00:00Z", "2019-01-02T08:00:00+02:00"], "datetime", "hour", None, "UTC"),
        (["07:30", "23:59"], "time", "minute", "%H:%M", None),
        (["07:30:05", "23:59:00"], "time", "second", None, None),
        (["2019-01-01 07:30", "2020-01-01 08:10"], "datetime", "minute", "%Y-%m-%d %H:%M", None),
        (
            ["2019-01-01 00:00:00", "2020-01-01 00:00:00"],
            "datetime",
            "day",
            "%Y-%m-%d %H:%M:%S",
            None,
        ),
        (["31/12/2019", "01/02/2020"], "date", "day", "%d/%m/%Y", None),
        (["12/31/2019", "01/02/2020"], "date", "day", "%m/%d/%Y", None),
    ],
)
def test_points_in_time_are_drafted_with_marked_facts(
    values: list, kind: str, step: str, format_: str | None, zone: str | None
) -> None:
    drafted = draft_schema(pl.DataFrame({"d": values}))["d"]

    assert (drafted.kind, drafted.step, drafted.format) == (kind, step, format_)
    assert drafted.zone == zone
    assert {"bounds", "kind", "step"} <= set(drafted.read_off)
    assert covey.read_table(pl.DataFrame({"d": values}), Schema((drafted,))).n >= 2


@pytest.mark.parametrize("values", [["01/02/2020", "03/04/2020"], ["2020", "2021"], ["a", "b"]])
def test_texts_that_may_mean_something_else_are_not_drafted_as_dates(values: list) -> None:
    assert draft_schema(pl.DataFrame({"d": values}))["d"].kind is None


@pytest.mark.parametrize("name", ["t.json", "t.csv-metadata.json"])
def test_other_formats_say_dates_with_their_bounds(tmp_path: Path, name: str) -> None:
    schema = Schema(
        (
            dated("a", bounds=(FIRST, LAST)),
            dated("b", format="%d.%m.%Y"),
            Attribute(
                "c",
                kind=Moment.DATETIME,
                step="minute",
                format="%d.%m.%Y %H:%M",
                bounds=(datetime(2019, 1, 1), datetime(2020, 1, 1)),
            ),
        )
    )

    schema.save(tmp_path / name)
    again = Schema.load(tmp_path / name)

    for old, new in zip(schema, again, strict=True):
        assert (new.kind, new.format, new.bounds, new.step) == (
            old.kind,
            old.format,
            old.bounds,
            old.step,
        )
        assert "kind" in new.imported


def test_made_up_tables_have_points_in_time_too() -> None:
    made = synthetic_tables(SCHEMA, 50)["uniform"]

    assert {name: made.dtype(name) for name in TYPES} == TYPES
    assert made.outside_bounds() == dict.fromkeys(TYPES, 0)

"""Missing is a value of its own for every kind of column, and records are lost for gaps that show.

What a release tells about gaps is a function of the schema and of noise.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import covey
from covey import Attribute, Missing, Schema
from covey.engines.shared.cells import axis_scale, cells_of
from covey.errors import SchemaError
from covey.partition.axis import axis_of
from covey.table import draft_schema, from_values
from covey.table.calendar import Moment

KEPT: dict[str, Any] = {"missing": Missing.CATEGORY}
SCHEMA = Schema(
    (
        Attribute("age", bounds=(0, 99), integer=True, **KEPT),
        Attribute("price", bounds=(0, 50), step=0.01, special=(-1.0,), **KEPT),
        Attribute("seen", kind=Moment.DATE, bounds=(date(2019, 1, 1), date(2020, 1, 1)), **KEPT),
        Attribute("pain", scale="ordinal", categories=("none", "some", "much"), **KEPT),
        Attribute("sex", scale="nominal", categories=("f", "m"), **KEPT),
    )
)


def records(n: int = 2_000, share: float = 0.3) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    days = pl.date_range(date(2019, 1, 1), date(2020, 1, 1), "1d", eager=True)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "price": np.round(rng.random(n) * 40, 2),
            "seen": days.sample(n, with_replacement=True, seed=1),
            "pain": rng.choice(["none", "some", "much"], n),
            "sex": rng.choice(["f", "m"], n),
        }
    )
    return frame.with_columns(
        pl.when(pl.Series(rng.random(n) >= share)).then(pl.col(name)).alias(name)
        for name in frame.columns
    )


@pytest.mark.parametrize("name", ["age", "price", "seen", "pain"])
def test_a_missing_value_has_a_cell_of_its_own_and_comes_back_as_missing(name: str) -> None:
    table = covey.read_table(records(200), SCHEMA)
    head = table.head(known_n=True)
    axis = axis_of(head, SCHEMA[name])

    cells = cells_of(table, axis)
    place = len(axis.special) - 1
    back = from_values(head, name, axis.at(cells.astype(np.float64)))

    assert np.isnan(axis.special[place])
    assert (cells == place).tolist() == table.frame[name].is_null().to_list()
    assert back.equals(table.frame[name].cast(back.dtype).alias(name), null_equal=True)


def test_axes_with_a_cell_for_missing_values_are_recognised_as_the_same() -> None:
    head = covey.read_table(records(50), SCHEMA).head(known_n=True)

    one, other = (axis_of(head, SCHEMA["age"]) for _ in range(2))

    assert axis_scale(one) == axis_scale(other)


@pytest.mark.parametrize("columns", [("age",), ("age", "pain"), None])
@pytest.mark.parametrize("kind", ["memory", "stream"])
@pytest.mark.parametrize("system", ["private-tree", "column-model"])
def test_the_share_of_missing_values_is_published(
    tmp_path: Path, columns: tuple[str, ...] | None, kind: str, system: str
) -> None:
    frame = records(6_000)
    frame.write_parquet(tmp_path / "r.parquet")

    release = covey.publish(
        tmp_path / "r.parquet",
        system,
        schema=SCHEMA,
        epsilon=20.0 if columns is None else 5.0,
        columns=columns,
        engine=kind,
    )

    for name in columns or SCHEMA.names:
        assert release.frame[name].null_count() / release.n == pytest.approx(0.3, abs=0.08)
    assert release.frame["age"].dtype == pl.Int64
    assert "missing" in " ".join(release.guarantee.assumes)


def test_the_number_of_missing_values_has_an_interval() -> None:
    table = covey.read_table(records(6_000), SCHEMA)

    accuracy = covey.publish(table, "column-model", epsilon=1.0).accuracy

    assert accuracy is not None
    for name in ("age", "price", "seen", "pain"):
        found = accuracy.filter((pl.col("column") == name) & (pl.col("category") == "(missing)"))
        low, high = found.select("low", "high").row(0)
        # Ten half-widths of a 95 % interval: never outside, if the noise is what it says.
        truth, slack = table.frame[name].null_count(), 5 * (high - low)
        assert low - slack <= truth <= high + slack


def test_tables_count_missing_values_of_every_kind() -> None:
    table = covey.read_table(records(3_000), SCHEMA)

    cells = covey.publish(table, "tables", epsilon=5.0, tables="age,price,seen,pain").frame

    for name in ("age", "price", "seen", "pain"):
        lacking = cells.filter((pl.col("table") == name) & (pl.col(name) == "(missing)"))
        assert lacking["count"].to_list() == pytest.approx([0.3 * 3_000], abs=200)


def test_types_follow_from_the_schema_whether_a_value_is_missing_or_not() -> None:
    full = records(400, share=0.0).to_pandas()
    full["yes"] = [True, False] * 200
    yes = Attribute("yes", scale="nominal", categories=("false", "true"), **KEPT)
    schema = Schema((*SCHEMA.attributes, yes))
    gaps = records(400).to_pandas()
    gaps["yes"] = [True, None] * 200

    releases = [
        covey.publish(covey.read_table(data, schema), "private-tree", epsilon=3.0).data
        for data in (full, gaps)
    ]

    assert releases[0].dtypes.to_dict() == releases[1].dtypes.to_dict()
    assert str(releases[0].dtypes["age"]) == "float64"
    assert str(releases[0].dtypes["yes"]) == "object"


@pytest.mark.parametrize(
    ("system", "settings"),
    [
        ("laplace", {"epsilon": 1.0}),
        ("rank-blocks", {"epsilon": 1.0}),
        ("insensitive", {"epsilon": 1.0, "k": 5}),
        ("mdav", {"k": 3}),
        ("individual-ranking", {"k": 3}),
        ("mdav-dp", {"epsilon": 1.0, "k": 5}),
        ("cross-moment", {"epsilon": 1.0, "k": 5}),
    ],
)
def test_systems_without_a_place_for_missing_numbers_say_so(system: str, settings: dict) -> None:
    table = covey.read_table(records(100).select("age"), Schema((SCHEMA["age"],)))

    with pytest.raises(SchemaError, match=r"'age' keeps missing values .* has no place"):
        covey.publish(table, system, **settings)


def test_untouched_columns_of_the_k_anonymity_systems_keep_their_gaps() -> None:
    frame = records(300).with_columns(pl.Series("size", np.arange(300.0)))
    pain = SCHEMA.updated("pain", role="confidential")["pain"]
    schema = Schema((Attribute("size", bounds=(0, 300)), pain))
    table = covey.read_table(frame.select("size", "pain"), schema)

    release = covey.publish(table, "mdav", k=3)

    assert release.data["pain"].null_count() == frame["pain"].null_count()


def test_gaps_are_drafted_as_values_of_their_own_and_marked() -> None:
    schema = draft_schema(records(200))

    for attribute in schema:
        assert attribute.missing is Missing.CATEGORY
        assert "missing" in attribute.read_off


DROPPING = Schema(
    (
        Attribute("age", bounds=(0, 99), integer=True, missing=Missing.DROP),
        Attribute("sex", scale="nominal", categories=("f", "m")),
    )
)


@pytest.mark.parametrize("how", ["table", "frame", "stream"])
def test_records_are_left_out_for_gaps_in_published_columns_alone(tmp_path: Path, how: str) -> None:
    frame = records(500).select("age", "sex")
    data: Any = frame
    more: dict[str, Any] = {"schema": DROPPING}
    if how == "table":
        data, more = covey.read_table(frame, DROPPING), {}
    elif how == "stream":
        frame.write_parquet(tmp_path / "r.parquet")
        data, more = tmp_path / "r.parquet", {"schema": DROPPING, "engine": "stream"}

    kept = covey.publish(data, "private-tree", epsilon=5.0, columns=("sex",), **more)
    lost = covey.publish(data, "private-tree", epsilon=5.0, **more)

    assert kept.n == 500
    assert kept.guarantee.incomplete == ()
    assert lost.n == 500 - frame["age"].null_count()
    assert lost.guarantee.incomplete == ("age",)


def test_originals_are_compared_as_far_as_they_were_published(tmp_path: Path) -> None:
    table = covey.read_table(records(500).select("age", "sex"), DROPPING)
    release = covey.publish(table, "private-tree", epsilon=5.0, columns=("sex",))
    release.save(tmp_path / "out")

    found = covey.evaluate(table, release)
    again, trace = covey.reopen(tmp_path / "out", table)

    assert found.dropped == 0
    assert covey.evaluate(table, again, trace).scores == found.scores


def test_a_release_with_missing_numbers_can_be_saved_and_evaluated(tmp_path: Path) -> None:
    table = covey.read_table(records(800), SCHEMA)

    release, trace = covey.publish(table, "private-tree", epsilon=5.0, trace=True)
    release.save(tmp_path / "out")
    again, _ = covey.reopen(tmp_path / "out", table)

    scores = covey.evaluate(table, release, trace)
    assert scores["ks"] >= 0
    assert again.frame["age"].null_count() == release.frame["age"].null_count()
    clusters = (tmp_path / "out" / "clusters.csv").read_text("utf-8")
    assert "nan" not in clusters.lower()

"""Weighted tables: sums of survey weights with a public largest one, on every engine."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import PlanError, SchemaError
from covey.table import Attribute, Role, Scale, Schema

N, LARGEST = 3_000, 8.0


def schema(**changes) -> Schema:
    facts = {"role": Role.WEIGHT, "bounds": (0.0, LARGEST), "step": 0.01, **changes}
    return Schema(
        (
            Attribute("sex", scale=Scale.NOMINAL, categories=("f", "m"), missing="refuse"),
            Attribute("age", bounds=(0, 99), integer=True),
            Attribute("w", **facts),
        )
    )


def people() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    sex = rng.choice(["f", "m"], N)
    weights = np.round(np.where(sex == "f", 2.0, 0.5) * rng.gamma(4, 0.25, N), 2).clip(0, LARGEST)
    return pl.DataFrame({"sex": sex, "age": rng.integers(0, 100, N), "w": weights})


def publish(data=None, described: Schema | None = None, **changes) -> covey.Release:
    asked = {"epsilon": 2.0, "tables": ["sex*age"], "weighted_by": "w", "bins": {"age": 4}}
    data = people() if data is None else data
    return covey.publish(data, "tables", schema=described or schema(), **asked | changes)


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
def test_cells_are_sums_of_weights_and_their_intervals_hold(unit) -> None:
    release = publish(unit=unit, random_state=3)
    by_sex = release.table("sex")
    truth = people().group_by("sex").agg(pl.col("w").sum()).sort("sex")["w"].to_numpy()

    scores = covey.evaluate(people(), release)

    assert np.abs(by_sex["count"].to_numpy() - truth).max() < 0.1 * truth.sum()
    assert by_sex["count"].sum() == release.table()["count"].item()
    assert scores["intervals_that_hold"] >= 0.8
    assert scores["table_error"] < 0.1


def test_the_guarantee_names_the_claim_the_largest_weight_and_what_cells_count() -> None:
    guarantee = publish().guarantee

    assert guarantee.kind == "pure-dp"
    assert [paid["claim"] for paid in guarantee.to_dict()["questions"]] == ["weighted-counts/sums"]
    assert guarantee.to_dict()["questions"][0]["public"] == {"largest": 800}
    assert any("largest weight in w, 8," in fact for fact in guarantee.assumes)
    assert any("what records stand for" in told for told in guarantee.conditions)
    assert "w" in guarantee.columns


def test_a_drafted_largest_weight_voids_the_promise() -> None:
    drafted = schema(drafted=("bounds",))

    assert publish(described=drafted).guarantee.kind == "none"


def test_without_weighted_by_records_count_once_and_the_release_says_so() -> None:
    release = publish(weighted_by=None)

    assert release.table()["count"].item() == N
    assert any("not used as a survey weight" in told for told in release.guarantee.conditions)


@pytest.mark.parametrize("system", ["column-model", "mdav", "laplace"])
def test_other_systems_publish_weights_as_numbers_and_say_so(system) -> None:
    columns = ["age", "w"] if system == "laplace" else None
    asked = {"k": 5} if system == "mdav" else {"epsilon": 2.0, "columns": columns}
    release = covey.publish(people(), system, schema=schema(), **asked)

    assert "w" in release.guarantee.columns
    assert any("not used as a survey weight" in told for told in release.guarantee.conditions)


def test_files_are_weighted_as_memory_is(tmp_path) -> None:
    people().write_csv(tmp_path / "people.csv")

    releases = [
        publish(people(), random_state=7),
        publish(tmp_path / "people.csv", random_state=7, engine="stream"),
    ]

    first, second = (release.table("sex", "age")["count"].to_list() for release in releases)
    assert first == second


def test_weights_beyond_the_largest_count_as_it() -> None:
    heavy = people().with_columns(pl.lit(10.0 * LARGEST).alias("w"))
    release = publish(heavy, random_state=2)

    assert abs(release.table()["count"].item() - N * LARGEST) < 0.05 * N * LARGEST


def test_what_is_no_weight_is_refused() -> None:
    with pytest.raises(PlanError, match="no weight"):
        publish(weighted_by="age")
    with pytest.raises(PlanError, match="no column 'v'"):
        publish(weighted_by="v")
    with pytest.raises(SchemaError, match="below 1"):
        publish(described=schema(bounds=(0.0, 0.5)))


@pytest.mark.parametrize(
    "facts",
    [
        {"bounds": (-1.0, 8.0)},
        {"special": (0.0,)},
        {"missing": "category"},
        {"scale": "nominal", "bounds": None, "step": None, "categories": ("a", "b")},
    ],
)
def test_a_weight_that_stands_for_no_number_of_people_is_refused(facts) -> None:
    with pytest.raises(SchemaError, match="weight"):
        schema(**facts)


def test_an_evaluation_of_rows_weights_with_the_published_weight() -> None:
    release = covey.publish(people(), "column-model", schema=schema(), epsilon=2.0)
    found = covey.evaluate(people(), release)
    rows = {look.name: {row[0]: row[1] for row in look.weighted} for look in found.looks}
    frame = people()

    assert rows["age"]["mean"] == pytest.approx(
        (frame["age"] * frame["w"]).sum() / frame["w"].sum()
    )
    women = frame.filter(pl.col("sex") == "f")["w"].sum() / frame["w"].sum()
    assert rows["sex"]["weighted f"] == pytest.approx(women)
    assert {"weighted_total_error", "weighted_mean_error", "weighted_tv_1way"} <= found.keys()


def test_a_release_is_its_own_original_for_weighted_scores() -> None:
    release = covey.publish(people(), "column-model", schema=schema(), epsilon=2.0)

    found = covey.evaluate(release.data, release)

    assert found["weighted_total_error"] == 0.0
    assert found["weighted_mean_error"] == 0.0
    assert found["weighted_tv_1way"] == 0.0

"""tables: counts that agree, intervals that hold, refusals that cost nothing, on every engine."""

from __future__ import annotations

import importlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey.audit.instruments.recording import SilentNoise
from covey.core import Budget
from covey.errors import CoveyError, PlanError, ReleaseError
from covey.evaluate.files import evaluate_stream
from covey.ledger import create_ledger, load_ledger
from covey.release import open_release
from covey.sklearn import Publisher
from covey.systems.sound.tables.settings import read_bins, read_products, read_shares
from covey.table import Attribute, Role, Scale, Schema

N = 2_000
SCHEMA = Schema(
    (
        Attribute("person", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
        Attribute("region", scale=Scale.NOMINAL, categories=("north", "south", "west")),
        Attribute("sex", scale=Scale.NOMINAL, categories=("f", "m"), missing="refuse"),
        Attribute("age", bounds=(0, 99), integer=True),
        Attribute("wage", bounds=(0, 5_000), special=(0.0,)),
        Attribute("health", scale=Scale.ORDINAL, categories=("poor", "fair", "good")),
        Attribute("free"),
        Attribute("town", scale=Scale.NOMINAL),
        Attribute("count", bounds=(0, 9), integer=True),
    )
)


def people_frame(n: int = N) -> pl.DataFrame:
    rng = np.random.default_rng(8)
    region = rng.choice(["north", "south", "west"], n, p=[0.6, 0.3, 0.1]).astype(object)
    region[::50] = None
    return pl.DataFrame(
        {
            "person": [f"p{i}" for i in range(n)],
            "region": region.tolist(),
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(0, 100, n),
            "wage": np.where(rng.random(n) < 0.2, 0.0, np.round(rng.gamma(3, 700, n), 2)),
            "health": rng.choice(["poor", "fair", "good"], n),
            "free": rng.normal(0, 1, n),
            "town": rng.choice(["a", "b"], n),
            "count": rng.integers(0, 10, n),
        }
    )


def people(n: int = N) -> covey.Table:
    return covey.read_table(people_frame(n), SCHEMA)


def publish(*tables: str, data=None, **changes) -> covey.Release:
    asked = {"epsilon": 1.0, "tables": list(tables), **changes}
    return covey.publish(people() if data is None else data, "tables", **asked)


@pytest.fixture
def without_noise(monkeypatch) -> None:
    publishing = importlib.import_module("covey.publish")
    monkeypatch.setattr(publishing, "noise_source", lambda _: SilentNoise())


@pytest.mark.usefixtures("without_noise")
def test_without_noise_every_table_is_that_of_the_records() -> None:
    release = publish("region*sex", "age*sex", "wage", bins={"age": 5, "wage": [1000, 2000]})

    frame = people_frame().with_columns(pl.col("region").fill_null("(missing)"))
    counted = frame.group_by("region", "sex").len().rows()
    released = release.table("region", "sex").select("region", "sex", "count").rows()
    assert sorted(counted) == sorted(row for row in released if row[2])
    ages = release.table("age")["count"].to_list()
    assert ages == [frame.filter(pl.col("age") // 20 == k).height for k in range(5)]
    wages = release.table("wage").select("wage", "count").rows()
    assert wages[0] == ("0", frame.filter(pl.col("wage") == 0).height)
    assert release.table()["count"].item() == N


def test_margins_add_up_in_whole_numbers_and_intervals_hold_their_counts() -> None:
    release = publish("region*sex*health", "age*sex", "region*age", epsilon=0.5)

    frame = release.frame
    assert frame["count"].dtype == frame["lower"].dtype == pl.Int64
    assert frame["count"].min() >= 0
    assert frame.filter(
        (pl.col("count") < pl.col("lower")) | (pl.col("count") > pl.col("upper"))
    ).is_empty()
    for names in (
        ("region", "sex"),
        ("age", "sex"),
        ("region", "age"),
        ("region", "sex", "health"),
    ):
        table = release.table(*names)
        assert table["count"].sum() == N
        for name in names:
            margin = table.group_by(name, maintain_order=True).agg(pl.col("count").sum())
            assert margin.rows() == release.table(name).select(name, "count").rows()


def test_a_table_is_found_in_any_order_of_its_columns() -> None:
    release = publish("region*sex")

    turned = release.table("sex", "region")
    assert turned.columns == ["sex", "region", "count", "lower", "upper"]
    assert turned["sex"].to_list() == ["f"] * 4 + ["m"] * 4
    assert turned["region"].to_list() == ["north", "south", "west", "(missing)"] * 2
    assert sorted(release.table("sex", "region")["count"]) == sorted(
        release.table("region", "sex")["count"]
    )
    with pytest.raises(ReleaseError, match=r"does not hold the table 'age'.*region\*sex"):
        release.table("age")
    with pytest.raises(ReleaseError, match="holds no tables"):
        covey.publish(people(), "rank-blocks", epsilon=1.0, columns=("age",)).table("age")


def test_tables_beside_rows_are_found_as_well(tmp_path) -> None:
    columns = ("region", "sex", "age", "health")
    release = covey.publish(people(), "column-model", epsilon=20.0, columns=columns)
    release.save(tmp_path / "out")

    table = release.table("sex")

    assert table.columns == ["sex", "count", "lower", "upper"]
    assert table["sex"].to_list() == ["f", "m"]
    assert table["count"].sum() == pytest.approx(N)
    assert open_release(tmp_path / "out").table("sex").equals(table)


def test_means_are_told_by_group_with_intervals() -> None:
    release = publish("age*sex", "wage", bins={"age": 20}, epsilon=3.0)

    by_sex = release.mean("age", by="sex")

    assert by_sex["sex"].to_list() == ["f", "m"]
    frame = people_frame()
    for sex, _, lower, upper in by_sex.rows():
        assert lower <= frame.filter(pl.col("sex") == sex)["age"].mean() <= upper
        assert upper - lower < 12
    mean = release.mean("wage").row(0, named=True)
    assert mean["lower"] <= frame.filter(pl.col("wage") > 0)["wage"].mean() <= mean["upper"]
    with pytest.raises(ReleaseError, match="no mean of 'sex'"):
        release.mean("sex")
    with pytest.raises(ReleaseError, match="'wage' by 'sex'"):
        release.mean("wage", by="sex")


def test_the_price_is_epsilon_and_follows_the_roots_of_the_numbers_of_cells() -> None:
    release = publish("region*sex", "health", weights=[1, 2])

    first, second = (Budget.of(q["epsilon"]).epsilon for q in release.guarantee.questions)

    assert release.guarantee.epsilon <= 1
    assert first + second == release.guarantee.epsilon == 1
    assert float(first / second) == pytest.approx(np.sqrt(8) / np.sqrt(3) / 2, rel=1e-5)
    assert {q["claim"] for q in release.guarantee.questions} == {"histogram/counts"}
    assert release.guarantee.columns == ("region", "sex", "health")


def test_where_n_is_not_public_it_is_published_with_an_interval() -> None:
    release = publish("region*sex", unit="add-remove")

    total = release.table().row(0, named=True)

    assert release.guarantee.unit is covey.PrivacyUnit.ADD_REMOVE_RECORD
    assert "The number of records is public." not in release.guarantee.assumes
    assert total["lower"] < total["count"] < total["upper"]
    assert release.table("region")["count"].sum() == total["count"]


def test_a_plan_runs_again_and_says_where_numbers_were_cut(tmp_path) -> None:
    release = publish("age*sex", "wage", bins={"wage": [1000]}, weights="2,1")
    release.save(tmp_path / "out")

    plan = covey.Plan.load(tmp_path / "out" / "plan.toml")
    again = covey.run(plan, people_frame())

    assert plan.parameters["bins"] == {"age": [k * 10.0 for k in range(1, 10)], "wage": [1000.0]}
    assert again.plan.to_dict() == release.plan.to_dict()
    assert again.frame["age"].to_list() == release.frame["age"].to_list()
    assert again.frame["count"].to_list() != release.frame["count"].to_list()


@pytest.mark.parametrize("written_as", ["csv", "parquet"])
def test_a_folder_tells_the_same_as_the_release(written_as, tmp_path) -> None:
    table = people()
    release = publish("region*sex", "age", data=table)
    release.save(tmp_path / "out", format=written_as)

    saved = open_release(tmp_path / "out")
    reopened, _ = covey.reopen(tmp_path / "out", table)

    assert saved.scan().collect().equals(release.frame)
    assert reopened.frame.equals(release.frame)
    for each in (saved, reopened):
        assert each.table("region", "sex").equals(release.table("region", "sex"))
        assert each.mean("age").equals(release.mean("age"))
    assert covey.evaluate(table, reopened) == covey.evaluate(table, release)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names >= {"tables.csv", "quantiles.csv", "means.csv", "measured.csv", "sdmx.csv"}
    assert names >= {"guarantee.json", "card.json", "plan.toml", "ledger.json", "report.html"}


def test_the_curator_is_told_how_far_off_counts_are() -> None:
    table = people()

    scores = covey.evaluate(table, publish("region*sex", "age", data=table, epsilon=2.0))

    assert 0 < scores["count_error"] < 20
    assert 0 < scores["table_error[region*sex]"] < 0.1
    assert scores["intervals_that_hold"] > 0.7


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_files_give_the_same_tables_as_memory(kind, tmp_path, monkeypatch) -> None:
    publishing = importlib.import_module("covey.publish")
    monkeypatch.setattr(publishing, "noise_source", lambda _: SilentNoise())
    file = tmp_path / f"people.{kind}"
    frame = people_frame()
    frame.write_csv(file) if kind == "csv" else frame.write_parquet(file)
    asked = ("region*sex", "wage*health")

    streamed = publish(*asked, data=file, schema=SCHEMA, engine="stream")

    assert streamed.frame.equals(publish(*asked).frame)
    assert streamed.table("region").equals(publish(*asked).table("region"))


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda frame: frame.to_pandas().astype({"region": "category"}), pd.DataFrame),
        (lambda frame: frame.to_arrow(), pa.Table),
    ],
    ids=["pandas", "pyarrow"],
)
def test_the_tidy_table_is_the_kind_of_frame_that_was_given(make, kind) -> None:
    data = publish("region*sex", data=make(people_frame()), schema=SCHEMA).data

    assert isinstance(data, kind)
    listed = data["region"].to_pylist() if kind is pa.Table else data["region"].tolist()
    assert {"north", "(missing)"} <= set(listed)


@pytest.mark.parametrize(
    ("tables", "changes", "words"),
    [
        ([], {}, "must be a list of products"),
        (["regoin"], {}, r"no column 'regoin'.*Did you mean 'region'"),
        (["person"], {}, "no column 'person'"),
        (["region*sex", "sex*region"], {}, "listed twice"),
        (["sex*sex"], {}, "each of them once"),
        (["region*sex*age*health*wage"], {}, "up to 4 columns"),
        (["free"], {}, r"bounds = \[low, high\]"),
        (["town"], {}, "categories"),
        (["count"], {}, "cannot be told apart"),
        (["age"], {"bins": {"wage": 3}}, "in none of the tables"),
        (["age"], {"bins": "age"}, "bins by column"),
        (["age", "sex"], {"weights": [1]}, "2 tables and 1 weights"),
        (["age", "sex"], {"weights": [1, 0]}, "a positive number for each table"),
        (["age*wage"], {"bins": {"age": 50, "wage": 50}}, r"carry at most 1,000 beside"),
        (["age"], {"epsilon": 0.001}, "carry none at all"),
        (["wage*age"], {"bins": {"wage": 250_000}}, "cells together"),
        (
            ["region*sex*age", "region*sex*health", "region*age*health", "sex*age*health"],
            {"epsilon": 10.0, "bins": {"age": 2}},
            "share so many margins",
        ),
    ],
)
def test_refusals_say_what_to_do_and_cost_nothing(tables, changes, words, tmp_path) -> None:
    account = tmp_path / "people.ledger"
    create_ledger(account, 20)

    with pytest.raises(CoveyError, match=words) as refused:
        publish(*tables, ledger=account, **changes)

    assert str(refused.value).endswith((".", "?"))
    assert load_ledger(account).entries == ()


def test_what_a_refusal_recommends_is_not_refused() -> None:
    with pytest.raises(PlanError, match="epsilon of at least") as refused:
        publish("age*health", "sex", epsilon=0.01)

    recommended = float(str(refused.value).split("at least ")[-1].rstrip("."))

    assert publish("age*health", "sex", epsilon=recommended).table("sex").height == 2


def test_engines_without_rows_to_compare_say_where_to_go(tmp_path) -> None:
    file = tmp_path / "people.csv"
    people_frame().write_csv(file)

    with pytest.raises(PlanError, match=r"holds no rows.*`covey.evaluate`"):
        evaluate_stream(file, publish("sex"))


def test_systems_of_rows_and_of_cells_are_not_mixed_up() -> None:
    with pytest.raises(PlanError, match="does not publish rows of a table"):
        covey.compare(people(), ["tables"], epsilon=[1.0])
    with pytest.raises(PlanError, match="tables about records and no rows"):
        Publisher("tables", parameters={"tables": ["x0"]}).fit(np.zeros((9, 1)))


def test_settings_are_read_from_texts_as_well() -> None:
    assert read_products(" region * sex ,age") == ("region*sex", "age")
    assert read_products("region**sex") is None
    assert read_bins({"age": (1, 2.5), "wage": "7"}) == {"age": [1.0, 2.5], "wage": 7}
    assert read_bins({"age": True}) is None
    assert read_shares("1, 2.5") == (1.0, 2.5)
    assert read_shares("1,inf") is None

"""A column model keeps columns and pairs, invents nothing, and says what it could not do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import PlanError
from covey.table import Attribute, Missing, Scale, Schema, Table, read_table

REGIONS = ("east", "north", "south", "west")


def mixed(n: int = 6000, seed: int = 1) -> Table:
    """Make four columns that depend on each other, and one that depends on none."""
    rng = np.random.default_rng(seed)
    region = rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1])
    age = np.clip(rng.normal(40 + 8 * region, 9, n), 0, 100).round()
    income = np.where(rng.random(n) < 0.2, 0.0, np.exp(rng.normal(9 + age / 60, 0.5, n)))
    frame = pl.DataFrame(
        {
            "region": [REGIONS[code] for code in region],
            "age": age,
            "income": np.clip(income, 0, 200_000),
            "old": np.where(age > 60, "yes", "no"),
            "luck": rng.random(n),
        }
    )
    attributes = (
        Attribute("region", scale=Scale.NOMINAL, categories=REGIONS, missing=Missing.REFUSE),
        Attribute("age", bounds=(0, 100), integer=True),
        Attribute("income", bounds=(0, 200_000), special=(0.0,)),
        Attribute("old", scale=Scale.NOMINAL, categories=("no", "yes"), missing=Missing.REFUSE),
        Attribute("luck", bounds=(0, 1)),
    )
    return read_table(frame, Schema(attributes))


def noise_table(n: int, d: int, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame({f"x{j}": rng.integers(0, 100, n) for j in range(d)})
    schema = Schema(tuple(Attribute(f"x{j}", bounds=(0, 99), integer=True) for j in range(d)))
    return read_table(frame, schema)


def publish(table: Table, **parameters) -> covey.Release:
    return covey.publish(table, "column-model", **{"epsilon": 2.0, "random_state": 3} | parameters)


def told(release: covey.Release) -> str:
    """Return what a release without a seed says about its model."""
    return next(line for line in release.guarantee.assumes if "of the rows" in line)


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
@pytest.mark.parametrize("target", [None, ("old",), ("age", "old")])
def test_all_of_epsilon_is_spent_and_no_more(unit, target) -> None:
    release = publish(mixed(), unit=unit, target=target)

    assert release.guarantee.epsilon == 2


def test_columns_and_pairs_survive() -> None:
    table = mixed()
    frame = publish(table).frame

    assert frame["income"].eq(0).mean() == pytest.approx(0.2, abs=0.03)
    for name in ("age", "luck"):
        assert frame[name].mean() == pytest.approx(table.frame[name].mean(), rel=0.03)
    by_region = frame.group_by("region").agg(pl.col("age").mean()).sort("region")["age"]
    assert by_region.to_list() == pytest.approx([40, 48, 56, 64], abs=4)
    assert frame.filter(pl.col("old") == "yes")["age"].mean() > 60
    assert abs(np.corrcoef(frame["luck"], frame["age"])[0, 1]) < 0.1


def test_the_order_of_the_columns_has_no_influence() -> None:
    table = mixed(3000)
    names = list(table.frame.columns)
    turned = names[::-1]
    schema = replace(table.schema, attributes=tuple(table.schema[name] for name in turned))
    other = read_table(table.frame.select(turned), schema)

    first, second = publish(table), publish(other)

    assert second.frame.columns == turned
    assert first.frame.sort(names).equals(second.frame.select(names).sort(names))
    for name in ("tables", "correlations"):
        assert first.extras[name].equals(second.extras[name])


def test_few_independent_columns_of_few_records_stay_independent() -> None:
    found = []
    for seed in range(12):
        table = noise_table(1000, 4, seed)
        frame = publish(table, epsilon=0.5, unit="add-remove", random_state=None).frame
        found.append(np.corrcoef(frame.to_numpy().T)[np.triu_indices(4, 1)])

    # Chance alone gives .025; one release in 100 may believe its noise.
    assert np.median(np.abs(found).mean(axis=1)) < 0.05
    assert np.quantile(np.abs(found).max(axis=1), 0.8) < 0.2


@pytest.mark.parametrize(("n", "d"), [(1000, 10), (4000, 24)])
def test_independent_columns_stay_independent(n, d) -> None:
    frame = publish(noise_table(n, d), epsilon=1.0).frame

    correlation = np.corrcoef(frame.to_numpy().T)
    assert np.abs(correlation[np.triu_indices(d, 1)]).mean() < 0.05


def test_rows_have_the_published_counts_and_lie_in_their_intervals() -> None:
    release = publish(mixed())
    accuracy, frame = release.accuracy, release.frame

    for row in accuracy.filter(pl.col("statistic") == "count").iter_rows(named=True):
        count = int((frame[row["column"]] == row["category"]).sum())
        assert count == row["estimate"]
        assert row["low"] <= count <= row["high"]
    for row in accuracy.filter(pl.col("statistic") == "mean").iter_rows(named=True):
        assert row["low"] <= frame[row["column"]].mean() <= row["high"]


def test_tables_of_pairs_add_up_to_those_of_columns() -> None:
    tables = publish(mixed()).extras["tables"]
    alone = tables.filter(pl.col("column_2") == "")
    pairs = tables.filter(pl.col("column_2") != "")

    assert (tables["low"] <= tables["estimate"]).all()
    assert (tables["estimate"] <= tables["high"]).all()
    sums = pairs.group_by("column_1", "column_2", "cell_1").agg(pl.col("estimate").sum())
    for row in sums.filter(pl.col("column_1") == "old").iter_rows(named=True):
        known = alone.filter(pl.col("column_1") == "old", pl.col("cell_1") == row["cell_1"])
        assert row["estimate"] == pytest.approx(known["estimate"][0], abs=1)


def test_every_measured_correlation_has_an_interval() -> None:
    found = publish(mixed()).extras["correlations"]

    assert set(found["column_1"]) | set(found["column_2"]) == {"age", "income", "luck"}
    assert found.height == 3
    assert (found["low"] < found["high"]).all()


def test_few_records_give_independent_columns_and_the_guarantee_says_so() -> None:
    release = publish(mixed(500), epsilon=0.5, random_state=None)

    assert "independent of each other" in told(release)
    assert release.frame.height == 500
    assert set(release.extras) == {"accuracy", "tables"}


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"epsilon": 0.6}, "depends on one other"),
        ({"epsilon": 4.0}, "depends on two others"),
        ({"epsilon": 4.0, "target": "old"}, "depends on the target"),
        ({"epsilon": 4.0, "target": "age"}, "depends on the target"),
        ({"epsilon": 4.0, "columns": ("age",)}, "independent of each other"),
        ({"epsilon": 4.0, "columns": ("age", "old")}, "depends on one other"),
    ],
)
def test_how_columns_depend_on_each_other_is_said(parameters, words) -> None:
    assert words in told(publish(mixed(), random_state=None, **parameters))


def test_noise_alone_is_refused_and_the_refusal_says_what_would_do() -> None:
    table = noise_table(500, 30)

    with pytest.raises(PlanError, match=r"at most \d+ of them .* epsilon of at least") as no:
        publish(table, epsilon=0.1)

    enough = float(str(no.value).split("epsilon of at least ")[1].rstrip("."))
    assert publish(table, epsilon=enough).frame.height == 500


def test_a_target_that_is_not_there_is_refused() -> None:
    with pytest.raises(PlanError, match="target 'aeg' is none of the published columns"):
        publish(mixed(), target="aeg")


def test_a_column_with_one_value_and_rare_categories_are_published() -> None:
    rng = np.random.default_rng(5)
    codes = tuple(f"code {i:03d}" for i in range(200))
    frame = pl.DataFrame(
        {
            "same": ["a"] * 2000,
            "code": rng.choice(codes, 2000, p=np.arange(1, 201) / np.arange(1, 201).sum()),
            "flat": np.full(2000, 7.0),
            "size": rng.gamma(2.0, 10.0, 2000).clip(0, 1e6),
        }
    )
    schema = Schema(
        (
            Attribute("same", scale=Scale.NOMINAL, categories=("a", "b")),
            Attribute("code", scale=Scale.NOMINAL, categories=codes),
            Attribute("flat", bounds=(0, 10)),
            Attribute("size", bounds=(0, 1e6)),
        )
    )

    made = publish(read_table(frame, schema)).frame

    assert made.height == 2000
    assert (made["same"] == "a").mean() > 0.98
    assert made["flat"].mean() == pytest.approx(7, abs=0.2)
    assert made["size"].median() < 200


def test_values_that_many_records_share_stay_what_they_are() -> None:
    """Both bounds, and zero between them, need not be listed as special."""
    rng = np.random.default_rng(5)
    change = rng.choice([-1.0, 0.0, 1.0, 0.37], 6000, p=[0.1, 0.6, 0.1, 0.2])
    table = read_table(
        pl.DataFrame({"change": change, "luck": rng.random(6000)}),
        Schema((Attribute("change", bounds=(-1, 1)), Attribute("luck", bounds=(0, 1)))),
    )

    released = publish(table).frame["change"]

    for value, share in ((-1.0, 0.1), (0.0, 0.6), (1.0, 0.1)):
        assert released.eq(value).mean() == pytest.approx(share, abs=0.02)

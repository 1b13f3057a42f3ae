"""The embedded data are what their README says, and their schema takes nothing from them."""

from __future__ import annotations

from importlib.resources import files

import polars as pl

from covey.datasets import YEARLY_RECORDS, load_rand_health


def test_the_embedded_data_are_20190_complete_records_of_six_columns() -> None:
    table = load_rand_health()

    assert table.n == 20_190
    assert table.dropped == 0
    assert table.schema.names == (
        "visits",
        "diseases",
        "limitation",
        "coinsurance",
        "plan",
        "health",
    )


def test_the_records_of_each_person_are_no_more_than_the_years_of_the_experiment() -> None:
    table = load_rand_health(persons=True)

    counts = table.frame["person"].value_counts()["count"]
    assert counts.len() == 5_912
    assert counts.max() == YEARLY_RECORDS
    assert table.frame.drop("person").equals(load_rand_health().frame)
    # What was asked once at the beginning is the same in all years of a person.
    assert table.frame.group_by("person").agg(pl.col("diseases").n_unique())["diseases"].max() == 1


def test_every_bound_and_category_of_the_embedded_data_is_public() -> None:
    for attribute in load_rand_health().schema:
        assert not attribute.drafted
        assert (attribute.bounds is None) != (attribute.categories is None)


def test_every_value_lies_within_its_public_bounds() -> None:
    assert set(load_rand_health().outside_bounds().values()) == {0}


def test_the_embedded_file_is_small_and_says_where_it_comes_from() -> None:
    folder = files("covey.datasets")

    readme = (folder / "README.md").read_text(encoding="utf-8")

    assert len((folder / "rand_health.csv.gz").read_bytes()) < 400_000
    assert "Public domain" in readme
    assert "Origin" in readme

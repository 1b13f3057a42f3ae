"""A type tells about one record if it comes from the records: it comes from the schema alone.

One record written 43210.5 instead of 43210, one gap, one rare town: none of them may show in the
types, the categories or the way that values are written, of any sound system.
"""

from __future__ import annotations

import importlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey.errors import DataError
from covey.table import Attribute, Scale, Schema
from tests.contracts.blind import BlindNoise

N = 200
TOWNS = ("Ahof", "Bdorf", "Rare")
NUMBERS = {
    "private-tree": {"epsilon": 1.0, "columns": ("wage", "age", "town")},
    "rank-blocks": {"epsilon": 1.0, "columns": ("wage", "age")},
    "laplace": {"epsilon": 1.0, "columns": ("wage", "age")},
    "insensitive": {"epsilon": 1.0},
    "exponential": {"epsilon": 1.0, "columns": ("town",)},
    "personalised": {"preferences": "allowed"},
}


def schema(**wage) -> Schema:
    return Schema(
        (
            Attribute("wage", bounds=(0, 100_000), **wage),
            Attribute("age", bounds=(0, 120), integer=True),
            Attribute("town", scale=Scale.NOMINAL, categories=TOWNS),
            Attribute("allowed", role="identifier"),
        )
    )


def records(odd: float = 43_210.0) -> pd.DataFrame:
    wages = np.full(N, 30_000.0)
    wages[3] = odd
    return pd.DataFrame(
        {
            "wage": wages,
            "age": np.arange(N) % 90,
            "town": ["Ahof", "Bdorf"] * (N // 2),
            "allowed": np.ones(N),
        }
    )


def folder(data, place, monkeypatch, described: Schema, **plan) -> dict[str, bytes]:
    publishing = importlib.import_module("covey.publish")
    monkeypatch.setattr(publishing, "noise_source", lambda _: BlindNoise())
    covey.publish(data, schema=described, **plan).save(place, format="parquet")
    return {"data": (place / "data.parquet").read_bytes()}


@pytest.mark.parametrize("system", NUMBERS)
def test_one_odd_value_changes_no_type(system, tmp_path, monkeypatch) -> None:
    plan = {"system": system, **NUMBERS[system]}
    whole = records().astype({"wage": "int64"})

    first = folder(whole, tmp_path / "a", monkeypatch, schema(), **plan)
    second = folder(records(43_210.5), tmp_path / "b", monkeypatch, schema(), **plan)

    assert first == second


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("system", NUMBERS)
def test_one_odd_value_in_a_file_changes_no_type(system, kind, tmp_path, monkeypatch) -> None:
    plan = {"system": system, "engine": "stream", **NUMBERS[system]}
    folders = []
    for name, data in (("a", records().astype({"wage": "int64"})), ("b", records(43_210.5))):
        file, frame = tmp_path / f"{name}.{kind}", pl.from_pandas(data)
        frame.write_csv(file) if kind == "csv" else frame.write_parquet(file)
        folders.append(folder(file, tmp_path / name, monkeypatch, schema(), **plan))

    assert folders[0] == folders[1]


@pytest.mark.parametrize("system", ["private-tree", "rank-blocks", "laplace"])
def test_one_gap_changes_no_type(system) -> None:
    described = schema(missing="impute", impute=30_000.0, integer=True)
    whole, gap = records().astype({"wage": "int64"}), records(np.nan)

    first, second = (
        covey.publish(data, system, schema=described, **NUMBERS[system]).data
        for data in (whole, gap)
    )

    assert list(first.dtypes) == list(second.dtypes)


@pytest.mark.parametrize("system", ["private-tree", "insensitive", "exponential", "personalised"])
@pytest.mark.parametrize("kind", ["pandas", "pyarrow", "polars"])
def test_categories_are_those_of_the_schema(system, kind) -> None:
    data = records().astype({"town": "category"})
    if kind == "polars":
        data = pl.from_pandas(data)
    elif kind == "pyarrow":
        data = pa.Table.from_pandas(data, preserve_index=False)

    released = covey.publish(data, system, schema=schema(), **NUMBERS[system]).data

    if kind == "pandas":
        assert tuple(released["town"].cat.categories) == TOWNS
    elif kind == "polars":
        assert released["town"].dtype == pl.String
    else:
        assert pa.types.is_dictionary(released.schema.field("town").type)


def test_a_value_that_does_not_fit_its_type_is_refused_by_name() -> None:
    with pytest.raises(DataError, match=r"'wage'.*integer = false"):
        covey.publish(
            records(43_210.5),
            "rank-blocks",
            schema=schema(integer=True),
            epsilon=1.0,
            columns=("wage",),
        )


@pytest.mark.parametrize(
    ("categories", "dtype"),
    [
        (("true", "false"), pl.Boolean),
        (("1", "2", "10"), pl.Int64),
        (("01067", "10115"), pl.String),
        (("a", "b"), pl.String),
    ],
)
def test_categories_come_back_as_what_they_look_like(categories, dtype) -> None:
    described = Schema((Attribute("x", scale=Scale.NOMINAL, categories=categories),))
    data = pl.DataFrame({"x": [categories[0]] * N})

    assert (
        covey.publish(data, "exponential", schema=described, epsilon=1.0).data["x"].dtype == dtype
    )

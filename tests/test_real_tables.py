"""Real tables go from draft to evaluation without a schema written by hand, in their types."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import covey
from covey.table.provenance import confirm_facts

FEW = 400


def of_sklearn(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        from sklearn import datasets

        path = folder / f"{name}.csv"
        getattr(datasets, f"load_{name}")(as_frame=True).frame.head(FEW).to_csv(path, index=True)
        return path

    return make


def of_papers(
    name: str, *, separator: str = ",", encoding: str = "utf-8"
) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        source = Path(os.environ["COVEY_DATA"]) / name
        if not source.exists():
            pytest.skip(f"{name} is not here: set COVEY_DATA")
        path = folder / "table.csv"
        text = pl.read_csv(source, infer_schema_length=0, n_rows=FEW).write_csv(separator=separator)
        path.write_text(text, encoding=encoding)
        return path

    return make


# The columns that are left out, those of categories, and whole and broken numbers among the rest.
TABLES = {
    "breast_cancer": (of_sklearn("breast_cancer"), {"column_1"}, set()),
    "wine": (of_sklearn("wine"), {"column_1"}, set()),
    "diabetes": (of_sklearn("diabetes"), {"column_1"}, set()),
    "adult": (
        of_papers("adult.csv.gz", separator=";", encoding="utf-16"),
        set(),
        {
            *("workclass", "education", "marital-status", "occupation", "relationship"),
            *("race", "sex", "native-country", "income"),
        },
    ),
    "eia": (of_papers("eia.csv", separator="\t"), {"YEAR", "UTILNAME"}, {"STATE"}),
    "churn": (
        of_papers("wide/churn.train.csv.gz", separator="|"),
        set(),
        {
            *("churn", "multiple_lines", "internet_service", "online_security", "online_backup"),
            *("device_protection", "tech_support", "streaming_tv", "streaming_movies", "contract"),
            "payment_method",
        },
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_comes_out_in_its_types(name: str, tmp_path: Path) -> None:
    make, hidden, words = TABLES[name]
    path = make(tmp_path)

    drafted = covey.Schema.draft(path)
    confirmed = replace(drafted, attributes=tuple(confirm_facts(each, "T") for each in drafted))
    table = covey.read_table(path, confirmed)
    release = covey.publish(table, "private-tree", epsilon=20, random_state=1)

    left_out = {each.name for each in confirmed if each.role is covey.Role.IDENTIFIER}
    assert left_out == hidden
    assert release.data.columns == [each for each in table.frame.columns if each not in hidden]
    for each in confirmed:
        if each.name in hidden:
            continue
        released, original = release.data[each.name], table.frame[each.name]
        assert (released.dtype == pl.String) == (each.name in words)
        if released.dtype.is_numeric():
            whole = (original.drop_nulls() == original.drop_nulls().round(0)).all()
            assert released.dtype.is_integer() == whole
    scores = covey.evaluate(table, release)
    assert 0 <= scores["ks"] <= 1

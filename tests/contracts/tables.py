"""Small tables of many kinds, described by confirmed drafts, on which contracts are tried."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import covey
from covey.datasets import load_rand_health
from covey.table import Table, read_table
from covey.table.provenance import confirm_facts
from tests.contracts.people import SCHEMA, people_frame

FEW = 500


def confirmed(frame: pl.DataFrame) -> Table:
    """Return a table with its draft, every fact of which somebody confirms."""
    drafted = covey.Schema.draft(frame)
    facts = tuple(confirm_facts(each, "T") for each in drafted)
    return read_table(frame, replace(drafted, attributes=facts))


def of_sklearn(name: str, columns: int) -> Table:
    datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn is not installed")
    frame = getattr(datasets, f"load_{name}")(as_frame=True).frame
    return confirmed(pl.from_pandas(frame[[*frame.columns[-columns:]]]).head(FEW))


def of_papers(name: str, columns: int) -> Table:
    source = Path(os.environ["COVEY_DATA"]) / name
    if not source.exists():
        pytest.skip(f"{name} is not here: set COVEY_DATA")
    frame = pl.read_csv(source, infer_schema_length=None, n_rows=FEW)
    return confirmed(frame.select(frame.columns[:columns]))


def homes() -> Table:
    """Return made-up homes with gaps, codes, spikes, dates, grades, a weight, rare towns."""
    rng = np.random.default_rng(9)
    built = rng.integers(1900, 2021, FEW)
    built[rng.random(FEW) < 0.1] = 9999
    rent = np.where(rng.random(FEW) < 0.4, 0, rng.normal(800, 200, FEW).round(-1))
    day = [date(2020, 1, 1) + timedelta(int(at)) for at in rng.integers(0, 700, FEW)]
    grade = rng.choice(("low", "medium", "high"), FEW, p=(0.6, 0.3, 0.1))
    town = rng.choice([f"t{at:02}" for at in range(40)], FEW, p=np.r_[0.61, np.full(39, 0.01)])
    frame = pl.DataFrame(
        {
            "built": built,
            "rent": rent,
            "day": day,
            "grade": grade,
            "town": town,
            "hrf": rng.lognormal(0, 0.4, FEW).round(2),
        }
    )
    return confirmed(
        frame.with_columns(
            satisfied=with_gaps(rng, grade),
            wage=with_gaps(rng, rng.lognormal(7, 0.6, FEW).round(2)),
        )
    )


def with_gaps(rng: np.random.Generator, values: np.ndarray) -> pl.Series:
    """Return values of which a fifth are missing."""
    lost = rng.random(FEW) < 0.2
    return pl.Series(
        [None if gap else value for gap, value in zip(lost, values.tolist(), strict=True)]
    )


TABLES: dict[str, Callable[[], Table]] = {
    "people": lambda: read_table(pl.concat([people_frame()] * 30), SCHEMA),
    "rand health": load_rand_health,
    "homes": homes,
    "iris": lambda: of_sklearn("iris", 5),
    "wine": lambda: of_sklearn("wine", 6),
    "diabetes": lambda: of_sklearn("diabetes", 6),
    "breast cancer": lambda: of_sklearn("breast_cancer", 6),
    "digits": lambda: of_sklearn("digits", 5),
    "adult": lambda: of_papers("adult.csv.gz", 8),
    "churn": lambda: of_papers("wide/churn.train.csv.gz", 9),
}

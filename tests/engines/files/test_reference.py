"""On the reference data, too, both engines form the same clusters."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

from covey.table import Attribute, Role, Scale, Schema
from tests.engines.files.engines import in_memory, streamed

DATA = Path(os.environ["COVEY_DATA"])
SYSTEMS = {
    "rank-blocks": {"epsilon": 1.0},
    "laplace": {"epsilon": 1.0},
    "insensitive": {"epsilon": 1.0, "order": "single"},
    "private-tree": {"epsilon": 1.0, "output": "centroids"},
}


def census(folder: Path) -> tuple[Path, Schema]:
    file = DATA / "census.csv"
    if not file.is_file():
        pytest.skip("census.csv of the CASC project is not in COVEY_DATA")
    path = folder / "census.csv"
    frame = pl.read_csv(file).select("FEDTAX", "FICA", "INTVAL", "POTHVAL")
    frame.write_csv(path)
    return path, Schema(tuple(Attribute(n, bounds=(0, 10**5), integer=True) for n in frame.columns))


def adult(folder: Path) -> tuple[Path, Schema]:
    file = DATA / "adult.csv.gz"
    if not file.is_file():
        pytest.skip("adult.csv.gz is not in COVEY_DATA")
    frame = pl.read_csv(file)
    kept = [name for name, dtype in frame.schema.items() if dtype.is_numeric()][:3]
    words = next(name for name, dtype in frame.schema.items() if dtype == pl.String)
    path = folder / "adult.parquet"
    frame = frame.select(*kept, words).drop_nulls()
    frame.write_parquet(path)
    numbers = [Attribute(name, bounds=(0, 10**6)) for name in kept]
    names = tuple(frame[words].unique().sort())
    work = Attribute(words, role=Role.CONFIDENTIAL, scale=Scale.NOMINAL, categories=names)
    return path, Schema((*numbers, work))


@pytest.mark.parametrize("source", [census, adult])
@pytest.mark.parametrize("system", SYSTEMS)
def test_reference_data_are_asked_the_same_questions(tmp_path, source, system) -> None:
    path, schema = source(tmp_path)
    numbers = tuple(a.name for a in schema if a.scale is not Scale.NOMINAL)
    asked = {**SYSTEMS[system], "columns": numbers}

    expected = in_memory(path, schema, system, **asked)
    found = streamed(path, schema, system, **asked)

    assert found.guarantee == expected.guarantee
    if system != "laplace":  # which asks piece by piece
        assert found.asked == expected.asked
    if system != "rank-blocks":  # which shuffles its columns
        assert found.frame.equals(expected.frame)


@pytest.mark.parametrize("source", [census, adult])
def test_reference_data_are_ranked_alike(tmp_path, source) -> None:
    path, schema = source(tmp_path)

    expected = in_memory(path, schema, "individual-ranking", k=3).frame
    found = streamed(path, schema, "individual-ranking", k=3).frame

    assert found.equals(expected)

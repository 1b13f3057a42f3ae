"""Whichever door a release leaves by, it tells the same: command line, Studio, scikit-learn.

The other doors lead to `covey.publish`, and bring files and habits of their own: with blind noise
two inputs without a record in common, one of them with halves and gaps where the other has whole
numbers, leave the same files and the same values.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import covey
from covey.ledger import create_ledger
from covey.studio.jobs import publish_plan, read_upload
from covey.systems.base import as_mapping
from tests.contracts.blind import BlindNoise, two_tables
from tests.contracts.test_non_interference import (
    SCHEMA,
    assert_alike,
    standing_clock,  # noqa: F401 — a fixture that is used by all tests
)

SYSTEMS = {
    "private-tree": {"epsilon": 1.0},
    "rank-blocks": {"epsilon": 1.0, "columns": ("age", "income")},
    "laplace": {"epsilon": 1.0, "columns": ("age", "income")},
}
DOORS = {
    attribute.name: {"missing": "impute", "impute": 1.0}
    for attribute in SCHEMA
    if attribute.name in ("income", "visits")
}


@pytest.fixture
def schema() -> covey.Schema:
    """Return a schema under which gaps are filled with a public number."""
    described = SCHEMA
    for name, changes in DOORS.items():
        described = described.updated(name, **changes)
    return described


@pytest.fixture(autouse=True)
def blind(monkeypatch) -> None:
    """Let noise replace its input wherever a release is made."""
    publishing = importlib.import_module("covey.publish")
    monkeypatch.setattr(publishing, "noise_source", lambda _: BlindNoise())


def inputs() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make whole numbers without a gap, and halves with gaps."""
    whole, odd = two_tables()
    income = np.floor(whole["income"].to_numpy()).astype(np.int64)
    visits = odd["visits"].to_list()
    return (
        whole.with_columns(pl.Series("income", income)),
        odd.with_columns(
            pl.col("income") + 0.5, pl.Series("visits", [None, *visits[1:]], dtype=pl.Int64)
        ),
    )


def read(place: Path) -> dict[str, bytes]:
    files = sorted(path for path in place.rglob("*") if path.is_file())
    return {str(path.relative_to(place)): path.read_bytes() for path in files}


def without_ids(folder: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out the numbers that are drawn for each ledger anew."""
    drawn = ("ledger.json", "card.json")
    kept = {name: text for name, text in folder.items() if name not in drawn}
    sums = kept["checksums.sha256"].decode().splitlines()
    kept["checksums.sha256"] = "\n".join(s for s in sums if not s.endswith(drawn)).encode()
    return kept


@pytest.mark.parametrize("engine", ["memory", "stream"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_command_line_tells_no_more(terminal, schema, system, kind, engine) -> None:
    schema.save(terminal.folder / "public.toml")
    columns = SYSTEMS[system].get("columns")
    folders = []
    for name, frame in zip("ab", inputs(), strict=True):
        file = terminal.folder / f"data.{kind}"
        frame.write_csv(file) if kind == "csv" else frame.write_parquet(file)
        ran = terminal.run(
            *("publish", file.name, "-s", "public.toml", "--system", system, "--epsilon", "1"),
            *("--engine", engine, "-o", name),
            *(("--columns", ",".join(columns)) if columns else ()),
        )
        assert ran.code == 0, ran.err
        folders.append(read(terminal.folder / name))

    assert_alike(*folders)


@pytest.mark.parametrize("system", SYSTEMS)
def test_studio_tells_no_more(tmp_path, schema, system) -> None:
    settings = covey.SYSTEMS[system].settings(SYSTEMS[system])
    plan = covey.Plan(system=system, parameters=as_mapping(settings), schema=schema)
    folders = []
    for name, frame in zip("ab", inputs(), strict=True):
        place = tmp_path / name
        place.mkdir()
        frame.write_csv(place / "data.csv")
        create_ledger(place / "ledger.json", 5)
        told = {"path": str(place / "data.csv"), "name": "data.csv", "kind": "table"}
        file = read_upload(ignore, ignore, **told)[0]
        run = publish_plan(
            *(ignore, ignore),
            file=file,
            plan=replace(plan),
            ledger=str(place / "ledger.json"),
            folder=str(place / "out"),
            number=1,
        )
        folders.append(without_ids(read(Path(run.folder))))

    assert_alike(*folders)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_scikit_learn_tells_no_more(schema, system, kind) -> None:
    publisher = pytest.importorskip("covey.sklearn").Publisher
    more = {name: value for name, value in SYSTEMS[system].items() if name != "epsilon"}
    published = []
    for frame in inputs():
        data = frame.to_pandas() if kind == "pandas" else frame
        released = publisher(system, epsilon=1.0, schema=schema, parameters=more).fit_transform(
            data
        )
        published.append(pl.DataFrame(released))

    assert published[0].equals(published[1])
    assert published[0].schema == published[1].schema


def ignore(*_: object) -> None:
    """Take progress and events without a word."""

"""A release folder is complete whichever engine filled it, and says the same."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import numpy as np
import polars as pl
import pytest
from jsonschema import Draft202012Validator

import covey
from covey.engines.files.rows import SpooledRows
from covey.ledger import create_ledger
from covey.release.folder import DOCUMENTS
from covey.report import card_schema
from tests.engines.files.engines import ALLOWED, NUMBERS, SCHEMA, people, with_preferences

VALIDATOR = Draft202012Validator(card_schema())
EDGES = {"epsilon": 1.0, "unit": "edge", "regenerate": False}
SYSTEMS = {
    "rank-blocks": {"epsilon": 1.0, "columns": ("income", "age")},
    "laplace": {"epsilon": 1.0, "columns": ("income", "age")},
    "exponential": {"epsilon": 1.0, "columns": ("work",)},
    "individual-ranking": {"k": 5},
    "insensitive": {"epsilon": 1.0, "order": "single", "columns": (*NUMBERS, "work")},
    "personalised": {"preferences": "allowed", "columns": ("income", "age")},
    "private-tree": {"epsilon": 1.0, "columns": ("income", "age", "work")},
    "degree-histogram": EDGES,
    "joint-degree-boxes": EDGES,
}


def said(folder) -> dict[str, Any]:
    """Return what a folder says about its data, but for times and the names of entries."""
    card = json.loads((folder / "card.json").read_text("utf-8"))
    VALIDATOR.validate(card)
    ledger = json.loads((folder / "ledger.json").read_text("utf-8"))
    assert ledger.pop("id")
    for entry in ledger["entries"]:
        assert entry.pop("when")
        assert entry.pop("id")
    for change in ledger["changes"]:
        assert change.pop("when")
    assert (card["version"].pop("published") is None) == (not ledger["entries"])
    return {
        "guarantee": json.loads((folder / "guarantee.json").read_text("utf-8")),
        "plan": tomllib.loads((folder / "plan.toml").read_text("utf-8")),
        "card": card,
        "ledger": ledger,
    }


def written(folder, system, ending="parquet"):
    """Write what a system publishes, and return the file and its schema."""
    file = folder / f"data.{ending}"
    if covey.SYSTEMS[system].data == "graph":
        ends = np.random.default_rng(3).zipf(1.6, (2_000, 2)) % 300
        pl.DataFrame({"source": ends[:, 0], "target": ends[:, 1]}).write_parquet(file)
        return file, None
    personalised = system == "personalised"
    records = with_preferences(2_000) if personalised else people(2_000)
    getattr(records, f"write_{ending}")(file)
    return file, ALLOWED if personalised else SCHEMA


def publish(place, name, file, system, schema, **engine):
    """Publish from a ledger of its own."""
    create_ledger(place / f"{name}.ledger", 3)
    asked = {**SYSTEMS[system], **engine, "ledger": place / f"{name}.ledger"}
    return covey.publish(file, system, schema=schema, **asked)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_engines_promise_charge_and_describe_the_same(tmp_path, system) -> None:
    file, schema = written(tmp_path, system)

    folders = [
        publish(tmp_path, engine, file, system, schema, engine=engine).save(tmp_path / engine)
        for engine in ("memory", "stream")
    ]

    expected, found = map(said, folders)
    assert found == expected
    names = [{path.name for path in folder.iterdir()} for folder in folders]
    assert names[0] == names[1] >= {"data.parquet", "card.json", "report.html"}


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_report_of_a_streamed_release_is_that_of_its_rows_in_memory(tmp_path, ending) -> None:
    file, schema = written(tmp_path, "individual-ranking", ending)
    streamed, whole = (
        covey.publish(file, "individual-ranking", schema=schema, engine=engine, k=5)
        for engine in ("stream", "memory")
    )
    assert isinstance(streamed.rows, SpooledRows)

    pages = [
        (release.save(tmp_path / name) / "report.html").read_text("utf-8")
        for name, release in (("stream", streamed), ("memory", whole))
    ]

    assert pages[0] == pages[1]
    assert f"{streamed.n:,}" in pages[0]
    assert pages[0].count("<svg ") >= len(streamed.data.collect_schema())


def test_a_report_that_cannot_be_drawn_does_not_lose_a_streamed_release(
    tmp_path, monkeypatch
) -> None:
    def fail(_release: object) -> str:
        raise RuntimeError("no ink")

    file, schema = written(tmp_path, "rank-blocks")
    release = publish(tmp_path, "one", file, "rank-blocks", schema, engine="stream")
    monkeypatch.setitem(DOCUMENTS, "report.html", fail)

    with pytest.warns(UserWarning, match=r"without report.html.*RuntimeError: no ink") as warned:
        folder = release.save(tmp_path / "out")

    assert warned[0].filename == __file__
    names = {path.name for path in folder.iterdir()}
    assert {"data.parquet", "guarantee.json", "plan.toml", "ledger.json", "card.json"} <= names
    assert "report.html" not in names


def test_a_plan_is_run_by_every_engine(tmp_path) -> None:
    file, schema = written(tmp_path, "rank-blocks")
    publish(tmp_path, "one", file, "rank-blocks", schema).save(tmp_path / "out")
    plan = covey.Plan.load(tmp_path / "out" / "plan.toml")

    release = covey.run(plan, file, engine="stream", memory="750MB")

    assert isinstance(release.rows, SpooledRows)
    assert release.plan.fingerprint == plan.fingerprint


def test_a_streamed_release_is_read_back_and_compared(tmp_path) -> None:
    file, schema = written(tmp_path, "rank-blocks")
    release = publish(tmp_path, "one", file, "rank-blocks", schema, engine="stream")
    table = covey.read_table(file, schema)

    back, _ = covey.reopen(release.save(tmp_path / "out"), table)

    assert back.frame.equals(release.data.collect())
    assert covey.evaluate(table, back)["ks"] > 0

"""Spark gives the scores that the same release has in memory, and keeps originals to itself."""

from __future__ import annotations

import importlib
import pickle
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import covey
from covey.engines.memory.rows import HeldRows
from covey.errors import DataError, PlanError
from covey.release import open_release
from covey.table import Attribute, Role, Schema
from tests.engines.files.engines import NUMBERS, SCHEMA, SilentNoise, people

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
import covey.spark
from tests.engines.spark.engines import decided_coins

ALIGNED = {"sse", "il_percent", "il1s", "il1s_sum"}
AS_IT_IS = {"role": Role.NON_CONFIDENTIAL}
FREE = (
    SCHEMA.updated("income", bounds=None).updated("age", **AS_IT_IS).updated("weight", **AS_IT_IS)
)
IN_BLOCKS = SCHEMA.updated("work", **AS_IT_IS)
PREFERRING = Schema((*SCHEMA, Attribute("allowed", role=Role.IDENTIFIER)))
ALLOWED = {"preferences": "allowed", "threshold": 2.0, "columns": ("income", "age")}
PLANS = {
    "rank-blocks": (SCHEMA, {"epsilon": 1.0, "columns": NUMBERS}),
    "laplace": (SCHEMA, {"epsilon": 1.0, "columns": NUMBERS}),
    "individual-ranking": (FREE, {"k": 7}),
    "insensitive": (SCHEMA, {"epsilon": 1.0, "order": "single", "columns": (*NUMBERS, "work")}),
    "private-tree": (SCHEMA, {"epsilon": 1.0, "columns": ("income", "age", "work")}),
    "mdav": (IN_BLOCKS, {"k": 5, "blocks": ("work",)}),
    "mdav-dp": (IN_BLOCKS, {"k": 5, "epsilon": 1.0, "blocks": ("work",)}),
    "personalised": (PREFERRING, {**ALLOWED, "inner": "private-tree"}),
    "insensitive along the curve": (
        SCHEMA,
        {"epsilon": 1.0, "order": "hilbert", "columns": ("income", "age")},
    ),
    "personalised in an order": (
        PREFERRING,
        {**ALLOWED, "inner": "insensitive", "settings": {"order": "single"}},
    ),
}


QUICK = ("laplace", "rank-blocks", "mdav", "personalised")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / "people.parquet"
    people(3_000).write_parquet(file)
    return file


@pytest.mark.parametrize(
    "plan",
    [
        *QUICK,
        *(pytest.param(name, marks=pytest.mark.thorough) for name in PLANS if name not in QUICK),
    ],
)
def test_scores_are_those_in_memory(spark, path, tmp_path, monkeypatch, plan) -> None:
    decided_coins(monkeypatch)
    publishing = importlib.import_module("covey.publish")
    monkeypatch.setattr(publishing, "noise_source", lambda _: SilentNoise())
    (schema, asked), system = PLANS[plan], plan.split(" ")[0]
    if "allowed" in schema.names:
        allowed = np.array([0.5, 1.5, 2.0])[np.random.default_rng(2).integers(0, 3, 3_000)]
        # Records in whose place the same default stands have no order, so here all take part.
        allowed = np.full(3_000, 2.0) if "order" in plan else allowed
        pl.read_parquet(path).with_columns(allowed=allowed).write_parquet(tmp_path / "p.parquet")
        path = tmp_path / "p.parquet"
    table = covey.read_table(path, schema)
    frame = covey.spark.read(spark, path, schema).repartition(3)
    release, trace = covey.spark.publish(frame, system, schema=schema, trace=True, **asked)

    found = covey.spark.evaluate(frame, release, trace)

    here, linked = covey.publish(table, system, trace=True, **asked)
    expected = covey.evaluate(table, replace(here, rows=HeldRows(release.frame)), linked)
    assert set(expected) > set(found) > ALIGNED
    missing = {name.partition("[")[0] for name in set(expected) - set(found)}
    assert missing <= {
        *("range_query_error", "rl", "k_achieved", "l_diversity", "t_closeness"),
        *("tv_1way", "tv_2way", "tv_3way", "association_error"),
    }
    assert any("tv_2way" in note for note in found.notes)
    # Records are compared by their numbers alone here, which is said.
    without = [name for name in release.guarantee.columns if name == "work"]
    assert any("leave out work" in note for note in found.notes) == bool(without)
    for name, value in found.items():
        if without and name in ALIGNED:
            continue
        assert value == pytest.approx(expected[name], rel=1e-9, abs=distance(found, name)), name
    assert found.dropped == expected.dropped
    # For gaps in published columns alone.
    drops = any(schema[name].drops for name in asked.get("columns") or schema.names)
    assert (found.dropped > 0) == drops
    assert found.outside_bounds == expected.outside_bounds


def distance(evaluation, name: str) -> float:
    """Return how far a score may be off, as the notes say."""
    notes = [note for note in evaluation.notes if "counted on grids" in note]
    if not notes:
        return 1e-9
    ks, wasserstein = (1.06 * float(part.split(" ")[0]) for part in notes[0].split("up to ")[1:])
    return 1e-9 + {"ks": ks, "wasserstein": wasserstein}.get(name.partition("[")[0], 0.0)


@pytest.fixture(scope="module")
def noisy(spark, path):
    """Return records, their release with noise on each of them, and what became of them."""
    frame = covey.spark.read(spark, path).repartition(3)
    asked = {"epsilon": 1.0, "columns": ("income", "level"), "trace": True}
    return frame, *covey.spark.publish(frame, "laplace", schema=SCHEMA, **asked)


def test_original_values_never_reach_what_is_released(noisy, tmp_path) -> None:
    _, release, trace = noisy
    staged = release.rows.staging.folder.rglob("part-*.parquet")
    private = {f"({what} {name})" for what in ("exact", "drawn of") for name in ("income", "level")}

    saved = [
        release.save(tmp_path / f"{form} {parts}", format=form, parts=parts)
        for form, parts in (("csv", False), ("parquet", False), ("parquet", True))
    ]

    assert private <= {name for part in staged for name in pl.read_parquet_schema(part)}
    rows = [list(pl.read_parquet_schema(part)) for part in release.rows.files]
    assert all(names == ["income", "level"] for names in rows)
    assert release.data.columns == ["income", "level"]
    assert release.scan().collect_schema().names() == ["income", "level"]
    assert "deviations" not in repr(release)
    with pytest.raises(TypeError, match="not for files"):
        pickle.dumps(trace)
    files = [file for folder in saved for file in folder.rglob("*") if file.is_file()]
    written = [file.read_bytes() for file in files]
    assert not any(name.encode() in text for name in private for text in written)


@pytest.mark.usefixtures("spark")
def test_a_saved_release_has_the_scores_that_need_no_link(path, tmp_path) -> None:
    asked = {"epsilon": 1.0, "columns": ("age", "level")}
    release = covey.publish(path, "rank-blocks", schema=SCHEMA, **asked)
    release.save(tmp_path / "out", format="csv")

    found = covey.spark.evaluate_files(
        path, open_release(tmp_path / "out"), master="local[2]", scaling="bounds"
    )

    expected = covey.evaluate(covey.read_table(path, SCHEMA), release, scaling="bounds")
    assert not ALIGNED & set(found)
    assert any("no link to the original records" in note for note in found.notes)
    for name, value in found.items():
        assert value == pytest.approx(expected[name], rel=1e-9, abs=1e-9), name


def test_other_data_than_those_of_the_release_are_refused(noisy) -> None:
    frame, release, trace = noisy

    with pytest.raises(DataError, match="not as many records"):
        covey.spark.evaluate(frame.limit(100), release, trace)
    with pytest.raises(PlanError, match="'standart' is not known"):
        covey.spark.evaluate(frame, release, scaling="standart")


def test_a_release_whose_rows_are_elsewhere_is_refused(noisy, path) -> None:
    frame, _, _ = noisy
    here = covey.publish(path, "laplace", schema=SCHEMA, epsilon=1.0, columns=("income",))

    with pytest.raises(PlanError, match="not on Spark"):
        covey.spark.evaluate(frame, here)

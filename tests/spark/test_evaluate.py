"""Spark gives the scores that the same release has in memory, and keeps originals to itself."""

from __future__ import annotations

import importlib
from dataclasses import replace

import polars as pl
import pytest

import covey
from covey.audit.recording import RecordingNoise
from covey.errors import DataError, PlanError
from covey.release import open_release
from covey.table import Role
from tests.stream.engines import NUMBERS, SCHEMA, SilentNoise, people

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
import covey.spark

ALIGNED = {"sse", "il_percent", "il1s", "il1s_sum"}
AS_IT_IS = {"role": Role.NON_CONFIDENTIAL}
FREE = (
    SCHEMA.updated("income", bounds=None).updated("age", **AS_IT_IS).updated("weight", **AS_IT_IS)
)
IN_BLOCKS = SCHEMA.updated("work", **AS_IT_IS)
SYSTEMS = {
    "rank-blocks": (SCHEMA, {"epsilon": 1.0, "columns": NUMBERS}),
    "laplace": (SCHEMA, {"epsilon": 1.0, "columns": NUMBERS}),
    "individual-ranking": (FREE, {"k": 7}),
    "insensitive": (SCHEMA, {"epsilon": 1.0, "order": "single", "columns": (*NUMBERS, "work")}),
    "private-tree": (SCHEMA, {"epsilon": 1.0, "columns": ("income", "age", "work")}),
    "mdav": (IN_BLOCKS, {"k": 5, "blocks": ("work",)}),
    "mdav-dp": (IN_BLOCKS, {"k": 5, "epsilon": 1.0, "blocks": ("work",)}),
}


QUICK = ("laplace", "rank-blocks", "mdav")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / "people.parquet"
    people(3_000).write_parquet(file)
    return file


@pytest.mark.parametrize(
    "system",
    [
        *QUICK,
        *(pytest.param(name, marks=pytest.mark.thorough) for name in SYSTEMS if name not in QUICK),
    ],
)
def test_scores_are_those_in_memory(spark, path, monkeypatch, system) -> None:
    # Workers cannot import the tests, so only noise of covey itself can be sent to them.
    silent = RecordingNoise if system == "laplace" else SilentNoise
    for engine in ("covey.spark.publish", "covey.memory"):
        module = importlib.import_module(engine)
        monkeypatch.setattr(module, "noise_source", lambda _: silent())
    schema, asked = SYSTEMS[system]
    table = covey.read_table(path, schema)
    frame = covey.spark.read(spark, path, schema).repartition(3)
    release = covey.spark.publish(frame, system, schema=schema, **asked)

    found = covey.spark.evaluate(frame, release)

    here = covey.publish(table, system, **asked)
    expected = covey.evaluate(table, replace(here, frame=release.scan().collect()))
    assert set(expected) > set(found) > ALIGNED
    assert set(expected) - set(found) <= {
        *("range_query_error", "rl", "k_achieved", "l_diversity", "t_closeness"),
        *("l_diversity[work]", "t_closeness[work]"),
    }
    for name, value in found.items():
        assert value == pytest.approx(expected[name], rel=1e-9, abs=distance(found, name)), name
    assert found.dropped == expected.dropped > 0
    assert found.outside_bounds == expected.outside_bounds


def distance(evaluation, name: str) -> float:
    """Return how far a score may be off, as the notes say."""
    note = next(note for note in evaluation.notes if "counted on grids" in note)
    ks, wasserstein = (1.06 * float(part.split(" ")[0]) for part in note.split("up to ")[1:])
    return 1e-9 + {"ks": ks, "wasserstein": wasserstein}.get(name.partition("[")[0], 0.0)


@pytest.fixture(scope="module")
def noisy(spark, path):
    """Return records and their release with noise on each of them."""
    frame = covey.spark.read(spark, path).repartition(3)
    columns = ("income", "level")
    return frame, covey.spark.publish(frame, "laplace", schema=SCHEMA, epsilon=1.0, columns=columns)


def test_original_values_never_reach_what_is_released(noisy, tmp_path) -> None:
    _, release = noisy
    staged = release.staging.folder.rglob("part-*.parquet")
    rows = release.staging.parts(release.rows)
    private = {"(income)", "(level)", "(mean of income)", "(mean of level)"}

    saved = [
        release.save(tmp_path / f"{form} {parts}", format=form, parts=parts)
        for form, parts in (("csv", False), ("parquet", False), ("parquet", True))
    ]

    assert private <= {name for part in staged for name in pl.read_parquet_schema(part)}
    assert not private & {name for part in rows for name in pl.read_parquet_schema(part)}
    assert release.data.columns == ["income", "level"]
    assert release.scan().collect_schema().names() == ["income", "level"]
    assert "deviations" not in repr(release)
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
    frame, release = noisy

    with pytest.raises(DataError, match="not as many records"):
        covey.spark.evaluate(frame.limit(100), release)
    with pytest.raises(PlanError, match="'standart' is not known"):
        covey.spark.evaluate(frame, release, scaling="standart")

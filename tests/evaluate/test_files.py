"""A release that is larger than memory is compared piece by piece, with the scores of memory."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import PlanError, ReleaseError, SchemaError
from covey.evaluate.files import evaluate_stream
from covey.release import open_release
from covey.table import Role
from tests.engines.files.engines import NUMBERS, SCHEMA, people

COUNTED = ("ks", "wasserstein")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    frame = people(4_000)
    folder.joinpath("parts").mkdir()
    for number, part in enumerate(frame.iter_slices(1_500)):
        part.write_parquet(folder / "parts" / f"{number}.parquet")
    frame.write_parquet(folder / "people.parquet")
    return folder


def assert_same_scores(found, expected) -> None:
    note = next((note for note in found.notes if "counted on grids" in note), "")
    off = [1.06 * float(part.split(" ")[0]) for part in note.split("up to ")[1:]] or [0.0, 0.0]
    assert {name for name in found if name.startswith("ks")} == {
        name for name in expected if name.startswith("ks")
    }
    for name, value in found.items():
        if name.startswith(COUNTED):
            near = off[0] if name.startswith("ks") else off[1]
            assert value == pytest.approx(expected[name], rel=1e-9, abs=near + 1e-9), name
        else:
            assert value == pytest.approx(expected[name], rel=1e-9, abs=1e-9), name
    assert found.dropped == expected.dropped
    outside = {name: n for name, n in expected.outside_bounds.items() if name in NUMBERS}
    assert found.outside_bounds == outside


@pytest.mark.parametrize("columns", [NUMBERS, ("level",)])
def test_a_streamed_release_has_the_scores_of_its_rows_in_memory(path, tmp_path, columns) -> None:
    asked = {"schema": SCHEMA, "epsilon": 1.0, "columns": columns}
    release = covey.publish(path / "people.parquet", "rank-blocks", engine="stream", **asked)

    found = evaluate_stream(path / "parts", release)

    release.save(tmp_path / "out")
    table = covey.read_table(path / "people.parquet", SCHEMA)
    expected = covey.evaluate(table, *covey.reopen(tmp_path / "out", table))
    assert covey.evaluate(table, release).scores == expected.scores
    assert_same_scores(found, expected)
    assert found["ks[level]"] == pytest.approx(expected["ks[level]"], abs=1e-12)
    assert "sse" not in found


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_saved_release_is_compared_without_reading_it_whole(path, tmp_path, form) -> None:
    schema = SCHEMA
    for name in ("income", "age"):
        schema = schema.updated(name, bounds=None)
    schema = schema.updated("weight", role=Role.NON_CONFIDENTIAL)
    release = covey.publish(path / "people.parquet", "individual-ranking", schema=schema, k=5)
    release.save(tmp_path / "out", format=form)

    found = evaluate_stream(path / "parts", open_release(tmp_path / "out"))

    table = covey.read_table(path / "people.parquet", schema)
    assert_same_scores(found, covey.evaluate(table, release))


def test_a_release_of_categories_alone_has_the_scores_that_categories_have(path, tmp_path) -> None:
    asked = {"schema": SCHEMA, "epsilon": 1.0, "columns": ("work",)}
    covey.publish(path / "people.parquet", "exponential", **asked).save(tmp_path / "out")

    found = evaluate_stream(path / "parts", open_release(tmp_path / "out"))

    assert {name.partition("[")[0] for name in found} == {"tv_1way"}
    assert 0 < found["tv_1way[work]"] < 1
    assert found.dropped == 0, "gaps in columns that are not published leave nobody out"
    assert found.outside_bounds["income"] > 0


def test_a_release_without_its_columns_is_refused(path, tmp_path) -> None:
    asked = {"schema": SCHEMA, "epsilon": 1.0, "columns": ("age", "level")}
    covey.publish(path / "people.parquet", "rank-blocks", **asked).save(tmp_path / "out")
    rows = tmp_path / "out" / "data.parquet"
    pl.read_parquet(rows).drop("age").write_parquet(rows)

    with pytest.raises(ReleaseError, match="cannot be read"):
        evaluate_stream(path / "parts", open_release(tmp_path / "out"))


def test_other_data_and_graphs_are_refused(path, tmp_path) -> None:
    asked = {"schema": SCHEMA, "epsilon": 1.0, "columns": ("age",)}
    release = covey.publish(path / "people.parquet", "rank-blocks", **asked)
    people(5).drop("age").write_parquet(tmp_path / "other.parquet")
    edges = np.array([(1, 2), (2, 3)])
    graph = covey.publish(edges, "degree-histogram", epsilon=1.0, unit="edge", regenerate=False)

    with pytest.raises(SchemaError, match="'age'"):
        evaluate_stream(tmp_path / "other.parquet", release)
    with pytest.raises(PlanError, match="graph"):
        evaluate_stream(path / "parts", graph)
    with pytest.raises(PlanError, match="'standart' is not known"):
        evaluate_stream(path / "parts", release, scaling="standart")

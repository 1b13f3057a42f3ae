"""Rows from Spark become a complete release folder, which says what the other engines' say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import covey
from covey.engines.memory.rows import HeldRows
from covey.errors import DataError, ReleaseError
from covey.ledger import create_ledger, load_ledger
from covey.release.folder import DOCUMENTS
from tests.engines.files.engines import SCHEMA, people
from tests.engines.files.test_folders import publish, said, written

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
import covey.spark
from covey.engines.spark.staging import Staging

ON_SPARK = {"engine": "spark", "master": "local[2]"}
FACT = "7777777 was seen in this column"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / "people.parquet"
    people(3_000).write_parquet(file)
    return file


@pytest.fixture(scope="module")
def release(spark, path):
    """Return rows with helping columns in brackets, which are not released."""
    frame = covey.spark.read(spark, path).repartition(3)
    return covey.publish(
        frame, "laplace", schema=SCHEMA, engine="spark", epsilon=1.0, columns=("income", "level")
    )


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    "system",
    [
        "rank-blocks",
        "degree-histogram",
        pytest.param("individual-ranking", marks=pytest.mark.thorough),
        pytest.param("private-tree", marks=pytest.mark.thorough),
    ],
)
def test_the_engines_promise_charge_and_describe_the_same(tmp_path, system) -> None:
    file, schema = written(tmp_path, system)
    if system == "individual-ranking":
        # Only two columns are sorted, so that the test is short.
        schema = schema.updated("age", role="non-confidential")
        schema = schema.updated("level", role="non-confidential")

    folders = [
        publish(tmp_path, name, file, system, schema, **engine).save(tmp_path / name)
        for name, engine in (("memory", {}), ("spark", ON_SPARK))
    ]

    expected, found = map(said, folders)
    assert found == expected
    names = [{path.name for path in folder.iterdir()} for folder in folders]
    assert names[0] == names[1] >= {"data.parquet", "card.json", "report.html"}


def test_the_report_counts_the_released_rows(release, tmp_path) -> None:
    rows = release.frame
    columns = ("income", "level")
    whole = covey.publish(people(50), "laplace", schema=SCHEMA, epsilon=1.0, columns=columns)
    same = replace(
        whole,
        rows=HeldRows(rows),
        plan=release.plan,
        guarantee=release.guarantee,
        ledger=release.ledger,
        extras=release.extras,
        format="parquet",
    )

    pages = [
        (each.save(tmp_path / name) / "report.html").read_text("utf-8")
        for name, each in (("spark", release), ("memory", same))
    ]

    assert pages[0] == pages[1]


def test_a_report_that_cannot_be_drawn_does_not_lose_the_release(
    release, tmp_path, monkeypatch
) -> None:
    def fail(_release: object) -> str:
        raise RuntimeError("no ink")

    monkeypatch.setitem(DOCUMENTS, "report.html", fail)

    with pytest.warns(UserWarning, match="without report.html"):
        folder = release.save(tmp_path / "out")

    assert (folder / "card.json").exists()
    assert (folder / "data.parquet").is_file()


@pytest.mark.thorough
def test_rows_live_as_long_as_they_are_held(spark, path) -> None:
    frame = covey.spark.read(spark, path)
    asked = {"epsilon": 1.0, "columns": ("age",)}

    rows = covey.spark.publish(frame, "rank-blocks", schema=SCHEMA, **asked).rows

    assert rows.scan().collect().height == rows.n


@pytest.mark.parametrize("asked", [{"parts": True}, {}])
def test_many_rows_stay_in_the_parts_that_spark_wrote(
    release, tmp_path, monkeypatch, asked
) -> None:
    monkeypatch.setattr("covey.engines.spark.rows.ONE_FILE", 100)

    folder = release.save(tmp_path / "out", **asked)

    parts = sorted((folder / "data.parquet").iterdir())
    assert [part.name for part in parts] == [f"part-{i:05}.parquet" for i in range(len(parts))]
    assert len(parts) > 1
    # The helping columns are nowhere.
    assert all(list(pl.read_parquet_schema(part)) == ["income", "level"] for part in parts)
    assert not any(b"drawn of" in part.read_bytes() for part in parts)
    rows = release.frame
    assert pl.concat([pl.read_parquet(part) for part in parts]).equals(rows)
    assert {"card.json", "report.html", "guarantee.json"} <= {p.name for p in folder.iterdir()}
    assert not list(tmp_path.glob("out/**/*.crc"))
    assert not list(tmp_path.glob("out/**/_*"))


@pytest.mark.thorough
def test_parts_without_helping_columns_are_taken_as_they_are(spark, path, tmp_path) -> None:
    frame = covey.spark.read(spark, path).repartition(3)
    secret = frame.withMetadata("age", {"seen": FACT}).withMetadata("work", {"seen": FACT})
    # Only two columns are sorted, so that the test is short.
    schema = SCHEMA.updated("age", role="non-confidential")
    for name in ("weight", "level"):
        schema = schema.updated(name, role="identifier", missing="refuse")
    release = covey.spark.publish(secret, "individual-ranking", schema=schema, k=5)

    folder = release.save(tmp_path / "out", parts=True)

    parts = sorted((folder / "data.parquet").iterdir())
    own = release.rows.files
    assert [part.read_bytes() for part in parts] == [part.read_bytes() for part in own]
    assert not any(FACT.encode() in part.read_bytes() for part in parts)
    table = covey.read_table(path, schema)
    back, trace = covey.reopen(folder, table)
    assert back.frame.equals(release.frame)
    assert covey.evaluate(table, back, trace)["il1s"] > 0
    again = release.save(tmp_path / "out", force=True)
    assert (again / "data.parquet").is_file()


@pytest.mark.thorough
def test_a_csv_file_becomes_a_csv_release(spark, tmp_path) -> None:
    people(500).write_csv(tmp_path / "people.csv")
    asked = {"schema": SCHEMA, "epsilon": 1.0, "columns": ("age",), **ON_SPARK}

    folder = covey.publish(tmp_path / "people.csv", "rank-blocks", **asked).save(tmp_path / "out")

    assert pl.read_csv(folder / "data.csv").columns == ["age"]
    assert spark.sparkContext.master.startswith("local[2")


def test_a_plan_runs_on_a_spark_data_frame(spark, path, tmp_path) -> None:
    expected = covey.publish(path, "rank-blocks", schema=SCHEMA, epsilon=1.0, columns=("age",))
    expected.save(tmp_path / "out")
    plan = covey.Plan.load(tmp_path / "out" / "plan.toml")

    found = covey.run(plan, covey.spark.read(spark, path), engine="spark", staging=tmp_path)

    assert found.plan.fingerprint == expected.plan.fingerprint
    assert found.rows.staging.folder.parent == tmp_path


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")
def test_a_full_disk_of_a_worker_is_explained_spends_nothing_and_leaves_nothing(
    spark, path, tmp_path
) -> None:
    def full(batches):
        for batch in batches:
            # A device that is always full.
            with Path("/dev/full").open("wb", buffering=0) as device:
                device.write(b"record")
            yield batch

    room = tmp_path / "room"
    room.mkdir()
    create_ledger(tmp_path / "a.ledger", 3)
    frame = covey.spark.read(spark, path)
    broken = frame.mapInArrow(full, frame.schema)
    asked = {"ledger": tmp_path / "a.ledger", "staging": room, "epsilon": 1.0, "columns": ("age",)}

    with pytest.raises(DataError, match=r"disk of a Spark worker is full.*nothing was spent"):
        covey.publish(broken, "laplace", schema=SCHEMA, engine="spark", **asked)

    assert load_ledger(tmp_path / "a.ledger").spent == 0
    assert not list(room.iterdir())


def test_rows_that_cannot_be_written_down_spend_nothing_and_leave_nothing(
    spark, path, tmp_path, monkeypatch
) -> None:
    def full(staging, _frame):
        # What Spark says when the last rows find no room, after some of them were written.
        from pyspark.errors import PySparkException

        from covey.engines.spark.session import explained

        half = staging.folder / "007" / "_temporary"
        half.mkdir(parents=True)
        (half / "part-00000.parquet").write_bytes(b"PAR1 half")
        with explained():
            raise PySparkException("java.io.IOException: No space left on device")

    room = tmp_path / "room"
    room.mkdir()
    create_ledger(tmp_path / "a.ledger", 3)
    frame = covey.spark.read(spark, path)
    monkeypatch.setattr(Staging, "written", full)
    asked = {"ledger": tmp_path / "a.ledger", "staging": room, "epsilon": 1.0, "columns": ("age",)}

    with pytest.raises(DataError, match="Make room in"):
        covey.publish(frame, "rank-blocks", schema=SCHEMA, engine="spark", **asked)

    assert json.loads((tmp_path / "a.ledger").read_text())["spent"] == "0"
    assert not list(room.iterdir())


@pytest.mark.parametrize("parts", [True, False])
def test_a_disk_that_is_full_when_saving_leaves_no_partial_release(
    release, tmp_path, monkeypatch, parts
) -> None:
    def full(_, path, **__):
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    def no_link(*_):
        raise OSError(18, "Invalid cross-device link")

    with monkeypatch.context() as patched:
        patched.setattr(pl.LazyFrame, "sink_parquet", full)
        patched.setattr("os.link", no_link)
        patched.setattr("shutil.copyfile", full)
        with pytest.raises(ReleaseError, match="No space left on device"):
            release.save(tmp_path / "out", parts=parts)

    assert not list(tmp_path.iterdir())
    release.save(tmp_path / "out", parts=parts)
    assert (tmp_path / "out" / "guarantee.json").is_file()

"""What Spark loses and does again changes nothing, and what goes wrong leaves nothing."""

from __future__ import annotations

import importlib
from fractions import Fraction

import polars as pl
import pytest

import covey
from covey.errors import BudgetError, CoveyError, DataError, PlanError, SchemaError
from covey.ledger import create_ledger, load_ledger
from covey.table import Role
from tests.engines.files.engines import NUMBERS, SCHEMA, SilentNoise, people

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
import covey.spark

publishing = importlib.import_module("covey.publish")
SENTINEL = 7_777_777.25
THOROUGH = pytest.mark.thorough
TWO_SORTED = SCHEMA.updated("age", role=Role.NON_CONFIDENTIAL).updated(
    "level", role=Role.NON_CONFIDENTIAL
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / "people.parquet"
    people(6_000).write_parquet(file)
    return file


@pytest.fixture
def ledger(tmp_path):
    create_ledger(tmp_path / "a.ledger", Fraction(3))
    return tmp_path / "a.ledger"


def killing(frame, marker):
    """Let one Python worker kill itself, once, after it has passed some records on."""

    def pass_on(batches):
        import os
        import signal

        for batch in batches:
            yield batch.slice(0, 100)
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch.slice(100)

    return frame.mapInArrow(pass_on, frame.schema)


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")
@pytest.mark.parametrize(
    ("system", "asked"),
    [
        ("rank-blocks", {"epsilon": 1.0, "columns": NUMBERS}),
        ("laplace", {"epsilon": 1.0, "columns": NUMBERS}),
        pytest.param("private-tree", {"epsilon": 1.0, "columns": NUMBERS}, marks=THOROUGH),
        pytest.param("insensitive", {"epsilon": 1.0, "order": "single"}, marks=THOROUGH),
        pytest.param("individual-ranking", {"k": 5}, marks=THOROUGH),
    ],
)
def test_a_killed_worker_changes_nothing_and_spends_once(  # noqa: PLR0917 — fixtures
    spark, path, ledger, tmp_path, monkeypatch, system, asked
) -> None:
    monkeypatch.setattr(publishing, "noise_source", lambda _: SilentNoise())
    frame = covey.spark.read(spark, path).repartition(3)
    marker = tmp_path / "killed"

    expected = covey.spark.publish(frame, system, schema=TWO_SORTED, **asked)
    found = covey.spark.publish(
        killing(frame, str(marker)), system, schema=TWO_SORTED, ledger=ledger, **asked
    )

    assert marker.exists()
    rows = found.frame
    assert rows.height == found.n == expected.n
    columns = rows.columns
    assert rows.sort(columns).equals(expected.frame.sort(columns))
    assert len(load_ledger(ledger).entries) == 1
    assert load_ledger(ledger).spent == (0 if system == "individual-ranking" else 1)


def test_noise_is_not_drawn_again_when_rows_are_looked_at_again(spark, path) -> None:
    frame = covey.spark.read(spark, path)

    release = covey.spark.publish(
        frame, "laplace", schema=SCHEMA, epsilon=1.0, columns=("income", "age")
    )

    first, again = (pl.DataFrame(pl.from_arrow(release.data.toArrow())) for _ in range(2))
    assert release.data.columns == ["income", "age"]
    assert first.equals(again)


def test_the_rows_are_complete_before_the_ledger_is_charged_and_charged_before_they_are_seen(
    spark, path, ledger, tmp_path, monkeypatch
) -> None:
    seen = []
    charge = publishing.charge

    def watched(path, guarantee, plan):
        # The records, and the rows.
        written = sorted(path.parent.name for path in tmp_path.glob("covey-*/*/_SUCCESS"))
        seen.append((len(load_ledger(ledger).entries), written))
        return charge(path, guarantee, plan)

    monkeypatch.setattr(publishing, "charge", watched)
    frame = covey.spark.read(spark, path)

    release = covey.spark.publish(
        frame,
        "rank-blocks",
        schema=SCHEMA,
        ledger=ledger,
        staging=tmp_path,
        epsilon=1.0,
        columns=("age",),
    )

    assert seen == [(0, ["000", "001"])]
    assert release.rows.folder.name == "001"
    assert load_ledger(ledger).spent == 1
    assert release.ledger.spent == 1


def test_a_release_that_the_ledger_cannot_pay_is_refused_before_anything_is_asked(
    spark, path, ledger, monkeypatch
) -> None:
    monkeypatch.setattr("covey.engines.spark.records.SparkRecords.answer", None)
    frame = covey.spark.read(spark, path)

    with pytest.raises(BudgetError):
        covey.spark.publish(
            frame, "rank-blocks", schema=SCHEMA, ledger=ledger, epsilon=4.0, columns=("age",)
        )

    assert load_ledger(ledger).spent == 0


def test_lost_input_spends_nothing_and_leaves_nothing(spark, path, ledger, tmp_path) -> None:
    copy = tmp_path / "copy.parquet"
    copy.write_bytes(path.read_bytes())
    room = tmp_path / "room"
    room.mkdir()
    frame = covey.spark.read(spark, copy)
    copy.unlink()

    with pytest.raises(DataError, match="Nothing was published"):
        covey.spark.publish(
            frame, "individual-ranking", schema=SCHEMA, ledger=ledger, staging=room, k=5
        )

    assert load_ledger(ledger).spent == 0
    assert not list(room.iterdir())


def test_bad_values_found_by_a_worker_are_explained_without_quoting_them(spark, tmp_path) -> None:
    frame = people(2_000).with_columns(income=pl.lit(SENTINEL), level=pl.lit(str(SENTINEL)))
    frame.write_parquet(tmp_path / "bad.parquet")
    bad = covey.spark.read(spark, tmp_path / "bad.parquet")

    with pytest.raises(SchemaError, match="'level'") as raised:
        covey.spark.publish(bad, "rank-blocks", schema=SCHEMA, epsilon=1.0, columns=("age",))

    assert "7777777" not in str(raised.value)


def test_a_table_without_complete_records_is_refused(spark, tmp_path) -> None:
    frame = people(50).with_columns(weight=pl.lit(None, dtype=pl.Float64))
    frame.write_parquet(tmp_path / "none.parquet")
    empty = covey.spark.read(spark, tmp_path / "none.parquet")

    for system, asked in (("laplace", {"epsilon": 1.0}), ("individual-ranking", {"k": 2})):
        columns = {"columns": ("weight",)} if system == "laplace" else {}
        with pytest.raises(DataError, match="no complete record"):
            covey.spark.publish(empty, system, schema=SCHEMA, **asked, **columns)


def test_columns_that_the_data_lack_are_named(spark, path) -> None:
    frame = covey.spark.read(spark, path)

    with pytest.raises(SchemaError, match="'weight'"):
        covey.spark.publish(frame.drop("weight"), "rank-blocks", schema=SCHEMA, epsilon=1.0)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (lambda frame: frame.drop("age"), "'age' is missing"),
        (lambda frame: frame.with_columns(pl.col("age").cast(pl.Float64)), "'age' has the type"),
    ],
)
def test_files_that_are_not_parts_of_one_table_are_refused(spark, tmp_path, second, words) -> None:
    frame = people(100)
    frame.write_parquet(tmp_path / "a.parquet")
    second(frame).write_parquet(tmp_path / "b.parquet")

    with pytest.raises(DataError, match=words):
        covey.spark.read(spark, tmp_path)


def test_a_csv_file_has_the_types_that_all_its_lines_fit(spark, tmp_path) -> None:
    frame = people(300).with_columns(pl.Series("work", ["a"] * 299 + ["007"]))
    frame.write_csv(tmp_path / "people.csv")

    found = dict(covey.spark.read(spark, tmp_path / "people.csv", SCHEMA).dtypes)

    assert found["age"] == "bigint"
    assert found["income"] == found["weight"] == "double"
    assert found["work"] == found["level"] == "string"


@pytest.mark.parametrize(
    ("system", "asked", "words"),
    [
        ("mdav", {"k": 3}, "blocks="),
        ("optimal-univariate", {"k": 3}, "no form for Spark"),
        ("insensitive", {"epsilon": 1.0}, "one order only"),
        ("insensitive", {"epsilon": 1.0, "paper": True}, "no form for Spark"),
        ("degree-histogram", {"epsilon": 1.0, "unit": "node"}, "schema"),
    ],
)
def test_what_spark_cannot_do_is_said_and_leaves_nothing(  # noqa: PLR0917 — fixtures
    spark, path, tmp_path, system, asked, words
) -> None:
    frame = covey.spark.read(spark, path)

    with pytest.raises(PlanError, match=words):
        covey.spark.publish(frame, system, schema=SCHEMA, staging=tmp_path, **asked)

    assert not list(tmp_path.iterdir())


def test_a_plan_of_another_engine_runs_and_is_saved_as_there(spark, path, tmp_path) -> None:
    expected = covey.publish(
        path, "insensitive", schema=SCHEMA, epsilon=1.0, order="single", columns=("income", "age")
    )
    expected.save(tmp_path / "memory")
    plan = covey.Plan.load(tmp_path / "memory" / "plan.toml")

    found = covey.spark.publish(covey.spark.read(spark, path), plan)
    found.save(tmp_path / "spark")

    assert found.guarantee == expected.guarantee
    assert found.plan.fingerprint == expected.plan.fingerprint
    for name in ("guarantee.json", "plan.toml"):
        texts = [(tmp_path / folder / name).read_text() for folder in ("memory", "spark")]
        assert texts[0] == texts[1]
    frames = [pl.read_parquet(tmp_path / f / "data.parquet") for f in ("memory", "spark")]
    assert frames[0].schema == frames[1].schema
    assert frames[0].height == frames[1].height
    assert frames[1].equals(frames[1].sort(frames[1].columns))


def test_every_error_is_one_of_covey(spark, tmp_path) -> None:
    with pytest.raises(CoveyError, match="no file"):
        covey.spark.read(spark, tmp_path / "nowhere.parquet")
    with pytest.raises(CoveyError, match="DataFrame"):
        covey.spark.publish(people(10), "rank-blocks", schema=SCHEMA, epsilon=1.0)

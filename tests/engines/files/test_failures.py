"""What goes wrong on the way is explained, spends nothing and leaves nothing."""

from __future__ import annotations

import errno
import json
import tempfile

import polars as pl
import pytest

import covey
from covey.errors import CoveyError, DataError, PlanError, ReleaseError, SchemaError
from covey.ledger import create_ledger
from tests.engines.files.engines import SCHEMA, people, streamed


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder of three Parquet files; temporary files go beside it."""
    parts = tmp_path / "parts"
    parts.mkdir()
    frame = people(3_000)
    for number in range(3):
        frame[number * 1_000 : (number + 1) * 1_000].write_parquet(parts / f"{number}.parquet")
    spare = tmp_path / "spare"
    spare.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spare))
    return parts


@pytest.fixture
def ledger(tmp_path):
    path = tmp_path / "people.ledger"
    create_ledger(path, 10)
    return path


def attempt(data, ledger, system="rank-blocks", **asked):
    asked = {"epsilon": 1.0, "columns": ["income", "age"], **asked}
    return covey.publish(data, system, schema=SCHEMA, ledger=ledger, engine="stream", **asked)


def spent(ledger):
    return json.loads(ledger.read_text())["spent"]


def test_a_folder_of_files_is_one_table(folder, ledger) -> None:
    release = attempt(folder, ledger)

    assert people(3_000)["weight"].null_count()  # it is not published, so nobody is left out
    assert release.n == 3_000
    assert spent(ledger) == "1"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_are_found_by_name_in_every_file(tmp_path, ending) -> None:
    frame = people(400).drop_nulls()
    parts = tmp_path / "parts"
    parts.mkdir()
    for number, part in enumerate((frame[:200], frame[200:].select(reversed(frame.columns)))):
        getattr(part, f"write_{ending}")(parts / f"{number}.{ending}")

    found = streamed(parts, SCHEMA, "laplace", epsilon=1.0, columns=("income", "age"))

    incomes = frame["income"].clip(0, 200_000).to_list()
    assert found.frame["income"].to_list() == pytest.approx(incomes, abs=0.2)
    assert found.frame["age"].to_list() == frame["age"].to_list()


def test_a_column_missing_in_one_file_is_named(folder, ledger) -> None:
    file = folder / "1.parquet"
    pl.read_parquet(file).drop("age").write_parquet(file)

    with pytest.raises(DataError, match=r"'age' is missing in .*1\.parquet"):
        attempt(folder, ledger)

    assert spent(ledger) == "0"


def test_a_column_of_another_type_in_one_file_is_named(folder, ledger) -> None:
    file = folder / "2.parquet"
    pl.read_parquet(file).cast({"age": pl.String}).write_parquet(file)

    with pytest.raises(DataError, match=r"'age' has the type String in .*2\.parquet"):
        attempt(folder, ledger)

    assert spent(ledger) == "0"


def test_a_bad_value_in_the_last_file_is_found_before_anything_is_spent(folder, ledger) -> None:
    file = folder / "2.parquet"
    pl.read_parquet(file).with_columns(income=pl.lit(float("inf"))).write_parquet(file)

    with pytest.raises(DataError, match="'income' holds infinite values"):
        attempt(folder, ledger)

    assert spent(ledger) == "0"


@pytest.mark.parametrize("column", ["income", "weight"])
def test_a_late_csv_line_of_another_kind_is_no_number(tmp_path, ledger, column) -> None:
    path = tmp_path / "late.csv"
    frame = people(2_000).with_columns(pl.col(column).cast(pl.String))
    odd = frame[-1:].with_columns(pl.lit("many").alias(column))
    pl.concat([frame, odd]).write_csv(path)

    with pytest.raises(DataError, match=f"{column!r} is described as numeric"):
        attempt(path, ledger)

    assert spent(ledger) == "0"


def test_whole_numbers_that_end_in_a_fraction_are_read_as_they_are(tmp_path) -> None:
    path = tmp_path / "late.csv"
    path.write_text("x\n" + "1\n" * 5_000 + "0.5\n")
    schema = covey.Schema((covey.Attribute("x", bounds=(0, 1)),))

    release = covey.publish(path, "rank-blocks", schema=schema, engine="stream", epsilon=1.0)

    assert release.data.collect_schema() == {"x": pl.Float64}


def test_files_that_go_away_between_two_passes_are_missed(folder, ledger) -> None:
    def remove(what, *_) -> None:
        if what == "private-tree: cutting the domain":
            (folder / "1.parquet").unlink()

    with pytest.raises(DataError, match=r"1\.parquet' went away"):
        attempt(folder, ledger, "private-tree", progress=remove)

    assert spent(ledger) == "0"


def test_files_that_change_between_two_passes_are_noticed(folder, ledger) -> None:
    def shorten(what, *_) -> None:
        if what == "private-tree: cutting the domain":
            people(10).write_parquet(folder / "1.parquet")

    with pytest.raises(DataError, match="changed while they were read"):
        attempt(folder, ledger, "private-tree", progress=shorten)

    assert spent(ledger) == "0"


@pytest.mark.parametrize(
    ("system", "asked"),
    [("rank-blocks", {}), ("laplace", {}), ("insensitive", {"order": "single"})],
)
def test_a_full_disk_spends_nothing_and_leaves_nothing(
    folder, ledger, monkeypatch, system, asked
) -> None:
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_ipc", full)

    with pytest.raises(ReleaseError, match="No space left"):
        attempt(folder, ledger, system, **asked)

    assert spent(ledger) == "0"
    assert not list((folder.parent / "spare").iterdir())


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_disk_that_is_full_when_saving_leaves_no_partial_release(
    folder, tmp_path, monkeypatch, form
) -> None:
    release = attempt(folder, None)

    def full(_, path, **__):
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(pl.LazyFrame, f"sink_{form}", full)
        with pytest.raises(ReleaseError, match="cannot be written"):
            release.save(tmp_path / "out", format=form)

    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".covey-*"))
    release.save(tmp_path / "out", format=form)
    assert (tmp_path / "out" / "guarantee.json").is_file()


def test_the_ledger_is_charged_before_the_release_can_be_saved(folder, ledger, tmp_path) -> None:
    release = attempt(folder, ledger)

    assert spent(ledger) == "1"
    assert not (tmp_path / "out").exists()
    release.save(tmp_path / "out")
    assert spent(ledger) == "1"


def test_a_ledger_without_enough_left_stops_the_reading(folder, ledger) -> None:
    def read(*_) -> None:
        pytest.fail("records were read for a release that cannot be paid")

    with pytest.raises(CoveyError, match="ledger has"):
        attempt(folder, ledger, epsilon=11.0, progress=read)


def test_saving_twice_gives_the_same_noise(folder, tmp_path) -> None:
    release = attempt(folder, None, "laplace")

    first = pl.read_csv(release.save(tmp_path / "one", format="csv") / "data.csv")
    second = pl.read_csv(release.save(tmp_path / "two", format="csv") / "data.csv")

    assert first.equals(second)


def test_rows_on_disk_go_with_their_release(folder) -> None:
    release = attempt(folder, None)
    kept = release.rows.spool.folder

    assert kept.is_dir()
    assert kept.stat().st_mode & 0o077 == 0
    del release
    assert not kept.exists()


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"engine": "sprak"}, PlanError, "no engine"),
        ({"memory": "10MB"}, PlanError, "512 MiB"),
        ({"memory": "much"}, PlanError, "512 MiB"),
        ({"schema": None}, SchemaError, "needs a schema"),
        ({"data": pl.DataFrame({"x": [1]})}, DataError, "in memory already"),
        ({"data": "nowhere.parquet"}, DataError, "no file"),
        ({"system": "mdav-dp"}, PlanError, "no streamed form"),
        ({"system": "insensitive", "paper": True}, PlanError, "no streamed form"),
        ({"system": "degree-histogram"}, PlanError, "schema describes the columns of a table"),
    ],
)
def test_what_cannot_be_streamed_is_explained(folder, change, error, words) -> None:
    asked = {"data": folder, "system": "rank-blocks", "schema": SCHEMA, "engine": "stream"}
    parameters = {"k": 3} if change.get("system") == "mdav-dp" else {}

    with pytest.raises(error, match=words):
        covey.publish(**{**asked, **change}, epsilon=1.0, **parameters)


def test_a_folder_of_several_kinds_is_refused(folder) -> None:
    people(10).write_csv(folder / "more.csv")

    with pytest.raises(DataError, match="alone"):
        attempt(folder, None)


def test_too_many_blocks_for_the_memory_are_refused_in_public_numbers(folder, monkeypatch) -> None:
    monkeypatch.setattr("covey.engines.files.limit.BASE", 999_990_000)

    with pytest.raises(PlanError, match="--memory"):
        attempt(folder, None)

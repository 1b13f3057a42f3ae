"""Files of every kind are read right, or refused with the right reason and without a record."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import covey
from covey.errors import CoveyError, DataError
from covey.table import bounded, read_frame
from covey.table.dialect import Dialect
from tests.table.messy import CASES, GERMAN, GERMAN_TEXT, PLAIN, Case, lines

SENTINEL = "7777777"


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_file_is_read_right_or_refused_with_the_right_reason(case: Case, tmp_path: Path) -> None:
    if case.needs:
        pytest.importorskip(case.needs)
    source = case.make(tmp_path)
    if case.refusal is not None:
        with pytest.raises(CoveyError, match=case.refusal) as refusal:
            read_frame(source, stated=Dialect.of(case.options))
        assert SENTINEL not in str(refusal.value)
        return

    frame = read_frame(source, stated=Dialect.of(case.options))[0]

    assert frame.to_dict(as_series=False) == case.values


def test_there_are_many_such_files() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.values == PLAIN and not case.options],
    ids=lambda case: case.name,
)
def test_the_engine_for_large_files_reads_alike(case: Case, tmp_path: Path) -> None:
    from covey.engines.files.limit import Memory
    from covey.engines.files.scan import open_stream

    if case.needs:
        pytest.importorskip(case.needs)
    source = case.make(tmp_path)
    schema = covey.Schema(
        (
            covey.Attribute("age"),
            covey.Attribute("town", scale="nominal", categories=PLAIN["town"][:2]),
        )
    )
    try:
        stream = open_stream(source, schema, Memory.of("1GB"))
    except DataError as refusal:
        assert "engine = 'stream' reads" in str(refusal) or "no file" in str(refusal)  # noqa: PT017
        return

    frames = [table.frame for table in stream.pieces()]

    assert pl.concat(frames).to_dict(as_series=False) == PLAIN


@pytest.mark.parametrize("source", ["-", "sqlite://people.db?SELECT 1", "s3://bucket/p.csv"])
def test_the_engine_for_large_files_refuses_what_it_cannot_read_twice(source: str) -> None:
    from covey.engines.files.limit import Memory
    from covey.engines.files.scan import open_stream

    with pytest.raises(DataError, match=r"several times.*--engine memory"):
        open_stream(source, covey.Schema((covey.Attribute("age"),)), Memory.of("1GB"))


def test_a_dialect_of_a_schema_is_used_and_an_option_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(GERMAN_TEXT, encoding="cp1252")
    drafted = covey.Schema.draft(path, encoding="cp1252")
    drafted.save(tmp_path / "people.toml")
    loaded = covey.Schema.load(tmp_path / "people.toml")

    assert loaded.reading == drafted.reading
    assert loaded.reading.told() == (
        "CP1252, fields between semicolons, decimal commas, '.' between thousands, "
        "names in the first line"
    )
    assert covey.read_table(path, loaded).frame.to_dict(as_series=False) == GERMAN
    with pytest.raises(DataError, match="not UTF-8"):
        covey.read_table(path, loaded, encoding="utf-8")


def test_a_plan_reads_alike(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(GERMAN_TEXT * 1 + "34;1,5;Bonn\n" * 9, encoding="cp1252")
    schema = covey.Schema.draft(path, encoding="cp1252")
    release = covey.publish(path, "mdav", schema=schema, k=3)
    release.save(tmp_path / "out")

    again = covey.Plan.load(tmp_path / "out" / "plan.toml")

    assert again.schema is not None
    assert again.schema.reading.encoding == "cp1252"
    originals = covey.read_table(path, again.schema)
    # The release itself is plain, whatever the originals were.
    assert covey.reopen(tmp_path / "out", originals)[0].frame.columns == [
        "Alter",
        "Einkommen",
        "Ort",
    ]


@pytest.mark.parametrize(
    ("stated", "wrong"),
    [
        ({"seperator": ";"}, "Did you mean 'separator'"),
        ({"decimal": ";"}, "decimal = ';'"),
        ({"decimal": ",", "thousands": ","}, "both before decimals and between thousands"),
        ({"separator": "'", "quote": "'"}, "both between fields and around texts"),
        ({"skip": -1}, "skip = -1"),
        ({"header": "yes"}, "header = 'yes'"),
        ({"encoding": "rot13"}, "encoding = 'rot13'"),
    ],
)
def test_a_dialect_that_means_nothing_is_refused(stated: dict, wrong: str) -> None:
    with pytest.raises(covey.errors.SchemaError, match=wrong):
        Dialect.of(stated)


def test_a_packed_file_that_does_not_end_is_refused_before_the_memory_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(b"age\n" + b"5\n" * 600_000))
    monkeypatch.setattr(bounded, "most_bytes", lambda: 10**6)

    with pytest.raises(DataError, match="more than half of this machine's memory"):
        covey.read_table(path)


def test_a_file_larger_than_the_memory_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.csv"
    path.write_text(lines())
    monkeypatch.setattr(bounded, "most_bytes", lambda: 10)

    with pytest.raises(DataError, match="--engine stream"):
        covey.read_table(path)


@pytest.mark.parametrize("form", ["csv", "parquet", "arrow"])
def test_standard_input_is_read_whatever_it_holds(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = io.BytesIO()
    frame = pl.DataFrame(PLAIN)
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "arrow": frame.write_ipc}[form](
        content
    )
    piped = io.TextIOWrapper(io.BytesIO(content.getvalue()))
    monkeypatch.setattr(sys, "stdin", piped)

    assert covey.read_table("-").frame.to_dict(as_series=False) == PLAIN


@pytest.mark.parametrize(
    ("package", "ending", "extra"),
    [("fastexcel", ".xlsx", "excel"), ("pyreadstat", ".sav", "survey")],
)
def test_a_reader_that_is_not_installed_is_named(
    package: str, ending: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / f"people{ending}").touch()

    with pytest.raises(DataError, match=rf"{package} is not installed.*covey\[{extra}\]"):
        covey.read_table(tmp_path / f"people{ending}")


def test_no_reader_of_other_formats_is_loaded_with_covey() -> None:
    code = "import covey, sys; assert not {'fastexcel', 'pyreadstat', 'duckdb'} & {*sys.modules}"

    subprocess.run([sys.executable, "-c", code], check=True)

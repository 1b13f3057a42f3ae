"""Row groups of any size are read within the memory that was allowed, and read alike."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import covey
from covey.engines.files import parquet
from covey.engines.files.limit import BASE, Memory
from covey.engines.files.parquet import parquet_frames
from covey.errors import DataError
from tests.engines.files.engines import NUMBERS, SCHEMA, TIGHT, people, streamed

N = 5_000
WIDE, NARROW = Memory.of("1GB"), Memory(limit=BASE + 200_000)


@pytest.fixture(scope="module")
def frame():
    """Return a column of each type that Parquet and polars share, with gaps."""
    rng = np.random.default_rng(8)
    words = rng.choice(["low", "middle", "high"], N)
    columns = {
        "whole": rng.integers(-9, 9, N),
        "small": pl.Series(rng.integers(0, 99, N), dtype=pl.UInt8),
        "float": rng.normal(size=N),
        "single": pl.Series(rng.normal(size=N), dtype=pl.Float32),
        "text": words,
        "category": pl.Series(words, dtype=pl.Categorical),
        "enum": pl.Series(words, dtype=pl.Enum(["low", "middle", "high"])),
        "yes": rng.random(N) < 0.5,
        "day": [date(2020, 1, 1 + i % 28) for i in range(N)],
        "time": [datetime(2020, 1, 1, i % 24, tzinfo=UTC) for i in range(N)],
        "money": pl.Series([Decimal(i) / 100 for i in range(N)], dtype=pl.Decimal(12, 2)),
    }
    made = pl.DataFrame(columns)
    return made.with_columns(pl.when(pl.int_range(N) % 7 > 0).then(pl.all()))


@pytest.mark.parametrize("rows_of_a_group", [N, 700, 90])
@pytest.mark.parametrize("memory", [WIDE, NARROW])
def test_rows_come_in_their_order_and_types_however_they_are_read(
    frame, tmp_path, rows_of_a_group, memory
) -> None:
    file = tmp_path / "all.parquet"
    frame.write_parquet(file, row_group_size=rows_of_a_group)
    names = [*reversed(frame.columns[1:])]
    types = {name: frame.schema[name] for name in names}

    found = list(parquet_frames(file, types, rows=300, memory=memory))

    assert_frame_equal(pl.concat(found), frame.select(names))
    assert max(piece.height for piece in found) <= 300


def test_large_row_groups_are_read_by_pages_and_small_ones_are_not(
    frame, tmp_path, monkeypatch
) -> None:
    asked = []

    def by_pages(_file, _types, span, _rows):
        asked.append(span.groups)
        return iter(())

    monkeypatch.setattr(parquet, "_by_pages", by_pages)
    file = tmp_path / "numbers.parquet"
    numbers = frame.select("whole", "float")
    numbers.write_parquet(file, row_group_size=2_500)

    for memory in (WIDE, NARROW):
        list(parquet_frames(file, dict(numbers.schema), rows=300, memory=memory))

    assert asked == [(0,), (1,)]


def test_a_release_is_the_same_from_a_file_with_one_row_group(tmp_path, monkeypatch) -> None:
    records = people(4_000)
    records.write_parquet(tmp_path / "many.parquet", row_group_size=500)
    records.write_parquet(tmp_path / "one.parquet", row_group_size=4_000)
    asked = {"epsilon": 1.0, "order": "single", "columns": (*NUMBERS, "work")}
    expected = streamed(tmp_path / "many.parquet", SCHEMA, "insensitive", **asked)
    monkeypatch.setattr(parquet, "_COPIES", 10**6)

    found = streamed(tmp_path / "one.parquet", SCHEMA, "insensitive", TIGHT, **asked)

    assert found.asked == expected.asked
    assert found.frame.equals(expected.frame)


def test_a_damaged_page_is_explained(frame, tmp_path) -> None:
    file = tmp_path / "bad.parquet"
    numbers = frame.select(x=pl.col("float").fill_null(0.0))
    numbers.write_parquet(file, row_group_size=N, compression="uncompressed", statistics=False)
    raw = bytearray(file.read_bytes())
    raw[4:40] = b"\xff" * 36
    file.write_bytes(raw)
    schema = covey.Schema((covey.Attribute("x", bounds=(-5, 5)),))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parquet, "_COPIES", 10**6)
        with pytest.raises(DataError, match="cannot be read to its end"):
            covey.publish(file, "rank-blocks", schema=schema, engine="stream", epsilon=1.0)


def test_a_graph_with_row_groups_beyond_the_memory_is_refused_with_what_to_do(
    tmp_path, monkeypatch
) -> None:
    ends = np.random.default_rng(1).integers(0, 500, (100_000, 2))
    edges = pl.DataFrame({"u": ends[:, 0], "v": ends[:, 1]})
    edges.write_parquet(tmp_path / "one.parquet", row_group_size=100_000)
    edges.write_parquet(tmp_path / "many.parquet", row_group_size=20_000)
    asked = {"engine": "stream", "epsilon": 1.0, "unit": "edge", "regenerate": False}
    # So much that twenty thousand edges may be in a row group, and a hundred thousand may not.
    monkeypatch.setattr("covey.engines.files.limit.BASE", 10**9 - 4 * 7 * 16 * 80_000)

    with pytest.raises(DataError, match=r"row group of .*one\.parquet.*row_group_size=100_000"):
        covey.publish(tmp_path / "one.parquet", "degree-histogram", **asked)
    release = covey.publish(tmp_path / "many.parquet", "degree-histogram", **asked)

    assert release.frame.height

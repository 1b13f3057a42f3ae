"""What became of each record is for the session of the curator, and gets into nothing else."""

from __future__ import annotations

import copy
import pickle
import stat
from pathlib import Path

import polars as pl
import pytest

import covey
from covey import Schema, Trace
from covey.errors import ReleaseError


def test_what_became_of_each_record_is_known_in_the_session_and_never_written(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    release, trace = covey.publish(people, "mdav", schema=people_schema, k=3, trace=True)
    release.save(tmp_path / "out")

    written = pl.read_csv(tmp_path / "out" / "data.csv")

    assert trace.aligned is not None
    assert trace.aligned.height == people.height
    assert not written.select(trace.aligned.columns).equals(trace.aligned)
    assert written.select(trace.aligned.columns).sort(pl.all()).equals(trace.aligned.sort(pl.all()))


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_trace_is_not_written_or_sent(people: pl.DataFrame, take) -> None:
    with pytest.raises(TypeError, match="links released rows to records"):
        take(Trace(people))


def test_a_trace_does_not_show_its_records(people: pl.DataFrame) -> None:
    assert repr(Trace(people, deviations=people.to_dicts)) == "Trace()"


def test_nobody_learns_what_became_of_a_record_unless_it_is_asked_for(
    people: pl.DataFrame, people_schema: Schema
) -> None:
    release = covey.publish(people, "mdav", schema=people_schema, k=3)

    assert isinstance(release, covey.Release)
    held = [getattr(release, name) for name in release.__dataclass_fields__]
    assert not any(isinstance(part, Trace) for part in held)


def published(people: pl.DataFrame, schema: Schema) -> tuple[covey.Release, Trace]:
    return covey.publish(people, "mdav", schema=schema, k=3, trace=True)


def test_a_trace_is_kept_for_its_owner_alone_and_says_what_it_is(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    release, trace = published(people, people_schema)

    path = trace.keep(tmp_path / "mine.trace", release)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "do not publish" in pl.read_parquet_metadata(path)["covey.trace"]
    assert Trace.kept(path, release).aligned.equals(trace.aligned)
    assert [each.name for each in tmp_path.iterdir()] == ["mine.trace"]


def test_a_trace_belongs_to_one_release(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    release, trace = published(people, people_schema)
    other = covey.publish(people, "mdav", schema=people_schema, k=4)
    path = trace.keep(tmp_path / "mine.trace", release)

    with pytest.raises(ReleaseError, match="kept for another release"):
        Trace.kept(path, other)
    people.write_parquet(tmp_path / "other.parquet")
    for wrong in (tmp_path / "other.parquet", tmp_path / "none", tmp_path):
        with pytest.raises(ReleaseError, match="no trace that covey has kept"):
            Trace.kept(wrong, release)


def test_a_trace_is_not_kept_where_it_would_be_published_or_replace_something(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    release, trace = published(people, people_schema)
    release.save(tmp_path / "out")
    (tmp_path / "there").write_text("something")

    with pytest.raises(ReleaseError, match="would lie in a release folder"):
        trace.keep(tmp_path / "out" / "trace", release)
    with pytest.raises(ReleaseError, match="exists already"):
        trace.keep(tmp_path / "there", release)
    with pytest.raises(ReleaseError, match="does not exist"):
        trace.keep(tmp_path / "none" / "trace", release)
    with pytest.raises(ReleaseError, match="no trace to keep"):
        Trace().keep(tmp_path / "trace", release)
    assert trace.keep(tmp_path / "there", release, force=True).stat().st_mode & 0o077 == 0

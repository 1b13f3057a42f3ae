"""What became of each record is for the session of the curator, and gets into nothing else."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import polars as pl
import pytest

import covey
from covey import Schema, Trace


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

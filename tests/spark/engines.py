"""Run a system on Spark without noise, and collect what it would publish."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import covey
from covey.audit.recording import RecordingNoise
from covey.spark import DISTRIBUTED, read
from covey.spark.frame import as_spark_table
from covey.spark.publish import written_rows
from covey.spark.staging import Staging
from covey.table import Schema
from tests.stream.engines import Seen, SilentNoise


def on_spark(spark: Any, path: Path, schema: Schema, system: str, **parameters: Any) -> Seen:
    # Workers cannot import the tests, so only noise of covey itself can be sent to them.
    source = RecordingNoise() if system == "laplace" else SilentNoise()
    chosen, staging = covey.SYSTEMS[system], Staging(spark)
    frame = read(spark, path, schema).repartition(4)
    table = as_spark_table(frame, schema, staging)
    outcome = DISTRIBUTED[system](table, chosen.settings(parameters), source, None)
    rows = written_rows(table, outcome, outcome.guarantee)
    names = [name for name in schema.names if name in {*outcome.guarantee.columns}]
    names = [n for n in schema.names if n in {*names, *outcome.guarantee.untouched}]
    released = pl.read_parquet(staging.parts(rows)).select(names)
    extras = outcome.extras(staging.read(rows))
    return Seen(source.asked, outcome.guarantee, released, outcome.resolved, extras)


def reference_data(name: str) -> Path:
    import os

    path = Path(os.environ["COVEY_DATA"]) / name
    if not path.exists():
        pytest.skip(f"the reference data {name} are not here; set COVEY_DATA")
    return path

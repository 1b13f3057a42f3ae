"""Run a system on Spark without noise, and collect what it would publish."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import covey
from covey.core.exact import COIN_PARTS
from covey.engines.spark.engine import open_spark
from covey.engines.spark.read import read
from covey.table import Schema
from tests.engines.files.engines import Seen, SilentNoise, seen


def on_spark(spark: Any, path: Path, schema: Schema, system: str, **parameters: Any) -> Seen:
    frame = read(spark, path, schema).repartition(4)
    engine = open_spark(frame, covey.SYSTEMS[system], schema)
    with engine.cleared_on_failure():
        return seen(engine, system, parameters)


def decided_coins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let coins fall as preferences say, so that the same records take part on every engine."""
    monkeypatch.setattr(SilentNoise, "coins", lambda _, parts: parts * 2 > COIN_PARTS)


def reference_data(name: str) -> Path:
    path = Path(os.environ["COVEY_DATA"]) / name
    if not path.exists():
        pytest.skip(f"the reference data {name} are not here; set COVEY_DATA")
    return path

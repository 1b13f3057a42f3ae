"""Two million generated records, and what the engine in memory makes of them, once for all."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from covey.table import Attribute, Role, Schema
from tests.engines.files.engines import Seen, in_memory

RECORDS = 2_000_000
SCHEMA = Schema(
    (
        Attribute("income", bounds=(0, 200_000)),
        Attribute("age", role=Role.IDENTIFIER, bounds=(0, 99), integer=True),
    )
)
BOTH = SCHEMA.updated("age", role=Role.QUASI_IDENTIFIER)
PLANS = {
    "rank-blocks": (SCHEMA, {"epsilon": 1.0}),
    "individual-ranking": (SCHEMA, {"k": 25}),
    "insensitive": (BOTH, {"epsilon": 1.0, "order": "single"}),
    "private-tree": (BOTH, {"epsilon": 1.0, "output": "centroids"}),
}
"""The schema and the parameters of each system."""


def write_records(path: Path) -> None:
    """Write records with ties in both columns, and incomes beyond their public bound."""
    rng = np.random.default_rng(9)
    income = np.round(rng.lognormal(10, 1, RECORDS), 2)
    pl.DataFrame({"income": income, "age": rng.integers(0, 100, RECORDS)}).write_parquet(path)


@cache
def expected(path: Path, system: str) -> Seen:
    schema, asked = PLANS[system]
    return in_memory(path, schema, system, **asked)


def assert_same(found: Seen, wanted: Seen) -> None:
    assert found.asked == wanted.asked
    assert found.guarantee == wanted.guarantee
    assert found.resolved == wanted.resolved
    assert found.extras.keys() == wanted.extras.keys()
    assert all(table.equals(wanted.extras[name]) for name, table in found.extras.items())
    assert found.frame.equals(wanted.frame)

"""A small table like the embedded one: an identifier, numbers, grades, categories, preferences."""

from __future__ import annotations

import numpy as np
import polars as pl

from covey.table import Attribute, Role, Scale, Schema, Table, read_table

N = 60
HEALTH = ("poor", "fair", "good", "excellent")
REGIONS = ("north", "south", "west")
NUMBERS = ("age", "income", "visits")
SCHEMA = Schema(
    (
        Attribute("person", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
        Attribute("age", bounds=(0, 120), integer=True, unit="years"),
        Attribute("income", bounds=(0, 100_000)),
        Attribute("visits", bounds=(0, 50), integer=True, role=Role.CONFIDENTIAL),
        Attribute("health", scale=Scale.ORDINAL, categories=HEALTH, role=Role.CONFIDENTIAL),
        Attribute("region", scale=Scale.NOMINAL, categories=REGIONS, role=Role.NON_CONFIDENTIAL),
        Attribute("allowed", role=Role.IDENTIFIER),
    )
)


def people_frame() -> pl.DataFrame:
    """Make the records: no two alike, one income above its bound."""
    rng = np.random.default_rng(20)
    income = np.round(rng.lognormal(10, 0.6, N), 2)
    income[7] = 250_000.0
    return pl.DataFrame(
        {
            "person": [f"p{i:03d}" for i in rng.permutation(N)],
            "age": rng.integers(0, 95, N),
            "income": income,
            "visits": rng.poisson(4, N),
            "health": rng.choice(HEALTH, N),
            "region": rng.choice(REGIONS, N),
            "allowed": rng.choice([0.5, 1.0, 20.0], N),
        }
    )


def people() -> Table:
    """Read the records with the public schema."""
    return read_table(people_frame(), SCHEMA)


def numeric_schema(*, drafted: tuple[str, ...] = ()) -> Schema:
    """Describe the numbers alone, their bounds public or read off the data."""
    return Schema(
        tuple(Attribute(name, bounds=SCHEMA[name].bounds, drafted=drafted) for name in NUMBERS)
    )


def numeric_people(*, drafted: tuple[str, ...] = ()) -> Table:
    """Read the numbers alone, as floats."""
    frame = people_frame().select(NUMBERS).cast(pl.Float64)
    return read_table(frame, numeric_schema(drafted=drafted))

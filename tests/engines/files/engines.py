"""Run one system on both engines without noise, and collect what each would publish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import covey
from covey.core import Guarantee
from covey.core.exact import COIN_PARTS, cut_boxes
from covey.engines.files import Memory, open_stream
from covey.engines.files.engine import FilesEngine
from covey.engines.memory.engine import MemoryEngine
from covey.plan import Plan
from covey.publish import publish_with
from covey.systems.base import as_mapping
from covey.table import Attribute, Role, Scale, Schema


class SilentNoise:
    """Adds nothing, remembers what it was asked for, and tests and tosses by a fixed sequence."""

    secure = True

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.generator, self.tossing = np.random.default_rng(5), np.random.default_rng(6)

    def laplace(self, values, *, scale, l1, epsilon):
        """Return the integers as they are."""
        self.asked.append(("laplace", values.tolist(), scale, l1, epsilon))
        return values

    def cube(self, rows, *, scale):
        """Return the rows as they are."""
        self.asked.append(("cube", rows.tolist(), scale))
        return rows

    def cut(self, counts, *, depth, scale):
        """Test with the next bytes of a fixed sequence."""
        self.asked.append(("cut", counts.tolist(), depth, scale))
        return cut_boxes(counts, depth, scale, self.generator.bytes)

    def choices(self, losses, *, rate):
        """Return the best candidate of each row."""
        self.asked.append(("choices", losses.tolist(), rate))
        return np.argmin(losses, axis=1)

    def coins(self, parts):
        """Toss one number for each record, so that pieces do not matter."""
        return self.tossing.random(parts.size) * COIN_PARTS < parts

    def placement(self):
        """Return the same generator every time."""
        return np.random.default_rng(0)


class Pieces(Memory):
    """Room for counts, but so little for rows that some thousand are sorted on disk."""

    __slots__ = ()

    @property
    def spool(self) -> int:
        """Return fewer bytes than the records have."""
        return 300_000

    def rows(self, columns: int) -> int:
        """Return fewer rows than there are."""
        return 1_700 // columns * columns


TIGHT = Pieces(limit=Memory.of("1GB").limit)


@dataclass(frozen=True)
class Seen:
    """What an engine asks noise for, promises and publishes."""

    asked: list[Any]
    guarantee: Guarantee
    frame: pl.DataFrame
    resolved: Mapping[str, Any]
    extras: Mapping[str, pl.DataFrame]


def seen(engine: Any, system: str, parameters: Mapping[str, Any]) -> Seen:
    """Publish what an engine holds."""
    source, chosen = SilentNoise(), covey.SYSTEMS[system]
    settings = chosen.settings(parameters)
    plan = Plan(system=system, parameters=as_mapping(settings), schema=engine.schema)
    release, _ = publish_with(engine, chosen, settings, plan, source)
    return Seen(
        source.asked, release.guarantee, release.frame, release.plan.parameters, release.extras
    )


def in_memory(path: Path, schema: Schema, system: str, **parameters: Any) -> Seen:
    return seen(MemoryEngine(covey.read_table(path, schema)), system, parameters)


def streamed(
    path: Path,
    schema: Schema,
    system: str,
    memory: Memory = TIGHT,
    *,
    columns: Sequence[str] | None = None,
    **parameters: Any,
) -> Seen:
    parameters = parameters if columns is None else {**parameters, "columns": columns}
    return seen(FilesEngine(open_stream(path, schema, memory), columns, None), system, parameters)


def people(n: int, *, seed: int = 7) -> pl.DataFrame:
    """Return generated records with ties, tails, gaps, an ordinal and a nominal column."""
    rng = np.random.default_rng(seed)
    words = np.array(["low", "middle", "high"])
    gaps = rng.random(n) < 0.01
    return pl.DataFrame(
        {
            "person": [f"p{i}" for i in range(n)],
            "income": np.round(rng.lognormal(10, 1, n), 2),
            "age": rng.integers(0, 100, n),
            "weight": pl.Series(np.where(gaps, np.nan, rng.normal(70, 12, n))).fill_nan(None),
            "level": words[rng.integers(0, 3, n)],
            "work": np.array(["a", "b", "c", "d"])[rng.integers(0, 4, n)],
        }
    )


def with_preferences(n: int) -> pl.DataFrame:
    """Return generated records with what each person allows."""
    allowed = np.random.default_rng(4).choice([0.3, 1.0, 2.5], n)
    return people(n).with_columns(allowed=allowed)


SCHEMA = Schema(
    (
        Attribute("person", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
        Attribute("income", bounds=(0, 200_000)),
        Attribute("age", bounds=(0, 99), integer=True),
        Attribute("weight", bounds=(20, 150), missing="drop"),
        Attribute("level", scale=Scale.ORDINAL, categories=("low", "middle", "high")),
        Attribute(
            "work",
            role=Role.CONFIDENTIAL,
            scale=Scale.NOMINAL,
            categories=("a", "b", "c", "d"),
        ),
    )
)
ALLOWED = Schema((*SCHEMA, Attribute("allowed", role=Role.IDENTIFIER)))
"""The same, with a column of public preferences."""

NUMBERS = ("income", "age", "weight", "level")

"""Run one system on both engines without noise, and collect what each would publish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import covey
from covey.audit.recording import RecordingNoise
from covey.privacy import Guarantee
from covey.release.release import released_rows
from covey.release.streamed import keep_rows
from covey.stream import STREAMED, Memory, open_stream
from covey.table import Attribute, Role, Scale, Schema


class SilentNoise(RecordingNoise):
    """Adds nothing where noise can be left out, and repeats the same draws where it cannot."""

    def __init__(self) -> None:
        super().__init__()
        self.generator = np.random.default_rng(5)

    def random_bytes(self, count: int) -> bytes:
        """Return the next bytes of a fixed sequence."""
        return self.generator.bytes(count)


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


def in_memory(path: Path, schema: Schema, system: str, **parameters: Any) -> Seen:
    source, chosen = SilentNoise(), covey.SYSTEMS[system]
    table = covey.read_table(path, schema)
    outcome = chosen.run(table, chosen.settings(parameters), source, None)
    frame = released_rows(table, outcome.columns, outcome.guarantee)
    if not outcome.guarantee.kind.may_be_row_aligned:
        frame = frame.sort(frame.columns, nulls_last=True)
    return Seen(source.asked, outcome.guarantee, frame, outcome.resolved, outcome.extras)


def streamed(
    path: Path, schema: Schema, system: str, memory: Memory = TIGHT, **parameters: Any
) -> Seen:
    source, chosen = SilentNoise(), covey.SYSTEMS[system]
    stream = open_stream(path, schema, memory)
    outcome = STREAMED[system](stream, chosen.settings(parameters), source, None)
    rows = keep_rows(
        outcome.pieces, outcome.guarantee, memory=memory.spool, in_order=outcome.in_order
    )
    frame = pl.concat(list(rows.spool.frames()))
    return Seen(source.asked, outcome.guarantee, frame, outcome.resolved, outcome.extras())


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
NUMBERS = ("income", "age", "weight", "level")

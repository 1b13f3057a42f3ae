"""Which tables are rivals compared on, what is public about them, and which records are held out?

A fifth of the records is held out: models are tested on them, and the bins and questions by
which all are judged are drawn from them, so no system has seen those.
"""

from __future__ import annotations

import gzip
import io
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from covey.datasets import load_rand_health
from covey.table import Attribute, Missing, Role, Scale, Schema, Table, read_table

DATA = Path(os.environ.get("COVEY_DATA", Path(__file__).resolve().parents[3] / "shared/data"))
HELD_OUT = 5
"""One record in so many."""

SPLIT_SEED = 20261118

Columns = Mapping[str, NDArray[Any]]
"""Numbers as they are, and categories as positions in their public domain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a model shall foretell: whether a column has a value, or lies above one."""

    column: str
    value: str | float

    @classmethod
    def parse(cls, text: str) -> Target:
        """Read ``income=>50K`` (a category) or ``price>200000`` (a number)."""
        for mark, kind in (("=", str), (">", float)):
            column, found, value = text.partition(mark)
            if found and column and value:
                return cls(column=column, value=kind(value))
        raise SystemExit(f"{text!r} names no target. Write COLUMN=CATEGORY or COLUMN>NUMBER.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """One table in two parts."""

    name: str
    train: Table
    test: Table
    target: Target | None

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Return the attributes that are published."""
        return tuple(a for a in self.train.schema if a.role is not Role.IDENTIFIER)

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the names of the numeric columns."""
        return tuple(a.name for a in self.attributes if is_number(a))

    def domain(self, name: str) -> tuple[str, ...]:
        """Return the public categories of a column."""
        return self.train.head(known_n=False).domain(name)


class Missed(Exception):  # noqa: N818 — a table that is not there is no error
    """A table is not there; says why."""


def is_number(attribute: Attribute) -> bool:
    """Return whether the values of an attribute are numbers, and no grades or categories."""
    return attribute.scale is Scale.NUMERIC or attribute.is_numeric_ordinal


def columns_of(table: Table, names: tuple[str, ...] | None = None) -> Columns:
    """Return the records column by column."""
    chosen = [a for a in table.schema if a.role is not Role.IDENTIFIER]
    return {
        a.name: table.values(a.name) if is_number(a) else table.codes(a.name)
        for a in chosen
        if names is None or a.name in names
    }


def load(name: str) -> Split:
    """Return a table of `SOURCES`, or raise `Missed` with the reason."""
    return SOURCES[name]()


def load_own(data: Path, schema: Path, target: str | None) -> Split:
    """Return a table that the user names."""
    table = read_table(data, Schema.load(schema))
    return _split(data.stem, table, Target.parse(target) if target else None)


def _split(name: str, table: Table, target: Target | None) -> Split:
    place = np.random.default_rng(SPLIT_SEED).permutation(table.n)
    held, kept = np.sort(place[: table.n // HELD_OUT]), np.sort(place[table.n // HELD_OUT :])
    parts = [read_table(table.frame[part], table.schema) for part in (kept, held)]
    return Split(name=name, train=parts[0], test=parts[1], target=target)


def _embedded() -> Split:
    table = load_rand_health()
    # Most people are not limited at all, and some wholly: both are known before any count.
    schema = table.schema.updated("limitation", special=(0.0, 1.0))
    table = read_table(table.frame, schema)
    return _split("RAND health", table, Target(column="visits", value=2.0))


def _wide(name: str, *, backwards: bool = False) -> Split:
    path = DATA / "wide" / f"{name}.json"
    if not path.is_file():
        raise Missed(f"there is no wide/{name}.json in the folder that COVEY_DATA names")
    facts = json.loads(path.read_text(encoding="utf-8"))
    described = [_attribute(column, about) for column, about in facts["cols"].items()]
    schema = Schema(tuple(reversed(described) if backwards else described))
    parts = [
        read_table(_frame(path.with_name(f"{name}.{part}.csv.gz"), schema), schema)
        for part in ("train", "test")
    ]
    column, _, value = facts["target"]
    return Split(
        name=f"{name}, columns reversed" if backwards else name,
        train=parts[0],
        test=parts[1],
        target=Target(column=column, value=value),
    )


def _frame(path: Path, schema: Schema) -> pl.DataFrame:
    texts = pl.read_csv(io.BytesIO(gzip.decompress(path.read_bytes())), infer_schema=False)
    return texts.select(
        pl.col(a.name).cast(pl.Float64) if is_number(a) else pl.col(a.name) for a in schema
    )


def _attribute(name: str, about: Mapping[str, Any]) -> Attribute:
    if about["t"] == "num":
        return Attribute(
            name,
            bounds=(about["lo"], about["hi"]),
            integer=about["integer"],
            special=tuple(about["special"]) or None,
        )
    scale = Scale.ORDINAL if about["ordered"] else Scale.NOMINAL
    return Attribute(name, scale=scale, categories=tuple(about["vals"]), missing=Missing.REFUSE)


SOURCES: dict[str, Callable[[], Split]] = {
    "RAND health": _embedded,
    "adult": lambda: _wide("adult"),
    "california": lambda: _wide("california"),
    "churn": lambda: _wide("churn"),
    "adult, columns reversed": lambda: _wide("adult", backwards=True),
}

EXTRA = ("adult, columns reversed",)
"""Shown, and no part of averages: the same records as another table."""

"""Small random tables of every kind of column, with gaps, ties and values out of bounds."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.table import Attribute, Missing, Role, Scale, Schema

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (1, 2, 3, 5, 8, 20, 60, 60, 150, 150, 400, 400, 1_500, 1_500)
DAY_ONE = dt.date(2001, 1, 1)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One column: what the schema says, and the values."""

    attribute: Attribute
    values: pl.Series


def draw_table(
    rng: np.random.Generator, place: Path, *, without: tuple[str, ...] = ()
) -> tuple[pl.DataFrame, Schema]:
    """Return records and their schema; taxonomies are written into ``place``.

    ``without`` kinds of columns, or ``"missing"`` as a value of its own.
    """
    n = int(rng.choice(SIZES))
    names = rng.permutation(["age", "pay", "town", "café", "a b", "x.y", "Σ", "9", "date", "k"])
    kinds = rng.choice([kind for kind in KINDS if kind not in without], size=rng.integers(1, 8))
    policies = ["drop", "impute", "category"]
    if "missing" in without:
        policies.remove("category")
    columns = [
        _with_gaps(KINDS[kind](str(name), n, rng, place), rng, policies)
        for name, kind in zip(names, kinds, strict=False)
    ]
    if rng.random() < 0.2:
        person = pl.Series("person", [f"p{number}" for number in range(n)])
        columns.append(
            Drawn(Attribute("person", role=Role.IDENTIFIER, scale=Scale.NOMINAL), person)
        )
    schema = Schema(tuple(column.attribute for column in columns), folder=place)
    return pl.DataFrame([column.values for column in columns]), schema


def _numbers(name: str, n: int, rng: np.random.Generator, place: Path) -> Drawn:
    del place
    low = float(rng.choice([0.0, -1.0, 1_000.0, -2.5e6, 0.125]))
    width = float(rng.choice([1e-3, 1.0, 7.0, 120.0, 1e5, 1e9]))
    bounded = rng.random() < 0.95
    step = rng.choice([None, None, 0.01, 0.5, 1.0, 3.0])
    facts: dict[str, Any] = {}
    if step is not None:
        width = round(float(step) * int(rng.choice([1, 2, 10, 300, 20_000])), 2)
        facts = {"integer": True} if step == 1 and rng.random() < 0.5 else {"step": float(step)}
        low = float(math.floor(low)) if bounded else 0.0  # from where steps are counted
    unit = SHAPES[str(rng.choice(list(SHAPES)))](n, rng)
    values = low + width * unit
    if step is not None:
        values = low + np.rint(width * unit / step) * step
    special = ()
    if rng.random() < 0.2:
        special = (-9.0,) if facts.get("integer") or rng.random() < 0.5 else (-9.0, low)
        values = np.where(rng.random(n) < 0.3, special[0], values)
        facts["special"] = special
    if bounded:
        facts["bounds"] = (low, low + width)
        if rng.random() < 0.2:
            facts["drafted"] = ("bounds",)
    return Drawn(Attribute(name, role=_role(rng), **facts), pl.Series(name, values))


def _grades(name: str, n: int, rng: np.random.Generator, place: Path) -> Drawn:
    del place
    if rng.random() < 0.3:
        top = int(rng.choice([1, 4, 10]))
        values = pl.Series(name, rng.integers(0, top + 1, n))
        return Drawn(Attribute(name, role=_role(rng), scale=Scale.ORDINAL, bounds=(0, top)), values)
    listed = tuple(f"grade {number}" for number in range(int(rng.choice([2, 3, 7, 25]))))
    values = pl.Series(name, rng.choice(listed, n), dtype=pl.String)
    return Drawn(Attribute(name, role=_role(rng), scale=Scale.ORDINAL, categories=listed), values)


def _categories(name: str, n: int, rng: np.random.Generator, place: Path) -> Drawn:
    listed = tuple(f"kind,{number}" for number in range(int(rng.choice([1, 2, 5, 40, 300]))))
    weight = rng.pareto(1.0, len(listed)) + 1e-9
    values = rng.choice(listed, n, p=weight / weight.sum())
    facts: dict[str, Any] = {"categories": listed}
    chance = rng.random()
    if chance < 0.25:
        rows = [f'"{leaf}",group {number % 3}' for number, leaf in enumerate(listed)]
        rows += [f"group {number},all" for number in range(min(3, len(listed)))]
        rows.append("all,")
        file = place / f"{len(list(place.iterdir()))}.csv"
        file.write_text("\n".join(["child,parent", *rows, ""]), encoding="utf-8")
        facts = {"taxonomy": file.name}
    elif chance < 0.4:
        facts = {"categories": (*listed, "other"), "unknown": "other"}
        values = np.where(rng.random(n) < 0.1, "never heard of", values)
    elif chance < 0.5:
        facts["drafted"] = ("categories",)
    return Drawn(
        Attribute(name, role=_role(rng), scale=Scale.NOMINAL, **facts),
        pl.Series(name, values, dtype=pl.String),
    )


def _moments(name: str, n: int, rng: np.random.Generator, place: Path) -> Drawn:
    del place
    kind = str(rng.choice(["date", "datetime", "time"]))
    if kind == "date":
        step = str(rng.choice(["day", "week", "month", "quarter", "year"]))
        days = rng.integers(0, int(rng.choice([8_000, 30_000])), n)
        values = pl.Series(name, [DAY_ONE + dt.timedelta(int(day)) for day in days], pl.Date)
        # Weeks begin on Mondays, as 2001 did.
        bounds = ("2001-01-01", "2050-01-03" if step == "week" else "2050-01-01")
        if rng.random() < 0.3:
            values = values.dt.to_string("%d.%m.%Y")
            return Drawn(
                Attribute(
                    name, kind=kind, step=step, bounds=bounds, format="%d.%m.%Y", role=_role(rng)
                ),
                values,
            )
    elif kind == "datetime":
        step = str(rng.choice(["second", "minute", "hour", "day"]))
        seconds = rng.integers(0, 10**8, n)
        start = dt.datetime(2001, 1, 1)  # noqa: DTZ001 — local time of the data
        moments = [start + dt.timedelta(seconds=int(second)) for second in seconds]
        values = pl.Series(name, moments, pl.Datetime("us"))
        bounds = ("2001-01-01T00:00:00", "2005-01-01T00:00:00")
    else:
        step = str(rng.choice(["second", "minute", "hour"]))
        nanoseconds = rng.integers(0, 86_400, n) * 10**9
        values = pl.Series(name, nanoseconds).cast(pl.Time)
        bounds = ("00:00:00", "23:00:00")
    return Drawn(Attribute(name, kind=kind, step=step, bounds=bounds, role=_role(rng)), values)


def _weights(name: str, n: int, rng: np.random.Generator, place: Path) -> Drawn:
    del place
    attribute = Attribute(name, role=Role.WEIGHT, bounds=(0, 50))
    return Drawn(attribute, pl.Series(name, np.round(50 * rng.random(n), 2)))


KINDS: dict[str, Callable[[str, int, np.random.Generator, Path], Drawn]] = {
    "numbers": _numbers,
    "more numbers": _numbers,
    "grades": _grades,
    "categories": _categories,
    "moments": _moments,
    "weights": _weights,
}

SHAPES: dict[str, Callable[[int, np.random.Generator], Any]] = {
    "even": lambda n, rng: rng.random(n),
    "constant": lambda n, rng: np.full(n, rng.choice([0.0, 1.0, 0.3])),
    "ties": lambda n, rng: rng.choice([0.0, 0.25, 1.0], n),
    "tail": lambda n, rng: rng.pareto(1.5, n) / 20,  # some beyond the bounds
    "ends": lambda n, rng: rng.choice([0.0, 1.0], n),
    "outside": lambda n, rng: rng.normal(0.5, 1.0, n),
}


def _role(rng: np.random.Generator) -> Role:
    return Role(str(rng.choice(["quasi-identifier"] * 3 + ["confidential", "non-confidential"])))


def _with_gaps(column: Drawn, rng: np.random.Generator, policies: list[str]) -> Drawn:
    """Take values away from some columns, and say in the schema what that means."""
    attribute, values = column.attribute, column.values
    if rng.random() < 0.6:
        return column
    policy = Missing(str(rng.choice(policies)))
    share = float(rng.choice([0.02, 0.4, 1.0], p=[0.5, 0.4, 0.1]))
    impute = _imputed(attribute) if policy is Missing.IMPUTE else None
    weighs = attribute.role is Role.WEIGHT
    if (policy is Missing.IMPUTE and impute is None) or (policy is Missing.CATEGORY and weighs):
        return column
    gone = pl.Series(rng.random(len(values)) < share)
    facts = {name: getattr(attribute, name) for name in attribute.__dataclass_fields__}
    described = Attribute(**facts | {"missing": policy, "impute": impute})
    return Drawn(described, pl.select(pl.when(~gone).then(values)).to_series().rename(values.name))


def _imputed(attribute: Attribute) -> Any:
    if attribute.categories is not None:
        return attribute.categories[0]
    return None if attribute.bounds is None else attribute.bounds[0]

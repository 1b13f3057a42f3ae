"""How are published tables laid out for people: rows, columns, layers, totals, intervals?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import polars as pl

from covey.release.published_tables import CELL_TYPES, TABLES_FRAME

if TYPE_CHECKING:
    from covey.release.folder import Published

MOST_CELLS_SHOWN = 1_500
"""A table with more cells is named and not shown."""

MOST_TABLES_SHOWN = 24
"""So many tables are shown; all are in tables.csv."""

MOST_ACROSS = 8
"""Up to so many cells stand side by side; the longer column goes down the page."""

TOTAL_LABEL = "total"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCell:
    """A count with its interval; ``share`` of the largest count shades it."""

    count: int
    lower: int
    upper: int
    share: float = 0.0
    total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A cross table of at most two columns, for one value of each further column."""

    title: str
    across: Sequence[str]
    rows: Sequence[tuple[str, Sequence[ShownCell]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTable:
    """A published table, laid out; without layers if it is too large to show."""

    name: str
    down: str
    over: str
    cells: int
    layers: Sequence[Layer]


def shown_tables(release: Published) -> list[ShownTable]:
    """Return the tables of a release that are no margin of another one."""
    frame = release.extras.get(TABLES_FRAME)
    if frame is None or "table" not in frame.columns:
        return []
    names = [n for n in frame.columns if n != "table" and n not in CELL_TYPES]
    tables: dict[frozenset[str], pl.DataFrame] = {}
    called: dict[frozenset[str], str] = {}
    for (text,), rows in frame.group_by("table", maintain_order=True):
        key = frozenset(n for n in names if not rows[n].is_null().all())
        tables[key], called[key] = rows, str(text)
    largest = [key for key in tables if key and not any(key < other for other in tables)]
    return [_shown(called[key], key, tables) for key in largest[:MOST_TABLES_SHOWN]]


def _shown(
    name: str, key: frozenset[str], tables: Mapping[frozenset[str], pl.DataFrame]
) -> ShownTable:
    rows = tables[key]
    labels = {n: rows[n].unique(maintain_order=True).to_list() for n in rows.columns if n in key}
    # The longest goes down, the next one across, the others are layers.
    order = sorted(labels, key=lambda n: len(labels[n]))
    down = order[-1]
    across = order[-2] if len(order) > 1 and len(labels[order[-2]]) <= MOST_ACROSS else ""
    layered = [n for n in labels if n not in (down, across)]
    large = rows.height > MOST_CELLS_SHOWN
    counts = {g: _cells(tables[g]) for g in tables if g <= key and not large}
    chosen = [] if large else product(*(labels[n] for n in layered))
    return ShownTable(
        name=name,
        down=down,
        over=across,
        cells=rows.height,
        layers=[
            _layer(dict(zip(layered, values, strict=True)), down, across, labels, counts)
            for values in chosen
        ],
    )


def _cells(rows: pl.DataFrame) -> dict[frozenset[tuple[str, str]], ShownCell]:
    found = {}
    for row in rows.iter_rows(named=True):
        place = frozenset(
            (name, value)
            for name, value in row.items()
            if value is not None and name != "table" and name not in CELL_TYPES
        )
        found[place] = ShownCell(count=row["count"], lower=row["lower"], upper=row["upper"])
    return found


def _layer(
    fixed: Mapping[str, str],
    down: str,
    across: str,
    labels: Mapping[str, Sequence[str]],
    counts: Mapping[frozenset[str], Mapping[Any, ShownCell]],
) -> Layer:
    """Lay out two columns, with totals at the sides if they are published."""

    def cell(**places: str) -> ShownCell | None:
        at = {**fixed, **places}
        return counts.get(frozenset(at), {}).get(frozenset(at.items()))

    over = list(labels[across]) if across else []
    lines: list[tuple[str, list[ShownCell | None]]] = []
    for text in labels[down]:
        inside = [cell(**{down: text, across: other}) for other in over]
        lines.append((text, [*inside, cell(**{down: text})]))
    lines.append((TOTAL_LABEL, [*(cell(**{across: other}) for other in over), cell()]))
    inner = [c for _, line in lines[:-1] for c in (line[:-1] if across else line) if c is not None]
    most = max((c.count for c in inner), default=0) or 1
    known = all(line[-1] is not None for _, line in lines)
    rows = []
    for at, (text, line) in enumerate(lines):
        below = at == len(lines) - 1
        shown = [
            ShownCell(
                count=each.count,
                lower=each.lower,
                upper=each.upper,
                share=0.0 if below or (across and side == len(over)) else each.count / most,
                total=below or bool(across and side == len(over)),
            )
            for side, each in enumerate(line)
            if each is not None and (known or not across or side < len(over))
        ]
        if shown:
            rows.append((text, shown))
    title = ", ".join(f"{name}: {value}" for name, value in fixed.items())
    heads = [*over, *([TOTAL_LABEL] if known and across else [])] or ["count"]
    return Layer(title=title, across=heads, rows=rows)


def shown_numbers(release: Published) -> list[dict[str, Any]]:
    """Return mean and quantiles of each number that was tabulated, with their intervals."""
    quantiles, means = release.extras.get("quantiles"), release.extras.get("means")
    if quantiles is None or means is None:
        return []
    shown = []
    for column in quantiles["column"].unique(maintain_order=True).to_list():
        own = pl.col("column") == column
        mean = means.filter(own & (pl.col("by") == "(all)")).to_dicts()
        found = quantiles.filter(own & (pl.col("statistic") == "quantile")).to_dicts()
        cells = [(row["mean"], row["lower"], row["upper"]) for row in mean]
        cells += [(row["value"], row["lower"], row["upper"]) for row in found]
        heads = ["mean", *(f"{100 * row['at']:g} %" for row in found)]
        shown.append({"name": column, "heads": heads, "cells": cells})
    return shown

"""How does a table look as its paper prints it, with our numbers in the same cells?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from covey.reproduce.entries import PrintedTable
from covey.reproduce.judged import Result, three_figures

LEGEND = (
    ("=", "rounds to the printed number, or is one off in its last digit"),
    ("≈", "within 3 %"),
    ("~", "random, and the printed number lies in the interval of our runs"),
    ("≠", "differs"),
    ("!", "more is printed than is possible"),
    ("( )", "the convention was fitted to this number, so a match proves nothing"),
)
"""What the marks mean."""


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """A number of a printed table: as printed, ours with its mark, and an interval."""

    printed: str
    ours: str
    mark: str
    interval: str
    colour: str
    status: str


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns of numbers that stand under one title, which may be empty."""

    title: str
    heads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """What names a row, and its numbers."""

    head: tuple[str, ...]
    cells: tuple[PrintedCell, ...]


@dataclass(frozen=True, slots=True)
class LaidOutTable:
    """A printed table with our numbers in it, ready to be drawn."""

    paper: str
    name: str
    caption: str
    stub: tuple[str, ...]
    groups: tuple[ColumnGroup, ...]
    rows: tuple[PrintedRow, ...]
    notes: tuple[str, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """Return the titles of all columns of numbers."""
        return tuple(head for group in self.groups for head in group.heads)

    @property
    def grouped(self) -> bool:
        """Return whether columns stand under titles of groups."""
        return any(group.title for group in self.groups)


def laid_out(tables: Sequence[PrintedTable], results: Sequence[Result]) -> list[LaidOutTable]:
    """Return the tables of which every number was computed or has its reason."""
    found = []
    for table in tables:
        own = [r for r in results if (r.paper, r.entry.table) == (table.paper, table.name)]
        cells = {r.entry.place: r for r in own if r.entry.place is not None}
        if not cells:
            continue
        rows = tuple(
            PrintedRow(head, tuple(_cell(cells[i, j]) for j in range(len(table.heads))))
            for i, head in enumerate(table.rows)
        )
        found.append(
            LaidOutTable(
                paper=table.paper,
                name=table.name,
                caption=table.caption,
                stub=table.stub,
                groups=tuple(_groups(table.heads)),
                rows=rows,
                notes=tuple(notes(own)),
            )
        )
    return found


def others(results: Sequence[Result]) -> list[Result]:
    """Return the numbers that stand in no printed table."""
    return [result for result in results if result.entry.place is None]


def notes(results: Sequence[Result]) -> Iterator[str]:
    """Yield under which conventions numbers were computed, and why some were not."""
    seen: dict[str, set[str]] = {}
    for result in results:
        entry = result.entry
        if entry.recipe == "none":
            seen.setdefault(f"Not computed: {entry.reason}", set())
        elif entry.convention:
            seen.setdefault(entry.convention, set()).add(entry.basis)
    for text, bases in seen.items():
        origin = f" ({', '.join(sorted(bases))})" if bases else ""
        yield f"{text[0].upper()}{text[1:]}{origin}."


def _groups(heads: Sequence[str]) -> Iterator[ColumnGroup]:
    parts = [head.rpartition(" | ") for head in heads]
    for title, members in groupby(parts, key=lambda part: part[0]):
        yield ColumnGroup(title, tuple(part[2] for part in members))


def _cell(result: Result) -> PrintedCell:
    spread = result.spread
    return PrintedCell(
        printed=result.entry.text,
        ours=figures_as(result.entry.text, result.ours),
        mark=result.mark,
        interval="" if spread is None else f"{_short(spread.low)}–{_short(spread.high)}",
        colour=result.colour,
        status=f"{result.shown_status}; {result.entry.basis}",
    )


def figures_as(text: str, value: float | None) -> str:
    """Return a number in as many figures as another is printed in, and one more."""
    if value is None or math.isnan(value):
        return "–"
    if value == math.inf:
        return "∞"
    mantissa, exponent, _ = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    if exponent:
        return f"{value:.{decimals + 1}E}"
    # Counts have no further digit.
    if decimals == 0 and value == round(value):
        return f"{value:.0f}"
    return f"{value:.{decimals + 1}f}"


def _short(value: float) -> str:
    if 100.0 <= abs(value) < 1e6:  # noqa: PLR2004
        return f"{value:.0f}"
    return three_figures(value).replace("e+", "e").replace("e0", "e").replace("e-0", "e-")

"""How do the reproductions look in a Markdown document?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covey.errors import ReleaseError
from covey.reproduce.entries import PrintedTable
from covey.reproduce.judged import Result, summary
from covey.reproduce.layout import LEGEND, LaidOutTable, PrintedCell, laid_out, notes, others

BEGIN = "<!-- begin: written by `covey reproduce`, do not edit -->"
END = "<!-- end: written by `covey reproduce` -->"

TITLES = {"text": "Said in the text", "(not printed)": "Not printed"}
"""Where a number is not in a table."""

_HEADER = (
    "| data | method | what | parameters | paper | ours | interval | difference "
    "| status | basis |\n"
    "|---|---|---|---|---:|---:|---:|---:|---|---|"
)


def markdown(results: Sequence[Result], tables: Sequence[PrintedTable] = ()) -> str:
    """Return the printed tables with our numbers in them, then the others, one on each line."""
    grids = laid_out(tables, results)
    parts = [summary(results)]
    if grids:
        marks = "; ".join(f"`{mark}` {meaning}" for mark, meaning in LEGEND)
        parts.append(f"In each cell the printed number stands above ours. {marks}.")
    parts += [_grid(grid) for grid in grids]
    listed = others(results)
    for table in dict.fromkeys(result.entry.table for result in listed):
        own = [result for result in listed if result.entry.table == table]
        title = TITLES.get(table, table)
        parts.append("\n".join([f"### {title}\n", _HEADER, *(_row(result) for result in own)]))
        parts += _notes(notes(own))
    return "\n\n".join(parts)


def inserted(document: str, text: str, *, name: str) -> str:
    """Return a document with the text between the two marker comments, whatever was there."""
    if document.count(BEGIN) != 1 or document.count(END) != 1:
        raise ReleaseError(
            f"the document {name!r} does not have the two comments once each between which the "
            f"tables belong, so nothing was written. Put these lines where they go: {BEGIN} {END}"
        )
    before, _, rest = document.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}"


def _grid(layout: LaidOutTable) -> str:
    """Return a table with methods as columns; groups of columns are named in every title."""
    heads = [
        f"{group.title}<br>{head}" if group.title else head
        for group in layout.groups
        for head in group.heads
    ]
    lines = [
        f"### {layout.name}\n",
        f"{layout.caption}.\n",
        _line([*layout.stub, *heads]),
        "|" + "---|" * len(layout.stub) + "---:|" * len(heads),
    ]
    lines += [_line([*row.head, *(_cell(cell) for cell in row.cells)]) for row in layout.rows]
    return "\n\n".join(["\n".join(lines), *_notes(layout.notes)])


def _notes(texts: Iterator[str] | Sequence[str]) -> list[str]:
    lines = [f"- {text}" for text in texts]
    return ["\n".join(lines)] if lines else []


def _cell(cell: PrintedCell) -> str:
    interval = f"<br><small>{cell.interval}</small>" if cell.interval else ""
    return f"{cell.printed}<br>**{cell.ours}** {cell.mark}{interval}"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _row(result: Result) -> str:
    return _line(result.cells[1:])

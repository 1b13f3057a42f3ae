"""How do the papers' tables look in a terminal, with our numbers below the printed ones?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.show import console

if TYPE_CHECKING:
    from covey.reproduce import PrintedTable, Result
    from covey.reproduce.layout import LaidOutTable


def show_numbers(results: Sequence[Result], tables: Sequence[PrintedTable]) -> None:
    """Print the tables as their papers do, then the other numbers, then how many came out."""
    from covey.reproduce.judged import summary
    from covey.reproduce.layout import laid_out, others

    for layout in laid_out(tables, results):
        _show_table(layout)
    _show_others(others(results))
    _show_legend()
    for name in dict.fromkeys(result.paper for result in results):
        own = [result for result in results if result.paper == name]
        console.print(f"[bold]{escape(name)}[/]: {escape(summary(own))}")


def _show_table(layout: LaidOutTable) -> None:
    """Print a table as its paper does, in as many parts as the terminal is narrow."""
    console.print(f"\n[bold]{escape(f'{layout.paper}, {layout.name}')}[/]: {layout.caption}")
    for columns in _parts(layout):
        grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for title in layout.stub:
            grid.add_column(escape(title), no_wrap=True)
        for j in columns:
            grid.add_column(escape(_head(layout, j)), justify="right", no_wrap=True)
        for row in layout.rows:
            texts = []
            for cell in (row.cells[j] for j in columns):
                colour = "dim" if cell.colour == "grey" else cell.colour
                ours = escape(f"{cell.ours} {cell.mark}".rstrip())
                texts.append(f"{cell.printed}\n[{colour}]{ours}[/]")
                if cell.interval:
                    texts[-1] += f"\n[dim]{cell.interval}[/]"
            grid.add_row(*(escape(head) for head in row.head), *texts)
        console.print(grid)
    for note in layout.notes:
        console.print(f"[dim]{escape(note)}[/]")


def _parts(layout: LaidOutTable) -> Iterator[list[int]]:
    """Yield columns that stand beside each other in the width of the terminal."""
    stub = sum(
        2 + max(len(title), *(len(row.head[i]) for row in layout.rows))
        for i, title in enumerate(layout.stub)
    )
    columns: list[int] = []
    left = console.width - stub
    for j in range(len(layout.heads)):
        lines = _head(layout, j).split("\n")
        for cell in (row.cells[j] for row in layout.rows):
            lines += [cell.printed, f"{cell.ours} {cell.mark}", cell.interval]
        width = 2 + max(len(line) for line in lines)
        if columns and width > left + 2:
            yield columns
            columns, left = [], console.width - stub
        columns.append(j)
        left -= width
    yield columns


def _head(layout: LaidOutTable, j: int) -> str:
    heads = [(group.title, head) for group in layout.groups for head in group.heads]
    return "\n".join(heads[j]) if layout.grouped else heads[j][1]


def _show_others(results: Sequence[Result]) -> None:
    """Print the numbers that stand in no table, one on each line, and how they were computed."""
    from covey.reproduce.layout import notes

    titles = ("data", "method", "what", "paper", "ours", "status")
    for name in dict.fromkeys((result.paper, result.entry.table) for result in results):
        own = [result for result in results if (result.paper, result.entry.table) == name]
        console.print(f"\n[bold]{escape(', '.join(name))}[/]")
        grid = Grid(box=None, pad_edge=False, padding=(0, 1, 0, 0))
        for title in titles:
            grid.add_column(title, justify="right" if title in ("paper", "ours") else "left")
        for result in own:
            colour = "dim" if result.colour == "grey" else result.colour
            _, data, method, what, label, printed, ours, interval, *_ = result.cells
            grid.add_row(
                *(escape(text) for text in (data, method, f"{what} {label}", printed)),
                escape(ours) + (f"\n[dim]{interval}[/]" if interval else ""),
                f"[{colour}]{escape(result.shown_status.partition(':')[0])}[/]",
            )
        console.print(grid)
        for note in notes(own):
            console.print(f"[dim]{escape(note)}[/]")


def _show_legend() -> None:
    from covey.reproduce.layout import LEGEND

    console.print("\nThe printed number stands above ours.")
    for mark, meaning in LEGEND:
        console.print(f"  {mark:3s} {meaning}", markup=False)
    console.print()

"""How does a value of Covey show itself in a notebook?  A heading, some lines, one plain table.

No record and no value that was read off records: notebooks are passed on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

SHOWN_ROWS = 60
"""Longer tables are cut, and say so."""


def notebook_html(
    title: str,
    lines: Iterable[str] = (),
    headers: Sequence[str] = (),
    rows: Sequence[Sequence[Any]] = (),
) -> str:
    """Return a piece of HTML; every text is escaped.

    Examples
    --------
    >>> notebook_html("a < b", ["one"])
    '<div class="covey"><b>a &lt; b</b><p>one</p></div>'
    """
    parts = [f"<b>{escape(title)}</b>", *(f"<p>{escape(line)}</p>" for line in lines if line)]
    if rows:
        shown = [_line("td", row) for row in rows[:SHOWN_ROWS]]
        head = f"<thead>{_line('th', headers)}</thead>"
        parts.append(f"<table>{head}<tbody>{''.join(shown)}</tbody></table>")
    if len(rows) > SHOWN_ROWS:
        parts.append(f"<p>… and {len(rows) - SHOWN_ROWS} more.</p>")
    return f'<div class="covey">{"".join(parts)}</div>'


def shown(value: Any) -> str:
    """Return a cell as a text: four figures of a number, nothing for none."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _line(tag: str, cells: Sequence[Any]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(shown(cell))}</{tag}>' for cell in cells)}</tr>"
